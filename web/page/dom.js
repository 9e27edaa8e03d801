// Elements. Children that are strings become text, never markup.

/** An element: its tag, its attributes if it has any, and its children. */
export function h(tag, ...given) {
  const node = document.createElement(tag);
  const hasAttributes = given[0]?.constructor === Object;
  const [attributes, children] = hasAttributes ? [given[0], given.slice(1)] : [{}, given];
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child));
  return node;
}

export const button = (name, onclick, more) => h("button", { type: "button", onclick, ...more }, name);
export const pre = (...parts) => h("pre", { tabindex: 0 }, ...parts);
export const section = (title, ...nodes) => h("section", h("h2", title), ...nodes);
/** A line that tells what is pointed at. */
export const teller = (text) => h("p", { class: "readout", role: "status" }, text);

/** A layout, which a click shows. */
export const link = (layout, text = layout) => h("a", { href: `#${new URLSearchParams({ t: layout })}` }, text);

const LAYOUT = /((?:(?:pred|[a-z]+\d\w*)\[[\d,<=]*\] ?)?\{\d[^{}]*\})/;
/** A text whose layouts are links, and the rest of it as a function gives it. A layout without an array, as after "to", is of the one before it. */
export function linked(text, rest = (part) => part) {
  let array = "";
  return text.split(LAYOUT).flatMap((part, at) => {
    if (at % 2 === 0) return rest(part);
    const [, own, layout] = part.match(/^(.*?) ?(\{.*)$/);
    array = own || array;
    return array ? link(array + layout, part) : part;
  });
}
/** A text with `code` in it. */
export const marked = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", part) : part));

/** Rows of texts, the first of each a name. */
export const facts = (rows) => h("dl", ...rows.map(([name, value]) => h("div", h("dt", name), h("dd", linked(value, marked)))));

/** Rows of texts or elements. */
export function table(head, rows) {
  const row = (cell) => (parts) => h("tr", ...parts.map((part) => h(cell, part.nodeType ? part : linked(part, marked))));
  return h("div", { class: "scroll" }, h("table", h("thead", row("th")(head)), h("tbody", rows.map(row("td")))));
}

/** Text to take along, with a button that copies it. */
export function code(title, text) {
  const copy = button("Copy", () => copied(copy, text));
  return h("section", { class: "code" }, h("h3", title, copy), pre(text));
}

/** Copies a text, and says so on the button. */
export async function copied(button, text) {
  button.dataset.name ??= button.textContent;
  // Only pages of https and of this machine have a clipboard; some browsers refuse it.
  const isCopied = (await navigator.clipboard?.writeText(text).then(() => true, () => false)) || copiedBySelection(button, text);
  button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
  setTimeout(() => (button.textContent = button.dataset.name), isCopied ? 1200 : 5000);
}

/** The old way. If it is refused too, the text stays there, selected. */
function copiedBySelection(button, text) {
  const area = h("textarea", { class: "copy", readonly: "", "aria-label": "the text to copy", onblur: () => area.remove() }, text);
  button.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  if (isCopied) button.focus();
  return isCopied;
}

/** What is wrong, and what to write instead. */
export function faults(list) {
  return list.map(({ what, help }) => h("p", { class: "fault" }, h("b", marked(what)), help && h("span", marked(help))));
}
