//! The inner loops of the kernels for processors that the tests may not run on: their vector instructions are those that
//! the work takes, and little else is in them.
//!
//! Needs the standard library of a target (`rustup target add`); a target without it is named and skipped.

use std::collections::BTreeMap;
use std::path::Path;

use layout_tests::{build, listing};

/// Bytes of a vector.
const BYTES: usize = 16;

/// An architecture whose kernels are counted.
struct Target {
    name: &'static str,
    flags: &'static str,
    instruction: fn(&str) -> Option<Instruction>,
    /// How the ends of a loop are found.
    loops: fn(&[&str]) -> Vec<[usize; 2]>,
    /// Whether single instructions load or store 2 and 4 rows.
    is_structured: bool,
    /// Instructions beside those on vectors in the loop over rows: at most `rows[0] + rows[1] * K`.
    beside: [usize; 2],
    /// All instructions of a transpose, by the bytes of an element, in hundredths of the ideal number.
    transposes: [(usize, usize); 4],
}

const TARGETS: [Target; 2] = [
    Target {
        name: "aarch64-unknown-linux-musl",
        flags: "",
        instruction: aarch64,
        loops: listing::loops,
        is_structured: true,
        beside: [5, 1],
        transposes: [(1, 145), (2, 180), (4, 155), (8, 280)],
    },
    Target {
        name: "wasm32-wasip1",
        flags: "-Ctarget-feature=+simd128",
        instruction: wasm32,
        loops: wasm32_loops,
        is_structured: false,
        beside: [5, 2],
        transposes: [(1, 195), (2, 215), (4, 275), (8, 265)],
    },
];

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
enum Instruction {
    /// Loads so many vectors.
    Load(usize),
    /// Stores so many vectors.
    Store(usize),
    /// Another one on vectors, or a load or store of rows in turns: a name, and the bytes of an element.
    Vector(String, usize),
    /// Loads a number.
    Number,
    /// Another one, not on vectors.
    Scalar,
}

use Instruction::{Load, Number, Scalar, Store, Vector};

/// Reads an instruction of AArch64; `None` for what is none.
fn aarch64(line: &str) -> Option<Instruction> {
    let (name, operands) = line.split_once('\t').unwrap_or((line, ""));
    if name.starts_with('.') || name.starts_with("//") || name.ends_with(':') || name.is_empty() {
        return None;
    }
    let words = operands.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let is_register = |word: &&str, kind: char| {
        word.strip_prefix(kind).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let vectors = words.clone().filter(|word| is_register(word, 'q')).count();
    let halves = words.clone().filter(|word| is_register(word, 'd')).count();
    let arranged = words.clone().find(|word| is_register(word, 'v'));
    Some(match (name, arranged, vectors + halves) {
        (_, Some(register), _) => {
            let arrangement = register.split_once('.').map_or("", |(_, arrangement)| arrangement);
            let (suffix, width) = match arrangement {
                "16b" => ("", 1),
                "8h" => ("", 2),
                "4s" => ("", 4),
                "2d" => ("", 8),
                "8b" => (" of halves", 1),
                "4h" => (" of halves", 2),
                "2s" => (" of halves", 4),
                _ => (arrangement, 0),
            };
            Vector(format!("{name}{suffix}"), width)
        }
        (_, None, 0) if name.starts_with("ld") => Number,
        (_, None, 0) => Scalar,
        ("ldr" | "ldp" | "ldur", ..) => Load(vectors),
        ("str" | "stp" | "stur", ..) => Store(vectors),
        _ => Vector(name.to_owned(), 0),
    })
}

/// Reads an instruction of WebAssembly; `None` for what only names a value or a block.
fn wasm32(line: &str) -> Option<Instruction> {
    let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(match name {
        "v128.load" => Load(1),
        "v128.store" => Store(1),
        "i8x16.shuffle" => {
            let lanes = operands.split(", ").map(|lane| lane.trim().parse().expect("a number"));
            let (name, width) = permutation(&lanes.collect::<Vec<usize>>());
            Vector(name.to_owned(), width)
        }
        _ if ["v128", "i8x16", "i16x8", "i32x4", "i64x2"]
            .iter()
            .any(|kind| name.starts_with(kind)) =>
        {
            Vector(name.to_owned(), 0)
        }
        _ if name.starts_with("local.")
            || name.ends_with(".const")
            || ["block", "loop", ""].contains(&name)
            || name.starts_with(['.', '#'])
            || name.starts_with("end_")
            || name.ends_with(':') =>
        {
            return None;
        }
        _ if name.contains(".load") => Number,
        _ => Scalar,
    })
}

/// The name that AArch64 has for a shuffle of bytes, and the bytes of an element.
fn permutation(lanes: &[usize]) -> (&'static str, usize) {
    for width in [1, 2, 4, 8] {
        let count = BYTES / width;
        let bytes = |elements: &dyn Fn(usize) -> usize| {
            (0..BYTES).map(|at| elements(at / width) * width + at % width).eq(lanes.iter().copied())
        };
        let zip = |first: usize| bytes(&|i| first + i / 2 + i % 2 * count);
        let unzip = |first: usize| bytes(&|i| first + 2 * i);
        for (name, is_it) in
            [("zip1", zip(0)), ("zip2", zip(count / 2)), ("uzp1", unzip(0)), ("uzp2", unzip(1))]
        {
            if is_it {
                return (name, width);
            }
        }
    }
    ("shuffle", 0)
}

/// From `loop` to its end.
fn wasm32_loops(lines: &[&str]) -> Vec<[usize; 2]> {
    let mut open = Vec::new();
    let mut loops = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match line.split_whitespace().next() {
            Some("loop") => open.push(at),
            Some("end_loop") => loops.push([open.pop().expect("a loop begins"), at]),
            _ => {}
        }
    }
    loops
}

