// What people paste. The readings are those of `crates/notation` and `crates/formats`: these tests only pass with them (A10, A11, A12).
import { deepEqual, match, shown, test } from "./browser.mjs";

const title = (page) => page.locator("svg.tiled-layout title").first().textContent();

test("texts are read as people paste them", async ({ open, page }) => {
  await open();
  const macro = await page.locator(".code pre").first().innerText();
  for (const [text, read] of [
    [macro, "f32[3,5]{1,0:T(2,2)}"],
    ["layout!(\n    F32[3,5]{1,0:T(2,2)}\n)", "f32[3,5]{1,0:T(2,2)}"],
    ["'f32[3,5]{1,0:T(2,2)}'", "f32[3,5]{1,0:T(2,2)}"],
    ["  %p = f32[3,5]{1,0:T(2,2)} parameter(0)", "f32[3,5]{1,0:T(2,2)}"],
    ["Layout(major_to_minor=(0, 1), tiling=((8, 128),)) f32[16,256]", "f32[16,256]{1,0:T(8,128)}"],
  ]) {
    await page.fill("#field-t", "f32[1]");
    await page.fill("#field-t", text);
    deepEqual(await page.locator(".fault").allInnerTexts(), [], text);
    deepEqual(await title(page), read, text);
  }
  // Also from a link, and in the second field.
  await open(`#${new URLSearchParams({ v: "compare", t: "layout!(\nF32[3,5])", to: "'f32[3,5]{0,1}'" })}`);
  deepEqual(await page.locator(".fault").allInnerTexts(), []);
});

test("what is wrong in a pasted text is underlined where it stands", async ({ open, page }) => {
  await open();
  for (const [text, marked] of [
    ["layout!(F32[3,5]{1,0:T(2,*)})", "*"],
    ["'f32[3,5]{1,1}'", "1"],
    ["%p = f32[3,5]{1,0:T(2,*)} parameter(0)", "*"],
  ]) {
    await page.fill("#field-t", text);
    deepEqual(await page.locator(".mirror mark").allTextContents(), [marked], text);
    deepEqual((await page.locator(".mirror").textContent()).length, text.length, text);
  }
});

test("a wrong name of a notation is told, with help of the same notation", async ({ open, page }) => {
  await open();
  for (const [text, said] of [
    ["triton:x", /notation.*`?triton/],
    ["tpu: bf16[300,500]", /notation.*`?tpu/],
    ["cute:(3,5):(5,1)", /cute:\(3,5\):\(5,1\) f32\[3,5\]/],
  ]) {
    await page.fill("#field-t", text);
    match(await page.locator(".field.t .fault").innerText(), said, text);
    deepEqual(await shown(page), false, text);
  }
});
