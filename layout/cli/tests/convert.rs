//! `layout convert` and `layout hlo --check-args`, as a user runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that goes when the test ends, and the command run in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("layout-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Folder(path)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// A copy of a file that Python wrote.
    fn python(&self, name: &str) {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/files").join(name);
        fs::copy(data, self.path(name)).expect("the data is there");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Status, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().expect("the program runs");
        let [out, error] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        (output.status.code().expect("it ends by itself"), out, error)
    }

    /// It works and, in a pipe, says nothing.
    #[track_caller]
    fn quiet(&self, arguments: &[&str]) {
        assert_eq!(self.run(arguments), (0, String::new(), String::new()), "{arguments:?}");
    }

    /// The message of what is refused.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let (status, out, error) = self.run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {error}");
        error
    }

    fn is_half_written(&self) -> bool {
        let mut entries = fs::read_dir(&self.0).unwrap();
        entries.any(|entry| {
            entry.is_ok_and(|entry| entry.path().extension().is_some_and(|e| e == "tmp"))
        })
    }

    #[track_caller]
    fn same(&self, a: &str, b: &str) {
        assert!(fs::read(self.path(a)).unwrap() == fs::read(self.path(b)).unwrap(), "{a} {b}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn there_and_back_without_flags() {
    let folder = Folder::new("back");
    let model = "model.safetensors";
    folder.python(model);
    for flags in [
        &["--tpu", "v5e"][..],
        &["--tpu", "v5e", "--check"],
        &["--to", "{1,0:T(8,128)}", "--tensor", "layers.*.w"],
        &["--to", "{1,0:T(8,128)}", "--tensor", "layers.?.w", "--tensor", "packed"],
        &["--tensor", "packed", "--from", "u4[16,64]{1,0:E(4)}", "--to", "marlin"],
        &["--tensor", "packed", "--from", "gptq u4[16,64]"],
    ] {
        let arguments = [&["convert", model, "new.safetensors"], flags].concat();
        folder.quiet(&arguments);
        assert!(folder.path("new.safetensors.layout.json").exists());
        folder.quiet(&["convert", "new.safetensors", "back.safetensors"]);
        folder.same(model, "back.safetensors");
        assert!(!folder.path("back.safetensors.layout.json").exists());
    }
    // One tensor as it is, with its name.
    folder.quiet(&["convert", model, "one.npy", "--tensor", "layers.0.bias"]);
    folder.quiet(&["convert", "one.npy", "one.safetensors"]);
    folder.quiet(&["convert", model, "one.bin", "--tensor", "layers.0.bias"]);
    folder.quiet(&["convert", "one.safetensors", "again.bin"]);
    folder.same("one.bin", "again.bin");
    folder.python("rows.npy");
    folder.python("tiles.npy");
    folder.quiet(&["convert", "rows.npy", "new.npy", "--to", "s32[5,7]{1,0:T(2,4)}"]);
    folder.same("new.npy", "tiles.npy");
    folder.quiet(&["convert", "tiles.npy", "plain.bin", "--from", "s32[5,7]{1,0:T(2,4)}"]);
    folder.quiet(&["convert", "plain.bin", "again.npy", "--from", "s32[5,7]", "--to", "{1,0}"]);
    folder.same("again.npy", "rows.npy");
}

#[test]
fn shares_are_joined() {
    let folder = Folder::new("shares");
    folder.python("model.safetensors");
    let convert = ["convert", "model.safetensors", "new.safetensors", "--tpu", "v5e"];
    folder.quiet(&convert);
    let names = [1, 2, 3].map(|number| format!("new.safetensors.part-{number}-of-3"));
    let [first, second, third] = names.each_ref().map(String::as_str);
    for number in 1..=3 {
        folder.quiet(&[&convert[..], &["--part", &format!("{number}/3")]].concat());
        let before = fs::read(folder.path(&names[number - 1])).unwrap();
        folder.quiet(&[&convert[..], &["--check", "--part", &format!("{number}/3")]].concat());
        assert!(before == fs::read(folder.path(&names[number - 1])).unwrap());
    }
    folder.quiet(&["convert", "--join", third, first, second, "joined.safetensors"]);
    folder.same("joined.safetensors", "new.safetensors");
    folder.quiet(&["convert", "joined.safetensors", "back.safetensors"]);
    folder.same("back.safetensors", "model.safetensors");
    let error = folder.refused(&["convert", "--join", first, third, "joined.safetensors"]);
    assert!(error.contains("joined.safetensors: share 2 of 3 is missing"), "{error}");
    let error = folder.refused(&["convert", "--join", first, "x.npy", "--to", "{0}"]);
    assert!(error.contains("cannot be used with"), "{error}");
    let error = folder.refused(&["convert", first, second, third, "joined.safetensors"]);
    assert!(error.contains("one file is converted to one OUT\n  = help: `--join`"), "{error}");
    let error = folder.refused(&["convert", second, "x.npy"]);
    assert!(error.contains("a share of a file") && error.contains("--join"), "{error}");
    folder.quiet(&[&convert[..], &["--part", "1/1"]].concat());
    folder.quiet(&["convert", "--join", "new.safetensors.part-1-of-1", "new.safetensors"]);
    folder.same("joined.safetensors", "new.safetensors");
    let error = folder.refused(&[&convert[..], &["--part", "4/3"]].concat());
    assert!(error.contains("expected K/N with 1 ≤ K ≤ N, as in `2/16`"), "{error}");
}

#[test]
fn what_is_refused() {
    let folder = Folder::new("refused");
    folder.python("model.safetensors");
    folder.python("brain.npy");
    let convert = |flags: &[&str]| {
        let arguments = ["convert", "model.safetensors", "new.safetensors"];
        folder.refused(&[&arguments[..], flags].concat())
    };
    for (flags, expected) in [
        (
            &["--to", "{1,0:T(8,128)}"][..],
            "model.safetensors: tensor `layers.0.bias`: the order lists 2",
        ),
        (&["--to", "{0:T(8", "--tensor", "*bias"], "bf16[33]{0:T(8"),
        (&["--to", "marln", "--tensor", "packed"], "marlin"),
        (&["--to", "tiles", "--tensor", "packed"], "`tiles` is not a layout"),
        (&["--to", "f32[9,34]", "--tensor", "layers.0.w"], "different arrays"),
        (&["--from", "f32[9,34]", "--tensor", "layers.0.w"], "as in `f32[9,33]`"),
        (
            &["--from", "f32[9,33]{1,0:T(8,128)}", "--tensor", "layers.0.w"],
            "`f32[9,33]{1,0:T(8,128)}` takes 8192 bytes and the tensor has 1188\n  = help: ",
        ),
        (&["--from", "s32[9,33]", "--tensor", "layers.0.w"], "elements of type `f32`"),
        (
            &["--tpu", "v5e", "--tensor", "layer.*"],
            "no tensor of the file is called `layer.*`\n  = help: it has `layers.0.w`",
        ),
        (&["--tpu", "v5e", "--to", "{0}"], "cannot be used with"),
    ] {
        let error = convert(flags);
        assert!(error.starts_with("error: ") && error.contains(expected), "{flags:?}: {error}");
    }
    let error = folder.refused(&["convert", "brain.npy", "brain.safetensors"]);
    assert!(error.contains("--from 'bf16[300,500]'"), "{error}");
    let error = folder.refused(&["convert", "model.safetensors", "new.npy", "--tpu", "v5e"]);
    assert!(error.starts_with("error: new.npy: ") && error.contains("`--tensor NAME` chooses one"));
    let error = folder.refused(&["convert", "no.npy", "new.npy"]);
    assert!(error.starts_with("error: no.npy: "), "{error}");
    let error = folder.refused(&["convert", "model.safetensors", "new.gguf"]);
    assert!(error.starts_with("error: new.gguf: GGUF files are read, not written"), "{error}");
    let names = fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(names, 2, "nothing is written");
}

/// Each message says which text is wrong, why, and what to write instead.
#[test]
fn mistakes() {
    let folder = Folder::new("mistakes");
    folder.python("rows.npy");
    folder.python("model.safetensors");
    for name in ["x.safetensors", "x.gguf"] {
        fs::copy(folder.path("rows.npy"), folder.path(name)).unwrap();
    }
    fs::copy(folder.path("model.safetensors"), folder.path("x.npy")).unwrap();
    let before = fs::read_dir(&folder.0).unwrap().count();
    for (arguments, what, help) in [
        (&["rows.npy", "new.npy"][..], "rows.npy: nothing to convert", "`rows.npy.layout.json`"),
        (
            &["rows.npy", "new.npy", "--to", "T(8,128)"],
            "`T(8,128)` is not a layout",
            "`{1,0:T(8,128)}`",
        ),
        (&["rows.npy", "new.npy", "--to", "1,0"], "`1,0` is not a layout", "`{1,0:T(8,128)}`"),
        (
            &["rows.npy", "new.npy", "--to", "s32[7,5]"],
            "from `s32[5,7]{1,0}` to `s32[7,5]{1,0}`: the layouts are of different arrays",
            "`{1,0:T(8,128)}`",
        ),
        (
            &["rows.npy", "new.npy", "--to", "{1,0:E(4)}"],
            "to elements of 4 bits",
            "or none: bytes alone",
        ),
        (&["rows.npy", "new.npy", "--to", "s32[?,7]"], "dimension 0 is known", "in place of `?`"),
        (&["rows.npy", "new.npy", "--from", "f64[5,7]"], "elements of type `s32`", "write `s32`"),
        (&["rows.npy", "new.npy", "--from", "s32[35]"], "dimensions than the tensor", "`s32[5,7]`"),
        (
            &["rows.npy", "no/new.npy", "--to", "{0,1}"],
            "no/new.npy.layout.lock: ",
            "make its folder",
        ),
        (&["rows.npy", "new.pt", "--to", "{0,1}"], "new.pt: this format is neither", "`.bin`"),
        (&["-", "new.npy", "--to", "{0,1}"], "-: the standard input", "`./-`"),
        (&["rows.npy", "-", "--to", "{0,1}"], "-: the standard input", "`./-`"),
        (&["x.safetensors", "new.npy"], "x.safetensors: not a safetensors file", "as `.npy` files"),
        (&["x.gguf", "new.npy"], "x.gguf: not a GGUF file", "as `.npy` files"),
        (&["x.npy", "new.bin"], "x.npy: not a `.npy` file", "as `.safetensors` files"),
        (
            &["model.safetensors", "new.safetensors", "--to", "{1,0:T(8,128)}"],
            "tensor `layers.0.bias`: the order lists 2",
            "`--tensor NAME` chooses some",
        ),
    ] {
        let error = folder.refused(&[&["convert"], arguments].concat());
        let (first, rest) = error.split_once('\n').expect("a second line");
        assert!(first.starts_with("error: ") && first.contains(what), "{error}");
        assert!(rest.contains("  = help: ") && rest.contains(help), "{error}");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), before, "nothing is written");
}

