//! The example, from a checkpoint to a program's arguments and back from its results.

mod folder;

use std::fs;
use std::path::Path;
use std::process::Output;

use folder::{Folder, example, has, python};
use layout::ArrayShape;
use layout_files::{Arguments, Misfit, TensorFile};
use layout_hlo::Module;

const PROGRAM: &str = "\
HloModule step, entry_computation_layout={(bf16[33]{0:T(256)(128)(2,1)}, f32[9,33]{1,0:T(8,128)}, f32[9,33]{0,1:T(8,128)})->(f32[9,33]{1,0:T(8,128)}, bf16[33]{0:T(256)(128)(2,1)})}

ENTRY main {
  a = bf16[33]{0:T(256)(128)(2,1)} parameter(0), metadata={op_name=\"params[\\'layers\\'][0][\\'bias\\']\"}
  b = f32[9,33]{1,0:T(8,128)} parameter(1), metadata={op_name=\"params[\\'layers\\'][0][\\'w\\']\"}
  c = f32[9,33]{0,1:T(8,128)} parameter(2), metadata={op_name=\"params[\\'layers\\'][1][\\'w\\']\"}
  ROOT r = (f32[9,33]{1,0:T(8,128)}, bf16[33]{0:T(256)(128)(2,1)}) tuple(b, a)
}
";

fn run(arguments: &[&Path]) -> Output {
    let arguments = arguments.iter().map(|path| path.as_os_str()).collect::<Vec<_>>();
    example("program_arguments", &arguments)
}

#[test]
fn arguments_and_results() {
    let folder = Folder::new("program");
    let program = folder.write("step.hlo", PROGRAM);
    let output = run(&[&program, &python("model.safetensors"), &folder.path("")]);
    assert!(output.status.success(), "{output:?}");

    // Each element of each blob.
    let file = TensorFile::open(python("model.safetensors")).unwrap();
    for (number, name, layout) in [
        (0, "layers.0.bias", "bf16[33]{0:T(256)(128)(2,1)}"),
        (1, "layers.0.w", "f32[9,33]{1,0:T(8,128)}"),
        (2, "layers.1.w", "f32[9,33]{0,1:T(8,128)}"),
    ] {
        let blob = fs::read(folder.path(&format!("parameter-{number}.bin"))).unwrap();
        let tensor = file.tensor(name).unwrap();
        let (to, values) = (layout.parse::<ArrayShape>().unwrap(), file.bytes(tensor).unwrap());
        assert_eq!(Some(blob.len()), to.bytes());
        let width = to.element_bits() / 8;
        let digits = to.digits().unwrap();
        let rows = to.without_layout().unwrap().digits().unwrap();
        for at in 0..rows.elements() {
            let index = rows.index(at).unwrap();
            let offset = width * digits.offset(index.as_slice()).unwrap();
            assert_eq!(
                blob[offset..offset + width],
                values[at * width..(at + 1) * width],
                "{name}"
            );
        }
    }

    // The program gives what it took.
    fs::rename(folder.path("parameter-1.bin"), folder.path("result-0.bin")).unwrap();
    fs::rename(folder.path("parameter-0.bin"), folder.path("result-1.bin")).unwrap();
    let output = run(&[&program, &folder.path("")]);
    assert!(output.status.success(), "{output:?}");
    for (number, name, dims) in [(0, "layers.0.w", &[9, 33][..]), (1, "layers.0.bias", &[33])] {
        let result = TensorFile::open(folder.path(&format!("result-{number}.npy"))).unwrap();
        let [found] = result.tensors() else { panic!() };
        let expected = file.bytes(file.tensor(name).unwrap()).unwrap();
        assert_eq!((found.dims(), result.bytes(found).unwrap()), (dims, expected), "{name}");
    }
}

#[test]
fn a_program_that_takes_something_else() {
    let folder = Folder::new("other");
    let text = PROGRAM.replace("f32[9,33]{0,1:T(8,128)}", "f32[33,9]{0,1:T(8,128)}");
    let program = folder.write("step.hlo", &text);
    let output = run(&[&program, &python("model.safetensors"), &folder.path("")]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    has(error, "tensor `params['layers'][1]['w']`: the tensor is `f32[9,33]{1,0}`");
    assert_eq!(folder.names(), ["step.hlo"], "nothing is written");

    let module = Module::parse(&text).unwrap();
    let file = TensorFile::open(python("model.safetensors")).unwrap();
    let arguments = Arguments::new(&module, &file);
    let [a, b, c] = arguments.parameters() else { panic!() };
    assert_eq!(a.tensor().unwrap().name(), "layers.0.bias");
    assert_eq!(b.tensor().unwrap().name(), "layers.0.w");
    assert!(matches!(c.tensor(), Err(Misfit::Dims { is_transposed: true, .. })));
    let unused = arguments.unused().iter().map(|tensor| tensor.name()).collect::<Vec<_>>();
    assert_eq!((arguments.fit(), unused), (false, vec!["packed"]));
}

/// A safetensors file of f32 vectors, each with its name and length.
fn vectors(folder: &Folder, tensors: &[(&str, usize)]) -> TensorFile {
    let elements = tensors.iter().map(|(_, length)| length).sum::<usize>();
    let tensors = tensors.iter().map(|(name, length)| (*name, "F32", std::slice::from_ref(length)));
    let bytes = vec![0; 4 * elements];
    TensorFile::open(folder.safetensors("w.safetensors", &tensors.collect::<Vec<_>>(), &bytes))
        .unwrap()
}

/// A module that takes f32 vectors of these lengths.
fn takes(parameters: &[(&str, usize)]) -> String {
    let shapes = parameters.iter().map(|(_, length)| format!("f32[{length}]{{0}}"));
    let shapes = shapes.collect::<Vec<_>>();
    let mut text = format!(
        "HloModule m, entry_computation_layout={{({})->{}}}\n\nENTRY e {{\n",
        shapes.join(", "),
        shapes[0]
    );
    for (number, ((name, _), shape)) in parameters.iter().zip(&shapes).enumerate() {
        let root = if number == 0 { "ROOT " } else { "" };
        text += &format!(
            "  {root}p{number} = {shape} parameter({number}), metadata={{op_name=\"{name}\"}}\n"
        );
    }
    text + "}\n"
}

fn found(program: &str, file: &TensorFile) -> Vec<Result<String, Misfit>> {
    let module = Module::parse(program).unwrap();
    let arguments = Arguments::new(&module, file);
    let found = arguments.parameters().iter().map(|parameter| {
        parameter.tensor().map(|tensor| tensor.name().to_owned()).map_err(Clone::clone)
    });
    found.collect()
}

#[test]
fn a_tensor_is_for_one_parameter() {
    let folder = Folder::new("once");
    let file = vectors(&folder, &[("w", 3), ("b", 2)]);
    let taken = |by: &str| Err(Misfit::Taken { by: by.to_owned() });
    let program = takes(&[("x.w", 3), ("y.w", 3), ("b", 2)]);
    assert_eq!(found(&program, &file), [taken("1"), taken("0"), Ok("b".to_owned())]);
    // The one that has all of its name keeps it, and one that it does not fit takes nothing away.
    let program = takes(&[("x.w", 3), ("w", 3), ("z.w", 4)]);
    let [x, w, z] = &found(&program, &file)[..] else { panic!() };
    assert_eq!((x, w), (&taken("1"), &Ok("w".to_owned())));
    assert!(matches!(z, Err(Misfit::Dims { .. })));
}

/// JAX sorts the keys of dicts as texts: `Dense_10` before `Dense_2`.
#[test]
fn tensors_by_the_order_that_fits() {
    let folder = Folder::new("orders");
    let names = ["Dense_0", "Dense_2", "Dense_10"];
    let tensors = [(names[0], 3), (names[1], 4), (names[2], 5)];
    let file = vectors(&folder, &tensors);
    let [a, b, c] = names.map(|name| Ok(name.to_owned()));
    for (lengths, expected) in [([3, 5, 4], [&a, &c, &b]), ([3, 4, 5], [&a, &b, &c])] {
        let [x, y, z] = lengths;
        let program = takes(&[("p0", x), ("p1", y), ("p2", z)]);
        assert_eq!(found(&program, &file).iter().collect::<Vec<_>>(), expected);
    }
    let file = vectors(&folder, &names.map(|name| (name, 3)));
    let other = |name: &str| Err(Misfit::Ambiguous { other: name.to_owned() });
    let program = takes(&[("p0", 3), ("p1", 3), ("p2", 3)]);
    assert_eq!(found(&program, &file), [a, other("Dense_10"), other("Dense_2")]);
}
