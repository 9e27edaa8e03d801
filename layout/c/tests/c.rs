//! The interface as C and C++ see it: programs compiled by `cc` and `c++` under AddressSanitizer, against the library that was
//! built for this test.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fmt, fs, io};

/// The header is what cbindgen makes of the sources: `UPDATE_HEADER=1` writes it.
#[test]
fn header() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::generate_with_config(root(), config).unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let header = root().join("tiled_layout.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, &made).unwrap();
    }
    assert!(fs::read_to_string(header).unwrap() == made, "run with UPDATE_HEADER=1, and commit it");
    let is_function = |line: &&str| !line.starts_with("//") && line.contains(" tl_");
    assert!((1..=25).contains(&made.lines().filter(is_function).count()));
}

#[test]
fn answers() {
    check(&["cc", "-std=c11", "-pedantic"], &root().join("tests/answers.c"));
}

#[test]
fn bad_input() {
    check(&["cc", "-std=c11", "-pedantic"], &root().join("tests/bad_input.c"));
}

/// The pairs that the workspace's tests of copies write.
#[test]
fn copies() {
    let pairs = root().join("../../tests/data/copies.txt");
    check_with(&["cc", "-std=c11", "-pedantic"], &root().join("tests/copies.c"), &[&pairs]);
}

#[test]
fn example() {
    check(&["c++", "-std=c++17", "-pedantic"], &root().join("examples/detile.cpp"));
}

/// The example of the README.
#[test]
fn readme() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, code) = text.split_once("```c\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    let file = target().join("readme.c");
    fs::write(&file, code).unwrap();
    check(&["cc", "-std=c11", "-pedantic"], &file);
}

/// Compiles and runs a program, with the static library and with the shared one.
fn check(compiler: &[&str], source: &Path) {
    check_with(compiler, source, &[]);
}

/// The same with arguments for the program.
fn check_with(compiler: &[&str], source: &Path, arguments: &[&Path]) {
    if Command::new(compiler[0]).arg("--version").output().is_err() {
        skipped(format_args!("no `{}`", compiler[0]));
        return;
    }
    let name = source.file_stem().unwrap().to_str().unwrap();
    let is_sanitized = has_sanitizer(compiler[0], name);
    if !is_sanitized {
        skipped(format_args!("`{}` has no AddressSanitizer", compiler[0]));
    }
    for kind in [".a", env::consts::DLL_SUFFIX] {
        let library = target().join(format!("libtiled_layout{kind}"));
        let program = target().join(format!("{name}{kind}.program"));
        let mut compile = Command::new(compiler[0]);
        compile.args(&compiler[1..]).args(["-Wall", "-Wextra", "-Werror", "-g", "-O1"]);
        if is_sanitized {
            compile.args([SANITIZE, "-fno-sanitize-recover=all"]);
        }
        compile.arg("-I").arg(root()).arg(source).arg("-o").arg(&program);
        compile.arg(library).arg(format!("-Wl,-rpath,{}", target().display()));
        compile.args(["-lpthread", "-ldl", "-lm"]);
        succeeded(&compile.output().unwrap());
        succeeded(&Command::new(&program).args(arguments).output().unwrap());
    }
}

/// Says so in the output of a run that passes too.
fn skipped(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "SKIPPED: {what}");
}

const SANITIZE: &str = "-fsanitize=address,undefined";

/// Whether an empty program can be compiled for one of the tests, which run at once, and runs.
fn has_sanitizer(compiler: &str, name: &str) -> bool {
    let source = target().join(format!("{name}_empty.c"));
    let program = source.with_extension("program");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let compile = Command::new(compiler).arg(SANITIZE).arg(source).arg("-o").arg(&program).output();
    compile.unwrap().status.success()
        && Command::new(program).status().is_ok_and(|status| status.success())
}

#[track_caller]
fn succeeded(output: &Output) {
    let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}\n{said}\n{errors}", output.status);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of this test's program, in which cargo puts the libraries too.
fn target() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}
