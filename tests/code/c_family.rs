//! The C family: C compiled and run, and the others through what compilers of them are at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::limits::MAX_SIZE;
use layout::shape::{Dim, Size};
use layout_gpu::code::{Code, Language};
use layout_tests::code::{Case, c_program, cases, compare};
use layout_tests::random::Random;
use layout_tests::table;

/// A folder of one test, for its files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("code").join(name);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Whether a compiler is there.
fn has(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output();
    let has = found.is_ok_and(|output| output.status.success());
    if !has {
        println!("SKIPPED: `{compiler}` is not installed");
    }
    has
}

/// Compiles a file.
///
/// # Panics
/// With what the compiler says, if it refuses.
fn compile(compiler: &str, arguments: &[&str], file: &Path) {
    let output = Command::new(compiler).args(arguments).arg(file).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {}:\n{text}", file.display());
}

/// Compiles a program and runs it.
fn answers(compiler: &str, arguments: &[&str], file: &Path) -> Vec<u32> {
    let program = file.with_extension("out");
    let output = program.to_str().expect("text");
    compile(compiler, &[arguments, &["-o", output]].concat(), file);
    let output = Command::new(&program).output().expect("the program runs");
    assert!(output.status.success(), "{}", file.display());
    output.stdout.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect()
}

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror"];

/// Compiles a program of what the functions of some cases say, after a text, and compares.
fn assert_says(
    [compiler, standard, level]: [&str; 3],
    (language, bits): (Language, usize),
    cases: &[Case],
    before: &str,
) {
    if !has(compiler) {
        return;
    }
    let ending = if compiler == "cc" { "c" } else { "cpp" };
    let file = folder("run").join(format!("{language}{bits}.{ending}"));
    let text = [before, &c_program(cases, language, bits)].concat();
    fs::write(&file, text).expect("the file can be written");
    let answers = answers(compiler, &[&[standard, "-pedantic", level], WARNINGS].concat(), &file);
    compare(cases, &answers, &format!("{language} with indices of {bits} bits by {compiler}"));
}

#[test]
fn c_says_what_the_library_says() {
    let cases = cases();
    assert!(cases.len() >= 600, "{}", cases.len());
    let compiler = ["cc", "-std=c99", "-O1"];
    assert_says(compiler, (Language::C99, 32), &cases, "");
    assert_says(compiler, (Language::C99, 64), &part(&cases, 0), "");
}

/// One of four cases: the languages differ in words, and compilers of C++ take longer.
fn part(cases: &[Case], first: usize) -> Vec<Case> {
    cases.iter().skip(first).step_by(4).cloned().collect()
}

/// CUDA and HIP as C++, their qualifiers defined as nothing: what they say is what C says.
#[test]
fn cuda_and_hip_as_cpp() {
    let (compiler, words) =
        (["c++", "-std=c++11", "-O0"], "#define __host__\n#define __device__\n");
    assert_says(compiler, (Language::Cuda, 32), &part(&cases(), 1), words);
    assert_says(compiler, (Language::Hip, 64), &part(&cases(), 2), words);
}

/// Metal has no compiler that is free of its system: its text is C++ but for the type `uint`.
#[test]
fn metal_as_cpp() {
    println!("SKIPPED: Metal's own compiler; its text is compiled as C++");
    let (compiler, words) =
        (["c++", "-std=c++14", "-O0"], "typedef unsigned int uint_;\n#define uint uint_\n");
    assert_says(compiler, (Language::Metal, 32), &part(&cases(), 3), words);
}

/// What `Language` makes of all cases, without a program around it.
fn texts(language: Language, bits: usize) -> String {
    let texts = cases().into_iter().map(|case| {
        let text = Code::of(&case.shape, language).name(&case.name).index_bits(bits).text();
        text.unwrap_or_else(|error| panic!("{}: {error}", case.shape)).to_string()
    });
    texts.collect()
}

#[test]
fn opencl_through_clang() {
    if !has("clang") {
        return;
    }
    let folder = folder("opencl");
    for (bits, standard) in [(32, "CL1.2"), (64, "CL1.2"), (32, "CL3.0")] {
        let file = folder.join(format!("{standard}-{bits}.cl"));
        fs::write(&file, texts(Language::OpenCl, bits)).expect("the file can be written");
        let standard = format!("-cl-std={standard}");
        let arguments = ["-x", "cl", "-fsyntax-only", &standard, "--target=spir64"];
        compile("clang", &[&arguments[..], WARNINGS, UNUSED].concat(), &file);
    }
}

/// Functions that no kernel calls here.
const UNUSED: &[&str] = &["-Wno-unused-function"];

