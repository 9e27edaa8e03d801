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
export const pre = (text) => h("pre", { tabindex: 0 }, text);
/** A line that tells what is pointed at. */
export const teller = (text) => h("p", { class: "readout", role: "status" }, text);

/** Rows of texts, the first of each a name. */
export function facts(rows) {
  return h(
    "dl",
    rows.map(([name, value]) => h("div", h("dt", name), h("dd", value))),
  );
}

export function table(head, rows) {
  const row = (cell) => (texts) =>
    h(
      "tr",
      texts.map((text) => h(cell, {}, text)),
    );
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
  const refused = await navigator.clipboard.writeText(text).catch(() => true);
  button.textContent = refused ? "Not allowed" : "Copied";
  setTimeout(() => (button.textContent = button.dataset.name), 1200);
}

/** What is wrong, and what to write instead. */
export function faults(list) {
  return list.map(({ what, help }) => h("p", { class: "fault" }, h("b", what), help && h("span", help)));
}
