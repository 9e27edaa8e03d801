// What a newcomer meets in the first hour.
import { deepEqual, match, ok, shown, test } from "./browser.mjs";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const FIVE = "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}";
const state = (parts) => `#${new URLSearchParams(parts)}`;
const slot = (page, index) => page.locator(`.slot[data-index="${index}"]`);
const text = (page) => page.locator("#answer").innerText();
const upload = (page, name, buffer) => page.setInputFiles("#file", { name, mimeType: "", buffer });
const compiled = new URL("../../tests/data/peak/decode-v5e.hlo", import.meta.url);

test("a page of http copies too", { from: "host" }, async ({ open, page }) => {
  await open();
  ok(!(await page.evaluate(() => isSecureContext)));
  const link = page.locator("#link");
  await link.click();
  deepEqual(await link.innerText(), "Copied");
  deepEqual(await page.locator("textarea.copy").count(), 0);
  await page.locator("#field-t").selectText();
  await page.keyboard.press("Control+V");
  match(await page.inputValue("#field-t"), /^http:\/\/page\.example:\d+\/#t=f32%5B3%2C5%5D/);
  await open();
  await page.evaluate(() => (document.execCommand = () => false));
  const copy = page.locator(".code button").first();
  await copy.click();
  deepEqual(await copy.innerText(), "Press Ctrl+C");
  deepEqual(await page.evaluate(() => getSelection().toString()), "layout!(F32[3,5]{1,0:T(2,2)})");
});

test("a refusal of the clipboard is not the end", { from: "server" }, async ({ open, page }) => {
  await open();
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))));
  await page.locator("#link").click();
  await page.locator("#link").getByText("Copied").or(page.getByText("Copied")).first().waitFor();
});

test("what is of an earlier access is grey and cannot be applied", async ({ open, page }) => {
  await open(state({ v: "shared", s: "f32[32,32]", access: "lane, 0", bytes: "4" }));
  const old = page.locator(".stale .verdict");
  deepEqual(await old.count(), 0);
  await page.fill("#field-access", "foo");
  await old.waitFor();
  ok(await page.locator(".stale").first().evaluate((it) => it.inert && getComputedStyle(it).opacity < 0.6));
  await page.fill("#field-access", "0, lane");
  deepEqual(await old.count(), 0);
  await page.fill("#field-sizes", "1,1,1");
  deepEqual(await page.locator(".stale").count(), 1);
});

test("the first view says what a tile, an order and a number are", async ({ open, page, shot }) => {
  await open();
  match(
    await page.locator(".reading").innerText(),
    /\{1,0\}: dimension 1 varies fastest; T\(2,2\): stored tile by tile, each 2×2\. In the grid, a cell's number is the offset/,
  );
  await page.fill("#field-t", "f32[4,6]{0,1:T(2,3)}");
  match(await page.locator(".reading").innerText(), /dimension 0 varies fastest; T\(2,3\): .*each 2×3 along dimensions 1 and 0/);
  await page.getByText("The notation").click();
  const rows = page.locator("details code");
  ok((await rows.count()) >= 10);
  // The table stays open, and each layout in it is read.
  await page.fill("#field-t", "f32[3,5]{1,0:T(2,2)}");
  ok(await rows.first().isVisible());
  await shot("notation");
  for (const href of await page.locator("details a").evaluateAll((all) => all.map((it) => it.href))) match(href, /^https:/);
  for (const whole of ["f32[3,5]", "cute:(3,5):(5,1) f32[3,5]", "marlin u4[64,128]"]) {
    ok((await rows.allInnerTexts()).includes(whole), whole);
    await page.fill("#field-t", whole);
    deepEqual(await page.locator(".fault").count(), 0, whole);
  }
});

test("shared memory says what is drawn, and shows the tile without its swizzle", async ({ open, page }) => {
  await open(state({ v: "shared" }));
  match(await page.locator(".reading").innerText(), /32 banks.*its number is its bank.*L5.*lane 5/);
  const pair = page.locator(".pair figure");
  deepEqual(await pair.count(), 2);
  match(await pair.nth(0).locator("text").first().textContent(), /wavefronts: 4, conflicts: 0/);
  match(await pair.nth(1).locator("text").first().textContent(), /wavefronts: 32, conflicts: 28/);
  const numbers = await page.locator("figure").first().locator("text").allTextContents();
  deepEqual(numbers.slice(1, 33), Array.from({ length: 32 }, (_, word) => String(word)));
  await page.fill("#field-s", "f32[32,32]");
  deepEqual(await pair.count(), 0);
});

test("an example of a program, by one click", async ({ open, page }) => {
  await open(state({ v: "program" }), false);
  await page.getByRole("button", { name: "Open an example" }).click();
  await page.locator(".program svg").waitFor();
  match(await text(page), /example: jit_batch_last/);
  deepEqual(await page.inputValue("#field-device"), "v5e");
});

