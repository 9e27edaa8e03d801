//! Arrays of a program in files: each as `convert` would have written it, its header and its record too.

mod folder;
mod naive;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use folder::{Folder, back, bytes, change, convert_by, example, has, python, same};
use layout::dynamic::DynLayout;
use layout::shape::Dim;
use layout::{ArrayShape, Buffer, PackedView, View, layout};
use layout_files::{
    ArrayMemory, Change, Conversion, Dtype, Error, Format, NewFile, Share, Sidecar, TensorFile,
};
use naive::{Naive, converted};

const EXTENSIONS: [&str; 3] = ["npy", "safetensors", "bin"];

fn write(path: &Path, array: &impl ArrayMemory, keeps_layout: bool) {
    let mut file = NewFile::new();
    let file = match keeps_layout {
        true => file.add_in_layout("w", array),
        false => file.add("w", array),
    };
    file.write(path).unwrap();
}

/// Row-major and in its own layout; the other one is what `convert` makes of each.
fn is_written(folder: &Folder, array: &impl ArrayMemory) {
    let shape = array.shape();
    let packed = shape.element_bits() < 8;
    // A file has as many rows as the bound says.
    let dims = shape.dims().iter().map(|dim| Dim::Static(dim.size().unwrap())).collect::<Vec<_>>();
    let row_major = ArrayShape::new(shape.element_type(), &dims).unwrap();
    let row_major = row_major.with_packed_elements(packed).unwrap();
    let own = shape.to_string().replace("<=", "").parse::<ArrayShape>().unwrap();
    let expected = if row_major == shape {
        array.bytes().to_vec()
    } else {
        let layouts = [&shape, &row_major].map(|layout| Naive::new(&layout.to_string()));
        converted(array.bytes(), layouts.each_ref())
    };
    for extension in EXTENSIONS {
        let path = |name: &str| folder.path(&format!("{name}.{extension}"));
        let [rows, tiles, other] = ["w", "tiles", "other"].map(path);
        write(&rows, array, false);
        let file = TensorFile::open(&rows).unwrap();
        let [tensor] = file.tensors() else { panic!() };
        assert_eq!(file.bytes(tensor).unwrap(), expected, "{shape}");
        assert_eq!(file.layout(tensor), Ok(row_major), "{shape} {extension}");
        assert_eq!(tensor.name(), "w");

        write(&tiles, array, true);
        let new = TensorFile::open(&tiles).unwrap();
        let [tensor] = new.tensors() else { panic!() };
        assert_eq!(new.bytes(tensor).unwrap(), array.bytes(), "{shape}");
        assert_eq!(new.layout(tensor), Ok(own), "{shape} {extension}");
        if row_major == shape {
            same(&rows, &tiles);
            continue;
        }
        back(&tiles, &other).unwrap();
        same(&other, &rows);
        let again = TensorFile::open(&other).unwrap();
        assert_eq!(again.layout(&again.tensors()[0]), Ok(row_major), "{shape} {extension}");
        match convert_by(&rows, &other, &Change::new(row_major, own)) {
            // Bytes that carry complex numbers are changed back, and not into another layout.
            Err(error) => has(error, "other types are for bytes without one"),
            Ok(()) => {
                let found = TensorFile::open(&other).unwrap();
                let [converted] = found.tensors() else { panic!() };
                assert_eq!(converted.dims(), tensor.dims(), "{shape} {extension}");
                assert_eq!(found.bytes(converted).unwrap(), new.bytes(tensor).unwrap(), "{shape}");
                // Where the format says all of the first array, the records are the same too.
                if !Sidecar::path(&rows).exists() && found.format() == Format::Safetensors {
                    same(&other, &tiles);
                }
            }
        }
        // In another format.
        for other in EXTENSIONS.map(|extension| folder.path(&format!("again.{extension}"))) {
            back(&tiles, &other).unwrap();
            let again = TensorFile::open(&other).unwrap();
            let [tensor] = again.tensors() else { panic!() };
            assert_eq!(again.bytes(tensor).unwrap(), expected, "{shape}");
        }
    }
    for name in folder.names() {
        fs::remove_file(folder.path(&name)).unwrap();
    }
}

