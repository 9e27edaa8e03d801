// Reads programs beside the page. The first message is the library; then each is a program, or a device for the last one.
let library;
let program;

onmessage = async ({ data }) => {
  if (data.module) {
    library = WebAssembly.instantiate(data.module).then(caller);
    return;
  }
  const ask = await library;
  program = data.bytes ?? program;
  // Where the library stops at a program, the answer is `null`.
  let answer = null;
  try {
    answer = ask("program", program, data.device);
  } finally {
    postMessage(answer);
  }
};
