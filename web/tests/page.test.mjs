// What a person can do on the page, done by one: in the order of the views.
import { deepEqual, match, notEqual, ok, shown, test } from "./browser.mjs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FIGURE_1 = "f32[3,5]{1,0:T(2,2)}";
const FIGURE_2 = "bf16[4,8]{1,0:T(2,4)(2,1)}";
const COMBINED = "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}";
const state = (parts) => `#${new URLSearchParams(parts)}`;
const slot = (page, index) => page.locator(`.slot[data-index="${index}"]`);
const program = (name) => new URL(`../../tests/data/${name}`, import.meta.url).pathname;

for (const from of ["file", "server"]) {
  test(`the first picture, from a ${from}`, { from }, async ({ open, page, shot }) => {
    console.log(`first picture after ${Math.round(await open())} ms`);
    deepEqual(await page.locator("svg.tiled-layout").count(), 1);
    // An instance that has stopped is replaced by another one.
    ok(await page.evaluate(() => import("page/load").then(async ({ load }) => (await load()) !== (await load()))));
    await shot(`first-${from}`);
  });
}

test("figure 1: pointing links index, offset, byte and tile in both pictures", async ({ open, page }) => {
  await open();
  await slot(page, "2,3").first().hover();
  const said = await page.locator(".readout").innerText();
  match(said, /\[2,3\] · offset 17 · byte 68/);
  match(said, /\[2,3\] is in tile \(1,1\), at \(0,1\) of it: 4 tiles · 4 \+ 1 = 17/);
  const marked = page.locator(".slot.on");
  deepEqual(await marked.evaluateAll((all) => all.map((it) => it.dataset.offset)), ["17", "17"]);
  await page.locator('.slot[data-offset="9"]').first().hover();
  match(await page.locator(".readout").innerText(), /padding · offset 9 · byte 36/);
  await page.fill("#field-t", "f16[64,64], swizzle = 128B");
  await slot(page, "1,0").first().hover();
  match(await page.locator(".readout").innerText(), /\[1,0\]: 1·64 \+ 0 = 64, which the swizzle moves to 72/);
});

test("figure 1 by keyboard alone", async ({ open, page }) => {
  await open();
  await page.locator("#field-t").focus();
  while (!(await page.evaluate(() => document.activeElement.matches(".picture")))) await page.keyboard.press("Tab");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"])
    await page.keyboard.press(key);
  match(await page.locator(".readout").innerText(), /\[2,3\] · offset 17/);
  deepEqual(await page.locator(".readout").getAttribute("role"), "status");
  ok(
    await page.evaluate(() =>
      [...document.querySelectorAll("input, select, textarea")].every((it) => it.labels.length > 0 || it.ariaLabel),
    ),
  );
});

test("figure 2, and what is in each cell", async ({ open, page }) => {
  await open(state({ t: FIGURE_2 }));
  const rows = () =>
    page
      .locator("svg.tiled-layout")
      .first()
      .evaluate((svg) => [...svg.querySelectorAll(".slot[data-index^='1,'] text")].slice(0, 8).map((it) => it.textContent));
  deepEqual(await rows(), ["1", "3", "5", "7", "9", "11", "13", "15"]);
  for (const [label, first] of [
    ["index", ["1,0"]],
    ["both", ["1", "1,0"]],
    ["none", []],
  ]) {
    await page.selectOption("#field-label", label);
    deepEqual(await slot(page, "1,0").first().locator("text").allTextContents(), first);
  }
});

test("each notation is read, and told in the others", async ({ open, page }) => {
  await open();
  const examples = page.locator(".field.t .head select");
  for (let number = 1; number < (await examples.locator("option").count()); number += 1) {
    await examples.selectOption({ index: number });
    deepEqual(await page.locator(".fault").allInnerTexts(), [], await page.inputValue("#field-t"));
    ok((await page.locator(".slot").count()) > 10);
  }
  await page.fill("#field-t", "onednn:nChw16c f32[2,40,5,7]");
  match(await page.locator("svg.tiled-layout title").first().textContent(), /^f32\[2,40,5,7\]\{3,2,1,0:T\(16,1,1\)\}$/);
  match(await page.locator("#answer").innerText(), /aBcd16b/);
  match(await page.locator("#answer").innerText(), /layout!\(F32\[2,40,5,7\]\{3,2,1,0:T\(16,1,1\)\}\)/);
});

