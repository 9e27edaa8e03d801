// The built page in Chromium: `test("…", async ({ page, open }) => …)`. A test fails on an error on the console, in a script or
// in a worker, and on any request that leaves the page.
import { after, test as run } from "node:test";
import { deepEqual, match, notEqual, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const built = new URL(process.env.LAYOUT_PAGE ?? "../../target/page/index.html", import.meta.url);
const shots = new URL("../../target/page/shots/", import.meta.url);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A host that is not this machine, to the browser.
  "--host-resolver-rules=MAP page.example 127.0.0.1",
];

const playwright = await import("playwright-core").catch(() => null);
const missing = !playwright
  ? "playwright-core: npm ci --prefix web/tests"
  : !existsSync(executablePath)
    ? `${executablePath}: install Chromium`
    : !existsSync(built)
      ? "the page: cargo run -p tiled-layout-web"
      : false;
if (missing) console.log(`SKIPPED the page's tests: no ${missing}`);

const browser =
  missing || (await playwright.chromium.launch({ executablePath, args, chromiumSandbox: process.getuid?.() !== 0 }));
const server = createServer(async (request, response) => {
  const found = new URL(request.url, "http://host").pathname === "/";
  response.writeHead(found ? 200 : 404, { "Content-Type": "text/html" });
  response.end(found ? await readFile(built) : "");
});
if (!missing) await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
after(async () => {
  if (!missing) {
    server.close();
    await browser.close();
  }
});

/**
 * A test of the page. `options` are those of a new context of playwright (`colorScheme`, `viewport`, …), and `from`, which is
 * "server" where the page is not opened as a file, or "host", which has no https and thus no clipboard. The body gets the `page`; `open(state)`, which waits for the first picture of
 * the page with this fragment and returns after how many milliseconds it stood; `shot(name)`, which keeps a screenshot;
 * and `faults`, of which it takes those that it expects.
 */
export function test(name, options, body) {
  if (!body) [options, body] = [{}, options];
  const { from, ...context } = options;
  const host = { server: "127.0.0.1", host: "page.example" }[from];
  const place = () => (host ? `http://${host}:${server.address().port}/` : built.href);
  run(name, { skip: missing, timeout: 60_000 }, async () => {
    const tab = await browser.newContext(context);
    const page = await tab.newPage();
    page.setDefaultTimeout(5000);
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    tab.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(place()) && !/^(data|blob):/.test(url)) faults.push(`request of ${url}`);
    });
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector("svg.tiled-layout")) return;
        globalThis.firstPicture = performance.now();
        seen.disconnect();
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    const open = async (state = "", hasPicture = true) => {
      await page.goto("about:blank");
      await page.goto(place() + state);
      await page
        .locator(hasPicture ? "svg.tiled-layout" : "nav button")
        .first()
        .waitFor();
      return page.evaluate(() => globalThis.firstPicture);
    };
    const shot = (name) => page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, shots)), fullPage: true });
    try {
      await body({ page, open, shot, faults });
      deepEqual(faults, []);
    } finally {
      await tab.close();
    }
  });
}

/** Whether a picture is shown that is no longer of an earlier text. */
export const shown = (page) => page.locator("#answer:not(.stale) svg.tiled-layout").first().isVisible();

export { deepEqual, match, notEqual, ok };
