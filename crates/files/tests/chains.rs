//! Chains of conversions, undone one by one: each ends at the first file, also if a format on the way could not hold all of it.

mod folder;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use folder::random::Random;
use folder::{Folder, back, entry, python, same};
use layout::ArrayShape;
use layout_files::{Change, Check, Conversion, Error, Format, Share, Tensor, TensorFile};

/// A layout of the array that this one is of.
fn layout(random: &mut Random, from: &ArrayShape) -> Option<ArrayShape> {
    let text = from.to_string();
    let array = text.split('{').next()?;
    let order = random.order(from.rank());
    let order = order.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let tiles = ["", "T(2,2)", "T(4,2)(2,1)", "T(3)", "T(*,2)", "T(2,4)L(64)", "T(5)L(7)"];
    let mut parts = (*random.pick(&tiles)).to_owned();
    if random.below(4) == 0 {
        let sizes = from.dims().iter().map(|dim| dim.size().unwrap_or(0) + random.below(3));
        let sizes = sizes.map(|size| size.to_string()).collect::<Vec<_>>().join(",");
        parts = format!("PAD({sizes}){}{parts}", random.pick(&["", "FILL(highest)"]));
    }
    if from.element_type().bits() < 8 && random.below(2) == 0 {
        let at = parts.find('L').unwrap_or(parts.len());
        parts.insert_str(at, &format!("E({})", from.element_type().bits()));
    }
    let colon = if parts.is_empty() { "" } else { ":" };
    format!("{array}{{{order}{colon}{parts}}}").parse().ok()
}

/// Another layout for a tensor, as a user may say it.
fn change(random: &mut Random, file: &TensorFile, tensor: &Tensor) -> Option<Change> {
    let mut from = file.layout(tensor).ok();
    let (dtype, bytes) = (tensor.dtype().to_string(), tensor.bytes());
    let elsewhere: &[String] = match dtype.as_str() {
        // The bytes are also those of other arrays.
        "u8" | "|V1" => &[format!("u4[2,{bytes}]{{1,0:E(4)}}"), format!("u8[{bytes}]")],
        "<V2" => &[format!("bf16[{}]", bytes / 2), format!("f16[{}]", bytes / 2)],
        _ => &[],
    };
    if from.is_none() || random.below(4) == 0 {
        from = match elsewhere {
            // Tiles as an array of their own.
            [] => tensor.layout().ok(),
            some => some[random.below(some.len())].parse().ok(),
        };
    }
    let from = from?;
    Some(Change::new(from, layout(random, &from)?))
}

/// Type, dimensions, layout and bytes.
type Contents = (String, Vec<u64>, Option<ArrayShape>, Vec<u8>);

/// What a file says of its tensors, and their bytes, by name.
fn contents(path: &Path) -> BTreeMap<String, Contents> {
    let file = TensorFile::open(path).unwrap();
    let tensors = file.tensors().iter().map(|tensor| {
        let name = if file.format().has_one_tensor() { "" } else { tensor.name() };
        let (dtype, layout) = (tensor.dtype().to_string(), tensor.layout().ok());
        let bytes = file.bytes(tensor).unwrap().to_vec();
        (name.to_owned(), (dtype, tensor.dims().to_vec(), layout, bytes))
    });
    tensors.collect()
}

fn sources(folder: &Folder) -> Vec<PathBuf> {
    let names =
        ["rows", "columns", "half", "brain", "big_endian", "tiles", "truth", "scalar", "empty"];
    let mut sources = names.map(|name| python(&format!("{name}.npy"))).to_vec();
    sources.extend([python("model.safetensors"), python("model.gguf")]);
    sources.push(folder.write("raw.bin", (0..70).collect::<Vec<u8>>()));
    let tensors: [(&str, &[usize], u8); 5] = [
        ("BF16", &[3, 5], 30),
        ("F4", &[2, 8], 8),
        ("U8", &[4, 6], 24),
        ("I64", &[], 8),
        ("F32", &[3, 0], 0),
    ];
    for (dtype, dims, bytes) in tensors {
        let (name, bytes) = (format!("{dtype}.safetensors"), (0..bytes).collect::<Vec<_>>());
        sources.push(folder.safetensors(&name, &[("w", dtype, dims)], &bytes));
    }
    let entries = [
        "\"__metadata__\":{\"format\":\"pt\",\"é\":\"\\n\"}".to_owned(),
        entry("a", "BF16", "[3,4]", [0, 24]),
        entry("b", "F32", "[2,3]", [24, 48]),
        entry("c", "U8", "[6]", [48, 54]),
    ];
    let header = format!("{{{}}}", entries.join(","));
    sources.push(folder.with_header("some.safetensors", &header, &(0..54).collect::<Vec<_>>()));
    sources
}

