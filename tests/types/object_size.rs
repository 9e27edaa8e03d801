//! What each further pair of layouts adds to an object: the constants of its copy hold what the copy needs.

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
