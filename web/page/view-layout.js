// One layout: the array as a grid beside memory as a strip.

import { code, facts, h, link, marked, pre, section, table, teller } from "page/dom";
import { figure, mark } from "page/figure";
import { change, state } from "page/state";

export const EXAMPLES = [
  "f32[3,5]{1,0:T(2,2)}",
  "bf16[300,500]{1,0:T(8,128)(2,1)}",
  "onednn:nChw16c f32[1,40,5,7]",
  "cute:((2,2),(2,3)):((2,12),(1,4)) f32[4,6]",
  "einops:(h 4) (w 8) -> h w 4 8 f32[12,16]",
  "tvm:NCHW8c f32[1,16,4,4]",
  "jax:Layout(major_to_minor=(0, 1), tiling=((8, 128),)) f32[16,256]",
  "pack:inner_dims_pos = [0, 1] inner_tiles = [4, 4] f32[8,12]",
  "mosaic:#tpu.tiled<(8,128),[2,1]> f32[16,256]",
  "marlin u4[64,128]",
  "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
];

export const text = {
  key: "t",
  name: "A layout: in XLA's notation, another system's (onednn:, cute:, einops: …), or the name of a packed format",
  examples: EXAMPLES,
  hint: "f32[3,5]{1,0:T(2,2)}",
};
export const label = ({ labels }) => ({ key: "label", name: "Cell labels", options: labels });

// To ask for the width at each key would lay out the page twice.
let width = document.querySelector("#answer").clientWidth;
addEventListener("resize", () => (width = document.querySelector("#answer").clientWidth));

/** How pictures are drawn: as wide as there is room, of which `part` is theirs. */
export function view(part = 1) {
  const given = (text) => (text === "" ? [] : text.split(",").map(Number));
  const axes = given(state.rows).concat(given(state.columns));
  return JSON.stringify({ label: state.label, width: Math.floor(width * part), axes, at: given(state.at) });
}

/** Which dimensions are shown, and sliders for the others. */
export function dimensions({ dims, axes }) {
  if (!dims || dims.length < 3) return [];
  const options = dims.map((_, dim) => String(dim));
  const shown = axes.map(String);
  const axis = (name, own) => ({
    key: name.toLowerCase(),
    name,
    options,
    shown,
    value: shown[own],
    set: (dim) => {
      const [rows, columns] = shown.map((was, place) => (place === own ? dim : was === dim ? shown[own] : was));
      return { rows, columns };
    },
  });
  const others = dims.map((size, dim) => ({ key: `at${dim}`, name: `Index of dimension ${dim}`, range: [dim, size] }));
  return [axis("Rows", 0), axis("Columns", 1), ...others.filter(({ range: [dim, size] }) => !axes.includes(dim) && size > 1)];
}

/** Where an element lies, and why: what stands below a picture. */
export function readout(ask) {
  const line = teller("Point at a cell or tap it, or focus the picture and use the arrow keys.");
  const tell = (offset) => {
    const found = ask("element", state.t, offset);
    if (found.faults) return;
    const { index, byte, why } = found;
    line.replaceChildren(
      h("b", index ? `[${index}]` : "padding"),
      ` · offset ${found.offset} · byte ${byte}`,
      ...(why ? [h("br"), why] : [": no element is there"]),
    );
    mark("offset", offset);
  };
  const told = (offset) => {
    change({ o: offset }, true);
    tell(offset);
  };
  return { line, told, tell };
}

const LABELS = {
  offset: "In the grid, a cell's number is the offset of its element; in memory, a slot has the index of its element.",
  index: "A cell has the index of its element.",
  both: "A cell's number is the offset of its element; below it is the index.",
  none: "A cell is an element; point at it to see its index and its offset.",
};
/** What the notation of the layout says, in words. */
function reading(parts) {
  const said = parts.flatMap(([token, what], at) => [at > 0 && "; ", h("code", token), ": ", ...marked(what)]);
  return h("p", { class: "reading" }, ...said, `. ${LABELS[state.label] ?? ""}`);
}
/** What is printed only is not a link. */
const notated = ([name, text]) => [name, name === "numpy" ? text : link(text)];
// Kept, so that it stays open.
const notation = document.querySelector("#notation").content.firstElementChild;

export const layout = {
  title: "Layout",
  subject: "t",
  fields: (found, names) => [text, label(names), ...dimensions(found)],
  show(ask, below, { languages }) {
    const found = ask("layout", state.t, view());
    if (found.faults) return { faults: { t: found.faults } };
    const { line, told, tell } = readout(ask);
    const written = ask("code", state.t, state.language);
    return {
      found,
      below: [{ key: "language", name: "Language", options: languages }],
      nodes: [
        reading(found.reading),
        notation,
        figure(found.svg, { name: found.text, told, current: state.o }),
        line,
        h(
          "div",
          { class: "beside" },
          section("Numbers", facts(found.facts), h("h2", "Offset of an element, in elements"), pre(found.formula)),
          section("Use in code", code("Rust", found.macro), below, code("Index functions", written.code ?? written.faults[0].what)),
        ),
        section("In other notations", table(["notation", "text"], found.said.map(notated))),
      ],
      after: () => state.o !== "" && tell(state.o),
    };
  },
};
