//! Compile time of a further layout: 1,000 distinct layouts, each with an offset at run time,
//! against the same formulas by hand, with and without optimisation. And of a further pair of layouts that is copied,
//! with its bytes of code and data. `cargo bench -p tiled-layout-tests --bench compile_time`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use layout_tests::build::Library;

const LAYOUTS: usize = 1000;
const PAIRS: usize = 200;
const ROUNDS: usize = 3;

/// Cost of one of some functions, less what is there without them: milliseconds, bytes of code and data by the tool `size`.
struct Cost {
    time: f64,
    bytes: Option<f64>,
}

fn main() {
    let [debug, release] = ["dev", "release"].map(Library::build);
    layouts(&debug, &release);
    pairs(&debug);
    table(&debug);
}

fn layouts(debug: &Library, release: &Library) {
    println!("milliseconds for each further layout, {LAYOUTS} layouts, median of {ROUNDS} rounds");
    println!("{:34} {:>8} {:>11} {:>11}", "", "check", "opt-level 0", "opt-level 3");
    let tiled = |i| format!("layout::layout!(F32[{},1024]{{1,0:T(8,128)}})", 512 + i);
    let checked = |i| format!("(i: usize, j: usize) -> usize {{ <{}>::offset([i, j]) }}", tiled(i));
    let of_view = |i| {
        let view = format!("view: layout::View<{}, f32>", tiled(i));
        format!("({view}, i: usize, j: usize) -> f32 {{ view[[i, j]] }}")
    };
    let rows: [(&str, &dyn Fn(usize) -> String); 8] = [
        ("by hand, T(8,128)", &by_hand),
        ("untiled", &|i| with_layout(["F32[", ",1024]"], 512 + i, 2)),
        ("T(8,128)", &|i| with_layout(["F32[", ",1024]{1,0:T(8,128)}"], 512 + i, 2)),
        ("T(8,128)(2,1)", &|i| with_layout(["BF16[", ",1024]{1,0:T(8,128)(2,1)}"], 512 + i, 2)),
        ("rank 4, T(8,128)", &|i| with_layout(["F32[8,", ",64,256]{3,2,1,0:T(8,128)}"], 16 + i, 4)),
        ("T(*,8,128)", &|i| with_layout(["F32[16,", ",256]{2,1,0:T(*,8,128)}"], 32 + i, 3)),
        ("T(8,128), checked", &checked),
        ("T(8,128), of a view", &of_view),
    ];
    for (name, function) in rows {
        print!("{name:34} {:8.2}", each(debug, LAYOUTS, function, &["--emit=metadata"]).time);
        for (library, level) in [(debug, "-Copt-level=0"), (release, "-Copt-level=3")] {
            print!(" {:11.2}", each(library, LAYOUTS, function, &["--emit=obj", level]).time);
        }
        println!();
    }
}

/// Each further pair of layouts, `{}` in place of a number of rows, and the type that stores its elements. `{}3` is
/// no multiple of 8.
const PAIR_ROWS: [(&str, &str, &str, &str); 5] = [
    ("f32 to T(8,128)", "F32[{},1024]", "F32[{},1024]{1,0:T(8,128)}", "f32"),
    ("f32 ragged to T(8,128)", "F32[{}3,1000]", "F32[{}3,1000]{1,0:T(8,128)}", "f32"),
    ("bf16 to T(8,128)(2,1)", "BF16[{},1024]", "BF16[{},1024]{1,0:T(8,128)(2,1)}", "u16"),
    ("f32 transpose", "F32[{},1024]", "F32[{},1024]{0,1}", "f32"),
    ("f32 T(8,128) to T(6,100)", "F32[{},1024]{1,0:T(8,128)}", "F32[{},1024]{1,0:T(6,100)}", "f32"),
];