test("compressed programs are read, and other files get a word that helps", async ({ open, page }) => {
  await open(state({ v: "program" }), false);
  const packed = gzipSync(await readFile(compiled));
  await upload(page, "decode.hlo.gz", packed);
  await page.locator(".program svg").waitFor();
  match(await text(page), /decode\.hlo\.gz: jit_run/);
  await upload(page, "cut.hlo.gz", packed.subarray(0, 1000));
  await page.getByText("cut.hlo.gz cannot be read: it is not a whole .gz file").waitFor();
  const header = Buffer.alloc(8);
  header.writeBigUInt64LE(66n);
  const zeros = Buffer.alloc(64);
  for (const [name, bytes] of [
    ["x.npy", Buffer.from("\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", "latin1")],
    ["x.safetensors", Buffer.concat([header, Buffer.from('{"w":{"dtype":"F32"}}'), zeros])],
    ["x.pb", Buffer.from([0x0a, 0xff, 0x00])],
  ]) {
    await upload(page, name, bytes);
    match(await page.locator(".program .fault").innerText(), /this is not text\s+a program is .*as_text\(\).*layout convert/, name);
    await upload(page, "next", Buffer.from("HloModule x\n}"));
    await page.getByText(/expected a computation/).waitFor();
  }
});

test("defaults follow the array", async ({ open, page }) => {
  for (const t of [FIVE, "f32[3,5,7]", "f32[9]", "f32[]"]) {
    for (const v of ["compare", "tpu"]) {
      await open(state({ t, v }), false);
      deepEqual(await page.locator(".fault").allInnerTexts(), [], `${v} ${t}`);
    }
  }
  await open(state({ t: FIVE, v: "compare" }));
  deepEqual(await page.locator("#field-to").getAttribute("placeholder"), "{0,1,2,3,4}");
  await page.getByRole("button", { name: "TPU" }).click();
  deepEqual(await page.locator("#field-block").getAttribute("placeholder"), "1,1,1,8,10");
});

test("TPU has an array of its own until something is typed", async ({ open, page, shot }) => {
  for (const hash of ["", state({ v: "tpu" })]) {
    await open(hash);
    await page.getByRole("button", { name: "TPU" }).click();
    deepEqual(await page.inputValue("#field-t"), "bf16[300,500]");
  }
  // Generations that choose the same are one row; what the bytes are a part of is said.
  match(await text(page), /v2, v3, v4, v5e, v5p, v6e, v7x\s+bf16\[300,500\]\{1,0:T\(8,128\)\(2,1\)\}[^]*1\.04 ×/);
  match(await text(page), /less than 0\.1 % of the 16\.0 MiB of VMEM that a kernel gets/);
  await shot("tpu-first");
  await page.getByRole("button", { name: "Layout", exact: true }).click();
  deepEqual(await page.inputValue("#field-t"), "f32[3,5]{1,0:T(2,2)}");
  await page.fill("#field-t", "f32[7,7]");
  await page.getByRole("button", { name: "TPU" }).click();
  deepEqual(await page.inputValue("#field-t"), "f32[7,7]");
});

test("a cheaper layout says why it is", async ({ open, page }) => {
  await open();
  match(await text(page), /T\(1,2\)\}, 72 bytes: fewer rows in the first tile\n/);
  await page.fill("#field-t", "bf16[4,500]{1,0:T(8,128)(2,1)}");
  match(await text(page), /fewer rows in the first tile, as TPUs have where the array has few rows/);
  await page.fill("#field-t", "f32[300,5]{1,0:T(8,128)}");
  match(await text(page), /bytes: another order of dimensions/);
});

test("steps say what their numbers are", async ({ open, page }) => {
  await open(state({ v: "steps" }));
  match(await page.locator(".reading").innerText(), /the offset of its element in the end.*is its position in this step/);
  deepEqual((await page.locator(".stage text").allTextContents()).slice(1, 7), ["0", "1", "2", "3", "4", "0"]);
});

test("one name for one thing", async ({ open, page }) => {
  await open(state({ t: FIVE }));
  match(await page.locator("svg.tiled-layout").innerHTML(), />\[0,0,0,:,:\], dimension 3 ↓, dimension 4 →</);
  match(await text(page), /offset of \[i0,i1,i2,i3,i4\] = /);
  await slot(page, "0,0,0,2,3").first().hover();
  match(await page.locator(".readout").innerText(), /\(combined 0,23\) is in tile \(0,7\), at \(0,2\) of it/);
  for (const v of ["layout", "steps", "compare"]) {
    await open(state({ v }));
    ok(!/digit|\bd\d\b|hover/i.test(await text(page)), v);
  }
});

test("rows of memory that are left out leave a mark", async ({ open, page }) => {
  await open(state({ t: FIVE }));
  const names = await page.locator("svg.tiled-layout .r").allTextContents();
  deepEqual(names.slice(-6), ["0", "6", "⋮", "218", "⋮", "12429"]);
  // A row that begins inside of a tile has a thin line at its left; without tiles there is no inside.
  const thin = page.locator("svg.tiled-layout path.l1");
  deepEqual(await thin.count(), 1);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.fill("#field-t", "f32[3,5]{0,1}");
  deepEqual(await thin.count(), 0);
});

