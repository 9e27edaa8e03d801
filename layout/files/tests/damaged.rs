//! Damaged files: an error, or what the file says now. Nothing panics, and nothing takes memory that a file only claims
//! to need.
#![allow(unsafe_code, reason = "an allocator that counts memory")]

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
    /// Bytes that are there, and the most that were.
    static TAKEN: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
}

struct Remembering;

/// Counts bytes that are taken and given back.
fn count(more: usize, less: usize) {
    let _ = TAKEN.try_with(|taken| {
        let [now, most] = taken.get();
        let now = (now + more).saturating_sub(less);
        taken.set([now, most.max(now)]);
    });
}

// SAFETY: it passes each call on to the system's allocator, and the cell allocates nothing.
unsafe impl GlobalAlloc for Remembering {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
        count(layout.size(), 0);
        // SAFETY: what holds for this call holds for that one.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
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
    const LONGEST: usize = 900;
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
            let convert = |from: &Path, to: &Path, layouts: [&str; 2]| {
                let file = TensorFile::open(from).unwrap();
                let [from, to_layout] = layouts.map(|layout| layout.parse().unwrap());
                let change = Change::new(from, to_layout);
                let conversion = Conversion::new(&file, Format::Npy, |_| Ok(Some(change.clone())));
                conversion.unwrap().write(to, Share::WHOLE, &mut |_| ()).unwrap();
            };
            let first = folder.path("first.npy");
            convert(&python("columns.npy"), &first, ["s32[5,7]{0,1}", "s32[5,7]{1,0:T(2,4)}"]);
            convert(&first, &tiles, ["s32[3,2,2,4]", "s32[3,2,2,4]{0,1,2,3}"]);
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

/// Writes a safetensors file with this text as its header, and these bytes after it.
fn with_header(path: &Path, header: &str, bytes: &[u8]) {
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length[..], header.as_bytes(), bytes].concat()).unwrap();
}

