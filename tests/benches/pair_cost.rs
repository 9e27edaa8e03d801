//! What a further pair of layouts costs: compile time, and bytes of code and data.
//! `cargo bench -p tiled-layout-tests --bench pair_cost`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use layout_tests::build::Library;

/// The text of both layouts for a number.
type Pair = fn(usize) -> (String, String);

const COUNT: usize = 200;
const ROUNDS: usize = 3;

fn main() {
    let library = Library::build("dev");
    println!("each further pair of layouts, opt-level 3, {COUNT} pairs, median of {ROUNDS} rounds");
    println!("{:36} {:>10} {:>10} {:>10}", "", "ms", "of layouts", "bytes");
    let rows: [(&str, &str, Pair); 5] = [
        ("f32 to T(8,128)", "f32", |i| rows(i, "F32", "1,0:T(8,128)")),
        ("f32 ragged to T(8,128)", "f32", |i| {
            let dims = format!("{},1000", 8 * i + 3);
            (format!("F32[{dims}]"), format!("F32[{dims}]{{1,0:T(8,128)}}"))
        }),
        ("bf16 to T(8,128)(2,1)", "u16", |i| rows(i, "BF16", "1,0:T(8,128)(2,1)")),
        ("f32 transpose", "f32", |i| rows(i, "F32", "0,1")),
        ("f32 T(8,128) to T(6,100)", "f32", |i| {
            let (_, to) = rows(i, "F32", "1,0:T(6,100)");
            (rows(i, "F32", "1,0:T(8,128)").1, to)
        }),
    ];
    for (name, stored, pair) in rows {
        let copy = each(&library, |i| {
            let (from, to) = pair(i);
            format!(
                "(a: &[{stored}], b: &mut [{stored}]) {{ let _ = layout::relayout::<layout::layout!({from}), layout::layout!({to}), {stored}>(a, b, layout::Padding::Zero); }}"
            )
        });
        let layouts = each(&library, |i| {
            let (from, to) = pair(i);
            format!(
                "(a: &[usize; 2]) -> usize {{ <layout::layout!({from})>::offset_unchecked(*a) + <layout::layout!({to})>::offset_unchecked(*a) }}"
            )
        });
        let bytes = copy.1.map_or("–".to_owned(), |bytes| format!("{bytes:.0}"));
        println!("{name:36} {:10.2} {:10.2} {bytes:>10}", copy.0, layouts.0);
    }
}

fn rows(i: usize, element: &str, layout: &str) -> (String, String) {
    let dims = format!("{},1024", 8 * (64 + i));
    (format!("{element}[{dims}]"), format!("{element}[{dims}]{{{layout}}}"))
}

/// Milliseconds and bytes for each function: those of all, less those of one.
fn each(library: &Library, function: impl Fn(usize) -> String) -> (f64, Option<f64>) {
    let folder = std::env::temp_dir().join(format!("tiled-layout-pairs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    let mut times = Vec::new();
    let mut bytes = None;
    for _ in 0..ROUNDS {
        let few = compile(library, &folder, &function, 1);
        let many = compile(library, &folder, &function, 1 + COUNT);
        times.push((many.0 - few.0) * 1e3 / COUNT as f64);
        bytes = few.1.zip(many.1).map(|(few, many)| (many - few) as f64 / COUNT as f64);
    }
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], bytes)
}

fn compile(
    library: &Library,
    folder: &Path,
    function: impl Fn(usize) -> String,
    count: usize,
) -> (f64, Option<u64>) {
    let mut source = String::new();
    for i in 0..count {
        writeln!(source, "#[inline(never)] pub fn f{i}{}", function(1 + i)).expect("text grows");
    }
    let (file, object) = (folder.join("lib.rs"), folder.join("lib.o"));
    std::fs::write(&file, source).expect("the folder is ours");
    let start = Instant::now();
    library.rustc(&file, &object, &["--crate-type=lib", "--emit=obj", "-Copt-level=3"]);
    (start.elapsed().as_secs_f64(), sections(&object))
}

/// Bytes of code and data, by the tool `size` where there is one.
fn sections(object: &Path) -> Option<u64> {
    let output = Command::new("size").arg(object).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}
