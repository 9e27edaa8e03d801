//! Damaged files: an error, or what the file says now. Nothing panics, and nothing takes memory that a file only claims
//! to need.
#![allow(unsafe_code, reason = "an allocator that counts memory")]

mod folder;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::path::Path;

use folder::random::Random;
use folder::{Folder, convert, entry, has, python};
use layout::tpu::Tpu;
use layout_files::{Change, Conversion, Format, Share, TensorFile};

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
    if let Ok(file) = &opened {
        for format in [Format::Safetensors, Format::Npy, Format::Raw] {
            let _ = Conversion::new(file, format, |tensor| {
                let from = tensor.layout().ok();
                let to = from.and_then(|from| from.with_default_layout(Tpu::V5e).ok());
                Ok(from.zip(to).map(|(from, to)| Change::new(from, to)))
            });
        }
    }
    let largest = LARGEST.get();
    assert!(largest <= 64 * bytes + (64 << 10), "{largest} bytes of memory for a file of {bytes}");
    let file = match opened {
        Ok(file) => file,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\0'), "{text}");
            return has(text, &format!("{}: ", path.file_name().unwrap().to_str().unwrap()));
        }
    };
    for tensor in file.tensors() {
        assert_eq!(file.bytes(tensor).unwrap().len() as u64, tensor.bytes());
        if let Ok(layout) = tensor.layout() {
            assert_eq!(layout.bytes().map(|bytes| bytes as u64), Some(tensor.bytes()), "{layout}");
        }
    }
    let (format, extension) = match file.format() {
        Format::Npy => (Format::Npy, "copy.npy"),
        _ => (Format::Safetensors, "copy.safetensors"),
    };
    let copy = path.with_extension(extension);
    match Conversion::new(&file, format, |_| Ok(None)) {
        // Of one tensor it cannot have two.
        Ok(conversion) => conversion.write(&copy, Share::WHOLE, &mut |_| ()).unwrap(),
        Err(_) if file.format() == Format::Gguf => return,
        Err(error) => return has(error, "__metadata__"),
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

/// Opens a file, and says why that does not work.
fn read(path: &Path) -> Result<TensorFile, String> {
    TensorFile::open(path).map_err(|error| error.to_string())
}

/// Asserts that a file is refused with this text, or read if there is none.
#[track_caller]
fn is_read_or(expected: &str, opened: Result<TensorFile, String>) {
    let text = opened.err().unwrap_or_default();
    assert_eq!(text.is_empty(), expected.is_empty(), "{text}");
    has(text, expected);
}

#[test]
fn files_that_are_cut_off() {
    let folder = Folder::new("cut");
    for name in FILES {
        let bytes = fs::read(python(name)).unwrap();
        for length in (0..bytes.len().min(700)).chain([bytes.len() - 17]) {
            let path = folder.write(name, &bytes[..length]);
            let error = read(&path).expect_err("a file that is cut off");
            has(&error, name);
            assert!(length < 16 || error.contains("copy it again"), "{length}: {error}");
        }
    }
}

/// Each bit of a header by itself.
#[test]
fn each_bit_of_a_header() {
    let folder = Folder::new("bits");
    let tensors: [(&str, &str, &[usize]); 2] = [("w", "F32", &[2, 3]), ("b", "BF16", &[4])];
    let small = folder.safetensors("small.safetensors", &tensors, &[7; 32]);
    for (source, name) in [(python("columns.npy"), "bits.npy"), (small, "bits.safetensors")] {
        let bytes = fs::read(source).unwrap();
        for bit in 0..8 * bytes.len().min(136) {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            open(&folder.write(name, bytes));
        }
    }
}

/// A `.npy` file of this version, with this text as its header.
fn npy(version: u8, header: &str, bytes: &[u8]) -> Vec<u8> {
    let length = (header.len() as u32).to_le_bytes();
    let length = &length[..if version == 1 { 2 } else { 4 }];
    [b"\x93NUMPY", &[version, 0][..], length, header.as_bytes(), bytes].concat()
}

/// A number near a power of two, a small one or any.
fn number(random: &mut Random) -> u64 {
    let any = |random: &mut Random| (0..8).fold(0, |any, _| any << 8 | random.below(256) as u64);
    match random.below(5) {
        0 => random.below(9) as u64,
        1 => (1_u64 << random.below(64)).wrapping_add_signed(random.below(5) as i64 - 2),
        2 => any(random),
        3 => u64::MAX,
        _ => i64::MAX as u64,
    }
}

/// Damages bytes, and says how: a bit, lengths and counts and offsets, numbers in digits, bytes once more, or the end.
fn damage(random: &mut Random, bytes: &mut Vec<u8>) -> String {
    let at = random.below(900).min(bytes.len().saturating_sub(1));
    let end = |length: usize| (at + length).min(bytes.len());
    match random.below(6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 => {
            let end = end(*random.pick(&[1, 2, 4, 8]));
            bytes[at..end].copy_from_slice(&number(random).to_le_bytes()[..end - at]);
        }
        2 => return other_digits(random.below(40), &number(random).to_string(), bytes),
        3 => return other_digits(random.below(40), &format!("{},1", number(random)), bytes),
        4 => {
            let again = bytes[at..end(1 + random.below(39))].to_vec();
            bytes.splice(at..at, again);
        }
        _ => bytes.truncate(at),
    }
    format!("at {at}")
}

/// Another number in place of the digits that begin after some others; the length of the header is made right.
fn other_digits(skip: usize, number: &str, bytes: &mut Vec<u8>) -> String {
    let (npy, tensors) = (bytes.starts_with(b"\x93NUMPY"), bytes.get(8) == Some(&b'{'));
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let starts = (8..bytes.len().min(640)).filter(|&at| is_digit(at) && !is_digit(at - 1));
    let starts = starts.collect::<Vec<_>>();
    let Some(&start) = starts.get(skip % starts.len().max(1)) else { return String::new() };
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
    format!("{number} at {start}")
}

/// Checks bytes with one to three damages, again and again. A test that fails says with which.
fn damaged(times: u64, bytes: &[u8], check: impl Fn(Vec<u8>)) {
    for seed in 0..times {
        let mut random = Random::new(seed);
        let mut bytes = bytes.to_vec();
        let damages = (0..1 + random.below(3)).map(|_| damage(&mut random, &mut bytes));
        println!("seed {seed}: {:?}", damages.collect::<Vec<_>>());
        check(bytes);
    }
}

#[test]
fn damaged_headers() {
    let folder = Folder::new("damage");
    for name in FILES {
        let bytes = fs::read(python(name)).unwrap();
        damaged(333, &bytes, |bytes| open(&folder.write(name, bytes)));
    }
}

/// A record is text that anyone may edit.
#[test]
fn damaged_records() {
    let folder = Folder::new("records");
    let [tiles, record] = ["tiles.npy", "tiles.npy.layout.json"].map(|name| folder.path(name));
    let first = folder.path("first.npy");
    convert(&python("columns.npy"), &first, "s32[5,7]{0,1}", "s32[5,7]{1,0:T(2,4)}").unwrap();
    convert(&first, &tiles, "s32[3,2,2,4]", "s32[3,2,2,4]{0,1,2,3}").unwrap();
    let text = fs::read(&record).unwrap();
    damaged(2000, &text, |text| {
        fs::write(&record, text).unwrap();
        if let Ok(file) = TensorFile::open(&tiles) {
            for format in [Format::Safetensors, Format::Npy, Format::Raw] {
                let _ = Conversion::back(&file, format).map(|conversion| conversion.bytes());
            }
        }
    });
}

/// Any dimensions and types, in headers that are headers.
#[test]
fn other_headers() {
    let folder = Folder::new("headers");
    for seed in 0..2000 {
        let random = &mut Random::new(seed);
        let size = |random: &mut Random| match random.below(2) {
            0 => random.below(9) as u64,
            _ => number(random),
        };
        let list = (0..random.below(18)).map(|_| size(random).to_string()).collect::<Vec<_>>();
        let list = list.join(",");
        let order = *random.pick(&["", "<", ">", "|", "="]);
        let kind = *random.pick(&["", "b", "i", "u", "f", "c", "V", "S", "U", "m", "M", "O"]);
        let digits = (0..random.below(21)).map(|_| random.below(10).to_string());
        let digits = digits.collect::<String>();
        let unit = *random.pick(&["", "[ns]"]);
        let descr = format!("{order}{kind}{digits}{unit}");
        println!("seed {seed}: `{descr}` of [{list}]");
        let header = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': ({list}), }}");
        open(&folder.write("other.npy", npy(1, &header, &[0; 24])));
        let header = format!("{{{}}}", entry("a", "F4", &format!("[{list}]"), [0, 24]));
        open(&folder.with_header("other.safetensors", &header, &[0; 24]));
    }
}

/// Python 2 wrote sizes as `4L`.
#[test]
fn sizes_of_python_2() {
    let folder = Folder::new("python2");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4L, 3L), }";
    let file = TensorFile::open(folder.write("a.npy", npy(1, header, &[0; 48]))).unwrap();
    assert_eq!(file.tensors()[0].dims(), [4, 3]);
}