#[test]
fn arrays_of_run_time_layouts() {
    let folder = Folder::new("new");
    for text in include_str!("pairs/written.txt").lines() {
        let layout = DynLayout::new(&text.parse().unwrap()).unwrap();
        let mut buffer = layout.zeroed_bytes();
        let content = bytes(16 * layout.elements());
        let values = content.chunks_exact(16).map(|value| value.try_into().unwrap());
        let values = values.map(u128::from_le_bytes);
        for ((index, _), value) in layout.indices_row_major().zip(values) {
            buffer.set(&index, value);
        }
        is_written(&folder, &buffer);
    }
    let layout = DynLayout::new(&"s16[9,7]{0,1:T(2,2)}".parse().unwrap()).unwrap();
    let array = layout.from_fn(|index| (10 * index[0] + index[1]) as i16).unwrap();
    is_written(&folder, &array);
    is_written(&folder, &array.as_view());
}

#[test]
fn arrays_of_types() {
    let folder = Folder::new("typed");
    type A = layout!(F32[9,7]{0,1:T(2,2)});
    let buffer = Buffer::<A>::from_fn(|[i, j]| (10 * i + j) as f32);
    is_written(&folder, &buffer);
    is_written(&folder, &buffer.as_view());
    is_written(&folder, &Buffer::<layout!(PRED[9,7]{0,1}), bool>::from_fn(|[i, j]| i > j));
    type P = layout!(S4[10,8]{0,1:T(2,2)E(4)});
    let memory = bytes(P::BYTES);
    is_written(&folder, &PackedView::<P>::new(&memory).unwrap());
    // Sizes that are known at run time.
    type Rows = layout!(U16[?,6]{1,0:T(2,2)});
    let rows = Rows::with_dims([4, 6]).unwrap();
    let memory = (0..24).collect::<Vec<u16>>();
    let view: View<'_, Rows, u16> = rows.view(&memory).unwrap();
    is_written(&folder, &view);
}

/// Files equal those that numpy and the package `safetensors` write in Python, byte for byte.
#[test]
fn as_python_writes_them() {
    let folder = Folder::new("python");
    for name in ["rows.npy", "columns.npy", "tiles.npy", "scalar.npy", "truth.npy"] {
        let file = TensorFile::open(python(name)).unwrap();
        let [tensor] = file.tensors() else { panic!() };
        let layout = DynLayout::new(&tensor.layout().unwrap()).unwrap();
        let array = layout.bytes_view(file.bytes(tensor).unwrap()).unwrap();
        let target = folder.path(name);
        NewFile::new().add_in_layout("any", &array).write(&target).unwrap();
        same(&target, &python(name));
    }
}

/// Several arrays, the widest first where the header alone would not align them, and texts.
#[test]
fn several_arrays() {
    let folder = Folder::new("several");
    let target = folder.path("new.safetensors");
    type Small = layout!(U8[3]);
    type Wide = layout!(F64[2]);
    let (small, wide) = (Buffer::<Small>::filled(7), Buffer::<Wide>::filled(2.0));
    let mut new = NewFile::new();
    new.add("a/small", &small)
        .add("b\"wide", &wide)
        .metadata("format", "pt")
        .write(&target)
        .unwrap();
    let file = TensorFile::open(&target).unwrap();
    let names = file.tensors().iter().map(|tensor| tensor.name()).collect::<Vec<_>>();
    assert_eq!(names, ["b\"wide", "a/small"]);
    assert_eq!(file.bytes(file.tensor("a/small").unwrap()).unwrap(), [7; 3]);
    assert_eq!(*file.tensor("b\"wide").unwrap().dtype(), Dtype::Element(layout::ElementType::F64));
    assert_eq!(*file.metadata(), BTreeMap::from([("format".to_owned(), "pt".to_owned())]));
    assert_eq!(folder.names(), ["new.safetensors"]);

    // What stands there is replaced; its record goes.
    let tiled = Buffer::<layout!(F64[2]{0:T(4)})>::filled(2.0);
    NewFile::new().add_in_layout("x", &tiled).write(&target).unwrap();
    assert_eq!(folder.names(), ["new.safetensors", "new.safetensors.layout.json"]);
    NewFile::new().write(&target).unwrap();
    assert_eq!(folder.names(), ["new.safetensors"]);
    assert!(TensorFile::open(&target).unwrap().tensors().is_empty());
}

