// The library, which stands in the page: compressed WebAssembly in base64.
const compiled = (async () => {
  const text = document.getElementById("wasm").textContent;
  const { body } = await fetch("data:application/octet-stream;base64," + text);
  const bytes = body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
})();
const place = import.meta.resolve("page/wasm");
let instances = 0;
let module;

/** What the library exports, ready to be called: each time a new instance, as one that has stopped is of no use. */
export async function load() {
  module = await compiled;
  const glue = await import(`${place}#${(instances += 1)}`);
  glue.initSync({ module });
  return glue;
}

/**
 * A worker that runs `worker.js`; after `load()`. Its first message says where the library is, as import maps do not reach
 * workers. It is a classic script: Chromium starts no module from the blob of a page that was opened as a file.
 */
export function worker() {
  const text = atob(import.meta.resolve("page/worker").split(",")[1]);
  const script = new Blob([Uint8Array.from(text, (byte) => byte.charCodeAt(0))], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(script));
  worker.postMessage({ glue: place, module });
  return worker;
}