/// Empty tensors begin at one place: their order is that of their names, in each run.
#[test]
fn the_order_of_empty_tensors() {
    let folder = Folder::new("empty");
    let tensors = ["f", "a", "d", "b", "c", "e", "g", "h"].map(|name| (name, "F32", &[0, 3][..]));
    let path = folder.safetensors("empty.safetensors", &tensors, &[]);
    for _ in 0..4 {
        let file = TensorFile::open(&path).unwrap();
        let found = file.tensors().iter().map(|tensor| tensor.name()).collect::<String>();
        assert_eq!(found, "abcdefgh");
    }
}

/// A GGUF file of these entries of metadata and these tensors, up to its bytes.
fn gguf(entries: &[Vec<u8>], tensors: &[Vec<u8>]) -> Vec<u8> {
    let counts = [tensors.len() as u64, entries.len() as u64].map(u64::to_le_bytes).concat();
    [b"GGUF", &3_u32.to_le_bytes()[..], &counts, &entries.concat(), &tensors.concat()].concat()
}

/// A text in a GGUF file.
fn gguf_text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
}

/// An entry of a GGUF file's metadata.
fn gguf_entry(key: &str, kind: u32, value: &[u8]) -> Vec<u8> {
    [&gguf_text(key), &kind.to_le_bytes()[..], value].concat()
}

