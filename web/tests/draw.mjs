// Draws the page for README, as text: `node web/tests/draw.mjs docs/page.svg`, after `cargo run -p tiled-layout-web`.
import { writeFile } from "node:fs/promises";
import { test } from "./browser.mjs";

const size = { width: 1100, height: 596 };

test("the page is drawn", { viewport: size }, async ({ open, page }) => {
  await open();
  await page.locator('.slot[data-index="2,3"]').first().hover();
  const drawn = await page.evaluate(({ width, height }) => {
    const out = [];
    const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const number = (value) => Math.round(value * 10) / 10;
    const text = (content, box, style) => {
      const [x, y] = [box.x, box.y + box.height / 2].map(number);
      const weight = Number(style.fontWeight) > 400 ? ` font-weight="600"` : "";
      out.push(
        `<text x="${x}" y="${y}" dy=".35em" font-size="${style.fontSize}" fill="${style.color}"${weight}>${escape(content)}</text>`,
      );
    };
    const draw = (node) => {
      const box = node.getBoundingClientRect?.();
      if (box && (box.y > height || box.right > width || box.width === 0)) return;
      // What is in a closed `details` has a place, but is not seen.
      if (node.checkVisibility && !node.checkVisibility()) return;
      const style = node.nodeType === 1 ? getComputedStyle(node) : getComputedStyle(node.parentElement);
      if (node.nodeType === 3) {
        const range = document.createRange();
        let start = 0;
        let line = null;
        const flush = (end) =>
          line && node.data.slice(start, end).trim() && text(node.data.slice(start, end).trim(), line, style);
        for (let at = 0; at < node.length; at += 1) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const letter = range.getBoundingClientRect();
          if (line && Math.abs(letter.y - line.y) > 2 && letter.width > 0) {
            flush(at);
            [start, line] = [at, letter];
          }
          if (!line && node.data[at].trim()) [start, line] = [at, letter];
        }
        flush(node.length);
      } else if (node.matches("svg.tiled-layout")) {
        const copy = node.cloneNode(true);
        copy.setAttribute("x", number(box.x));
        copy.setAttribute("y", number(box.y));
        copy.querySelectorAll(".slot.on rect").forEach((it) => it.setAttribute("style", "fill:#b45309;fill-opacity:1"));
        copy.querySelectorAll(".slot.on text").forEach((it) => it.setAttribute("style", "fill:#fff;font-weight:700"));
        copy.querySelectorAll("title, .page").forEach((it) => it.remove());
        copy
          .querySelectorAll(".slot")
          .forEach((it) => [...it.attributes].forEach(({ name }) => name !== "class" && it.removeAttribute(name)));
        out.push(copy.outerHTML);
      } else if (!node.matches("option, .mirror, script, style")) {
        const edge = style.borderTopWidth !== "0px" ? style.borderTopColor : "none";
        const fill = node.matches(".line input") ? "#f4f6f9" : style.backgroundColor;
        if (fill !== "rgba(0, 0, 0, 0)" || edge !== "none") {
          const place = [box.x, box.y, box.width, box.height].map(number);
          out.push(
            `<rect x="${place[0]}" y="${place[1]}" width="${place[2]}" height="${place[3]}" rx="${parseFloat(style.borderRadius)}" fill="${fill}" stroke="${edge}"/>`,
          );
        }
        if (node.matches("input, select"))
          text(node.selectedOptions?.[0].text ?? node.value, { x: box.x + 10, y: box.y, height: box.height }, style);
        else node.childNodes.forEach(draw);
        if (node.matches("summary")) text("▸", box, style);
      }
    };
    draw(document.body);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">\n<title>The page of layout explore</title>\n<rect width="${width}" height="${height}" rx="8" fill="#fff" stroke="#d5dce5"/>\n${out.join("\n")}\n</svg>\n`;
  }, size);
  await writeFile(process.argv.at(-1), drawn);
});