test("a wrong text is underlined at the token, with the help of the compiler", async ({ open, page, shot }) => {
  await open();
  await page.fill("#field-t", "f32[3,5]{1,0:T(2,*)}");
  deepEqual(await page.locator(".mirror mark").allTextContents(), ["*"]);
  match(
    await page.locator(".fault").innerText(),
    /cannot be the last entry of a tile\s+\* combines a dimension with the next more minor one/,
  );
  deepEqual(await page.locator("#field-t").getAttribute("aria-invalid"), "true");
  await page.fill("#field-t", "onednn:nChw17x f32[2,40,5,7]");
  deepEqual(await page.locator(".mirror mark").allTextContents(), ["17x"]);
  await shot("wrong");
  for (const text of [
    "",
    "f32[?,128]",
    "é[",
    "marln",
    "f32[3,5]{1,0:T(2,2)",
    "x".repeat(5000),
    "f32[9999999999999999999]",
    "u8[0,3]",
    "f32[]",
    "(f32[2], f32[3])",
  ]) {
    await page.fill("#field-t", text);
    ok((await page.locator(".fault").count()) > 0 || (await shown(page)), text);
  }
  await page.fill("#field-t", FIGURE_1);
  deepEqual(await page.locator(".fault").count(), 0);
});

test("dimensions are chosen, and the others slide", async ({ open, page, shot }) => {
  await open(state({ t: COMBINED }));
  await page.selectOption("#field-rows", "1");
  await page.selectOption("#field-columns", "2");
  await page.locator("#field-at4").fill("9");
  await page.locator("#field-at3").fill("10");
  ok((await slot(page, "0,6,7,10,9").count()) > 0);
  deepEqual(await slot(page, "0,0,0,0,0").count(), 1);
  ok(await page.locator("#field-at4").evaluate((it) => it.isConnected));
  await page.waitForURL(/at=0%2C0%2C0%2C10%2C9/);
  const address = page.url();
  await slot(page, "0,6,7,10,9").first().hover();
  match(await page.locator(".readout").innerText(), /\(combined 55,109\) is in tile \(27,36\), at \(1,1\) of it/);
  await open(new URL(address).hash);
  ok((await slot(page, "0,6,7,10,9").count()) > 0);
  await shot("dimensions");
});

test("a large array: the corner, the seams, the numbers", async ({ open, page }) => {
  await open(state({ t: "s32[8388608,8,4]{2,1,0:T(8,128)}" }));
  match(await page.locator("#answer").innerText(), /34\s359\s738\s368 bytes/u);
  match(await page.locator("#answer").innerText(), /32\.00 ×/);
  ok((await page.locator(".slot").count()) < 2000);
  const spent = await page.evaluate(() => {
    const input = document.querySelector("#field-t");
    const begun = performance.now();
    for (let round = 0; round < 20; round += 1) {
      input.value = round % 2 ? "bf16[300,500]{1,0:T(8,128)(2,1)}" : "bf16[300,500]{1,0:T(8,128)}";
      input.dispatchEvent(new Event("input"));
    }
    return (performance.now() - begun) / 20;
  });
  console.log(`from a key to the picture ${spent.toFixed(1)} ms`);
});

