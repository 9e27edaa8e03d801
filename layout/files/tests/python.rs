//! Files of numpy and of the Python packages `safetensors` and `gguf`, read and written byte for byte.

mod folder;

use std::fs;
use std::path::Path;

use folder::{Folder, back, python, same};
use layout::ArrayShape;
use layout_files::{Change, Conversion, Format, Share, Tensor, TensorFile};

/// Converts a file; `to` is the part of a shape after its sizes.
fn convert(from: &Path, to: &Path, change: impl Fn(&Tensor) -> Option<&'static str>) {
    let file = TensorFile::open(from).unwrap();
    let conversion = Conversion::new(&file, Format::of_path(to), |tensor| {
        let Some(layout) = change(tensor) else { return Ok(None) };
        let own = file.layout(tensor).unwrap();
        let sizes = own.to_string();
        let text = format!("{}{layout}", sizes.split('{').next().unwrap());
        Ok(Some(Change::new(own, text.parse::<ArrayShape>().unwrap())))
    });
    conversion.unwrap().write_checked(to, Share::WHOLE, &mut |_| ()).unwrap();
}

#[test]
fn numpys_files_are_copied_byte_for_byte() {
    let folder = Folder::new("numpy");
    for name in
        ["rows", "columns", "half", "brain", "big_endian", "scalar", "empty", "truth", "tiles"]
    {
        let (from, to) = (python(&format!("{name}.npy")), folder.path(&format!("{name}.npy")));
        convert(&from, &to, |_| None);
        same(&to, &from);
    }
}

#[test]
fn tiles_are_numpys() {
    let folder = Folder::new("tiles");
    let [tiles, again] = ["tiles.npy", "again.npy"].map(|name| folder.path(name));
    for (source, plain) in [("rows.npy", "{1,0}"), ("columns.npy", "{0,1}")] {
        convert(&python(source), &tiles, |_| Some("{1,0:T(2,4)}"));
        same(&tiles, &python("tiles.npy"));
        back(&tiles, &again).unwrap();
        same(&again, &python(source));
        // And between the two orders.
        let other = if plain == "{1,0}" { ("{0,1}", "columns.npy") } else { ("{1,0}", "rows.npy") };
        convert(&python(source), &tiles, |_| Some(other.0));
        same(&tiles, &python(other.1));
    }
    // The way back went through a file without a sidecar.
    assert_eq!(folder.names(), ["again.npy", "tiles.npy", "tiles.npy.layout.json"]);
}

#[test]
fn column_major_arrays_become_row_major_where_files_have_no_order() {
    let folder = Folder::new("order");
    let [tensors, array] = ["columns.safetensors", "columns.npy"].map(|name| folder.path(name));
    convert(&python("columns.npy"), &tensors, |_| None);
    let file = TensorFile::open(&tensors).unwrap();
    let rows = TensorFile::open(python("rows.npy")).unwrap();
    let [found, expected] = [&file, &rows].map(|file| file.bytes(&file.tensors()[0]).unwrap());
    assert_eq!(found, expected);
    back(&tensors, &array).unwrap();
    same(&array, &python("columns.npy"));
}

#[test]
fn what_numpy_has_and_layouts_have_not() {
    let error = TensorFile::open(python("records.npy")).unwrap_err().to_string();
    assert!(error.contains("records.npy: arrays of `[('a', '<f4'), ('b', '<i8')]`"), "{error}");
    for (name, dtype) in [("big_endian.npy", ">i4"), ("brain.npy", "<V2")] {
        let file = TensorFile::open(python(name)).unwrap();
        let why = file.tensors()[0].layout().unwrap_err();
        assert!(why.contains(dtype) && why.contains("--from"), "{why}");
        let error = Conversion::new(&file, Format::Safetensors, |_| Ok(None)).unwrap_err();
        assert!(error.to_string().contains(dtype), "{error}");
    }
    // Bytes without a type are what one says they are.
    let file = TensorFile::open(python("brain.npy")).unwrap();
    let change = |text: &str| Change::new(text.parse().unwrap(), text.parse().unwrap());
    let conversion = |text| Conversion::new(&file, Format::Safetensors, |_| Ok(Some(change(text))));
    assert!(conversion("bf16[3,4]").is_ok());
    let error = conversion("f32[3,4]").unwrap_err().to_string();
    assert!(error.contains("takes 48 bytes and the tensor has 24"), "{error}");
}