/// The example: from a tensor of a file to an array of a run-time layout, and back into a file.
#[test]
fn the_example() {
    let folder = Folder::new("example");
    let (source, target) = (python("model.safetensors"), folder.path("new.safetensors"));
    let run = |name: &str, layout: &str| {
        let arguments = [source.as_os_str(), name.as_ref(), layout.as_ref(), target.as_os_str()];
        example("centered_rows", &arguments)
    };
    let output = run("layers.0.w", "{0,1:T(4,8)}");
    assert!(output.status.success(), "{output:?}");
    let file = TensorFile::open(&source).unwrap();
    let numbers = |bytes: &[u8]| {
        let numbers = bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
        numbers.collect::<Vec<_>>()
    };
    let before = numbers(file.bytes(file.tensor("layers.0.w").unwrap()).unwrap());
    let new = TensorFile::open(&target).unwrap();
    let [after, laid_out] =
        ["layers.0.w", "layers.0.w.laid_out"].map(|name| new.tensor(name).unwrap());
    assert_eq!(after.dims(), [9, 33]);
    assert_eq!(new.layout(laid_out).unwrap().to_string(), "f32[9,33]{0,1:T(4,8)}");
    for (before, after) in before.chunks(33).zip(numbers(new.bytes(after).unwrap()).chunks(33)) {
        let mean = before.iter().sum::<f32>() / 33.0;
        assert!(before.iter().zip(after).all(|(a, b)| (a - b - mean).abs() < 1e-3 * mean.abs()));
    }
    // Undone, both are the same array.
    let back = folder.path("back.safetensors");
    Conversion::back(&new, Format::Safetensors)
        .unwrap()
        .write(&back, Share::WHOLE, &mut |_| ())
        .unwrap();
    let back = TensorFile::open(&back).unwrap();
    let [a, b] = ["layers.0.w", "layers.0.w.laid_out"]
        .map(|name| back.bytes(back.tensor(name).unwrap()).unwrap());
    assert_eq!(a, b);
    let refused = run("layers.0.w", "T(8,128)");
    assert_eq!(refused.status.code(), Some(2));
    has(String::from_utf8(refused.stderr).unwrap(), "error: a layout begins with a brace");
}

#[test]
fn what_is_refused() {
    let folder = Folder::new("refused");
    let array = Buffer::<layout!(F32[2])>::filled(1.0);
    let two = |path: &str| -> Error {
        NewFile::new().add("a", &array).add("b", &array).write(folder.path(path)).unwrap_err()
    };
    has(two("a.npy"), "such a file holds one array, and 2 are to be written");
    has(NewFile::new().write(folder.path("a.bin")).unwrap_err(), "and 0 are to be written");
    let twice =
        NewFile::new().add("a", &array).add("a", &array).write(folder.path("a.safetensors"));
    has(twice.unwrap_err(), "two arrays are called `a`\n  = help: give each a name");
    let named = NewFile::new().add("__metadata__", &array).write(folder.path("a.safetensors"));
    has(named.unwrap_err(), "a tensor cannot be called `__metadata__`");
    has(
        NewFile::new().add("a", &array).write(folder.path("a.gguf")).unwrap_err(),
        "GGUF files are read, not written",
    );
    let wide = DynLayout::new(&"pred[4]{0:E(32)}".parse().unwrap()).unwrap().zeroed_bytes();
    let error = NewFile::new().add("a", &wide).write(folder.path("a.npy")).unwrap_err();
    assert_eq!(error.tensor(), Some("a"));
    has(error, "elements of 32 bits are not copied to elements of 8 bits");
    NewFile::new().add_in_layout("a", &wide).write(folder.path("wide.npy")).unwrap();

    // An array of somebody else.
    struct Short;
    impl ArrayMemory for Short {
        fn shape(&self) -> ArrayShape {
            "f32[3,5]{1,0:T(2,2)}".parse().unwrap()
        }
        fn bytes(&self) -> &[u8] {
            &[0; 60]
        }
    }
    let error = NewFile::new().add("a", &Short).write(folder.path("a.npy")).unwrap_err();
    has(error, "`f32[3,5]{1,0:T(2,2)}` takes 96 bytes and the tensor has 60");
    assert_eq!(folder.names(), ["wide.npy", "wide.npy.layout.json"]);

    // A source is not a target here: a file that is open is replaced, and stays readable.
    let path = folder.path("b.npy");
    NewFile::new().add("a", &array).write(&path).unwrap();
    let file = TensorFile::open(&path).unwrap();
    let conversion = Conversion::new(&file, Format::Npy, |_| Ok(Some(change("f32[2]", "f32[2]"))));
    conversion.unwrap().write(&folder.path("c.npy"), Share::WHOLE, &mut |_| ()).unwrap();
    same(&path, &folder.path("c.npy"));
}