fn write(conversion: Result<Conversion<'_>, Error>, path: &Path) -> Result<(), Error> {
    conversion?.write_checked(path, Share::WHOLE, Check::All, &mut |_| ()).map(drop)
}

/// The number of conversions that a file records.
fn steps_of(path: &Path) -> usize {
    TensorFile::open(path).unwrap().sidecar().map_or(0, |sidecar| sidecar.steps.len())
}

#[test]
fn undone_each_chain_ends_at_its_first_file() {
    let folder = Folder::new("chains");
    let sources = sources(&folder);
    let (mut longest, mut undone, mut counted) = (0, 0, 0);
    for seed in 0..450 {
        let mut random = Random::new(seed);
        let source = &sources[seed as usize % sources.len()];
        let mut expected = contents(source);
        let tensors = expected.len();
        let metadata = TensorFile::open(source).unwrap().metadata().clone();
        let (mut last, mut steps, mut files) = (source.clone(), 0, 0);
        let mut next = |extension: &str| {
            files += 1;
            folder.path(&format!("{seed}-{files}.{extension}"))
        };
        for _ in 0..1 + random.below(8) {
            let file = TensorFile::open(&last).unwrap();
            let path = next(random.pick::<&str>(&["npy", "safetensors", "bin"]));
            let format = Format::of_path(&path);
            let has_many = file.tensors().len() > 1;
            let kind = random.below(8);
            if kind == 0 && steps > 0 && !(has_many && format.has_one_tensor()) {
                write(Conversion::back(&file, format), &path).unwrap();
                steps -= 1;
                assert_eq!(steps_of(&path), steps, "{seed}");
                last = path;
                continue;
            }
            let only = random.below(file.tensors().len());
            let conversion = Conversion::new(&file, format, |tensor| {
                let is_only = tensor == &file.tensors()[only];
                if has_many && format.has_one_tensor() && !is_only {
                    return Ok(None);
                }
                Ok(match kind {
                    1 => Some(Change::NONE),
                    2 if !is_only => None,
                    _ => Some(change(&mut random, &file, tensor).unwrap_or(Change::NONE)),
                })
            });
            // The format cannot hold the tensor as it is, or bytes do not fit in the elements.
            if write(conversion, &path).is_err() {
                continue;
            }
            if has_many && format.has_one_tensor() {
                let name = file.tensors()[only].name();
                expected.retain(|other, _| other == name);
            }
            steps = steps_of(&path);
            last = path;
        }
        longest = longest.max(steps);
        counted += usize::from(steps > 0);
        let first = match source.extension().unwrap().to_str().unwrap() {
            "gguf" => "safetensors",
            extension => extension,
        };
        let is_one = expected.len() == 1;
        for left in (0..steps.max(1)).rev() {
            let others: &[&str] = if is_one { &["npy", "safetensors", "bin"] } else { &[first] };
            let path = next(if left == 0 { first } else { random.pick::<&str>(others) });
            back(&last, &path).unwrap_or_else(|error| panic!("{seed}: {error}"));
            last = path;
            undone += 1;
            assert_eq!(steps_of(&last), left, "{seed}");
        }
        // Where the bytes of one array were read as another one's, the format alone may be what is left to undo.
        let file = TensorFile::open(&last).unwrap();
        if !Conversion::back(&file, file.format()).unwrap().is_idle() {
            let path = next(first);
            back(&last, &path).unwrap();
            last = path;
        }
        let found = contents(&last);
        assert!(found == expected, "{seed} {}: {found:?} {expected:?}", source.display());
        // Byte for byte, but for the header by hand.
        let is_whole = expected.len() == tensors && first == source.extension().unwrap();
        if is_whole && !source.ends_with("some.safetensors") {
            same(&last, source);
        }
        let file = TensorFile::open(&last).unwrap();
        assert!(Conversion::back(&file, file.format()).unwrap().is_idle(), "{seed}");
        // A name that a file on the way had.
        let left = file.sidecar().cloned().unwrap_or_default();
        let mut records = left.tensors.values();
        assert!(left.steps.is_empty() && records.all(|record| record.lost.is_none()), "{seed}");
        if !file.format().has_one_tensor() {
            assert_eq!(*file.metadata(), metadata, "{seed}");
        }
        for name in folder.names().iter().filter(|name| name.starts_with(&format!("{seed}-"))) {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    assert!(longest == 8 && undone > 700 && counted > 330, "{longest} {undone} {counted}");
}
