// The library, which stands in the page: compressed WebAssembly in base64.
import * as glue from "page/wasm";

let compiled;
let module;

export function wasmModule() {
    compiled ??= (async () => {
        const text = document.getElementById("wasm").textContent;
        const { body } = await fetch("data:application/octet-stream;base64," + text);
        const bytes = body.pipeThrough(new DecompressionStream("gzip"));
        module = await WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
        return module;
    })();
    return compiled;
}

/** What the library exports, ready to be called. */
export async function load() {
    glue.initSync({ module: await wasmModule() });
    return glue;
}

/**
 * A worker that runs `page/worker`; after `load()`. Its first message says where the library is: import maps do not reach
 * workers, and a page that was opened as a file can start them from blobs only.
 */
export function worker() {
    const text = `import ${JSON.stringify(import.meta.resolve("page/worker"))}`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    worker.postMessage({ glue: import.meta.resolve("page/wasm"), module });
    return worker;
}