test("pad, reshape, transpose: elements move to their place in memory", async ({ open, page, shot }) => {
  await open(state({ v: "steps", t: FIGURE_1 }));
  const names = await page.locator(".stages li").allInnerTexts();
  deepEqual(names.length, 4);
  match(names.join("\n"), /\[4,6\][^]*\[2,2,3,2\][^]*\[2,3,2,2\]/);
  const order = () => page.locator(".stage .slot[data-index]").evaluateAll((all) => all.map((it) => Number(it.dataset.offset)));
  deepEqual(await order(), [0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20]);
  for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "Next" }).click();
  deepEqual(await order(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16, 17, 20]);
  await slot(page, "2,3").first().hover();
  match(await page.locator(".readout").innerText(), /= 17/);
  await shot("steps");
  for (const text of [FIGURE_2, COMBINED, "f16[64,64], swizzle = 128B", "f32[5]", "f32[]"]) {
    await page.fill("#field-t", text);
    deepEqual(await page.locator(".fault").count(), 0, text);
    ok((await page.locator(".stages li").count()) > 0, text);
  }
  await page.fill("#field-t", "f32[0,3]{1,0:T(2,2)}");
  match(await page.locator("#answer").innerText(), /no elements/);
});

test("two layouts: what moves, and what is free", async ({ open, page, shot }) => {
  await open(state({ v: "compare", t: "f32[3,5]", to: "{1,0:T(2,2)}" }));
  match(await page.locator("#answer").innerText(), /needs a copy: \[0,2\] is at offset 2 in one layout and at 4 in the other/);
  match(
    await page.locator("#answer").innerText(),
    /layout convert in\.npy out\.npy --from 'f32\[3,5\]\{1,0\}' --to 'f32\[3,5\]\{1,0:T\(2,2\)\}'/,
  );
  await slot(page, "2,3").first().hover();
  match(await page.locator(".readout").innerText(), /index 2,3 · offset 13 in the first, 17 in the second/);
  ok((await page.locator(".slot.on").count()) >= 4);
  await page.fill("#field-to", "f32[15]");
  match(await page.locator("#answer").innerText(), /reshape\s+free/);
  await page.fill("#field-to", "f32[5,3]{0,1}");
  match(
    await page.locator("#answer").innerText(),
    /transpose by \(1, 0\)\s+free[^]*transpose::<B, layout::permutation!\(1, 0\)>/,
  );
  await page.fill("#field-to", "{1,1}");
  match(await page.locator(".field.to .fault").innerText(), /ordered twice/);
  deepEqual(await page.locator(".field.to mark").allTextContents(), ["1"]);
  await shot("compare");
});

test("a TPU's choice, and blocks of Pallas kernels", async ({ open, page, shot }) => {
  await open(state({ v: "tpu", t: "f32[1000,1024]", block: "60,256" }));
  match(await page.locator("#answer").innerText(), /v6e, v7x\s+f32\[1000,1024\]\{1,0:T\(8,128\)\}/);
  match(await page.locator(".verdict").innerText(), /Refused: .*56 or 64 would be legal/);
  await page.fill("#field-block", "64,256");
  match(await page.locator(".verdict").innerText(), /takes this block/);
  match(await page.locator("#answer").innerText(), /131\s072 bytes/u);
  await page.fill("#field-t", "bf16[16,1280,40]");
  match(await page.locator("#answer").innerText(), /8\.00 ×/);
  await shot("tpu");
});

test("shared memory: conflicts, and what frees them", async ({ open, page, shot }) => {
  await open(state({ v: "shared", s: "f32[32,32]", access: "lane, 0", bytes: "4" }));
  match(await page.locator(".verdict").innerText(), /32 wavefronts instead of 1/);
  await page.getByRole("button", { name: "Apply" }).first().click();
  match(await page.locator(".verdict").innerText(), /1 wavefront, the minimum/);
  await page.fill("#field-access", "lane, x");
  ok((await page.locator(".field.access .fault").count()) > 0);
  await page.fill("#field-access", "0, lane");
  const held = page.locator("figure").last();
  await held.locator(".slot").first().hover();
  deepEqual(await held.locator(".slot.on").count(), 8);
  await shot("shared");
});

test("a compiled program is read as the command reads it", async ({ open, page, shot }) => {
  await open(state({ v: "program" }), false);
  await page.setInputFiles("#file", program("peak/decode-v5e.hlo"));
  await page.locator(".program svg").waitFor();
  const said = await page.locator(".program").innerText();
  match(said, /jit_run\s+4\.23 GiB have to fit \(4543576064 bytes\)/);
  match(said, /advice[^]*in_shardings[^]*copies between layouts[^]*copy\.17/);
  await page.selectOption("#field-device", "v5e");
  await page.locator(".verdict.ok").waitFor();
  await page.setInputFiles("#file", { name: "x", mimeType: "text/plain", buffer: Buffer.from("HloModule x\n}") });
  await page.locator(".program .fault").waitFor();
  await shot("program");
});

