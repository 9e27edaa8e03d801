// What a person has chosen. It stands in the fragment of the address, which no server is sent.

const DEFAULTS = {
  v: "layout",
  t: "f32[3,5]{1,0:T(2,2)}",
  to: "",
  label: "offset",
  at: "",
  rows: "",
  columns: "",
  step: "0",
  language: "CUDA",
  tpu: "v5e",
  block: "",
  s: "f16[64,64], swizzle = 128B",
  access: "lane % 16, lane / 16 * 8",
  bytes: "16",
  family: "mma",
  sizes: "16,8,16",
  bits: "16",
  operand: "A",
  device: "",
  o: "",
};

/** The text that a view shows at first: what TPUs do is seen on larger arrays. */
const first = (v) => (v === "tpu" ? "bf16[300,500]" : DEFAULTS.t);

export const state = { ...DEFAULTS };

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  // What the command was told stands in the page.
  const told = { t: document.querySelector("meta[name=layout]").content || first(given.get("v")) };
  for (const key of Object.keys(DEFAULTS)) state[key] = given.get(key)?.replace(/[\r\n]/g, " ") ?? told[key] ?? DEFAULTS[key];
}

/** The address of what is shown. */
export function address() {
  const chosen = Object.entries(state).filter(([key, value]) => key === "t" || value !== DEFAULTS[key]);
  return `${location.href.split("#")[0]}#${new URLSearchParams(chosen)}`;
}

/** Changes some of it; `quietly` if nothing is to be drawn anew. */
export function change(part, quietly = false) {
  if (part.v && state.t === first(state.v)) state.t = first(part.v);
  // The element that was pointed at belongs to its text.
  if ((part.t ?? state.t) !== state.t) state.o = "";
  Object.assign(state, part);
  clearTimeout(waiting);
  // The way back leads through the views, not through each key, for which it also takes too long.
  if (part.v) history.pushState(null, "", address());
  else waiting = setTimeout(() => history.replaceState(null, "", address()), 200);
  // The title is that of the new entry.
  if (!quietly) dispatchEvent(new Event("change-of-state"));
}
let waiting;

addEventListener("pagehide", () => history.replaceState(null, "", address()));
addEventListener("hashchange", () => {
  read();
  dispatchEvent(new Event("change-of-state"));
});
read();