/// A GGUF file with this number of empty tensors of a type, and these dimensions.
fn gguf(tensors: u64, dims: &[u64], kind: u32) -> Vec<u8> {
    let mut bytes = [b"GGUF", &3_u32.to_le_bytes()[..]].concat();
    bytes.extend([tensors, 0].map(u64::to_le_bytes).concat());
    for number in 0..tensors {
        bytes.extend(4_u64.to_le_bytes());
        bytes.extend(format!("{number:04x}").bytes().rev().take(4));
        bytes.extend((dims.len() as u32).to_le_bytes());
        bytes.extend(dims.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend(0_u64.to_le_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes
}

/// Headers made of the shortest entries: what is read takes memory in proportion, and what is not takes little.
#[test]
fn headers_that_are_made_to_take_memory() {
    let folder = Folder::new("memory");
    let list =
        |count, text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<Vec<_>>().join(",");
    let tensors = |count, dims: &str| {
        let entry = |number| {
            format!("\"{number:x}\":{{\"dtype\":\"U8\",\"shape\":[{dims}],\"data_offsets\":[0,0]}}")
        };
        format!("{{{}}}", list(count, &entry))
    };
    let texts = |count| {
        let entry = |number| format!("\"{number:x}\":\"\"");
        format!("{{\"__metadata__\":{{{}}}}}", list(count, &entry))
    };
    let ones = |count| list(count, &|_| "1".to_owned());
    let shape = format!(
        "{{\"a\":{{\"dtype\":\"U8\",\"shape\":[{}],\"data_offsets\":[0,1]}}}}",
        ones(2 << 20)
    );
    let npy = |dims: &str, blanks: usize| {
        let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({dims}), }}");
        let text = text + &" ".repeat(blanks);
        let length = (text.len() as u32).to_le_bytes();
        [b"\x93NUMPY\x02\x00", &length[..], text.as_bytes(), &[0]].concat()
    };
    let zeros = format!("0,{}", ones(62));
    let path = folder.path("a.safetensors");
    for (header, expected) in [
        (shape, "at most 64 dimensions"),
        (tensors(5, &format!("0,{}", ones(64))), "at most 64 dimensions"),
        (texts(1 << 20), "more than 65536 texts of metadata"),
        (texts(65_536), ""),
        (tensors(200_000, "0"), ""),
        (tensors(131_073, "0"), ""),
        (tensors(20_000, &zeros), ""),
        (tensors((1 << 18) + 1, "0"), "more than 262144 tensors"),
    ] {
        with_header(&path, &header, &[]);
        bounded(&path, expected);
    }
    let path = folder.path("a.npy");
    for (bytes, expected) in [
        (npy(&format!("{},", ones(64)), 0), ""),
        (npy(&format!("{},", ones(65)), 0), "more than 64 dimensions"),
        (npy(&ones(500_000), 0), "more than 64 dimensions"),
        (npy("1,", 1 << 20), "and at most 1048576 are read"),
        (npy("1,", 1 << 19), ""),
    ] {
        fs::write(&path, bytes).unwrap();
        bounded(&path, expected);
    }
    let path = folder.path("a.gguf");
    for (bytes, expected) in [
        (gguf(65_536, &[0], 0), ""),
        (gguf(65_536, &[0], 2), ""),
        (gguf(65_537, &[0], 0), "65537 tensors, and at most 65536 are read"),
        ([&gguf(0, &[], 0)[..8], &[0xff; 8], &[0; 16]].concat(), "at most 65536"),
    ] {
        fs::write(&path, bytes).unwrap();
        bounded(&path, expected);
    }
    // A record is read whole.
    let path = folder.path("a.bin");
    fs::write(&path, [1]).unwrap();
    fs::File::create(folder.path("a.bin.layout.json")).unwrap().set_len(100_000_001).unwrap();
    let error = TensorFile::open(&path).unwrap_err().to_string();
    assert!(error.contains("a record has at most 100000000 bytes"), "{error}");
}

/// Opens a file, or does not, in at most five times the memory that its header takes, and some MiB.
#[track_caller]
fn bounded(path: &Path, expected: &str) {
    let bytes = fs::metadata(path).unwrap().len() as usize;
    TAKEN.set([0; 2]);
    let opened = TensorFile::open(path);
    let [_, most] = TAKEN.get();
    // What metadata takes beyond five times is not more than this.
    let most_else =
        if path.extension().is_some_and(|extension| extension == "npy") { 0 } else { 8 << 20 };
    assert!(most <= 5 * bytes + most_else + (16 << 10), "{most} bytes for {bytes}: {expected}");
    match opened {
        Ok(_) => assert_eq!(expected, "", "{most}"),
        Err(error) => {
            let text = error.to_string();
            assert!(!expected.is_empty() && text.contains(expected), "{text}");
        }
    }
}

/// What the format says and few files have.
#[test]
fn rare_gguf() {
    let folder = Folder::new("rare");
    let path = folder.path("a.gguf");
    let header = |tensors: u64, entries: &[Vec<u8>]| {
        let counts = [tensors, entries.len() as u64].map(u64::to_le_bytes).concat();
        [b"GGUF", &3_u32.to_le_bytes()[..], &counts, &entries.concat()].concat()
    };
    let entry = |key: &str, kind: u32, value: &[u8]| {
        [&(key.len() as u64).to_le_bytes()[..], key.as_bytes(), &kind.to_le_bytes(), value].concat()
    };
    let tensor = |dims: &[u64], kind: u32, offset: u64| {
        let mut bytes =
            [&1_u64.to_le_bytes()[..], b"w", &(dims.len() as u32).to_le_bytes()].concat();
        bytes.extend(dims.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend([&kind.to_le_bytes()[..], &offset.to_le_bytes()].concat());
        bytes
    };
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        TensorFile::open(&path).map_err(|error| error.to_string())
    };
    // Bytes are where the alignment of the file says.
    for alignment in [8_u32, 32, 256] {
        let value = alignment.to_le_bytes();
        let mut bytes = header(1, &[entry("general.alignment", 4, &value)]);
        bytes.extend(tensor(&[3], 24, 0));
        bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0);
        let start = bytes.len();
        bytes.extend([1, 2, 3]);
        let file = open(&bytes).unwrap();
        assert_eq!(*file.tensors()[0].range(), start..start + 3, "{alignment}");
    }
    for (kind, value) in [(4_u32, 24_u32), (4, 0), (5, 32)] {
        let error = open(&header(0, &[entry("general.alignment", kind, &value.to_le_bytes())]));
        assert!(error.unwrap_err().contains("`general.alignment` is not a power of two"));
    }
    // Lists of lists: of so many levels, each of one list, the last one of nothing.
    let nested = |levels: u32| {
        let level = [9_u32.to_le_bytes().to_vec(), 1_u64.to_le_bytes().to_vec()].concat();
        let last = [4_u32.to_le_bytes().to_vec(), 0_u64.to_le_bytes().to_vec()].concat();
        header(0, &[entry("x", 9, &[level.repeat(levels as usize - 1), last].concat())])
    };
    assert!(open(&nested(8)).is_ok());
    for levels in [9, 100_000] {
        let error = open(&nested(levels)).unwrap_err();
        assert!(
            error.contains("the metadata `x` is cut off, or of a type that is not known"),
            "{error}"
        );
    }
    let with = |tensor: Vec<u8>| [header(1, &[]), tensor, vec![0; 4096]].concat();
    assert!(open(&with(tensor(&[1; 8], 24, 0))).is_ok());
    let error = open(&with(tensor(&[1; 9], 24, 0))).unwrap_err();
    assert!(error.contains("the tensor `w` has 9 dimensions"), "{error}");
    assert!(open(&with(tensor(&[64, 3], 2, 0))).is_ok());
    let error = open(&with(tensor(&[48, 2], 2, 0))).unwrap_err();
    assert!(
        error.contains("a row of the tensor `w` is not a multiple of 32, as Q4_0 needs"),
        "{error}"
    );
    let mut swapped = header(0, &[]);
    swapped[4..8].reverse();
    let error = open(&swapped).unwrap_err();
    assert!(error.contains("the file is big-endian: these are not read"), "{error}");
    swapped[4..8].copy_from_slice(&4_u32.to_le_bytes());
    let error = open(&swapped).unwrap_err();
    assert!(error.contains("version 4 of the format is not known"), "{error}");
}