test("names in programs, layouts and links are text", async ({ open, page }) => {
  const hostile = "<img src=x onerror=globalThis.taken=1>";
  const text = (await readFile(program("peak/decode-v5e.hlo"), "utf8"))
    .replaceAll("copy.17", `"${hostile}"`)
    .replace("HloModule jit_run", `HloModule "${hostile}"`);
  await open(state({ v: "program" }), false);
  await page.setInputFiles("#file", { name: hostile, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".program .fault, .program svg").first().waitFor();
  for (const view of ["layout", "steps", "compare", "tpu", "shared", "program", hostile]) {
    await page.goto("about:blank");
    await open(
      state({
        v: view,
        t: hostile,
        to: hostile,
        block: hostile,
        s: hostile,
        access: hostile,
        device: hostile,
        o: hostile,
        label: hostile,
      }),
      false,
    );
    await page.locator(".fault, .drop").first().waitFor();
  }
  deepEqual(await page.evaluate(() => [globalThis.taken, document.querySelectorAll("img").length]), [undefined, 0]);
});

test("nothing leaves the page, and no script in markup runs", async ({ open, page, faults }) => {
  await open();
  const refused = await page.evaluate(async () => {
    const found = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => found.push(effectiveDirective));
    await fetch("https://example.invalid/").catch(() => {});
    document.body.insertAdjacentHTML("beforeend", "<img src=https://example.invalid/>");
    document.body.insertAdjacentHTML("beforeend", "<img src=data: onerror=globalThis.taken=1>");
    await new Promise((done) => setTimeout(done, 300));
    return [found.sort(), globalThis.taken];
  });
  deepEqual(refused, [["connect-src", "img-src", "script-src-attr"], undefined]);
  ok(faults.length >= 3, "each is on the console too");
  faults.length = 0;
});

test("a program that the library does not survive is told, and the next one is read", async ({ open, page }) => {
  await page.addInitScript(() => {
    let isFirst = true;
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      postMessage(message, given) {
        if (!message.bytes || !isFirst) return super.postMessage(message, given);
        isFirst = false;
        setTimeout(() => this.onmessage({ data: null }));
      }
    };
  });
  await open(state({ v: "program" }), false);
  await page.setInputFiles("#file", program("peak/decode-v5e.hlo"));
  match(await page.locator(".program .fault").innerText(), /too large for the browser/);
  await page.setInputFiles("#file", program("peak/decode-h100.hlo"));
  await page.locator(".program svg").waitFor();
});

test("reading that takes long can be stopped, and the next program is read", async ({ open, page }) => {
  await page.addInitScript(() => {
    const Real = globalThis.Worker;
    let isFirst = true;
    globalThis.Worker = class extends Real {
      postMessage(message, given) {
        if (!message.bytes || !isFirst) super.postMessage(message, given);
        else isFirst = false;
      }
    };
  });
  await open(state({ v: "program" }), false);
  await page.setInputFiles("#file", program("peak/decode-v5e.hlo"));
  const stop = page.getByRole("button", { name: "Stop" });
  deepEqual(await stop.count(), 0);
  await stop.press("Enter");
  match(await page.locator(".program .fault").innerText(), /reading decode-v5e.hlo was stopped/);
  await page.setInputFiles("#file", program("peak/decode-h100.hlo"));
  await page.locator(".program svg").waitFor();
  deepEqual(await stop.count(), 0);
});