/// The loop's instructions: on vectors, by what they do; how many these are, and all.
#[derive(Clone, Debug)]
struct Loop {
    kinds: BTreeMap<String, usize>,
    stored: usize,
    /// Numbers that are loaded: places of the rows of a transpose.
    numbers: usize,
    vectors: usize,
    all: usize,
}

impl Loop {
    fn new(instructions: &[Instruction]) -> Loop {
        let mut kinds = BTreeMap::new();
        let (mut stored, mut numbers) = (0, 0);
        for instruction in instructions {
            let (kind, count) = match instruction {
                Load(count) => ("load".to_owned(), *count),
                Store(count) => {
                    stored += count;
                    ("store".to_owned(), *count)
                }
                Vector(name, width) => {
                    // Two halves are a vector.
                    stored += usize::from(name == "st2 of halves");
                    (format!("{name} {width}"), 1)
                }
                Number => {
                    numbers += 1;
                    continue;
                }
                Scalar => continue,
            };
            *kinds.entry(kind).or_insert(0) += count;
        }
        let is_vector = |instruction: &&Instruction| !matches!(instruction, Number | Scalar);
        let vectors = instructions.iter().filter(is_vector).count();
        Loop { kinds, stored, numbers, vectors, all: instructions.len() }
    }
}

/// The innermost loops on vectors of the kernels in a listing.
fn loops(target: &Target, listing: &str) -> Vec<Loop> {
    let mut functions = Vec::new();
    let mut current: Option<Vec<&str>> = None;
    for line in listing.lines() {
        if line.ends_with(':') && line.starts_with('_') {
            let is_kernel = line.contains("7vectors7kernels");
            current = is_kernel.then(Vec::new);
        }
        let is_end = line.contains(".cfi_endproc") || line.contains("end_function");
        if is_end && let Some(lines) = current.take() {
            functions.push(lines);
        }
        if let Some(lines) = &mut current {
            lines.push(line.trim());
        }
    }
    let mut found = Vec::new();
    for lines in functions {
        let all = (target.loops)(&lines);
        for [first, last] in &all {
            let has_inner =
                all.iter().any(|[a, b]| (a, b) != (first, last) && a >= first && b <= last);
            let body = lines[*first..=*last].iter().copied().filter_map(target.instruction);
            let inner = Loop::new(&body.collect::<Vec<_>>());
            if !has_inner && inner.vectors > 0 {
                found.push(inner);
            }
        }
    }
    found
}

/// The least instructions on vectors that put `k` rows of elements of `w` bytes in turns, a vector of each, or take them
/// apart: by what they do, and how many.
fn woven(target: &Target, is_zip: bool, w: usize, k: usize) -> (BTreeMap<String, usize>, usize) {
    let mut kinds = BTreeMap::new();
    let [first, second, one] = if is_zip { ["zip1", "zip2", "st"] } else { ["uzp1", "uzp2", "ld"] };
    let [together, apart] = if is_zip { ["store", "load"] } else { ["load", "store"] };
    let rows = if target.is_structured { k.min(4) } else { 1 };
    // With two elements in a vector both are the same, and each vector is put together from two by one instruction.
    let are_halves = w == BYTES / 2;
    let [first, second] = if are_halves { ["zip1", "zip2"] } else { [first, second] };
    // Rounds of `k` instructions are left; the others are in the load or store.
    let rounds = ((k / rows).ilog2() as usize).min(if are_halves { 1 } else { usize::MAX });
    if rounds > 0 {
        kinds.insert(format!("{first} {w}"), rounds * k / 2);
        kinds.insert(format!("{second} {w}"), rounds * k / 2);
    }
    kinds.insert(apart.to_owned(), k);
    let name = if rows == 1 { together.to_owned() } else { format!("{one}{rows} {w}") };
    kinds.insert(name, k / rows);
    let total = kinds.values().sum();
    (kinds, total)
}

