// The page: its views, the fields of the one that is shown, and its answer.

import { button, copied, h } from "page/dom";
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
    return JSON.parse(library(name, ...given));
  } catch (error) {
    console.error(error);
    load().then((fresh) => (library = fresh));
    return { faults: [{ what: "the library stopped: this is a bug", help: "please report what you typed" }] };
  }
}

const names = ask("names");

// A field that stays the same keeps its element, and is not moved: that would take the focus from who types in it.
const made = new Map();
function fill(place, specs) {
  const old = made.get(place) ?? new Map();
  const fields = new Map(
    specs.map((spec) => {
      const said = JSON.stringify(spec);
      const kept = old.get(spec.key);
      return [spec.key, kept?.said === said ? kept : { said, node: field(spec) }];
    }),
  );
  const nodes = [...fields.values()].map(({ node }) => node);
  for (const node of [...place.children]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => node === place.children[at] || place.insertBefore(node, place.children[at] ?? null));
  made.set(place, fields);
  return fields;
}

let shown;
function draw() {
  if (!Object.hasOwn(views, state.v)) state.v = "layout";
  const view = views[state.v];
  const isOther = shown !== view;
  shown = view;
  const focused = document.activeElement;
  for (const it of nav.children) {
    it.ariaCurrent = it.dataset.view === state.v ? "page" : null;
    it.tabIndex = it.ariaCurrent ? 0 : -1;
  }
  document.title = `${state[view.subject] ?? ""} · ${view.title} · layout`.replace(/^ · /, "");
  const { found = {}, nodes, faults: wrong = {}, below: more = [], after } = view.show(ask, below, names);
  // What is wrong leaves the last picture, and the fields that it had.
  const fields = nodes || isOther ? fill(form, view.fields(found, names)) : made.get(form);
  if (nodes || isOther) answer.replaceChildren(...(nodes ?? []).filter(Boolean));
  answer.querySelector(".wait")?.remove();
  answer.classList.toggle("stale", !nodes);
  const others = nodes ? fill(below, more) : new Map();
  for (const [key, { node }] of [...fields, ...others]) {
    node.refresh?.();
    node.show?.(wrong[key] ?? []);
  }
  after?.();
  // What is drawn anew takes the focus of what it replaces.
  if (focused.id && document.activeElement !== focused) {
    (document.getElementById(focused.id) ?? answer).focus({ preventScroll: true });
  }
}

nav.append(...Object.entries(views).map(([key, { title }]) => button(title, () => change({ v: key }), { "data-view": key })));
nav.addEventListener("keydown", ({ key, target }) => {
  const next = { ArrowRight: target.nextSibling, ArrowLeft: target.previousSibling }[key];
  next?.focus();
  next?.click();
});
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
