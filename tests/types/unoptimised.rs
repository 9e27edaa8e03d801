//! What an offset and an index of a view take of their caller's stack where nothing is optimised.

use std::path::Path;
use std::process::Command;

use layout_tests::build::{Library, run};
use layout_tests::listing;

/// Calls in one function.
const CALLS: usize = 600;
/// Bytes of the stack that a call may take.
const MOST: usize = 256;

/// What is called, with the function that does it.
const CASES: [(&str, &str); 6] = [
    ("offset", "sum += A::offset([i, j]);"),
    ("unchecked", "sum += A::offset_unchecked([i, j]);"),
    ("inverse", "sum += A::index(i).map_or(0, |[i, _]| i);"),
    ("view", "sum += view[[i, j]] as usize;"),
    ("get", "sum += *view.get([i, j]).unwrap() as usize;"),
    ("unknown", "sum += unknown.offset([i, j]);"),
];

/// A program that calls each case from one function, in a thread with the stack of a test.
fn program() -> String {
    let mut text = String::from(
        "use layout::{View, WithDims, layout};
        type A = layout!(F32[512,1024]{1,0:T(8,128)});
        type B = layout!(F32[512,?]{1,0:T(8,128)});
        fn main() {
            let run = || {
                let data = vec![1.0; A::PADDED_ELEMENTS];
                let view = View::new(&data).unwrap();
                let unknown = B::with_dims([512, 1024]).unwrap();
                println!(\"{}\", all(view, unknown, 300, 700));
            };
            std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
        }\n",
    );
    let parameters = "view: View<A, f32>, unknown: WithDims<B>, i: usize, j: usize";
    let mut function = |name: &str, body: &str| {
        text += &format!(
            "#[unsafe(no_mangle)] #[inline(never)] #[allow(unused)]
            pub fn {name}({parameters}) -> usize {{ let mut sum = 0; {body} sum }}\n"
        );
    };
    for (name, call) in CASES {
        function(&format!("{name}_never"), "");
        function(name, &call.repeat(CALLS));
    }
    function("all", &CASES.map(|(_, call)| call.repeat(CALLS)).concat());
    text
}

#[test]
fn six_hundred_of_each_fit_the_stack_of_a_test() {
    let (library, source) = (Library::build("dev"), program());
    let ran = |program: &Path| run(&mut Command::new(program));
    let printed = library.compiled(&source, &["--crate-type=bin", "-Copt-level=0"], ran);
    // Offset, the same, row of the inverse at 300, two ones, offset.
    let offset = (300 / 8 * 8 + 700 / 128) * 1024 + 300 % 8 * 128 + 700 % 128;
    let sum = CALLS * (3 * offset + 300 / 128 + 2);
    assert_eq!(printed, format!("{sum}\n"));

    let arguments = ["--crate-type=lib", "--emit=asm", "-Copt-level=0"];
    let text = library.compiled(&source, &arguments, listing::read);
    for (name, _) in CASES {
        let bytes = frame(&text, name) - frame(&text, &format!("{name}_never"));
        assert!(bytes <= CALLS * MOST, "{name} takes {} bytes of the stack", bytes / CALLS);
    }
}

/// Bytes that a function takes of the stack: the farthest that its frame is said to begin.
fn frame(listing: &str, name: &str) -> usize {
    let offsets = listing::function(listing, name)
        .filter_map(|line| line.strip_prefix(".cfi_def_cfa_offset "))
        .map(|bytes| bytes.parse().expect("a number of bytes"));
    offsets.max().unwrap_or(0)
}
