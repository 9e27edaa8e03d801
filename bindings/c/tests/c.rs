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
    assert!((1..=25).contains(&functions().len()));
    assert!(!made.contains("# Safety"), "headings of rustdoc");
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

/// Each pointer of each function, NULL and at every wrong address: an error that names it, before anything is read or written.
/// The program is made from the header's functions, so that none is left out.
#[test]
fn pointers() {
    let calls = functions().iter().map(Function::pointers).collect::<String>();
    let program = include_str!("pointers.c").replace("    // CALLS\n", &calls);
    let file = target().join("pointers.c");
    fs::write(&file, program).unwrap();
    check(&["cc", "-std=c11", "-pedantic"], &file);
}

#[test]
fn example() {
    check(&["c++", "-std=c++17", "-pedantic"], &root().join("examples/detile.cpp"));
}

/// The example of the README, compiled in each way that the README says.
#[test]
fn readme() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let code = |language: &str| {
        let (_, code) = text.split_once(&format!("```{language}\n")).unwrap();
        code.split_once("```").unwrap().0
    };
    let file = target().join("readme.c");
    fs::write(&file, code("c")).unwrap();
    check(&["cc", "-std=c11", "-pedantic"], &file);
    let mut lines = code("sh").lines().filter(|line| line.starts_with("cc "));
    let (linked, found) = (lines.next().unwrap(), lines.next().unwrap());
    let library = target().join("libtiled_layout.a");
    run(&linked.replace("bindings/c/target/release/libtiled_layout.a", library.to_str().unwrap()));
    if Command::new("pkg-config").arg("--version").output().is_err() {
        return skipped(format_args!("no `pkg-config`"));
    }
    let version = format!("\nVersion: {}\n", env!("CARGO_PKG_VERSION"));
    assert!(fs::read_to_string(root().join("tiled_layout.pc")).unwrap().contains(&version));
    let libdir = format!("pkg-config --define-variable=libdir={}", target().display());
    run(&found.replace("pkg-config", &libdir));
    assert_eq!(lines.next(), None);
}

/// A command of the README that compiles `program.c`, and the program.
fn run(command: &str) {
    if Command::new("cc").arg("--version").output().is_err() {
        return skipped(format_args!("no `cc`"));
    }
    let program = target().join("readme.program");
    let command = command.replace("program.c", target().join("readme.c").to_str().unwrap());
    let (command, _) = command.split_once(" #").unwrap_or((&command, ""));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{command} -o {}", program.display()));
    succeeded(&shell.current_dir(root().join("../..")).output().unwrap());
    succeeded(&Command::new(&program).output().unwrap());
}

/// A function of the header: its name, and the types and names of its parameters.
struct Function {
    result: String,
    name: String,
    parameters: Vec<[String; 2]>,
}

fn functions() -> Vec<Function> {
    let header = fs::read_to_string(root().join("tiled_layout.h")).unwrap();
    let code = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join(" ");
    let (_, code) = code.split_once("extern \"C\" {").unwrap();
    let declarations = code.split_once("#ifdef").unwrap().0.split(';').filter_map(|declaration| {
        let (function, parameters) = declaration.split_once('(')?;
        let [result, name] = declared(function.trim_start_matches(" #endif"));
        let parameters = parameters.trim_end().strip_suffix(')')?;
        Some(Function { result, name, parameters: parameters.split(',').map(declared).collect() })
    });
    declarations.collect()
}

/// The type and the name of `const TlLayout *layout`.
fn declared(text: &str) -> [String; 2] {
    let text = text.trim();
    let at = text.rfind([' ', '*']).unwrap() + 1;
    [&text[..at], &text[at..]].map(|part| part.trim().to_owned())
}

impl Function {
    /// Calls in C: one with all arguments right, and one for each pointer that is not.
    fn pointers(&self) -> String {
        let valid = (0..self.parameters.len()).map(|at| self.valid(at)).collect::<Vec<_>>();
        let call = |arguments: &[String]| format!("{}({})", self.name, arguments.join(", "));
        let pointers = self
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, [kind, name])| kind.ends_with('*') && name != "error");
        if self.result == "void" {
            let wrong = |kind: &str| call(&[format!("({kind})address")]);
            let wrong =
                pointers.map(|(_, [kind, _])| format!("    WRONG(char *, {});\n", wrong(kind)));
            return wrong.collect();
        }
        let is_handle = |kind: &str| kind.ends_with("**");
        let handle = self.parameters.iter().position(|[kind, _]| is_handle(kind));
        let number = handle.map_or("NONE".to_owned(), |at| at.to_string());
        let mut text = format!("    RIGHT({});\n", call(&valid));
        if let Some(at) = handle {
            let kind = &self.parameters[at][0];
            let free =
                if kind.contains("Relayout") { "tl_relayout_free" } else { "tl_layout_free" };
            text += &format!("    {free}(*({kind})memory[{at}]);\n");
        }
        for (at, [kind, name]) in pointers {
            let pointee = kind.strip_suffix('*').unwrap().trim_start_matches("const ").trim();
            // Nobody outside knows what a handle points to; `void *` is bytes.
            let pointee = match pointee {
                "TlLayout" | "TlRelayout" => "void *",
                "void" => "char",
                other => other,
            };
            let mut arguments = valid.clone();
            arguments[at] = format!("({kind})address");
            let written = if is_handle(kind) { "NONE" } else { &number };
            text +=
                &format!("    REFUSED({pointee}, \"{name}\", {written}, {});\n", call(&arguments));
        }
        text
    }

    /// A right argument, for the parameter of this number.
    fn valid(&self, at: usize) -> String {
        let [kind, name] = &self.parameters[at];
        let text = match (&**kind, &**name) {
            (_, "error") => "&error",
            ("const TlLayout *", _) => "layout",
            ("const TlRelayout *", _) => "relayout",
            ("const char *", "text") => "\"f32[3,5]\"",
            ("const char *", "tpu") => "\"v5e\"",
            ("const uint64_t *", "dims") => "dims",
            ("const uint64_t *", _) => "zeros",
            ("const void *", _) => "bytes",
            (kind, _) if kind.ends_with('*') => return format!("({kind})memory[{at}]"),
            ("size_t", "length") if self.name == "tl_parse" => "8",
            ("size_t", "length") => "3",
            ("size_t", "rank") => "2",
            ("size_t", "count" | "bytes") => "1",
            ("size_t", "capacity") => "64",
            ("size_t", "source_length") => "60",
            ("size_t", "destination_length") => "96",
            ("uint64_t", "offset") => "0",
            ("TlPadding", _) => "zero",
            ("TlRange", _) => "all",
            _ => panic!("`{}`: say what is a right argument for `{kind} {name}`", self.name),
        };
        text.to_owned()
    }
}

/// Compiles and runs a program, with the static library and with the shared one.
fn check(compiler: &[&str], source: &Path) {
    check_with(compiler, source, &[]);
}

/// Compiles, links and runs a program, with arguments.
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
        compile
            .arg("-I")
            .arg(root())
            .arg("-I")
            .arg(root().join("tests"))
            .arg(source)
            .arg("-o")
            .arg(&program);
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