#[test]
fn bytes_that_narrower_elements_do_not_hold() {
    let folder = Folder::new("narrow");
    fs::write(folder.path("codes.bin"), [1, 2, 0x1f, 4]).unwrap();
    let convert = ["convert", "codes.bin", "packed.bin", "--from", "u4[4]", "--to", "{0:E(4)}"];
    let error = folder.refused(&convert);
    assert_eq!(
        error,
        "error: codes.bin: tensor `codes`: element [2] is 0x1f, which 4 bits do not hold: they hold 0x00 to 0x0f\n  = help: `--to` a layout without `E(4)` keeps the bytes; `--truncate` keeps the low 4 bits of each\n"
    );
    folder.quiet(&[&convert[..], &["--truncate", "--check"]].concat());
    assert_eq!(fs::read(folder.path("packed.bin")).unwrap(), [0x21, 0x4f]);
}

/// Killed at any moment, the target is what it was or whole, its record is its own, and the next run works.
#[test]
fn killed_in_the_middle() {
    let folder = Folder::new("killed");
    let content = (0..32 << 20).map(|at| (at * 7 + (at >> 12)) as u8).collect::<Vec<_>>();
    fs::write(folder.path("source.bin"), content).unwrap();
    let from = ["--from", "f32[2048,4096]", "--to"];
    let convert = |to| [&["convert", "source.bin", "new.bin"], &from[..], &[to]].concat();
    let layouts = ["{0,1}", "{1,0:T(8,128)}"].map(convert);
    let sidecar = folder.path("new.bin.layout.json");
    folder.quiet(&layouts[0]);
    let mut killed = [0; 2];
    for run in 0..60 {
        let before = fs::read(&sidecar).unwrap();
        let mut child = folder.command(&layouts[(run + 1) % 2]).spawn().expect("it runs");
        // While it writes, or as soon as the sidecar is new.
        let is_due = || match run % 3 {
            0 => folder.is_half_written(),
            _ => fs::read(&sidecar).unwrap() != before,
        };
        while !is_due() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        let is_killed = !child.wait().unwrap().success();
        assert!(!is_killed || folder.path("new.bin.layout.lock").exists());
        killed[usize::from(run % 3 > 0)] += usize::from(is_killed);
        folder.quiet(&["convert", "new.bin", "back.bin"]);
        folder.same("back.bin", "source.bin");
        if killed.iter().all(|count| *count >= 3) {
            break;
        }
    }
    assert!(killed[0] > 0, "it was never killed in the middle");
    folder.quiet(&layouts[1]);
    assert!(!folder.is_half_written());
}