/// The text of a header without the metadata, and the bytes after it.
fn parts(path: &Path) -> (serde_json::Value, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let mut header = serde_json::from_slice::<serde_json::Value>(&bytes[8..8 + length]).unwrap();
    header.as_object_mut().unwrap().remove("__metadata__");
    (header, bytes[8 + length..].to_vec())
}

#[test]
fn safetensors_of_python() {
    let folder = Folder::new("safetensors");
    let [tiles, again] = ["tiles.safetensors", "again.safetensors"].map(|name| folder.path(name));
    convert(&python("model.safetensors"), &again, |_| None);
    same(&again, &python("model.safetensors"));

    convert(&python("model.safetensors"), &tiles, |tensor| {
        tensor.name().ends_with('w').then_some("{1,0:T(8,128)}")
    });
    assert_eq!(parts(&tiles), parts(&python("model_tiled.safetensors")));
    back(&tiles, &again).unwrap();
    same(&again, &python("model.safetensors"));
    // Without the sidecar the metadata says it.
    fs::remove_file(folder.path("tiles.safetensors.layout.json")).unwrap();
    back(&tiles, &again).unwrap();
    same(&again, &python("model.safetensors"));
}

#[test]
fn each_conversion_is_undone_by_itself() {
    let folder = Folder::new("undo");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| folder.path(&format!("{name}.safetensors")));
    convert(&python("model.safetensors"), &a, |tensor| {
        tensor.name().ends_with('w').then_some("{1,0:T(8,128)}")
    });
    convert(&a, &b, |tensor| (tensor.name() == "layers.1.w").then_some("{0,1:T(4,2)}"));
    back(&b, &c).unwrap();
    same(&c, &a);
    back(&c, &d).unwrap();
    same(&d, &python("model.safetensors"));
    assert!(!folder.names().contains(&"d.safetensors.layout.json".to_owned()));
}

/// Codes of 4 bits in bytes, in the order of Marlin's kernels, and bytes of their own.
#[test]
fn packed_elements_in_bytes() {
    let folder = Folder::new("packed");
    let [new, again] = ["new.safetensors", "again.safetensors"].map(|name| folder.path(name));
    let file = TensorFile::open(python("model.safetensors")).unwrap();
    for (to, dims) in [("u4[16,64]{0,1:E(4)}", [512]), ("u4[16,64]", [1024])] {
        let change = Change::new("u4[16,64]{1,0:E(4)}".parse().unwrap(), to.parse().unwrap());
        let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
            Ok((tensor.name() == "packed").then(|| change.clone()))
        });
        conversion.unwrap().write_checked(&new, Share::WHOLE, &mut |_| ()).unwrap();
        let stored = TensorFile::open(&new).unwrap();
        let tensor = stored.tensor("packed").unwrap();
        assert_eq!((tensor.dtype().to_string().as_str(), tensor.dims()), ("u8", &dims[..]));
        // Element by element, as the offsets of both layouts say.
        let (old, new_bytes) = (file.tensor("packed").unwrap(), stored.bytes(tensor).unwrap());
        let (from, to) = ("u4[16,64]{1,0:E(4)}", to);
        let [from, to] = [from, to].map(|text| text.parse::<ArrayShape>().unwrap());
        let value = |bytes: &[u8], shape: &ArrayShape, index: &[usize]| {
            let offset = shape.digits().unwrap().offset(index).unwrap();
            match shape.element_bits() {
                4 => bytes[offset / 2] >> (offset % 2 * 4) & 15,
                _ => bytes[offset],
            }
        };
        for index in (0..16).flat_map(|i| (0..64).map(move |j| [i, j])) {
            let expected = value(file.bytes(old).unwrap(), &from, &index);
            assert_eq!(value(new_bytes, &to, &index), expected, "{to} {index:?}");
        }
        back(&new, &again).unwrap();
        same(&again, &python("model.safetensors"));
    }
}

#[test]
fn gguf_of_python() {
    let folder = Folder::new("gguf");
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
    let tensors = folder.path("model.safetensors");
    convert(&python("model.gguf"), &tensors, |tensor| {
        (tensor.name() == "f32").then_some("{1,0:T(8,128)}")
    });
    let tensors = TensorFile::open(&tensors).unwrap();
    assert_eq!(tensors.metadata()["ggml.q4_0"], "Q4_0");
    assert_eq!(tensors.tensor("f32").unwrap().dims(), [2, 1, 8, 128]);
    let error = Conversion::new(&tensors, Format::Gguf, |_| Ok(None)).unwrap_err().to_string();
    assert!(error.contains("read, not written"), "{error}");
}