/// A tensor in a GGUF file's header, at the first byte after it.
fn gguf_tensor(name: &str, dims: &[u64], kind: u32) -> Vec<u8> {
    let rank = (dims.len() as u32).to_le_bytes();
    let dims = dims.iter().flat_map(|size| size.to_le_bytes()).collect::<Vec<_>>();
    [&gguf_text(name), &rank[..], &dims, &kind.to_le_bytes(), &[0; 8]].concat()
}

/// The header, filled up to the alignment, and the bytes of its tensors.
fn aligned(mut header: Vec<u8>, alignment: usize, bytes: &[u8]) -> Vec<u8> {
    header.resize(header.len().next_multiple_of(alignment), 0);
    [&header, bytes].concat()
}

/// Blocks as bytes, named as the packed formats are: Q8_1 is two `f16` and 32 `i8`, and rows are repacked. The file ends with them.
#[test]
fn blocks_of_bytes() {
    let folder = Folder::new("blocks");
    for (kind, name, block) in [
        (9, "Q8_1", 36),
        (31, "Q4_0_4_4", 18),
        (32, "Q4_0_4_8", 18),
        (33, "Q4_0_8_8", 18),
        (36, "IQ4_NL_4_4", 18),
        (38, "IQ4_NL_8_8", 18),
    ] {
        let bytes = aligned(gguf(&[], &[gguf_tensor("w", &[64], kind)]), 32, &vec![0; 2 * block]);
        let file = TensorFile::open(folder.write("blocks.gguf", &bytes)).unwrap();
        let [tensor] = file.tensors() else { panic!() };
        let found = (tensor.dims(), file.metadata()["ggml.w"].as_str());
        assert_eq!(found, (&[2 * block as u64][..], name));
        let path = folder.write("short.gguf", &bytes[..bytes.len() - 1]);
        is_read_or("the file ends before the tensor `w`", read(&path));
    }
}

