//! What copies add to a program: the first one its kernels, each further pair the constants of its copy.

use std::fmt::Write as _;
use std::path::Path;

use layout_tests::build::Library;

/// Copies that are compiled beside a first one.
const COPIES: u64 = 10;

/// Bytes of the object file for each further copy of an array of `8 * i` rows between two layouts.
fn bytes(library: &Library, from: &str, to: &str) -> u64 {
    let [few, many] = [1, 1 + COPIES].map(|count| {
        let mut source = String::new();
        for i in 0..count {
            let [from, to] = [from, to]
                .map(|layout| format!("layout::layout!(F32[{},1024]{layout})", 80 + 8 * i));
            writeln!(
                source,
                "#[inline(never)] pub fn f{i}(a: &[f32], b: &mut [f32]) {{ \
                 let _ = layout::copy::<{from}, {to}, f32>(a, b, layout::Padding::Zero); }}"
            )
            .unwrap();
        }
        library.compiled(&source, &["--crate-type=lib", "--emit=obj", "-Copt-level=3"], length)
    });
    (many - few) / COPIES
}

/// The file has names and relocations beside code and data: a few hundred bytes for each copy.
#[test]
fn a_further_pair_is_small() {
    let library = Library::build("release");
    let usual = bytes(&library, "", "{1,0:T(8,128)}");
    let no_common_split = bytes(&library, "{1,0:T(8,128)}", "{1,0:T(6,100)}");
    assert!(usual < 2_000, "{usual} bytes");
    assert!((usual..5_500).contains(&no_common_split), "{no_common_split} bytes");
}

/// Bytes of a stripped program.
fn program(library: &Library, body: &str) -> u64 {
    let source = format!("fn main() {{ let arguments = std::env::args().count(); {body} }}");
    library.compiled(&source, &["--crate-type=bin", "-Copt-level=3", "-Cstrip=symbols"], length)
}

fn length(file: &Path) -> u64 {
    std::fs::metadata(file).expect("rustc wrote it").len()
}

/// A program has the kernels of the copies that it makes, for each instruction set, and no others.
#[test]
fn the_first_copy_adds_its_kernels_alone() {
    let library = Library::build("release");
    let print = "println!(\"{arguments}\");";
    let none = program(&library, print);
    let added = |to: &str| {
        let body = format!(
            "let from = vec![1f32; 300 * 500]; let mut to = vec![0f32; 1 << 20]; \
             layout::copy::<layout::layout!(F32[300,500]), layout::layout!(F32[300,500]{to}), f32>( \
                 &from, &mut to, layout::Padding::Zero).unwrap(); println!(\"{{}}\", to[arguments]); {print}"
        );
        program(&library, &body) - none
    };
    let to_row_major = "layout::Buffer::<layout::layout!(F32[300,500]{1,0:T(8,128)})>::zeroed().to_row_major()[arguments]";
    let row_major =
        program(&library, &format!("println!(\"{{}}\", {to_row_major}); {print}")) - none;
    assert!(row_major < 100_000, "{row_major} bytes");
    let [tiles, edges, transposed] = ["{1,0:T(8,128)}", "{1,0:T(7,3)}", "{0,1}"].map(added);
    assert!(tiles < 100_000, "{tiles} bytes");
    assert!(edges < 100_000, "{edges} bytes of the plans of what is whole and of edges");
    assert!(transposed < 140_000, "{transposed} bytes");
}

/// Where tiles have long rows, copies with sizes of the call have no exchange of bits.
#[test]
fn copies_of_long_rows_exchange_no_bits() {
    let library = Library::build("release");
    let size = |tile: &str| {
        let body = format!(
            "type A = layout::layout!(F32[?,?]); type B = layout::layout!(F32[?,?]{{1,0:T{tile}}}); \
             let [a, b] = [A::with_dims([300, 500]).unwrap().padded_elements(), 1 << 20]; \
             let (from, mut to) = (vec![1f32; a], vec![0f32; b]); \
             let from = A::with_dims([300, 500]).unwrap().view(&from).unwrap(); \
             let mut to = B::with_dims([300, 500]).unwrap().view_mut(&mut to).unwrap(); \
             from.copy_to(&mut to, layout::Padding::Zero).unwrap(); println!(\"{{}}\", to[[arguments, 0]]);"
        );
        program(&library, &body)
    };
    let [long, short] = ["(8,128)", "(2,2)"].map(size);
    assert!(long + 100_000 < short, "{long} and {short} bytes");
}