#[test]
fn two_runs_with_one_target() {
    let folder = Folder::new("two");
    folder.python("rows.npy");
    let other = fs::File::create(folder.path("new.npy.layout.lock")).unwrap();
    other.lock().unwrap();
    let error = folder.refused(&["convert", "rows.npy", "new.npy", "--to", "{0,1}"]);
    assert!(error.contains("new.npy.layout.lock: another run writes this file"), "{error}");
    drop(other);
    folder.quiet(&["convert", "rows.npy", "new.npy", "--to", "{0,1}"]);
    assert!(!folder.path("new.npy.layout.lock").exists());
}

/// A terminal is what `script` makes, where that is installed.
#[cfg(target_os = "linux")]
#[test]
fn a_bar_on_a_terminal() {
    let folder = Folder::new("bar");
    folder.python("rows.npy");
    let convert =
        format!("'{}' convert rows.npy new.npy --to '{{0,1}}'", env!("CARGO_BIN_EXE_layout"));
    let mut script = Command::new("script");
    script.args(["-qec", &convert, "/dev/null"]).current_dir(&folder.0).stdin(Stdio::null());
    let Ok(output) = script.env("TERM", "xterm").output() else { return };
    assert!(output.status.success() && !output.stdout.is_empty());
}

const PROGRAM: &str = "\
HloModule step, entry_computation_layout={(f32[9,33]{1,0:T(8,128)}, (bf16[33]{0:T(256)(128)(2,1)}, f32[33,9]{1,0}), s32[])->f32[9,33]{1,0:T(8,128)}}

