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
    return {
      faults: [{ what: "the library stopped, which is a mistake of ours", help: "please report what you typed" }],
    };
  }
}

// A field that stays the same keeps its element, and is not moved: that would take the focus from who types in it.
const made = new Map([
  [form, new Map()],
  [below, new Map()],
]);
function fill(place, specs) {
  const old = made.get(place);
  const fields = specs.map((spec) => {
    const said = JSON.stringify(spec);
    return old.get(spec.key)?.said === said ? old.get(spec.key) : Object.assign(field(spec), { said, key: spec.key });
  });
  for (const node of old.values()) if (!fields.includes(node)) node.remove();
  fields.forEach((node, at) => place.children[at] !== node && place.insertBefore(node, place.children[at] ?? null));
  made.set(place, new Map(fields.map((node) => [node.key, node])));
  return made.get(place);
}

let shown;
function draw() {
  const view = views[state.v] ?? layout;
  const focus = document.activeElement;
  for (const button of nav.children) button.setAttribute("aria-current", views[button.dataset.view] === view);
  const { found = {}, nodes, faults: wrong = {}, below: more = [], after } = view.show(ask, below);
  // What is wrong leaves the last picture, and the fields that it had.
  const isOther = shown !== view;
  shown = view;
  const fields = nodes || isOther ? fill(form, view.fields(found)) : made.get(form);
  if (nodes || isOther) answer.replaceChildren(...(nodes ?? []).filter(Boolean));
  answer.querySelector(".wait")?.remove();
  answer.classList.toggle("stale", !nodes);
  const others = nodes ? fill(below, more) : new Map();
  for (const [key, node] of [...fields, ...others]) {
    node.refresh?.();
    node.show?.(wrong[key] ?? []);
  }
  if (focus?.id) document.getElementById(focus.id)?.focus({ preventScroll: true });
  if (focus?.dataset.keep) answer.querySelector(`[data-keep="${CSS.escape(focus.dataset.keep)}"]`)?.focus();
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
// On phones the height changes as one scrolls or types.
let wide = innerWidth;
addEventListener("resize", () => {
  if (wide !== innerWidth) draw();
  wide = innerWidth;
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  if (!file) return;
  change({ v: "program" });
  take(file);
});
draw();