test("a program: what to do comes first, in words that say whether it fits", async ({ open, page, shot }) => {
  await open(state({ v: "program", device: "v5e" }), false);
  match(await page.locator(".drop").innerText(), /a copied link does not contain it/);
  await upload(page, "decode.hlo", await readFile(compiled));
  await page.locator(".verdict").waitFor();
  deepEqual(await page.locator(".verdict").innerText(), "4.23 GiB have to fit (4543576064 bytes), and they fit: 11.5 GiB of 15.8 GiB left");
  match(await page.locator(".program h2").first().innerText(), /^decode\.hlo: jit_run$/);
  const advice = page.locator(".program pre").first();
  match(await advice.innerText(), /^advice\n/);
  ok(await advice.evaluate((it) => it.scrollWidth <= it.clientWidth));
  await shot("program-advice");
  await page.selectOption("#field-device", "h100");
  await page.getByText("h100: programs have 59.3 GiB, three quarters of its memory, which JAX takes by default").waitFor();
  deepEqual(
    await page.evaluate(async () => {
      const { load } = await import("page/load");
      const { devices, tpus } = JSON.parse((await load())("names"));
      return devices.filter((name) => /tpu/.test(name) || (/^v/.test(name) && !tpus.includes(name)));
    }),
    [],
  );
});

test("layouts in tables are links", async ({ open, page }) => {
  await open(state({ v: "tpu", t: "f32[1000,1024]" }));
  await page.locator("#answer a").first().click();
  await page.locator(".reading").waitFor();
  deepEqual(await page.inputValue("#field-t"), "f32[1000,1024]{1,0:T(8,128)}");
  deepEqual(await page.locator("nav [aria-current=page]").allInnerTexts(), ["Layout"]);
  await page.locator("#answer a", { hasText: "einops:" }).click();
  await page.waitForFunction(() => document.querySelector("#field-t").value.startsWith("einops:"));
  ok(await shown(page));
  await open(state({ v: "program" }), false);
  await page.getByRole("button", { name: "Open an example" }).click();
  await page.locator(".program svg").waitFor();
  const links = await page.locator(".program a").evaluateAll((all) => all.map((it) => new URLSearchParams(it.hash.slice(1)).get("t")));
  deepEqual(links.slice(0, 2), ["f32[256,256,512]{0,1,2:T(8,128)}", "f32[256,256,512]{2,1,0:T(8,128)}"]);
});

test("what was pointed at is forgotten with its text, and the title has the text", async ({ open, page }) => {
  await open();
  deepEqual(await page.title(), "f32[3,5]{1,0:T(2,2)} · Layout · layout");
  await slot(page, "2,3").first().hover();
  await page.waitForURL(/o=17/);
  await page.fill("#field-t", "f32[7,7]");
  await page.waitForURL((url) => !/o=/.test(url.hash) && /7%2C7/.test(url.hash));
  match(await page.locator(".readout").innerText(), /^Point at/);
  await page.getByRole("button", { name: "Steps" }).click();
  deepEqual(await page.title(), "f32[7,7] · Steps · layout");
  await page.goBack();
  deepEqual(await page.title(), "f32[7,7] · Layout · layout");
  await page.getByRole("button", { name: "Shared memory" }).click();
  deepEqual(await page.title(), "f16[64,64], swizzle = 128B · Shared memory · layout");
});

test("dark pictures have a light choice", { colorScheme: "dark" }, async ({ open, page }) => {
  await open();
  const corner = async (name) => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name, exact: true }).click();
    const file = await readFile(await (await waiting).path());
    return page.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))]));
      const drawing = new OffscreenCanvas(1, 1).getContext("2d");
      drawing.drawImage(image, 0, 0);
      return drawing.getImageData(0, 0, 1, 1).data[0];
    }, file.toString("base64"));
  };
  deepEqual([await corner("PNG"), await corner("PNG, light")], [15, 255]);
});

test("the keyboard reaches the field soon, the views, and memory from the grid", async ({ open, page }) => {
  await open();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  const reached = [];
  for (let tabs = 0; tabs < 4; tabs += 1) {
    await page.keyboard.press("Tab");
    reached.push(await focused());
  }
  deepEqual(reached, ["Layout", "link", reached[2], "field-t"]);
  await page.locator("nav [aria-current=page]").focus();
  await page.keyboard.press("ArrowRight");
  deepEqual(await focused(), "Steps");
  ok((await page.locator(".stages").count()) > 0);
  await page.keyboard.press("ArrowLeft");
  await page.locator(".picture").focus();
  for (let right = 0; right < 6; right += 1) await page.keyboard.press("ArrowRight");
  match(await page.locator(".readout").innerText(), /offset 9 /);
  const place = () => page.evaluate(() => document.querySelector(".picture").current.getBoundingClientRect().x);
  const before = await place();
  await page.keyboard.press("ArrowRight");
  ok((await place()) > before + 40);
  await page.keyboard.press("ArrowLeft");
  ok((await place()) <= before);
});
