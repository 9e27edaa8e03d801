import { deepEqual, ok, test } from "./browser.mjs";

for (const from of ["file", "server"]) {
    test(`the first picture, from a ${from}`, { from }, async ({ open, page, shot }) => {
        const after = await open();
        console.log(`first picture after ${Math.round(after)} ms`);
        ok(after < 1000, `${after} ms`);
        await shot("first");
        const answer = await page.evaluate(() => ask("f32[3,5]"));
        deepEqual(JSON.parse(answer).text, "f32[3,5]{1,0}");
    });
}