/// Headers made of the shortest entries: what is read takes memory in proportion, and what is not takes little.
#[test]
fn headers_that_are_made_to_take_memory() {
    let folder = Folder::new("memory");
    let list =
        |count, text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<Vec<_>>().join(",");
    let tensors = |count, dims: &str| {
        let entry = |number| entry(&format!("{number:x}"), "U8", &format!("[{dims}]"), [0, 0]);
        format!("{{{}}}", list(count, &entry))
    };
    let texts = |count| {
        let entry = |number| format!("\"{number:x}\":\"\"");
        format!("{{\"__metadata__\":{{{}}}}}", list(count, &entry))
    };
    let ones = |count| list(count, &|_| "1".to_owned());
    let shape = format!("{{{}}}", entry("a", "U8", &format!("[{}]", ones(2 << 20)), [0, 1]));
    let zeros = |count| format!("0,{}", ones(count));
    for (header, expected) in [
        (shape, "at most 64 dimensions"),
        (tensors(5, &zeros(64)), "at most 64 dimensions"),
        (texts(1 << 20), "more than 65536 texts of metadata"),
        (texts(65_536), ""),
        (tensors(200_000, "0"), ""),
        (tensors(131_073, "0"), ""),
        (tensors(20_000, &zeros(62)), ""),
        (tensors((1 << 18) + 1, "0"), "more than 262144 tensors"),
    ] {
        bounded(&folder.with_header("a.safetensors", &header, &[]), expected);
    }
    for (dims, blanks, expected) in [
        (ones(64) + ",", 0, ""),
        (ones(65) + ",", 0, "more than 64 dimensions"),
        (ones(500_000), 0, "more than 64 dimensions"),
        ("1,".to_owned(), 1 << 20, "and at most 1048576 are read"),
        ("1,".to_owned(), 1 << 19, ""),
    ] {
        let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({dims}), }}");
        let text = text + &" ".repeat(blanks);
        bounded(&folder.write("a.npy", npy(2, &text, &[0])), expected);
    }
    let many = |count, kind| {
        let name = |number| format!("{number:04x}").chars().rev().take(4).collect::<String>();
        let tensors = (0..count).map(|number| gguf_tensor(&name(number), &[0], kind));
        aligned(gguf(&[], &tensors.collect::<Vec<_>>()), 32, &[])
    };
    for (bytes, expected) in [
        (many(65_536, 0), ""),
        (many(65_536, 2), ""),
        (many(65_537, 0), "65537 tensors, and at most 65536 are read"),
        ([&gguf(&[], &[])[..8], &[0xff; 8], &[0; 16]].concat(), "at most 65536"),
    ] {
        bounded(&folder.write("a.gguf", bytes), expected);
    }
    // A record is read whole.
    let path = folder.write("a.bin", [1]);
    fs::File::create(folder.path("a.bin.layout.json")).unwrap().set_len(100_000_001).unwrap();
    is_read_or("a record has at most 100000000 bytes", read(&path));
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
    is_read_or(expected, opened.map_err(|error| error.to_string()));
}