/// Safetensors whose header and bytes do not go together.
#[test]
fn safetensors_that_are_refused() {
    let folder = Folder::new("refused");
    let path = folder.path("a.safetensors");
    let entry = |name: &str, dtype: &str, dims: &str, from: u64, to: u64| {
        format!(
            "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":[{dims}],\"data_offsets\":[{from},{to}]}}"
        )
    };
    let two = |second: String| format!("{{{},{second}}}", entry("a", "U8", "2", 0, 2));
    for (header, bytes, expected) in [
        (two(entry("b", "U8", "1", 2, 3)), 3, ""),
        (two(entry("b", "U8", "1", 2, 3)), 4, "its tensors have 3 bytes and the file 4 of them"),
        (two(entry("b", "U8", "1", 2, 3)), 2, "its tensors have 3 bytes and the file 2 of them"),
        (
            two(entry("b", "U8", "1", 3, 4)),
            4,
            "the tensor `b`, `u8` of [1], is said to have the bytes 3..4",
        ),
        (two(entry("b", "U8", "1", 1, 2)), 2, "and the tensor before it ends at 2"),
        (two(entry("b", "U8", "2", 2, 3)), 3, "the tensor `b`"),
        (two(entry("b", "F4", "1", 2, 3)), 3, "the tensor `b`"),
        (two(entry("b", "U8", "18446744073709551615,2", 2, 3)), 3, "the tensor `b`"),
        (two(entry("b", "U8", "", 3, 2)), 2, "the tensor `b`"),
        (two(entry("a", "U8", "1", 2, 3)), 3, "two tensors are called `a`"),
        (two(entry("b", "X8", "1", 2, 3)), 3, "X8"),
        (two("\"__metadata__\":null".to_owned()), 2, ""),
        (two("\"__metadata__\":{\"a\":1}".to_owned()), 2, "expected a string"),
        (two(entry("b", "U8", "1", 2, 3)) + "x", 3, "trailing characters"),
    ] {
        with_header(&path, &header, &vec![0; bytes]);
        match TensorFile::open(&path) {
            Ok(_) => assert_eq!(expected, "", "{header}"),
            Err(error) => {
                let text = error.to_string();
                assert!(!expected.is_empty() && text.contains(expected), "{header}: {text}");
            }
        }
    }
    // As long as it may be, and a byte more: nothing is there of it.
    for (length, expected) in
        [(100_000_000_u64, "its header is cut off"), (100_000_001, "too long")]
    {
        fs::write(&path, length.to_le_bytes()).unwrap();
        let error = TensorFile::open(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