test("a large program does not freeze the page", async ({ open, page }) => {
  const line =
    '  %x.N = f32[64,64]{1,0} add(f32[64,64]{1,0} %p, f32[64,64]{1,0} %p), metadata={op_name="jit(f)/add" source_file="model.py" source_line=7}\n';
  const lines = Array.from({ length: 70_000 }, (_, number) => line.replace("N", number)).join("");
  const text = `HloModule large, is_scheduled=true\n\nENTRY %main (p: f32[64,64]) -> f32[64,64] {\n  %p = f32[64,64]{1,0} parameter(0)\n${lines}  ROOT %r = f32[64,64]{1,0} copy(f32[64,64]{1,0} %p)\n}\n`;
  await open(state({ v: "program" }), false);
  const longest = page.evaluate(
    () =>
      new Promise((resolve) => {
        let last = performance.now();
        let worst = 0;
        const look = () => {
          worst = Math.max(worst, performance.now() - last);
          last = performance.now();
          if (document.querySelector(".program .fault, .program svg")) resolve(worst);
          else setTimeout(look, 10);
        };
        look();
      }),
  );
  // By its path: to hand over the text itself would take the page's time.
  const file = join(await mkdtemp(join(tmpdir(), "layout-")), "large.txt");
  await writeFile(file, text);
  await page.setInputFiles("#file", file);
  await page.locator(".program svg").waitFor({ timeout: 90_000 });
  console.log(`${text.length} bytes: the page stood still for ${Math.round(await longest)} ms at most`);
  deepEqual(await page.locator(".program .fault").count(), 0);
});

test("a page that `layout explore` wrote shows its layout first", { from: "server" }, async ({ open, page }) => {
  await page.route("**/", async (route) => {
    const text = await (await route.fetch()).text();
    const written = text.replace('<meta name="layout" content="">', '<meta name="layout" content="f32[4,2]&lt;0,1>">');
    await route.fulfill({ contentType: "text/html", body: written });
  });
  await open();
  deepEqual(await page.inputValue("#field-t"), "f32[4,2]<0,1>");
});

test("a link opens what it was copied from, and pictures are files", async ({ open, page }) => {
  await open(state({ t: FIGURE_2, label: "both" }));
  await slot(page, "3,5").first().hover();
  await page.waitForURL(/o=\d+/);
  const address = page.url();
  await open(new URL(address).hash);
  deepEqual(await page.inputValue("#field-t"), FIGURE_2);
  match(await page.locator(".readout").innerText(), /\[3,5\]/);
  for (const [kind, start] of [
    ["SVG", "<svg "],
    ["PNG", "\u0089PNG"],
  ]) {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: kind, exact: true }).click();
    const file = await readFile(await (await waiting).path());
    ok(file.toString("latin1").startsWith(start), kind);
  }
  const code = () => page.locator(".code").last().innerText();
  for (const [language, part] of [
    ["WGSL", "fn layout_offset"],
    ["MLIR", "affine_map"],
    ["C", "layout_offset"],
    ["CUDA", "__device__"],
  ]) {
    await page.selectOption("#field-language", language);
    ok((await code()).includes(part), language);
  }
});

test("what is typed, focused and dropped stays", async ({ open, page }) => {
  const focused = () => page.evaluate(() => document.activeElement.id);
  await open();
  await page.fill("#field-t", "");
  await page.locator("#field-t").pressSequentially("f32[2,3,4]{2,1,0}");
  deepEqual([await page.inputValue("#field-t"), await focused()], ["f32[2,3,4]{2,1,0}", "field-t"]);
  await page.selectOption("#field-language", "C");
  await page.locator("#field-language").focus();
  await page.keyboard.press("ArrowUp");
  deepEqual(await focused(), "field-language");
  await page.setViewportSize({ width: 1000, height: 700 });
  deepEqual(await focused(), "field-language");
  await open(state({ v: "shared" }));
  await page.locator("#field-sizes").press("End");
  await page.locator("#field-sizes").pressSequentially("123");
  deepEqual([await page.inputValue("#field-sizes"), await focused()], ["16,8,16123", "field-sizes"]);
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    state({ v: "shared", bits: "32", family: "mfma" }),
  );
  await page.locator("#field-bits").evaluate((select) => new Promise(requestAnimationFrame).then(() => select.value));
  deepEqual([await page.inputValue("#field-bits"), await page.inputValue("#field-family")], ["32", "mfma"]);
  await open(state({ v: "program" }), false);
  await page.fill("#paste", "HloModule x\n}");
  await page.locator(".program .fault").waitFor();
  await page.selectOption("#field-device", "v5e");
  deepEqual(await page.inputValue("#paste"), "HloModule x\n}");
  // Of two programs the last one is shown, and what is none is told.
  const drop = (parts) =>
    page.evaluate((parts) => {
      for (const part of parts) {
        const file = new File([part, new Uint8Array(part === "late" ? 3e7 : 0)], part);
        if (part === "folder") file.arrayBuffer = () => Promise.reject(new Error("no file"));
        const event = new DragEvent("drop", { bubbles: true, cancelable: true });
        Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
        document.body.dispatchEvent(event);
      }
    }, parts);
  await drop(["late", "folder"]);
  await page.getByText("folder cannot be read: no file").waitFor();
  await page.waitForTimeout(500);
  match(await page.locator(".program").innerText(), /folder cannot be read/);
});

