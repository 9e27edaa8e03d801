// What the compilers of TPUs choose for an array, what padding costs, and blocks of Pallas kernels.

import { facts, h, marked, table } from "page/dom";
import { figure } from "page/figure";
import { state } from "page/state";
import { text } from "page/view-layout";

const ARRAYS = ["bf16[16,1280,40]", "f32[1000,1024]", "s32[8388608,8,4]", "s4[4096,300]"];
const COLUMNS = ["layout", "bytes", "padded ÷ unpadded"];

export const tpu = {
  title: "TPU",
  subject: "t",
  fields: (found, { tpus }) => [
    { ...text, name: "An array", examples: ARRAYS },
    { key: "tpu", name: "Generation", options: tpus },
    { key: "block", name: "Block of a Pallas kernel", hint: found.block, examples: ["8,128", "64,256", "60,256", "1,1280,40"] },
  ],
  show(ask) {
    const found = ask("tpus", state.t, state.tpu);
    if (found.faults) return { faults: { t: found.faults } };
    const block = ask("pallas", state.t, state.block, state.tpu);
    return {
      found,
      faults: { block: block.faults ?? [] },
      nodes: [
        h("h2", "Layout that the compiler chooses, by TPU generation"),
        table(["TPU", ...COLUMNS], found.chosen),
        h("h2", `Orders of the dimensions on ${state.tpu}, the smallest first`),
        table(["minor to major", ...COLUMNS], found.orders),
        ...(block.faults ? [] : blocks(block)),
      ],
    };
  },
};

function blocks({ verdict, reason, window, bytes, limit, part, block, svg }) {
  const percent = part < 0.001 ? "less than 0.1" : (100 * part).toFixed(1);
  const rows = [
    ["in VMEM", `${bytes} bytes for both buffers, ${percent} % of the ${limit} of VMEM that a kernel gets`],
    ...(window ? [["one buffer", window]] : []),
    ["drawn", "the blocks along the last two dimensions; hatched ones extend past the array"],
  ];
  const said = verdict === "ok" ? "Legal: the compiler takes this block." : `Refused: ${reason}.`;
  return [
    h("h2", "The block on its array"),
    h("p", { class: `verdict ${verdict}` }, marked(said)),
    facts(rows),
    figure(svg, { name: `blocks of ${block}` }),
  ];
}
