// The page: its views, the fields of the one that is shown, and its answer.

import { copied, faults, h } from "page/dom";
import { field } from "page/field";
import { load } from "page/load";
import { address, change, state } from "page/state";
import { compare } from "page/view-compare";
import { layout } from "page/view-layout";
import { program, take } from "page/view-program";
import { shared } from "page/view-shared";
import { steps } from "page/view-steps";
import { tpu } from "page/view-tpu";

const views = { layout, steps, compare, tpu, shared, program };
const [nav, form, answer, link] = ["nav", "form", "#answer", "#link"].map((name) => document.querySelector(name));
const below = h("div", { class: "below" });

let library = await load();

/** Asks the library: the name of one of its functions and what it takes. */
function ask(name, ...given) {
  try {
    return JSON.parse(library[name](...given));
  } catch (error) {
    console.error(error);
    load().then((fresh) => {
      library = fresh;
    });
    return { faults: [{ what: "the library stopped, which is a mistake of ours", help: "please report what you typed" }] };
  }
}

// Fields are made anew only if others are needed, so that nobody loses the one that he types in.
const made = new Map();
function fill(place, specs) {
  const said = JSON.stringify([state.v, specs]);
  if (made.get(place)?.said !== said) {
    const nodes = specs.map((spec) => [spec.key, field(spec)]);
    place.replaceChildren(...nodes.map(([, node]) => node));
    made.set(place, { said, nodes: new Map(nodes) });
  }
  return made.get(place).nodes;
}

function draw() {
  const view = views[state.v] ?? layout;
  for (const button of nav.children) button.toggleAttribute("aria-current", button.dataset.view === state.v);
  if (!form.isConnected || made.get(form)?.said === undefined) fill(form, view.fields({}));
  const { found = {}, nodes, faults: wrong = {}, below: more = [], after } = view.show(ask, below);
  // What is wrong leaves the last picture, and the fields that it had.
  const fields = nodes ? fill(form, view.fields(found)) : made.get(form).nodes;
  const kept = document.activeElement?.dataset.keep;
  if (nodes) answer.replaceChildren(...nodes.filter(Boolean));
  answer.querySelector(".wait")?.remove();
  answer.classList.toggle("stale", !nodes);
  const others = nodes ? fill(below, more) : new Map();
  for (const [key, node] of [...fields, ...others]) {
    node.refresh?.();
    node.show?.(wrong[key] ?? []);
  }
  if (kept) answer.querySelector(`[data-keep="${CSS.escape(kept)}"]`)?.focus();
  after?.();
}

nav.append(
  ...Object.entries(views).map(([key, { title }]) =>
    h("button", { type: "button", "data-view": key, onclick: () => change({ v: key }) }, title),
  ),
);
link.addEventListener("click", () => copied(link, address()));
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("change-of-state", draw);
addEventListener("resize", draw);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (!file) return;
  change({ v: "program" });
  take(file);
});
draw();