test("links that nobody copied from here", async ({ open, page }) => {
  for (const v of ["__proto__", "constructor", "", "-1"]) {
    await open(state({ v }));
    deepEqual(await page.locator("nav [aria-current=page]").allInnerTexts(), ["Layout"]);
  }
  for (const step of ["-1", "1.5", "NaN", "99999999999999999999"]) {
    await open(state({ v: "steps", step }));
    deepEqual(await page.locator(".stages [aria-current=step]").count(), 1, step);
  }
  await open(state({ v: "compare", t: "f32[]", to: "{0,1}" }), false);
  await page.locator(".field.to .fault").first().waitFor();
  await open(state({ t: "s8[9007199254740995]", o: "9007199254740993" }));
  match(await page.locator(".readout").innerText(), /\[9007199254740993\] · offset 9007199254740993[^]*= 9007199254740993$/);
});

test("dark", { colorScheme: "dark" }, async ({ open, page, shot }) => {
  await open();
  const colours = await page.evaluate(() =>
    ["body", ".tiled-layout .page"].map((name) => {
      const style = getComputedStyle(document.querySelector(name));
      return name === "body" ? style.backgroundColor : style.fill;
    }),
  );
  deepEqual(colours, ["rgb(15, 23, 42)", "rgb(15, 23, 42)"]);
  await shot("dark");
});

test("a phone", { viewport: { width: 360, height: 740 } }, async ({ open, page, shot }) => {
  for (const view of ["layout", "steps", "compare", "tpu", "shared", "program"]) {
    await open(state({ v: view }), view !== "program");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    ok(wide <= 360, `${view}: ${wide}`);
    await shot(`phone-${view}`);
  }
  await open();
  const width = await page.locator("svg.tiled-layout").evaluate((svg) => svg.getBoundingClientRect().width);
  notEqual(width, 0);
  ok(width <= 420, `the picture is ${width} wide`);
});

test("who types keeps the field, whatever fields come and go", async ({ open, page }) => {
  await open();
  await page.locator("#field-t").fill("");
  await page.keyboard.type("f32[2,3,4]{2,1,0:T(2,2)}");
  deepEqual(await page.inputValue("#field-t"), "f32[2,3,4]{2,1,0:T(2,2)}");
  await open(state({ v: "shared" }));
  await page.locator("#field-sizes").fill("");
  await page.keyboard.type("16,8,8");
  deepEqual(await page.inputValue("#field-sizes"), "16,8,8");
  await page.selectOption("#field-bits", "32");
  await page.locator("#field-operand").focus();
  await page.keyboard.press("ArrowDown");
  deepEqual(await page.evaluate(() => document.activeElement.id), "field-operand");
});

test("a picture stays where it is under the pointer", async ({ open, page }) => {
  await open();
  const box = await slot(page, "2,3").first().boundingBox();
  await page.mouse.move(box.x + 4, box.y + 4, { steps: 3 });
  await page.waitForTimeout(200);
  match(await page.locator(".readout").innerText(), /^\[2,3\]/);
  deepEqual(await slot(page, "2,3").first().boundingBox(), box);
});
