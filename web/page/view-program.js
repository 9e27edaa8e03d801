// A compiled program: its memory over time, what lives there at the peak, copies and advice. It is read in a worker.

import { button, faults, h, linked, pre } from "page/dom";
import { figure } from "page/figure";
import { stored, unpacked, worker } from "page/load";
import { change, state } from "page/state";

const TOO_MUCH = [{ what: "this program is too large for the browser", help: "use the command: layout hlo FILE" }];
// A run that takes longer can be stopped, after so many milliseconds.
const SOON = 500;
const told = { answer: null, progress: null };
let reader = null;
const stop = button("Stop", () => end([{ what: `reading ${told.file.name} was stopped` }]), { hidden: "" });

/** Ends the worker, which answers nothing any more: the next program has a new one. */
function end(faults) {
  reader.terminate();
  reader = null;
  answered({ faults });
}

function answered(answer) {
  clearTimeout(told.soon);
  stop.hidden = true;
  [told.answer, told.progress] = [answer, null];
  show();
}

/** Asks the worker about a program, which it keeps, or about the one that it has. */
function read(bytes) {
  reader ??= worker();
  told.progress = "Reading the program";
  clearTimeout(told.soon);
  told.soon = setTimeout(() => (stop.hidden = false), SOON);
  show();
  reader.onmessage = ({ data }) => (data === null ? end(TOO_MUCH) : answered(JSON.parse(data)));
  told.device = state.device;
  reader.postMessage({ bytes, device: state.device }, bytes ? [bytes.buffer] : []);
}

/** Takes a file that was dropped or chosen. Of several the last one is read. */
export async function take(file) {
  told.file = file;
  told.progress = "Loading";
  show();
  try {
    let bytes = new Uint8Array(await file.arrayBuffer());
    // What is compressed begins so.
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b && unpacked(file).arrayBuffer();
    if (packed) bytes = new Uint8Array(await packed.catch(() => Promise.reject(new Error("it is not a whole .gz file"))));
    if (told.file === file) read(bytes);
  } catch (error) {
    // A folder, or a file that has gone or has more bytes than there is memory.
    if (told.file !== file) return;
    [told.answer, told.progress] = [{ faults: [{ what: `${file.name} cannot be read: ${error.message}` }] }, null];
    show();
  }
}

const area = h("section", { class: "program", "aria-live": "polite" });

function show() {
  const { answer, progress } = told;
  if (progress) area.replaceChildren(h("p", `${progress} … `, h("progress"), " ", stop));
  else if (answer?.faults) area.replaceChildren(...faults(answer.faults));
  else if (answer) area.replaceChildren(...report(answer));
}

function report({ name, fits, room, report, tree, svg }) {
  const [headline, ...parts] = report.trimEnd().split("\n\n");
  // What to do comes first, in lines as long as there is room for.
  const [advice, others] = [true, false].map((is) => parts.filter((part) => part.startsWith("advice\n") === is));
  return [
    h("h2", told.file.name === name ? name : `${told.file.name}: ${name}`),
    h("p", { class: `verdict ${fits ? "ok" : "refused"}` }, headline.split("\n")[0].replace(`${name}: `, "")),
    room && h("p", room),
    ...advice.map((part) => h("div", { class: "advice" }, pre(part))),
    figure(svg, { name: `memory of ${name}` }),
    ...others.map((part) => pre(linked(part))),
    h("details", h("summary", "By module, forward and backward"), pre(tree)),
  ].filter(Boolean);
}

// Made once: what is pasted stays while the answer is drawn anew.
const drop = document.querySelector("#drop").content.firstElementChild;
const [choose, paste] = drop.querySelectorAll("input, textarea");
// The same file may have changed.
choose.addEventListener("click", () => (choose.value = ""));
choose.addEventListener("change", () => choose.files[0] && take(choose.files[0]));
drop.querySelector("button").addEventListener("click", async () => {
  change({ device: state.device || "v5e" });
  take(new File([await (await stored("example")).blob()], "example"));
});
paste.addEventListener("input", () => take(new File([paste.value], "pasted")));

export const program = {
  title: "Program",
  subject: "",
  fields: (found, { devices }) => [{ key: "device", name: "Device memory", options: ["", ...devices] }],
  show() {
    if (reader && told.device !== state.device) read();
    return { nodes: [drop, area] };
  },
};
