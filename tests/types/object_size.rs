//! What copies add to a program: the first one its kernels, each further pair the constants of its copy.

use std::fmt::Write as _;
use std::path::Path;

use layout_tests::build::Library;

/// Copies that are compiled beside a first one.
const COPIES: u64 = 10;

/// Bytes of the object file for each further copy of an array of `8 * i` rows between two layouts.
fn bytes(library: &Library, name: &str, from: &str, to: &str) -> u64 {
    let path = |extension: &str| {
        let file = format!("object-{}-{name}.{extension}", std::process::id());
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(file)
    };
    let (file, object) = (path("rs"), path("o"));
    let [few, many] = [1, 1 + COPIES].map(|count| {
        let mut source = String::new();
        for i in 0..count {
            let [from, to] = [from, to]
                .map(|layout| format!("layout::layout!(F32[{},1024]{layout})", 80 + 8 * i));
            writeln!(
                source,
                "#[inline(never)] pub fn f{i}(a: &[f32], b: &mut [f32]) {{ \
                 let _ = layout::relayout::<{from}, {to}, f32>(a, b, layout::Padding::Zero); }}"
            )
            .unwrap();
        }
        std::fs::write(&file, source).expect("the folder is ours");
        library.rustc(&file, &object, &["--crate-type=lib", "--emit=obj", "-Copt-level=3"]);
        std::fs::metadata(&object).expect("rustc wrote the object").len()
    });
    for file in [file, object] {
        std::fs::remove_file(file).expect("the file is ours");
    }
    (many - few) / COPIES
}

/// The file has names and relocations beside code and data: a few hundred bytes for each copy.
#[test]
fn a_further_pair_is_small() {
    let library = Library::build("release");
    let usual = bytes(&library, "usual", "", "{1,0:T(8,128)}");
    let no_common_split = bytes(&library, "general", "{1,0:T(8,128)}", "{1,0:T(6,100)}");
    assert!(usual < 2_000, "{usual} bytes");
    assert!((usual..5_500).contains(&no_common_split), "{no_common_split} bytes");
}

/// Bytes of a stripped program.
fn program(library: &Library, name: &str, body: &str) -> u64 {
    let path = |extension: &str| {
        let file = format!("program-{}-{name}.{extension}", std::process::id());
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(file)
    };
    let (file, program) = (path("rs"), path("out"));
    let source = format!("fn main() {{ let arguments = std::env::args().count(); {body} }}");
    std::fs::write(&file, source).expect("the folder is ours");
    library.rustc(&file, &program, &["--crate-type=bin", "-Copt-level=3", "-Cstrip=symbols"]);
    let bytes = std::fs::metadata(&program).expect("rustc wrote the program").len();
    for file in [file, program] {
        std::fs::remove_file(file).expect("the file is ours");
    }
    bytes
}

/// A program has the kernels of the copies that it makes, for each instruction set, and no others.
#[test]
fn the_first_copy_adds_its_kernels_alone() {
    let library = Library::build("release");
    let print = "println!(\"{arguments}\");";
    let none = program(&library, "none", print);
    let added = |name: &str, to: &str| {
        let body = format!(
            "let from = vec![1f32; 300 * 500]; let mut to = vec![0f32; 1 << 20]; \
             layout::relayout::<layout::layout!(F32[300,500]), layout::layout!(F32[300,500]{to}), f32>( \
                 &from, &mut to, layout::Padding::Zero).unwrap(); println!(\"{{}}\", to[arguments]); {print}"
        );
        program(&library, name, &body) - none
    };
    let [tiles, transposed] = [added("tiles", "{1,0:T(8,128)}"), added("columns", "{0,1}")];
    assert!(tiles < 100_000, "{tiles} bytes");
    assert!(transposed < 140_000, "{transposed} bytes");
}
