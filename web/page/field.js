// What a person fills in. A field is described by its key in the state, its name and its kind, and its element is kept while that stays the same.

import { faults, h } from "page/dom";
import { change, state } from "page/state";

/** The element of a field, with `show(faults)` where it can be wrong. */
export function field({ key, name, options, value, examples, range, hint, set: chosen = (it) => ({ [key]: it }) }) {
  const id = `field-${key}`;
  const set = (it) => change(chosen(it));
  const control = options ? choice(id, key, options, set, value) : range ? slider(id, range) : null;
  if (control) {
    const node = h("div", { class: "field" }, h("label", { for: id }, name), control);
    node.refresh = control.refresh;
    return node;
  }
  return text(id, key, name, examples ?? [], hint, set);
}

function choice(id, key, options, set, value) {
  const select = h(
    "select",
    { id, onchange: () => set(select.value) },
    options.map((option) => h("option", { value: option }, option || "–")),
  );
  select.refresh = () => (select.value = value ?? state[key]);
  return select;
}

function slider(id, [dim, size]) {
  const at = () => state.at.split(",").map(Number);
  const shown = h("output", { for: id });
  const input = h("input", {
    id,
    type: "range",
    min: 0,
    max: size - 1,
    oninput: () => {
      const index = at();
      index[dim] = Number(input.value);
      change({ at: Array.from(index, (part) => part || 0).join(",") });
    },
  });
  const node = h("span", { class: "range" }, input, shown);
  node.refresh = () => {
    input.value = at()[dim] || 0;
    shown.textContent = input.value;
  };
  return node;
}

/** A line of text. Faults are underlined where they are: behind the text lies its copy, which has marks. */
function text(id, key, name, examples, hint, set) {
  const mirror = h("div", { class: "mirror", "aria-hidden": "true" });
  const wrong = h("div", { class: "faults", id: `${id}-faults`, role: "status" });
  const scroll = () => (mirror.scrollLeft = input.scrollLeft);
  const input = h("input", {
    id,
    value: state[key],
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: hint,
    "aria-describedby": wrong.id,
    oninput: () => set(input.value),
    onscroll: scroll,
    onkeyup: scroll,
  });
  const pick = h(
    "select",
    { "aria-label": `examples of: ${name}`, onchange: () => set(pick.value) },
    h("option", { value: "" }, "examples"),
    examples.map((example) => h("option", example)),
  );
  const head = h("div", { class: "head" }, h("label", { for: id }, name), examples.length > 0 && pick);
  const node = h("div", { class: `field text ${key}` }, head, h("div", { class: "line" }, mirror, input), wrong);
  node.show = (list) => {
    wrong.replaceChildren(...faults(list));
    input.setAttribute("aria-invalid", list.length > 0);
    let end = 0;
    const marked = list
      .filter(({ at }) => at)
      .sort((a, b) => a.at[0] - b.at[0])
      .flatMap(({ at: [from, to] }) => {
        const start = Math.max(from, end);
        const before = input.value.slice(end, start);
        end = Math.max(to, start + 1);
        return [before, h("mark", input.value.slice(start, end) || " ")];
      });
    mirror.replaceChildren(...marked, input.value.slice(end));
  };
  node.refresh = () => {
    if (input.value !== state[key]) input.value = state[key];
    pick.value = "";
  };
  return node;
}
