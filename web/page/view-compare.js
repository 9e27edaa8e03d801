// Two layouts: what moves between them, and what is free.

import { code, facts, h, teller } from "page/dom";
import { figure } from "page/figure";
import { state } from "page/state";
import { EXAMPLES, dimensions, label, text, view } from "page/view-layout";

const TO = ["{0,1}", "{1,0:T(8,128)}", "einops:h w -> w h", "f32[15]"];

export const compare = {
  title: "Compare",
  subject: "t",
  fields: (found, names) => [
    { ...text, name: "From", examples: EXAMPLES.slice(0, 3) },
    { key: "to", name: "To: a shape, or only a layout", examples: TO, hint: found.reversed },
    label(names),
    ...dimensions(found),
  ],
  show(ask) {
    const found = ask("compare", state.t, state.to, view(innerWidth > 1000 ? 0.48 : 1));
    if (found.faults) {
      const own = ask("layout", state.t, view()).faults;
      return { faults: own ? { t: own } : { to: found.faults } };
    }
    const line = teller("Point at a cell or tap it to mark it in both layouts.");
    // Elements of one array are the same if their indices are; of arrays of other dimensions, if they lie in the same place.
    const [link, other] = found.isSameArray ? ["index", "offset"] : ["offset", "index"];
    const told = (value, slot) => {
      const at = (side) => side.querySelector(`.slot[data-${link}="${CSS.escape(value)}"]`)?.dataset[other] ?? "not shown";
      const [a, b] = [...slot.closest(".beside").querySelectorAll("figure")].map(at);
      line.replaceChildren(h("b", `${link} ${value}`), ` · ${other} ${a} in the first, ${b} in the second`);
    };
    const side = ({ text, svg }) => h("section", figure(svg, { name: text, link, told }));
    return {
      found,
      nodes: [
        facts(found.facts),
        h("div", { class: "beside" }, side(found.from), side(found.to)),
        line,
        found.code.length > 0 && h("h2", "Code for the conversion"),
        ...found.code.map(([title, text]) => code(title, text)),
      ],
    };
  },
};