/// What the format says and few files have.
#[test]
fn rare_gguf() {
    let folder = Folder::new("rare");
    let open = |bytes: &[u8]| read(&folder.write("a.gguf", bytes));
    let alignment = |kind, value: u32| gguf_entry("general.alignment", kind, &value.to_le_bytes());
    // Bytes are where the alignment of the file says.
    for value in [8, 32, 256] {
        let header = gguf(&[alignment(4, value)], &[gguf_tensor("w", &[3], 24)]);
        let bytes = aligned(header, value as usize, &[1, 2, 3]);
        let file = open(&bytes).unwrap();
        assert_eq!(*file.tensors()[0].range(), bytes.len() - 3..bytes.len(), "{value}");
    }
    for (kind, value, why) in [
        (4, 24, "`general.alignment` is not a power of two"),
        (4, 0, "`general.alignment` is not a power of two"),
        (5, 32, "`general.alignment` is not of type u32, as GGUF has it"),
    ] {
        is_read_or(why, open(&gguf(&[alignment(kind, value)], &[])));
    }
    let wide = gguf_entry("general.alignment", 10, &64_u64.to_le_bytes());
    is_read_or("`general.alignment` is not of type u32, as GGUF has it", open(&gguf(&[wide], &[])));
    // Lists of lists: `levels` levels, each with one list; the last one is empty.
    let nested = |levels: usize| {
        let level = [&9_u32.to_le_bytes()[..], &1_u64.to_le_bytes()].concat();
        let last = [&4_u32.to_le_bytes()[..], &0_u64.to_le_bytes()].concat();
        gguf(&[gguf_entry("x", 9, &[level.repeat(levels - 1), last].concat())], &[])
    };
    let unknown = "the metadata `x` is cut off, or of a type that is not known";
    for (levels, expected) in [(8, ""), (9, unknown), (100_000, unknown)] {
        is_read_or(expected, open(&nested(levels)));
    }
    for (dims, kind, expected) in [
        (&[1; 8][..], 24, ""),
        (&[1; 9], 24, "the tensor `w` has 9 dimensions"),
        (&[64, 3], 2, ""),
        (&[48, 2], 2, "a row of the tensor `w` is not a multiple of 32, as Q4_0 needs"),
    ] {
        let header = gguf(&[], &[gguf_tensor("w", dims, kind)]);
        is_read_or(expected, open(&[header, vec![0; 4096]].concat()));
    }
    let mut swapped = gguf(&[], &[]);
    swapped[4..8].reverse();
    is_read_or("the file is big-endian: these are not read", open(&swapped));
    swapped[4..8].copy_from_slice(&4_u32.to_le_bytes());
    is_read_or("version 4 of the format is not known", open(&swapped));
}

/// Safetensors whose header and bytes do not go together.
#[test]
fn safetensors_that_are_refused() {
    let folder = Folder::new("refused");
    let two = |second: &str| format!("{{{},{second}}}", entry("a", "U8", "[2]", [0, 2]));
    let b = |dtype, dims, offsets: [u64; 2]| two(&entry("b", dtype, dims, offsets));
    // Together they end at the last number that there is, and the header stands before them.
    let most = (1_u64 << 61) - 1;
    let wide = (0..8)
        .map(|at| entry(&at.to_string(), "U8", &format!("[{most}]"), [at * most, (at + 1) * most]));
    let wide = format!("{{{}}}", wide.collect::<Vec<_>>().join(","));
    for (header, bytes, expected) in [
        (b("U8", "[1]", [2, 3]), 3, ""),
        (b("U8", "[1]", [2, 3]), 4, "its tensors have 3 bytes and the file 4 of them"),
        (b("U8", "[1]", [2, 3]), 2, "its tensors have 3 bytes and the file 2 of them"),
        (b("U8", "[1]", [3, 4]), 4, "the tensor `b`, `u8` of [1], is said to have the bytes 3..4"),
        (b("U8", "[1]", [1, 2]), 2, "and the tensor before it ends at 2"),
        (b("U8", "[2]", [2, 3]), 3, "the tensor `b`"),
        (b("F4", "[1]", [2, 3]), 3, "the tensor `b`"),
        (b("U8", "[18446744073709551615,2]", [2, 3]), 3, "the tensor `b`"),
        (b("U8", "[]", [3, 2]), 2, "the tensor `b`"),
        (two(&entry("a", "U8", "[1]", [2, 3])), 3, "two tensors are called `a`"),
        (b("X8", "[1]", [2, 3]), 3, "X8"),
        (two("\"__metadata__\":null"), 2, ""),
        (two("\"__metadata__\":{\"a\":1}"), 2, "expected a string"),
        (b("U8", "[1]", [2, 3]) + "x", 3, "trailing characters"),
        (wide, 8, "18446744073709551608 bytes and the file 8 of them"),
    ] {
        println!("{header}");
        is_read_or(expected, read(&folder.with_header("a.safetensors", &header, &vec![0; bytes])));
    }
    // The longest header that is allowed, and one that is a byte longer; the file ends before either.
    for (length, expected) in
        [(100_000_000_u64, "its header is cut off"), (100_000_001, "too long")]
    {
        is_read_or(expected, read(&folder.write("a.safetensors", length.to_le_bytes())));
    }
}