fn pairs(library: &Library) {
    println!("each further pair of layouts, opt-level 3, {PAIRS} pairs, median of {ROUNDS} rounds");
    println!("{:36} {:>10} {:>10} {:>10}", "", "ms", "of layouts", "bytes");
    for (name, from, to, stored) in PAIR_ROWS {
        let layouts = |i: usize| {
            let rows = (8 * (64 + i)).to_string();
            [from, to].map(|text| format!("layout::layout!({})", text.replace("{}", &rows)))
        };
        let copy = |i| {
            let [from, to] = layouts(i);
            format!(
                "(a: &[{stored}], b: &mut [{stored}]) {{ let _ = layout::copy::<{from}, {to}, {stored}>(a, b, layout::Padding::Zero); }}"
            )
        };
        let offsets = |i| {
            let [from, to] = layouts(i).map(|layout| format!("<{layout}>::offset_unchecked(*a)"));
            format!("(a: &[usize; 2]) -> usize {{ {from} + {to} }}")
        };
        let [copy, offsets]: [Cost; 2] = [&copy as &dyn Fn(usize) -> String, &offsets]
            .map(|function| each(library, PAIRS, function, &["--emit=obj", "-Copt-level=3"]));
        let bytes = copy.bytes.map_or("–".to_owned(), |bytes| format!("{bytes:.0}"));
        println!("{name:36} {:10.2} {:10.2} {bytes:>10}", copy.time, offsets.time);
    }
}

/// Seconds for one large table.
fn table(library: &Library) {
    let source = |table: &str| {
        let text = format!("pub type A = layout::layout!(F32[256,256]{{1,0:T(8,128)}}); {table}");
        let start = Instant::now();
        library.compiled(&text, &["--crate-type=lib", "--emit=obj", "-Dwarnings"], |_| ());
        start.elapsed().as_secs_f64()
    };
    source("");
    let (without, with) =
        (source(""), source("pub static LUT: [usize; A::ELEMENTS] = A::offset_table();"));
    println!("a table of 65,536 entries: {:.2} s", with - without);
}

/// An offset in the layout that has a number between these texts.
fn with_layout([before, after]: [&str; 2], number: usize, rank: usize) -> String {
    let index = &["i", "j", "k", "l"][..rank];
    let parameters = index.iter().map(|i| format!("{i}: usize")).collect::<Vec<_>>().join(", ");
    let layout = format!("layout::layout!({before}{number}{after})");
    format!("({parameters}) -> usize {{ <{layout}>::offset_unchecked([{}]) }}", index.join(", "))
}

fn by_hand(i: usize) -> String {
    // Another number of tiles in a row for each, so that no two functions are one.
    let tiles = 8 + i;
    format!(
        "(i: usize, j: usize) -> usize {{ (i / 8 * {tiles} + j / 128) * 1024 + i % 8 * 128 + j % 128 }}"
    )
}

fn each(
    library: &Library,
    count: usize,
    function: &dyn Fn(usize) -> String,
    arguments: &[&str],
) -> Cost {
    let folder = tempdir("source");
    let (mut times, mut bytes) = (Vec::new(), None);
    for _ in 0..ROUNDS {
        let few = compile(library, &folder, function, 1, arguments);
        let many = compile(library, &folder, function, 1 + count, arguments);
        times.push((many.time - few.time) * 1e3 / count as f64);
        bytes = few.bytes.zip(many.bytes).map(|(few, many)| (many - few) / count as f64);
    }
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    times.sort_by(f64::total_cmp);
    Cost { time: times[times.len() / 2], bytes }
}

/// Seconds and bytes of `count` functions.
fn compile(
    library: &Library,
    folder: &Path,
    function: &dyn Fn(usize) -> String,
    count: usize,
    arguments: &[&str],
) -> Cost {
    let mut source = String::new();
    for i in 0..count {
        writeln!(source, "#[inline(never)] pub fn f{i}{}", function(1 + i)).expect("text grows");
    }
    let (file, output) = (folder.join("lib.rs"), folder.join("out"));
    std::fs::write(&file, source).expect("the folder is ours");
    let start = Instant::now();
    let status = library.command(&file, &output, arguments).arg("--crate-type=lib").status();
    assert!(status.expect("rustc runs").success());
    Cost { time: start.elapsed().as_secs_f64(), bytes: sections(&output) }
}

/// Bytes of code and data, by the tool `size` where there is one.
fn sections(object: &Path) -> Option<f64> {
    let output = Command::new("size").arg(object).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tiled-layout-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    folder
}
