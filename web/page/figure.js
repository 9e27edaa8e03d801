// Pictures whose slots are linked: what is pointed at, or reached by the arrows, is marked wherever it is drawn.

import { button, h } from "page/dom";

/** A picture as the library wrote it. `link` names the attribute by which slots are the same; `told` is given its value. */
export function figure(svg, { name, link = "offset", told = () => {}, current = "" }) {
  // The library escapes what others wrote, and in a template nothing would run. As XML it takes twice the time to read.
  const template = h("template");
  template.innerHTML = svg;
  const picture = template.content.firstElementChild;
  const holder = h("div", {
    id: `picture ${name}`,
    class: "picture scroll",
    tabindex: 0,
    role: "group",
    "aria-label": picture.querySelector(".slot") ? `${name}; arrows go from cell to cell` : name,
  });
  const go = (slot) => {
    if (slot?.dataset[link] === undefined || (slot === holder.current && slot.classList.contains("on"))) return;
    holder.current = slot;
    mark(link, slot.dataset[link]);
    told(slot.dataset[link], slot);
  };
  holder.append(picture);
  // What is drawn anew below a pointer that rests has not been pointed at.
  for (const kind of ["pointermove", "click"]) holder.addEventListener(kind, ({ target }) => go(target.closest(".slot")));
  holder.addEventListener("keydown", (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const slots = way ? [...picture.querySelectorAll(`.slot[data-${link}]`)] : [];
    if (slots.length === 0) return;
    event.preventDefault();
    const next = holder.current?.isConnected ? neighbour(slots, holder.current, way) : slots[0];
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
    go(next);
  });
  holder.current = current === "" ? null : picture.querySelector(`.slot[data-${link}="${CSS.escape(current)}"]`);
  const save = (kind, text) => button(kind, () => download(text, name, kind.slice(0, 3)));
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const light = isDark && save("PNG, light", svg.replaceAll("(prefers-color-scheme:dark)", "(max-width:0px)"));
  return h("figure", holder, h("figcaption", save("SVG", svg), save("PNG", svg), light));
}

/** Marks the slots that are the same, in every picture. Several lanes of one slot have spaces between them. */
export function mark(link, value) {
  for (const slot of document.querySelectorAll(".slot.on")) slot.classList.remove("on");
  for (const part of value.split(" ").filter(Boolean)) {
    for (const slot of document.querySelectorAll(`.slot[data-${link}~="${CSS.escape(part)}"]`)) slot.classList.add("on");
  }
}

/** The nearest slot in a direction: of those in the same row or column; past the last of them, of all. */
function neighbour(slots, from, [right, down]) {
  const middle = (slot) => {
    const box = slot.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height];
  };
  const [x, y, width, height] = middle(from);
  let [best, least] = [null, Infinity];
  const size = right ? height : width;
  for (const slot of slots) {
    const [otherX, otherY] = middle(slot);
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs(right ? otherY - y : otherX - x);
    const far = ahead + (aside < size / 2 ? 0 : 1e6 + aside);
    if (ahead > size / 2 && far < least) [best, least] = [slot, far];
  }
  return best;
}

async function download(svg, name, kind) {
  let blob = new Blob([svg], { type: "image/svg+xml" });
  if (kind === "PNG") {
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    await image.decode();
    const canvas = new OffscreenCanvas(2 * image.width, 2 * image.height);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    blob = await canvas.convertToBlob();
  }
  const file = name.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "layout";
  const link = h("a", { href: URL.createObjectURL(blob), download: `${file}.${kind.toLowerCase()}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
