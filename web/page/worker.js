let library;

onmessage = async ({ data }) => {
    if (data.glue) {
        library = import(data.glue).then((glue) => (glue.initSync({ module: data.module }), glue));
        return;
    }
    const glue = await library;
    postMessage(glue.layout(data.text));
};
