// Elements. Children that are strings become text, never markup.

export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

/** Rows of texts, the first of each a name. */
export function facts(rows) {
  return h(
    "dl",
    {},
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export function table(head, rows) {
  const row = (cell) => (texts) =>
    h(
      "tr",
      {},
      texts.map((text) => h(cell, {}, text)),
    );
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, row("th")(head)), h("tbody", {}, rows.map(row("td")))));
}

/** Text to take along, with a button that copies it. */
export function code(title, text) {
  const copy = h("button", { type: "button", onclick: () => copied(copy, text) }, "Copy");
  return h("section", { class: "code" }, h("h3", {}, title, copy), h("pre", { tabindex: 0 }, text));
}

/** Copies a text, and says so on the button. */
export async function copied(button, text) {
  button.dataset.name ??= button.textContent;
  const written = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = written ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = button.dataset.name;
  }, 1200);
}

/** What is wrong, and what to write instead. */
export function faults(list) {
  return list.map(({ what, help }) => h("p", { class: "fault" }, h("b", {}, what), help && h("span", {}, help)));
}
