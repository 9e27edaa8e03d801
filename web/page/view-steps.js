// Pad, reshape, transpose, tile by tile: elements keep their colour as they move.

import { button, h, pre, section } from "page/dom";
import { figure } from "page/figure";
import { change, state } from "page/state";
import { label, readout, text, view } from "page/view-layout";

const DURATION = 700;

export const steps = {
  title: "Steps",
  subject: "t",
  fields: (found, names) => [text, label(names)],
  show(ask) {
    const found = ask("steps", state.t, view());
    if (found.faults) return { faults: { t: found.faults } };
    if (found.steps.length === 0) return { nodes: [h("p", "This array has no elements.")] };
    const { line, told, tell } = readout(ask);
    const stages = found.steps;
    const stage = h("div", { class: "stage" });
    const buttons = stages.map((it, number) =>
      button([h("b", it.name), " ", it.says], () => go(number), { id: `stage${number}` }),
    );
    const list = h("ol", { class: "stages" }, ...buttons.map((button) => h("li", button)));
    let timer = 0;
    const within = (number) => Math.max(0, Math.min(number, stages.length - 1));
    const at = () => within(Number.parseInt(state.step) || 0);
    const draw = (isMoving) => {
      const before = isMoving ? places(stage) : new Map();
      const { name, says, svg } = stages[at()];
      stage.replaceChildren(figure(svg, { name: `${found.text}: ${name}`, told, current: state.o }));
      move(stage, before);
      if (state.o !== "") tell(state.o);
      buttons.forEach((it, number) => (it.ariaCurrent = number === at() ? "step" : null));
      stage.setAttribute("aria-label", says);
    };
    const go = (number) => {
      change({ step: String(within(number)) }, true);
      draw(true);
    };
    const next = () => (at() + 1 < stages.length && stage.isConnected ? go(at() + 1) : clearInterval(timer));
    const play = () => {
      clearInterval(timer);
      go(0);
      timer = setInterval(next, 2 * DURATION);
    };
    const by = (number) => () => {
      clearInterval(timer);
      go(at() + number);
    };
    return {
      found,
      nodes: [
        h("div", { class: "player" }, button("Back", by(-1)), button("Next", by(1)), button("Play", play)),
        list,
        h("p", { class: "reading" }, "A cell has the offset of its element in the end. The number at its left plus the one above it is its position in this step."),
        stage,
        line,
        section("Offset of an element, in elements", pre(found.formula)),
      ],
      after: () => draw(false),
    };
  },
};

/** Where each element is drawn. */
function places(stage) {
  const frame = stage.getBoundingClientRect();
  const slots = [...stage.querySelectorAll(".slot[data-offset]")];
  return new Map(
    slots.map((slot) => {
      const box = slot.getBoundingClientRect();
      return [slot.dataset.offset, [box.x - frame.x, box.y - frame.y]];
    }),
  );
}

/** Lets each element come from where it was. */
function move(stage, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [offset, [x, y]] of places(stage)) {
    const old = before.get(offset);
    if (!old) continue;
    const from = `translate(${old[0] - x}px, ${old[1] - y}px)`;
    stage
      .querySelector(`.slot[data-offset="${offset}"]`)
      .animate([{ transform: from }, { transform: "none" }], { duration: DURATION, easing: "ease-in-out" });
  }
}
