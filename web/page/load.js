// The library, which stands in the page: compressed WebAssembly in base64.

/** What stands in the page, compressed. */
export const stored = (id) => fetch("data:application/octet-stream;base64," + document.getElementById(id).textContent);

/** What a compressed file holds. */
export const unpacked = (blob, more) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")), more);

const compiled = (async () => {
  const packed = await (await stored("wasm")).blob();
  return WebAssembly.compileStreaming(unpacked(packed, { headers: { "Content-Type": "application/wasm" } }));
})();

/** Calls a function of an instance by its name with what it takes: texts, numbers, or bytes. The worker has a copy of it. */
function caller({ exports: { memory, give, ask, answered } }) {
  return (...given) => {
    for (const part of given) {
      const bytes = part instanceof Uint8Array ? part : new TextEncoder().encode(part);
      // Memory may become another one as it grows, and half of its addresses are negative numbers.
      const at = give(bytes.length) >>> 0;
      new Uint8Array(memory.buffer).set(bytes, at);
    }
    const at = ask() >>> 0;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, at, answered()));
  };
}

let module;

/** The library, ready to be called: each time a new instance, as one that has stopped is of no use. */
export async function load() {
  module = await compiled;
  return caller(await WebAssembly.instantiate(module));
}

/**
 * A worker that runs `worker.js`; after `load()`. It is a classic script: Chromium starts no module from the blob of a page
 * that was opened as a file.
 */
export function worker() {
  const text = atob(import.meta.resolve("page/worker").split(",")[1]);
  const worker = new Worker(URL.createObjectURL(new Blob([caller, text], { type: "text/javascript" })));
  worker.postMessage({ module });
  return worker;
}
