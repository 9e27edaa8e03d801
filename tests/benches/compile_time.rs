//! Compile time of a further layout: 1,000 distinct layouts, each with an offset at run time,
//! against the same formulas by hand. Run with `cargo bench -p tiled-layout-tests`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use layout_tests::build::Library;

/// A function for each number.
type Function = fn(usize) -> String;

const COUNT: usize = 1000;
const ROUNDS: usize = 3;

fn main() {
    let library = Library::build();
    println!("milliseconds for each further layout, {COUNT} layouts, median of {ROUNDS} rounds");
    println!("{:34} {:>8} {:>12}", "", "check", "opt-level 3");
    let rows: [(&str, Function); 6] = [
        ("by hand, T(8,128)", by_hand),
        ("untiled", |i| with_layout(2, &format!("F32[{},1024]", 512 + i))),
        ("T(8,128)", |i| with_layout(2, &format!("F32[{},1024]{{1,0:T(8,128)}}", 512 + i))),
        ("T(8,128)(2,1)", |i| {
            with_layout(2, &format!("BF16[{},1024]{{1,0:T(8,128)(2,1)}}", 512 + i))
        }),
        ("rank 4, T(8,128)", |i| {
            with_layout(4, &format!("F32[8,{},64,256]{{3,2,1,0:T(8,128)}}", 16 + i))
        }),
        ("T(*,8,128)", |i| with_layout(3, &format!("F32[16,{},256]{{2,1,0:T(*,8,128)}}", 32 + i))),
    ];
    for (name, function) in rows {
        let check = each(&library, function, &["--emit=metadata"]);
        let opt = each(&library, function, &["--emit=obj", "-Copt-level=3"]);
        println!("{name:34} {check:8.2} {opt:12.2}");
    }

    table(&library);

    // What includes the library's own dependencies, as a user meets it first.
    let folder = tempdir("clean");
    let start = Instant::now();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "-p", "tiled-layout", "--target-dir"])
        .arg(&folder)
        .status();
    assert!(status.expect("cargo runs").success());
    println!(
        "clean build of the crate with its dependencies: {:.1} s",
        start.elapsed().as_secs_f64()
    );
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

/// Seconds for one large table.
fn table(library: &Library) {
    let folder = tempdir("table");
    let file = folder.join("lib.rs");
    let source = |table: &str| {
        let text = format!("pub type A = layout::layout!(F32[256,256]{{1,0:T(8,128)}}); {table}");
        std::fs::write(&file, text).expect("the folder is ours");
        let start = Instant::now();
        library.rustc(&file, &folder.join("out"), &["--emit=obj", "-Dwarnings"]);
        start.elapsed().as_secs_f64()
    };
    source("");
    let (without, with) =
        (source(""), source("pub static LUT: [usize; A::ELEMENTS] = A::offset_table();"));
    println!("a table of 65,536 entries: {:.2} s", with - without);
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

fn with_layout(rank: usize, shape: &str) -> String {
    let index = &["i", "j", "k", "l"][..rank];
    let parameters = index.iter().map(|i| format!("{i}: usize")).collect::<Vec<_>>().join(", ");
    let index = index.join(", ");
    format!("({parameters}) -> usize {{ <layout::layout!({shape})>::offset_unchecked([{index}]) }}")
}

fn by_hand(i: usize) -> String {
    // Another number of tiles in a row for each, so that no two functions are one.
    let tiles = 8 + i;
    format!(
        "(i: usize, j: usize) -> usize {{ (i / 8 * {tiles} + j / 128) * 1024 + i % 8 * 128 + j % 128 }}"
    )
}

/// Milliseconds for each function: those of all, less those of one.
fn each(library: &Library, function: Function, arguments: &[&str]) -> f64 {
    let folder = tempdir("source");
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let few = compile(library, &folder, function, 1, arguments);
        let many = compile(library, &folder, function, 1 + COUNT, arguments);
        times.push(many.saturating_sub(few).as_secs_f64() * 1e3 / COUNT as f64);
    }
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compile(
    library: &Library,
    folder: &Path,
    function: Function,
    count: usize,
    arguments: &[&str],
) -> Duration {
    let mut source = String::new();
    for i in 0..count {
        writeln!(source, "#[inline(never)] pub fn f{i}{}", function(i)).expect("text grows");
    }
    let file = folder.join("lib.rs");
    std::fs::write(&file, source).expect("the folder is ours");
    let start = Instant::now();
    library.rustc(&file, &folder.join("out"), arguments);
    start.elapsed()
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tiled-layout-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    folder
}
