import { load, worker } from "page/load";

const text = document.querySelector("input");
const answer = document.querySelector("output");
const library = await load();

function show() {
    const { svg, error } = JSON.parse(library.layout(text.value));
    if (svg) answer.innerHTML = svg;
    else answer.textContent = error;
}

const given = new URLSearchParams(location.hash.slice(1)).get("t") ?? document.querySelector("meta[name=layout]").content;
text.value = given || "f32[3,5]{1,0:T(2,2)}";
text.oninput = show;
show();
document.documentElement.dataset.ready = performance.now();
globalThis.ask = (text) => new Promise((done) => {
    const it = worker();
    it.onmessage = ({ data }) => done(data);
    it.postMessage({ text });
});
