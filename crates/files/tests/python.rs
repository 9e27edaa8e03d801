//! GGUF files of the Python package, byte for byte. `.npy` and safetensors files of Python are in the sessions of the
//! command, `crates/cli/tests/sessions/python.txt`, and in `records.rs`.

mod folder;

use folder::python;
use layout_files::{Conversion, Format, Tensor, TensorFile};

#[test]
fn gguf_of_python() {
    let source = TensorFile::open(python("model.gguf")).unwrap();
    let names = source.tensors().iter().map(Tensor::name).collect::<Vec<_>>();
    assert_eq!(names, ["f32", "f16", "i8", "q4_0"]);
    for (name, tensor) in names.iter().zip(source.tensors()) {
        let array = TensorFile::open(python(&format!("gguf_{name}.npy"))).unwrap();
        let [expected] = array.tensors() else { panic!() };
        assert_eq!((tensor.dtype(), tensor.dims()), (expected.dtype(), expected.dims()), "{name}");
        assert_eq!(source.bytes(tensor).unwrap(), array.bytes(expected).unwrap(), "{name}");
    }
    assert_eq!(source.metadata()["ggml.q4_0"], "Q4_0");
    let error = Conversion::new(&source, Format::Gguf, |_| Ok(None)).unwrap_err();
    folder::has(error, "read, not written");
}
