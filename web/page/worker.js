// Reads programs beside the page. The first message says where the library is; then each is a program, or a device for the last one.
let library;
let program;

onmessage = async ({ data }) => {
  if (data.glue) {
    library = import(data.glue).then((glue) => (glue.initSync({ module: data.module }), glue));
    return;
  }
  const glue = await library;
  program = data.bytes ?? program;
  // Where the library stops at a program, the answer is `null`.
  let answer = null;
  try {
    answer = glue.program(program, data.device);
  } finally {
    postMessage(answer);
  }
};