/// The words of CUDA and HIP, by clang without the headers of either: what they define is defined here.
#[test]
fn cuda_and_hip_through_clang() {
    if !has("clang") {
        return;
    }
    let folder = folder("cuda");
    let attributes = "#define __host__ __attribute__((host))\n#define __device__ __attribute__((device))\n\
                      #define __global__ __attribute__((global))\n";
    let kernel = "__global__ void kernel(unsigned int *offsets, unsigned int i) {\n    \
                  offsets[i] = case0_index(i).is_element ? case0_offset(case0_index(i).i0, 0u) : 0u;\n}\n";
    for (language, name) in [(Language::Cuda, "cuda"), (Language::Hip, "hip")] {
        let file = folder.join(format!("{name}.cu"));
        let text = format!("{attributes}{}{kernel}", texts(language, 32));
        fs::write(&file, text).expect("the file can be written");
        for side in ["--cuda-host-only", "--cuda-device-only"] {
            let arguments = ["-x", name, "-fsyntax-only", side, "-nocudainc", "-nocudalib"];
            let hip: &[&str] = if name == "hip" { &["-nogpuinc", "-nogpulib"] } else { &[] };
            compile("clang", &[&arguments[..], hip, WARNINGS, UNUSED].concat(), &file);
        }
    }
}

/// Whether the layout takes sizes, and each offset fits; as elsewhere a size of 0 counts as 1.
fn fits(shape: &ArrayShape, sizes: &[Size], most: Size) -> bool {
    let counted = sizes.iter().map(|&size| size.max(1)).collect::<Vec<_>>();
    // A bound of 0 takes no other size.
    let is_bounded = |(dim, size): (&Dim, &Size)| dim.size().is_none_or(|bound| *size <= bound);
    shape.dims().iter().zip(sizes).all(is_bounded)
        && shape.with_dims(&counted).is_ok_and(|known| known.padded_elements() <= Some(most))
}

#[test]
fn sizes_that_do_not_fit() {
    if !has("cc") {
        return;
    }
    let layouts = table::texts("layouts", "sizes at the call");
    let mut random = Random::new(7);
    let (mut text, mut calls) = (String::from("#include <stdio.h>\n"), String::new());
    let mut expected = String::new();
    for (number, layout) in layouts.into_iter().enumerate() {
        let shape: ArrayShape = layout.parse().expect("a layout");
        for (bits, most) in [(32, u32::MAX as Size), (64, MAX_SIZE)] {
            let name = format!("layout{number}x{bits}");
            let code = Code::of(&shape, Language::C99).name(&name).index_bits(bits).text().unwrap();
            text += &code.to_string();
            for _ in 0..300 {
                let mut left = bits;
                let sizes = shape.dims().iter().map(|dim| match dim {
                    Dim::Bounded(bound) => random.below(native(*bound) + 3) as Size,
                    _ => {
                        let power = random.below(left + 1);
                        left -= power.min(left);
                        let near = (1u128 << power) + [0, 1, 2, 7][random.below(4)];
                        let near = near.saturating_sub(1 + random.below(2) as u128);
                        near.min((1u128 << bits) - 1).min(MAX_SIZE as u128) as Size
                    }
                });
                let sizes = sizes.collect::<Vec<_>>();
                let arguments = sizes.iter().map(|size| format!("{size}u")).collect::<Vec<_>>();
                calls += &format!("    putchar('0' + {name}_fits({}));\n", arguments.join(", "));
                expected.push(if fits(&shape, &sizes, most) { '1' } else { '0' });
            }
        }
    }
    let file = folder("fits").join("fits.c");
    fs::write(&file, format!("{text}int main(void) {{\n{calls}    return 0;\n}}\n")).unwrap();
    let program = file.with_extension("out");
    compile("cc", &["-std=c99", "-O0", "-o", program.to_str().expect("text")], &file);
    let output = Command::new(&program).output().expect("the program runs");
    let found = String::from_utf8(output.stdout).expect("text");
    let differs = found.chars().zip(expected.chars()).position(|(a, b)| a != b);
    let call = differs.and_then(|at| calls.lines().nth(at));
    assert_eq!(found.len(), expected.len());
    assert_eq!(call, None, "the library says otherwise");
    assert!(expected.matches('0').count() > 500 && expected.matches('1').count() > 500);
}

/// The comparison notices a word that is wrong.
#[test]
#[should_panic(expected = "word 3 of ")]
fn a_wrong_word_is_noticed() {
    let case = Case::new(0, "f32[3,5]{1,0:T(2,2)}", &[3, 5]);
    let mut words = case.expected();
    words[3] += 1;
    compare(&[case], &words, "nobody");
}