ENTRY main {
  a = f32[9,33]{1,0:T(8,128)} parameter(0), metadata={op_name=\"params[\\'layers\\'][0][\\'w\\']\"}
  b = (bf16[33]{0:T(256)(128)(2,1)}, f32[33,9]{1,0}) parameter(1), metadata={op_name=\"bias\"}
  c = s32[] parameter(2), metadata={op_name=\"step\"}
  ROOT r = f32[9,33]{1,0:T(8,128)} add(a, a)
}
";

#[test]
fn what_does_not_fit_a_program() {
    let folder = Folder::new("program");
    folder.python("model.safetensors");
    fs::write(folder.path("step.hlo"), PROGRAM).unwrap();
    let check = ["hlo", "step.hlo", "--check-args", "model.safetensors"];
    let (status, out, error) = folder.run(&check);
    assert_eq!((status, error.as_str()), (1, ""));
    let expected = "\
parameter 0 `params['layers'][0]['w']`, f32[9,33]{1,0:T(8,128)}: tensor `layers.0.w`
parameter 1.0 `bias.0`, bf16[33]{0:T(256)(128)(2,1)}: no tensor has its name
  = help: pass it at run time, or rename a tensor
parameter 1.1 `bias.1`, f32[33,9]{1,0}: no tensor has its name
  = help: pass it at run time, or rename a tensor
parameter 2 `step`, s32[]: no tensor has its name
  = help: pass it at run time, or rename a tensor
tensor `layers.1.w`, f32[9, 33]: no parameter takes it
tensor `layers.0.bias`, bf16[33]: no parameter takes it
tensor `packed`, u8[16, 32]: no parameter takes it
4 parameters, 3 without a tensor that fits; 3 unused
";
    assert_eq!(out, expected);

    // Without a name that fits, the order of names counts: bias, w of layer 0, w of layer 1, packed.
    let program = PROGRAM.replace("params", "p").replace("layers", "q").replace("\\'w\\'", "v");
    fs::write(folder.path("step.hlo"), program.replace("\"bias\"", "\"x\"")).unwrap();
    let (status, out, _) = folder.run(&check);
    assert_eq!(status, 1);
    for line in [
        "tensor `layers.0.bias`, but the tensor has elements of type `bf16`, the program takes `f32`",
        "tensor `layers.1.w`, but the tensor is `f32[9,33]{1,0}`, which has the dimensions in reverse order",
    ] {
        assert!(out.contains(line), "{out}");
    }
}

/// What is left to say when each conversion was undone, but the last format cannot hold what the first one did.
#[test]
fn the_way_back_ends() {
    let folder = Folder::new("ends");
    let bytes = (0..30).collect::<Vec<u8>>();
    let header = "{\"w\":{\"dtype\":\"BF16\",\"shape\":[3,5],\"data_offsets\":[0,30]}} ";
    let length = (header.len() as u64).to_le_bytes();
    let content = [&length[..], header.as_bytes(), &bytes].concat();
    fs::write(folder.path("b0.safetensors"), content).unwrap();
    let convert = |arguments: &[&str]| folder.quiet(&[&["convert"], arguments].concat());
    convert(&["b0.safetensors", "1.npy", "--to", "{1,0:T(2,2)}"]);
    convert(&["1.npy", "2.npy", "--to", "{1,0:T(4,4)}"]);
    convert(&["2.npy", "u0.safetensors"]);
    convert(&["u0.safetensors", "u1.safetensors"]);
    let tensors = |name: &str| fs::read(folder.path(name)).unwrap();
    assert!(tensors("u1.safetensors").ends_with(&bytes));
    assert!(String::from_utf8_lossy(&tensors("u1.safetensors")).contains("\"shape\":[3,5]"));
    let error = folder.refused(&["convert", "u1.safetensors", "u2.safetensors"]);
    assert!(error.contains("u1.safetensors: nothing to convert: it has no record"), "{error}");
    // The last one is raw, which has neither the type nor the dimensions nor the name.
    convert(&["2.npy", "u0.bin"]);
    convert(&["u0.bin", "u1.bin"]);
    assert_eq!(tensors("u1.bin"), bytes);
    for flags in [&[][..], &["--tensor", "w"]] {
        let error = folder.refused(&[&["convert", "u1.bin", "u2.bin"], flags].concat());
        assert!(
            error.contains("u1.bin: nothing to convert: no conversion of it is left to undo, and OUT has the same format\n  = help: an OUT of another format"),
            "{error}"
        );
    }
    convert(&["u1.bin", "u2.npy"]);
    convert(&["u2.npy", "u3.safetensors"]);
    assert!(tensors("u3.safetensors").ends_with(&bytes));
    assert!(!folder.path("u3.safetensors.layout.json").exists());
}

/// A conversion of one tensor after that of another one: each is undone by itself, in any order.
#[test]
fn chosen_tensors_are_undone() {
    let folder = Folder::new("chosen");
    let model = "model.safetensors";
    folder.python(model);
    let convert = |arguments: &[&str]| folder.quiet(&[&["convert"], arguments].concat());
    convert(&[model, "a.safetensors", "--to", "{0,1}", "--tensor", "layers.0.w"]);
    convert(&["a.safetensors", "b.safetensors", "--to", "{0,1}", "--tensor", "layers.1.w"]);
    convert(&["b.safetensors", "c.safetensors", "--tensor", "layers.0.w"]);
    let error =
        folder.refused(&["convert", "c.safetensors", "d.safetensors", "--tensor", "layers.0.w"]);
    assert!(error.contains("nothing to convert"), "{error}");
    convert(&["c.safetensors", "d.safetensors"]);
    folder.same("d.safetensors", model);
    convert(&["b.safetensors", "c.safetensors"]);
    folder.same("c.safetensors", "a.safetensors");
}