/// The listing of the library for a target; `None` without a standard library for it.
fn kernels(target: &Target) -> Option<String> {
    if !build::has_target(target.name) {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel_code");
    let workspace =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the workspace");
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    let features = ["--no-default-features", "--features=kernels"];
    let mut cargo = build::cargo();
    cargo.args(["rustc", "--package=tiled-layout-copy", "--lib", "--release", "--offline"]);
    cargo.args(features).args(["--target", target.name, "--target-dir"]);
    cargo.arg(folder.join("target")).env("RUSTFLAGS", target.flags);
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(workspace);
    Some(listing::of_crate(&mut cargo, &[], &folder.join(target.name).with_extension("s")))
}

/// What takes more than it should.
fn check(target: &Target, loops: &[Loop]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut hold = |name: &str, found: &Loop, is_right: bool| {
        if !is_right {
            faults.push(format!("{}, {name}: {found:?}", target.name));
        }
    };
    let find = |kinds: &BTreeMap<String, usize>| {
        let found = loops.iter().filter(|inner| inner.kinds == *kinds);
        found.min_by_key(|inner| inner.all)
    };
    for is_zip in [true, false] {
        // Widths of elements, and numbers of rows that are interleaved.
        for (w, k) in [1, 2, 4, 8].into_iter().flat_map(|w| [2, 4, 8].map(|k| (w, k))) {
            let (kinds, ideal) = woven(target, is_zip, w, k);
            let what = if is_zip { "interleave" } else { "deinterleave" };
            let name = format!("{what} {k} rows, {w} B");
            let Some(found) = find(&kinds) else {
                panic!("{}: {name} is not {kinds:?} but one of {loops:#?}", target.name)
            };
            let limit = ideal + target.beside[0] + target.beside[1] * k;
            hold(&name, found, found.all <= limit);
        }
    }
    for (w, percent) in target.transposes {
        let k = BYTES / w;
        let is_transpose = |inner: &&Loop| {
            let zips = inner.kinds.get(&format!("zip2 {w}")).copied().unwrap_or_default();
            zips > 0
                && inner.numbers > 0
                && inner.stored >= k
                && inner.stored >= zips / k.ilog2() as usize
        };
        let square = 2 * k + k * k.ilog2() as usize;
        let squares = |inner: &Loop| inner.stored as f64 / k as f64;
        let all = |inner: &Loop| inner.all as f64 / squares(inner);
        let found = loops.iter().filter(is_transpose).min_by(|a, b| all(a).total_cmp(&all(b)));
        let Some(found) = found else { panic!("{}: no transpose of {w} bytes", target.name) };
        let ideal = (square as f64 * squares(found)) as usize;
        let name = format!("transpose, {w} B");
        hold(&name, found, found.vectors <= ideal && found.all * 100 <= ideal * percent);
    }
    faults
}

#[test]
fn inner_loops_have_the_instructions_that_the_work_takes() {
    let mut faults = Vec::new();
    for target in &TARGETS {
        match kernels(target) {
            Some(listing) => faults.extend(check(target, &loops(target, &listing))),
            None => println!("SKIPPED: `rustup target add {}`", target.name),
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A loop with a shuffle too many, or with spilled registers, is not what the work takes.
#[test]
fn a_loop_with_more_is_told_apart() {
    let lines = |body: &str| body.lines().filter_map(aarch64).collect::<Vec<_>>();
    let good = "ldr\tq0, [x1, x3]\nldr\tq1, [x2, x3]\nst2\t{ v0.16b, v1.16b }, [x4], #32\nb.ne\t.L";
    let (kinds, ideal) = woven(&TARGETS[0], true, 1, 2);
    let good = Loop::new(&lines(good));
    assert_eq!((&good.kinds, good.vectors, good.all), (&kinds, ideal, 4));
    for bad in [
        "ldr\tq0, [x1]\nldr\tq1, [x2]\nmov\tv1.16b, v0.16b\nst2\t{ v0.16b, v1.16b }, [x4], #32",
        "ldr\tq0, [x1]\nldr\tq1, [x2]\nstr\tq1, [sp, #16]\nst2\t{ v0.16b, v1.16b }, [x4], #32",
        "ldr\tq0, [x1]\nldr\tq1, [x2]\nst2\t{ v0.8h, v1.8h }, [x4], #32",
    ] {
        assert_ne!(Loop::new(&lines(bad)).kinds, kinds, "{bad}");
    }
}
