//! Compile time of a further layout: 1,000 distinct layouts, each with an offset at run time,
//! against the same formulas by hand, with and without optimisation. Run with `cargo bench -p tiled-layout-tests`.

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
    let [debug, release] = ["dev", "release"].map(Library::build);
    println!("milliseconds for each further layout, {COUNT} layouts, median of {ROUNDS} rounds;");
    println!("and the megabytes that rustc takes at most for all of them, where `/proc` says it");
    println!("{:34} {:>8} {:>19} {:>19}", "", "check", "opt-level 0", "opt-level 3");
    let rows: [(&str, Function); 8] = [
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
        ("T(8,128), checked", |i| {
            let layout = format!("layout::layout!(F32[{},1024]{{1,0:T(8,128)}})", 512 + i);
            format!("(i: usize, j: usize) -> usize {{ <{layout}>::offset([i, j]) }}")
        }),
        ("T(8,128), of a view", |i| {
            let layout = format!("layout::layout!(F32[{},1024]{{1,0:T(8,128)}})", 512 + i);
            format!(
                "(view: layout::View<{layout}, f32>, i: usize, j: usize) -> f32 {{ view[[i, j]] }}"
            )
        }),
    ];
    for (name, function) in rows {
        let (check, _) = each(&debug, function, &["--emit=metadata"]);
        print!("{name:34} {check:8.2}");
        for (library, level) in [(&debug, "-Copt-level=0"), (&release, "-Copt-level=3")] {
            let (time, memory) = each(library, function, &["--emit=obj", level]);
            print!(" {time:8.2} ms {memory:4.0} MB");
        }
        println!();
    }

    table(&debug);

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
        library.rustc(
            &file,
            &folder.join("out"),
            &["--crate-type=lib", "--emit=obj", "-Dwarnings"],
        );
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

/// Milliseconds for each function, those of all less those of one; and megabytes for all.
fn each(library: &Library, function: Function, arguments: &[&str]) -> (f64, f64) {
    let folder = tempdir("source");
    let (mut times, mut memory) = (Vec::new(), 0.0_f64);
    for _ in 0..ROUNDS {
        let (few, _) = compile(library, &folder, function, 1, arguments);
        let (many, megabytes) = compile(library, &folder, function, 1 + COUNT, arguments);
        times.push(many.saturating_sub(few).as_secs_f64() * 1e3 / COUNT as f64);
        memory = memory.max(megabytes);
    }
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], memory)
}

fn compile(
    library: &Library,
    folder: &Path,
    function: Function,
    count: usize,
    arguments: &[&str],
) -> (Duration, f64) {
    let mut source = String::new();
    for i in 0..count {
        writeln!(source, "#[inline(never)] pub fn f{i}{}", function(i)).expect("text grows");
    }
    let file = folder.join("lib.rs");
    std::fs::write(&file, source).expect("the folder is ours");
    let start = Instant::now();
    let mut rustc = library
        .command(&file, &folder.join("out"), arguments)
        .arg("--crate-type=lib")
        .spawn()
        .expect("rustc runs");
    let mut megabytes = 0.0_f64;
    let status = loop {
        if let Some(status) = rustc.try_wait().expect("rustc is ours") {
            break status;
        }
        megabytes = megabytes.max(peak(rustc.id()).unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success());
    (start.elapsed(), megabytes)
}

/// Megabytes that a process has taken at most.
fn peak(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tiled-layout-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    folder
}
