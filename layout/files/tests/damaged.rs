//! Damaged files: an error, or what the file says now. Nothing panics, and nothing takes memory that a file only claims
//! to need.
#![allow(unsafe_code, reason = "an allocator that remembers the largest piece of memory")]

mod folder;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use folder::{Folder, python, safetensors};
use layout::tpu::Tpu;
use layout_files::{Change, Conversion, Format, Share, TensorFile};
use proptest::prelude::*;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

struct Remembering;

// SAFETY: it passes each call on to the system's allocator, and the cell allocates nothing.
unsafe impl GlobalAlloc for Remembering {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
        // SAFETY: what holds for this call holds for that one.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `alloc` has it from there.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Remembering = Remembering;

const FILES: [&str; 6] =
    ["rows.npy", "brain.npy", "columns.npy", "model.safetensors", "model.gguf", "scalar.npy"];

/// Opens a file that is damaged. If that works, its tensors lie in it, and a copy of them has the same ones.
fn open(path: &Path) {
    let bytes = fs::metadata(path).unwrap().len() as usize;
    LARGEST.set(0);
    let opened = TensorFile::open(path);
    let plan = |file: &TensorFile, format| {
        Conversion::new(file, format, |tensor| {
            let from = tensor.layout().ok();
            let to = from.and_then(|from| Some((from, from.with_default_layout(Tpu::V5e).ok()?)));
            Ok(to.map(|(from, to)| Change::new(from, to)))
        })
        .map(|_| ())
    };
    if let Ok(file) = &opened {
        for format in [Format::Safetensors, Format::Npy, Format::Raw] {
            let _ = plan(file, format);
        }
    }
    let largest = LARGEST.get();
    assert!(largest <= 64 * bytes + (64 << 10), "{largest} bytes of memory for a file of {bytes}");
    let file = match opened {
        Ok(file) => file,
        Err(error) => {
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = error.to_string();
            return assert!(text.contains(&format!("{name}: ")) && !text.contains('\0'), "{text}");
        }
    };
    for tensor in file.tensors() {
        assert_eq!(file.bytes(tensor).unwrap().len() as u64, tensor.bytes());
        if let Ok(layout) = tensor.layout() {
            assert_eq!(layout.bytes().map(|bytes| bytes as u64), Some(tensor.bytes()), "{layout}");
        }
    }
    let format = if file.format() == Format::Npy { Format::Npy } else { Format::Safetensors };
    let copy =
        path.with_extension(if format == Format::Npy { "copy.npy" } else { "copy.safetensors" });
    let conversion = Conversion::new(&file, format, |_| Ok(None));
    match &conversion {
        // Of one tensor it cannot have two.
        Ok(conversion) => conversion.write(&copy, Share::WHOLE, &mut |_| ()).unwrap(),
        Err(error) => {
            let text = error.to_string();
            return assert!(
                file.format() == Format::Gguf || text.contains("__metadata__"),
                "{text}"
            );
        }
    }
    let copy = TensorFile::open(copy).unwrap();
    assert_eq!(copy.tensors().len(), file.tensors().len());
    for (number, tensor) in file.tensors().iter().enumerate() {
        // An array without names has that of its file.
        let copied = match format {
            Format::Npy => &copy.tensors()[number],
            _ => copy.tensor(tensor.name()).unwrap(),
        };
        assert_eq!((copied.dtype(), copied.dims()), (tensor.dtype(), tensor.dims()));
        assert_eq!(copied.layout(), tensor.layout());
        assert_eq!(copy.bytes(copied).unwrap(), file.bytes(tensor).unwrap());
    }
}

#[test]
fn files_that_are_cut_off() {
    let folder = Folder::new("cut");
    for name in FILES {
        let bytes = fs::read(python(name)).unwrap();
        let path = folder.path(name);
        for length in (0..bytes.len().min(700)).chain([bytes.len() - 17]) {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = TensorFile::open(&path).expect_err("a file that is cut off").to_string();
            assert!(error.contains(name), "{error}");
            assert!(length < 16 || error.contains("copy it again"), "{length}: {error}");
        }
    }
}

/// Each bit of a header by itself.
#[test]
fn each_bit_of_a_header() {
    let folder = Folder::new("bits");
    let small = folder.path("small.safetensors");
    let tensors: [(&str, &str, &[usize]); 2] = [("w", "F32", &[2, 3]), ("b", "BF16", &[4])];
    safetensors(&small, &tensors, &[7; 32]);
    for (source, name) in [(python("columns.npy"), "bits.npy"), (small, "bits.safetensors")] {
        let bytes = fs::read(source).unwrap();
        let path = folder.path(name);
        for bit in 0..8 * bytes.len().min(136) {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            open(&path);
        }
    }
}

/// What is done to a header.
#[derive(Clone, Debug)]
enum Damage {
    Bit(usize, u8),
    /// A number of these bytes in place of what is there: lengths, counts, offsets.
    Number(usize, Vec<u8>),
    /// Another number in place of the digits that begin after these ones; the length of the header is made right.
    Digits(usize, String),
    /// Some bytes once more.
    Repeat(usize, usize),
    Cut(usize),
}

fn number() -> impl Strategy<Value = u64> {
    let near = (0..64_u32, -2..3_i64).prop_map(|(bit, by)| (1_u64 << bit).wrapping_add_signed(by));
    prop_oneof![0..9_u64, near, any::<u64>(), Just(u64::MAX), Just(i64::MAX as u64)]
}

fn damage() -> impl Strategy<Value = Damage> {
    const LONGEST: usize = 640;
    prop_oneof![
        (0..LONGEST, 0..8_u8).prop_map(|(at, bit)| Damage::Bit(at, bit)),
        (0..LONGEST, number(), prop_oneof![Just(1), Just(2), Just(4), Just(8)]).prop_map(
            |(at, number, bytes)| Damage::Number(at, number.to_le_bytes()[..bytes].to_vec())
        ),
        (0..40_usize, number()).prop_map(|(skip, number)| Damage::Digits(skip, number.to_string())),
        (0..40_usize, number())
            .prop_map(|(skip, number)| Damage::Digits(skip, format!("{number},1"))),
        (0..LONGEST, 1..40_usize).prop_map(|(at, bytes)| Damage::Repeat(at, bytes)),
        (0..LONGEST).prop_map(Damage::Cut),
    ]
}

fn apply(damage: &Damage, bytes: &mut Vec<u8>) {
    let (npy, tensors) = (bytes.starts_with(b"\x93NUMPY"), bytes.get(8) == Some(&b'{'));
    match damage {
        Damage::Bit(at, bit) if *at < bytes.len() => bytes[*at] ^= 1 << bit,
        Damage::Number(at, number) if at + number.len() <= bytes.len() => {
            bytes[*at..at + number.len()].copy_from_slice(number);
        }
        Damage::Digits(skip, number) => {
            let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
            let starts = (8..bytes.len().min(640)).filter(|&at| is_digit(at) && !is_digit(at - 1));
            let starts = starts.collect::<Vec<_>>();
            let Some(&start) = starts.get(skip % starts.len().max(1)) else { return };
            let end = (start..).find(|&at| !is_digit(at)).unwrap_or(start);
            let more = number.len().wrapping_sub(end - start) as u64;
            bytes.splice(start..end, number.bytes());
            let width = if npy { 8..10 } else { 0..8 };
            if npy || tensors {
                let mut length = [0; 8];
                length[..width.len()].copy_from_slice(&bytes[width.clone()]);
                let length = u64::from_le_bytes(length).wrapping_add(more).to_le_bytes();
                bytes[width.clone()].copy_from_slice(&length[..width.len()]);
            }
        }
        Damage::Repeat(at, count) if at + count <= bytes.len() => {
            let again = bytes[*at..at + count].to_vec();
            bytes.splice(at..at, again);
        }
        Damage::Cut(at) => bytes.truncate(*at),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_headers(
        file in 0..FILES.len(),
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        static FOLDER: OnceLock<Folder> = OnceLock::new();
        let path = FOLDER.get_or_init(|| Folder::new("damage")).path(FILES[file]);
        let mut bytes = fs::read(python(FILES[file])).unwrap();
        damages.iter().for_each(|damage| apply(damage, &mut bytes));
        fs::write(&path, bytes).unwrap();
        open(&path);
    }

    /// A record is text that anyone may edit.
    #[test]
    fn damaged_records(damages in prop::collection::vec(damage(), 1..4)) {
        static FOLDER: OnceLock<Folder> = OnceLock::new();
        let folder = FOLDER.get_or_init(|| Folder::new("records"));
        let [tiles, record] = ["tiles.npy", "tiles.npy.layout.json"].map(|name| folder.path(name));
        if !tiles.exists() {
            let file = TensorFile::open(python("rows.npy")).unwrap();
            let change = Change::new("s32[5,7]".parse().unwrap(), "s32[5,7]{1,0:T(2,4)}".parse().unwrap());
            let conversion = Conversion::new(&file, Format::Npy, |_| Ok(Some(change.clone())));
            conversion.unwrap().write(&tiles, Share::WHOLE, &mut |_| ()).unwrap();
            fs::copy(&record, folder.path("record")).unwrap();
        }
        let mut text = fs::read(folder.path("record")).unwrap();
        damages.iter().for_each(|damage| apply(damage, &mut text));
        fs::write(&record, text).unwrap();
        if let Ok(file) = TensorFile::open(&tiles) {
            for format in [Format::Safetensors, Format::Npy, Format::Raw] {
                let _ = Conversion::back(&file, format).map(|conversion| conversion.bytes());
            }
        }
    }

    /// Any dimensions and types, in headers that are headers.
    #[test]
    fn other_headers(
        dims in prop::collection::vec(prop_oneof![0..9_u64, number()], 0..18),
        descr in "[<>|=]?[biufcVSUmMO]?[0-9]{0,20}(\\[ns\\])?",
    ) {
        static FOLDER: OnceLock<Folder> = OnceLock::new();
        let folder = FOLDER.get_or_init(|| Folder::new("headers"));
        let list = dims.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let header = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': ({list}), }}");
        let mut npy = b"\x93NUMPY\x01\x00".to_vec();
        npy.extend((header.len() as u16).to_le_bytes());
        npy.extend(header.bytes());
        npy.extend([0; 24]);
        let path = folder.path("other.npy");
        fs::write(&path, npy).unwrap();
        open(&path);

        let header = format!("{{\"a\":{{\"dtype\":\"F4\",\"shape\":[{list}],\"data_offsets\":[0,24]}}}}");
        let mut tensors = (header.len() as u64).to_le_bytes().to_vec();
        tensors.extend(header.bytes());
        tensors.extend([0; 24]);
        let path = folder.path("other.safetensors");
        fs::write(&path, tensors).unwrap();
        open(&path);
    }
}

/// Empty tensors begin at one place: their order is that of their names, in each run.
#[test]
fn the_order_of_empty_tensors() {
    let folder = Folder::new("empty");
    let path = folder.path("empty.safetensors");
    let names = ["f", "a", "d", "b", "c", "e", "g", "h"];
    let tensors = names.map(|name| (name, "F32", &[0, 3][..]));
    safetensors(&path, &tensors, &[]);
    for _ in 0..4 {
        let file = TensorFile::open(&path).unwrap();
        let found = file.tensors().iter().map(|tensor| tensor.name()).collect::<String>();
        assert_eq!(found, "abcdefgh");
    }
}

/// A block of ggml's Q8_1 is two `f16` and 32 `i8`: two of them, and the file ends.
#[test]
fn blocks_of_q8_1() {
    let folder = Folder::new("q8_1");
    let path = folder.path("blocks.gguf");
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend([1_u64, 0, 1].map(u64::to_le_bytes).concat());
    bytes.extend(b"w");
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(64_u64.to_le_bytes());
    bytes.extend(9_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(32) + 2 * 36, 0);
    fs::write(&path, &bytes).unwrap();
    let file = TensorFile::open(&path).unwrap();
    let [tensor] = file.tensors() else { panic!() };
    assert_eq!((tensor.dims(), file.metadata()["ggml.w"].as_str()), (&[72][..], "Q8_1"));
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = TensorFile::open(&path).unwrap_err().to_string();
    assert!(error.contains("the file ends before the tensor `w`"), "{error}");
}
