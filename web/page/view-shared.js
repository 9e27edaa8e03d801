// Shared memory of GPUs: which banks an access of a warp meets, and which lane holds what of an operand.

import { button, facts, h, section, teller } from "page/dom";
import { figure } from "page/figure";
import { change, state } from "page/state";

const TILES = ["f16[64,64], swizzle = 128B", "f32[32,32]", "f32[32,33]", "f16[64,64]", "f32[32,32]{1,0:PAD(32,33)}"];
const ACCESSES = ["0, lane", "lane, 0", "lane % 16, lane / 16 * 8", "lane / 8, lane % 8 * 8", "lane / 4, lane % 4"];

const legend = document.querySelector("#legend").content.firstElementChild;

// What is wrong leaves the last pictures: a page that becomes shorter jumps under who types.
const last = { banks: [], held: [] };

export const shared = {
  title: "Shared memory",
  subject: "s",
  fields: () => [
    { key: "s", name: "A tile in shared memory", examples: TILES },
    { key: "access", name: "Element that each lane of a warp accesses", examples: ACCESSES },
    { key: "bytes", name: "Bytes per lane", options: ["1", "2", "4", "8", "16"] },
  ],
  show(ask, below) {
    const found = ask("banks", state.s, state.access, Number(state.bytes));
    if (!found.faults) last.banks = banks(found);
    const wrong = found.faults && ask("layout", state.s, "{}").faults;
    const held = ask("fragment", state.family, state.sizes, Number(state.bits), state.operand);
    if (!held.faults) last.held = fragment(held);
    return {
      found,
      nodes: [
        part(found, last.banks),
        h("h2", "Which lane holds which element of a matrix unit's operand"),
        below,
        part(held, last.held),
      ],
      faults: { s: wrong ?? [], access: wrong ? [] : (found.faults ?? []), sizes: held.faults ?? [] },
      below: [
        { key: "family", name: "Fragment of", options: ["mma", "wgmma", "mfma", "wmma"] },
        { key: "sizes", name: "M,N,K", examples: ["16,8,16", "64,64,16", "32,32,8"] },
        { key: "bits", name: "Bits of an element", options: ["1", "4", "8", "16", "32", "64"] },
        { key: "operand", name: "Operand", options: ["A", "B", "D"] },
      ],
    };
  },
};

/** A part of the answer, grey if it is of an earlier input. */
const part = ({ faults }, nodes) => h("div", faults ? { class: "stale", inert: "" } : {}, ...nodes);

function banks({ wavefronts, ideal, meeting, svg, pair, swizzle, padding }) {
  const line = teller("Point at a cell or tap it to mark its lanes.");
  const told = (lanes, slot) => line.replaceChildren(h("b", `lane ${lanes}`), ` · ${slot.querySelector("title").textContent}`);
  const isFree = wavefronts === ideal;
  const counted = (number) => `${number} ${number === 1 ? "wavefront" : "wavefronts"}`;
  const remedy = (name, found) =>
    found &&
    h(
      "p",
      `${name}: `,
      h("code", found.text),
      `, ${counted(found.wavefronts)} `,
      button("Apply", () => change({ s: found.text }), { id: name }),
    );
  return [
    h(
      "p",
      { class: `verdict ${isFree ? "ok" : "refused"}` },
      isFree ? `${counted(ideal)}, the minimum: no conflicts.` : `${counted(wavefronts)} instead of ${ideal}: ${meeting}.`,
    ),
    !isFree && h("div", remedy("Best swizzle", swizzle), remedy("Best padding", padding)),
    legend,
    h("section", figure(svg, { name: "banks of shared memory", link: "key", told }), line),
    h(
      "div",
      { class: "beside pair" },
      pair.map(([name, svg]) => section(name, figure(svg, { name, link: "key", told }))),
    ),
  ];
}

function fragment({ svg, numbers: [warps, lanes, registers, copies] }) {
  const line = teller("Point at an element or tap it to mark all elements of its lane.");
  const told = (key, slot) => line.replaceChildren(slot.querySelector("title")?.textContent ?? key);
  return [
    facts([["held by", `${warps} × ${lanes} lanes, ${registers} elements per lane${copies > 1 ? `, ${copies} copies` : ""}`]]),
    h("section", figure(svg, { name: "fragment", link: "key", told }), line),
  ];
}
