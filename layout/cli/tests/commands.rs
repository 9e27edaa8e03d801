//! Every command's output, byte for byte, as a user sees it in a pipe.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p tiled-layout-cli` writes the files anew.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Name of the snapshot, exit status, arguments.
const CASES: &[(&str, i32, &[&str])] = &[
    ("help", 0, &["--help"]),
    ("help_show", 0, &["show", "--help"]),
    ("help_explain", 0, &["explain", "--help"]),
    ("help_formats", 0, &["formats", "--help"]),
    ("help_check", 0, &["check", "--help"]),
    ("help_hlo", 0, &["hlo", "--help"]),
    ("help_diff", 0, &["diff", "--help"]),
    ("help_convert", 0, &["convert", "--help"]),
    ("help_completions", 0, &["completions", "--help"]),
    ("help_man", 0, &["man", "--help"]),
    ("no_command", 2, &[]),
    ("unknown_command", 2, &["draw"]),
    ("show_document", 0, &["show", "F32[3,5]{1,0:T(2,2)}"]),
    ("show_repeated_tile", 0, &["show", "f32[4,8]<1,0:T(2,4)(2,1)>"]),
    ("show_padding_of_a_later_tile", 0, &["show", "f32[12,4]{1,0:T(4,4)(3,2)}"]),
    ("show_tile_across_tiles", 0, &["show", "f32[3,6]{1,0:T(2,2)(2,2,2)}"]),
    ("show_large", 0, &["show", "bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}"]),
    ("show_long", 0, &["show", "bf16[2048]{0:T(1024)(128)(2,1)}"]),
    ("show_gaps", 0, &["show", "f32[300,500]{1,0:T(8,128)}"]),
    ("show_combined", 0, &["show", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"]),
    ("show_slices", 0, &["show", "f32[3,3,3]{2,1,0:T(2,2,2)}"]),
    ("show_tile_longer_than_rank", 0, &["show", "f32[8]{0:T(2,2)}"]),
    ("show_scalar", 0, &["show", "f32[]{:T(4)}"]),
    ("show_empty", 0, &["show", "f32[0,3]{1,0:T(2,2)}"]),
    ("show_untiled", 0, &["show", "f32[3,5]{0,1}"]),
    ("show_packed", 0, &["show", "s4[3,9]{1,0:T(2,8)E(4)}"]),
    ("show_explicit_padding", 0, &["show", "f32[2,3]{0,1:PAD(3,5)FILL(zero)}"]),
    ("show_tail", 0, &["show", "pred[7]{0:T(4)L(16)}"]),
    ("show_given_sizes", 0, &["show", "f32[?,3]{1,0:T(2,2)}", "--dims", "2,3"]),
    ("show_open_sizes", 2, &["show", "f32[?,3]"]),
    ("show_wrong_sizes", 2, &["show", "f32[?,3]", "--dims", "2,4"]),
    ("show_fault", 2, &["show", "f32[3,5]{1,0:T(2,*)}"]),
    ("show_two_faults", 2, &["show", "f23[3,5]{1,1}"]),
    ("show_format", 0, &["show", "smmla"]),
    ("show_format_of_size", 0, &["show", "gptq u4[16,4]"]),
    ("show_format_that_pads", 0, &["show", "gptq u4[11,4]"]),
    ("show_tiled_layout", 0, &["show", "TCGEN05_COL_LAYOUT"]),
    ("show_format_of_wrong_size", 2, &["show", "marlin u4[64,100]"]),
    ("show_misspelled_format", 2, &["show", "marln"]),
    ("show_unsayable_format", 2, &["show", "q6_k"]),
    ("show_no_shape", 2, &["show", "picture"]),
    ("show_tuple", 2, &["show", "(f32[2], token[])"]),
    ("show_to_no_folder", 2, &["show", "f32[2]", "--svg", "no/such/folder.svg"]),
    (
        "explain",
        0,
        &["explain", "bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}", "--at", "1,2,3", "--offset", "17"],
    ),
    ("explain_document", 0, &["explain", "f32[3,5]{1,0:T(2,2)}", "--at", "2,3", "--offset", "9"]),
    ("explain_spaces", 0, &["explain", "f32[3,5]", "--at", " 1, 2", "--dims", "3, 5"]),
    ("explain_combined", 0, &["explain", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"]),
    ("explain_packed", 0, &["explain", "s4[5,9]{0,1:T(2,2)E(4)}", "--at", "1,1"]),
    ("explain_odd_bits", 0, &["explain", "s2[3,3]{1,0:E(3)}", "--at", "2,1"]),
    ("explain_properties", 0, &["explain", "f32[<=5,3]{0,1:PAD(6,4)T(4)L(32)S(1)M(64)}"]),
    ("explain_format", 0, &["explain", "u4[16,64]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}"]),
    ("explain_plain", 0, &["explain", "s8[2,32]"]),
    ("explain_lanes", 0, &["explain", "mma.m16n8k16.A", "--at", "10,7"]),
    ("explain_scalar", 0, &["explain", "f32[]"]),
    ("explain_empty", 0, &["explain", "f32[0,3]{1,0:T(2,2)}"]),
    ("explain_xla_counts_otherwise", 0, &["explain", "f32[12,4]{1,0:T(4,4)(3,2)}"]),
    ("explain_tpu", 0, &["explain", "s32[8388608,8,4]{2,1,0:T(8,128)}", "--tpu", "V5e"]),
    ("explain_unknown_tpu", 2, &["explain", "f32[3,5]", "--tpu", "v5"]),
    ("explain_outside", 2, &["explain", "f32[3,5]", "--at", "3,0"]),
    ("explain_rank", 2, &["explain", "f32[3,5]", "--at", "3"]),
    ("explain_behind_the_end", 2, &["explain", "f32[3,5]", "--offset", "15"]),
    ("explain_no_number", 2, &["explain", "f32[3,5]", "--offset", "x"]),
    ("formats", 0, &["formats"]),
    ("formats_marlin", 0, &["formats", "Marlin"]),
    ("formats_of_forms", 0, &["formats", "fractal nz"]),
    ("formats_of_lanes", 0, &["formats", "ldmatrix"]),
    ("formats_block", 0, &["formats", "q4_0"]),
    ("formats_tiled", 0, &["formats", "wgmma_layout"]),
    ("formats_unsayable", 2, &["formats", "gptq 3 bit"]),
    ("formats_with_a_fixed_size", 0, &["formats", "quanto qint4"]),
    ("formats_planes", 0, &["formats", "q5_0"]),
    ("formats_unknown", 2, &["formats", "marlni"]),
    ("hlo", 0, &["hlo", "program.hlo"]),
    ("hlo_top", 0, &["hlo", "program.hlo", "--top", "2"]),
    ("hlo_totals", 0, &["hlo", "program.hlo", "--top", "0"]),
    ("hlo_json", 0, &["hlo", "program.hlo", "--top", "1", "--json"]),
    ("hlo_wrong", 2, &["hlo", "wrong.hlo"]),
    ("hlo_of_shapes", 2, &["hlo", "shapes.txt"]),
    ("check_hlo", 1, &["check", "program.hlo", "wrong.hlo"]),
    ("check_wrong", 1, &["check", "shapes.txt", "right.txt"]),
    ("check_right", 0, &["check", "right.txt"]),
    ("code_wgsl", 0, &["code", "--language", "wgsl", "f32[300,500]{1,0:T(8,128)}"]),
    (
        "code_opencl",
        0,
        &["code", "--language", "opencl", "--name", "weights", "bf16[20,300]{1,0:T(8,128)(2,1)}"],
    ),
    (
        "code_c_64_bits",
        0,
        &["code", "--language", "C", "--index-bits", "64", "f32[65536,65536]{1,0:T(8,128)}"],
    ),
    ("code_open_sizes", 0, &["code", "--language", "cuda", "bf16[?,<=64,500]{2,1,0:T(8,128)}"]),
    (
        "code_given_sizes",
        0,
        &["code", "--language", "hip", "f32[?,500]{1,0:T(8,128)}", "--dims", "300,500"],
    ),
    (
        "code_combined",
        0,
        &["code", "--language", "metal", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"],
    ),
    ("code_mlir", 0, &["code", "--language", "mlir", "f32[?,500]{1,0:T(8,128)}"]),
    ("code_too_large", 2, &["code", "--language", "wgsl", "f32[65536,65536]"]),
    ("code_too_large_for_32_bits", 2, &["code", "--language", "cuda", "f32[65536,65536]"]),
    ("code_wide_wgsl", 2, &["code", "--language", "wgsl", "--index-bits", "64", "f32[3,5]"]),
    ("code_name", 2, &["code", "--language", "c", "--name", "my layout", "f32[3,5]"]),
    ("code_reserved_name", 2, &["code", "--language", "wgsl", "--name", "smooth", "f32[3,5]"]),
    ("code_unknown_language", 2, &["code", "--language", "fortran", "f32[3,5]"]),
    ("code_translated_language", 2, &["code", "--language", "glsl", "f32[3,5]"]),
    ("code_tuple", 2, &["code", "--language", "c", "(f32[2], token[])"]),
    ("code_fault", 2, &["code", "--language", "c", "f32[3,5]{1,1}"]),
    ("completions_unknown", 2, &["completions", "cmd"]),
    ("man_unknown", 2, &["man", "help"]),
    ("diff_same", 0, &["diff", "f32[16,128]", "s32[16,128]{1,0:T(8,128)S(1)}"]),
    ("diff_padding", 0, &["diff", "f32[16,128]", "f32[16,128]{1,0:T(8,128)L(4096)}"]),
    ("diff_moved", 1, &["diff", "f32[16,256]", "f32[16,256]{1,0:T(8,128)}"]),
    ("diff_dims", 1, &["diff", "f32[3,5]", "f32[5,3]"]),
    ("diff_bits", 1, &["diff", "f32[3,5]", "bf16[3,5]"]),
    ("diff_given_sizes", 1, &["diff", "f32[?,3]", "f32[?,3]{0,1}", "--dims", "2,3"]),
];

/// Every command.
const COMMANDS: [&str; 10] =
    ["show", "explain", "formats", "hlo", "check", "diff", "code", "convert", "completions", "man"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn layout(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(arguments).current_dir(folder());
    command.stdin(Stdio::null());
    command
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

fn compare(name: &str, found: &str) {
    let file = folder().join("snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&file, found).expect("the folder of snapshots can be written");
    }
    let expected = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(expected == found, "{name}: expected\n{expected}\nfound\n{found}");
}

#[test]
fn every_command_prints_its_snapshot() {
    for (name, expected, arguments) in CASES {
        let output = layout(arguments).output().expect("the program runs");
        let (out, error) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
        let (out, error) = (out.expect("text"), error.expect("text"));
        assert_eq!(output.status.code(), Some(*expected), "{name}: {error}");
        assert!(!out.contains('\x1b') && !error.contains('\x1b'), "{name}: colours in a pipe");
        // What is refused says so on the standard error only, and the rest on the standard output only.
        assert_eq!(out.is_empty(), *expected == 2, "{name}");
        assert_eq!(error.is_empty(), *expected != 2, "{name}: {error}");
        compare(&format!("{name}.txt"), &(out + &error));
    }
}

/// Nothing lies around in the folder that no case compares.
#[test]
fn every_snapshot_has_a_case() {
    for entry in fs::read_dir(folder().join("snapshots")).expect("the folder is there") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        let case = name.strip_suffix(".txt");
        let is_known = case.is_some_and(|case| CASES.iter().any(|(known, ..)| *known == case));
        assert!(is_known || name == "document.svg", "{name}");
    }
}

#[test]
fn svg_goes_to_the_file() {
    let file = std::env::temp_dir().join(format!("layout-{}.svg", std::process::id()));
    let name = file.to_str().expect("text");
    let output = layout(&["show", "f32[3,5]{1,0:T(2,2)}", "--svg", name]).output().unwrap();
    assert_eq!((status(&output), output.stdout.len(), output.stderr.len()), (0, 0, 0));
    let document = fs::read_to_string(&file).unwrap();
    compare("document.svg", &document);
    let output = layout(&["show", "f32[3,5]{1,0:T(2,2)}", "--svg", "-"]).output().unwrap();
    assert_eq!(output.stdout, document.into_bytes());
    fs::remove_file(file).unwrap();
}

#[test]
fn check_reads_the_standard_input() {
    let mut child = layout(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let text = "\u{feff}# a comment\r\n\r\n  f32[3,5]{1,1}\r\n// another\r\nf32[é]\r\n";
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(status(&output), 1);
    let out = String::from_utf8(output.stdout).unwrap();
    let first = out.lines().next().unwrap_or_default();
    assert_eq!(first, "<stdin>:3:14: dimension 1 is ordered twice");
    assert!(out.contains("\n<stdin>:5:5: "), "{out}");
    assert!(out.ends_with("\n2 shapes, 2 wrong\n"), "{out}");
}

#[test]
fn a_file_that_cannot_be_read() {
    let output = layout(&["check", "no_such_file.txt"]).output().unwrap();
    assert_eq!((status(&output), output.stdout.len()), (2, 0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: no_such_file.txt: ") && error.lines().count() == 1,
        "{error}"
    );
}

/// As with `| head -1`, but the reader is gone before anything is written.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [
        &["show", "bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}"][..],
        &["explain", "f32[3,5]"],
        &["diff", "f32[3]", "f32[3]"],
        &["check", "right.txt"],
        &["--help"],
        &["help"],
        &["man"],
        &["completions", "bash"],
    ] {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = layout(arguments).stdout(writer).output().expect("the program runs");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// A pipe whose reader goes away between two lines.
#[test]
fn a_reader_that_stops() {
    let mut child = layout(&["show", "f32[300,500]{1,0:T(8,128)}"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((first, status(&output), output.stderr.len()), (*b"f", 0, 0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    for arguments in [&["show", "f32[3]"][..], &["--help"], &["convert", "--help"], &["--version"]]
    {
        let output = layout(arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(output.stderr.starts_with(b"error: standard output: "), "{arguments:?}");
    }
}

#[test]
fn help_is_a_command() {
    let help = |arguments: &[&str]| layout(arguments).output().expect("the program runs");
    assert_eq!(help(&["help"]), help(&["--help"]));
    for name in COMMANDS {
        assert_eq!(help(&["help", name]), help(&[name, "--help"]), "{name}");
    }
}

/// Scripts and pages name every command and option.
#[test]
fn what_is_installed() {
    let words = [
        "show",
        "explain",
        "hlo",
        "check",
        "diff",
        "code",
        "--svg",
        "--at",
        "--offset",
        "--top",
        "--language",
        "convert",
        "--tensor",
    ];
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = layout(&["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        for word in words {
            // fish writes options as `-l svg`.
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = |arguments: &[&str]| {
        let output = layout(arguments).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = page(&["man"]);
    assert!(whole.contains(".TH layout 1"), "{whole}");
    for name in COMMANDS {
        assert!(whole.contains(&format!("layout\\-{name}(1)")), "{whole}");
        let own = page(&["man", name]);
        assert!(own.contains(&format!(".TH layout-{name} 1")), "{own}");
        assert!(own.contains(&format!("layout {name}")), "{own}");
    }
    assert!(page(&["man", "show"]).contains(r"\-\-svg"));
    assert!(!whole.contains("help(1)"), "`help` has no page: {whole}");
}

/// Totals count what is not listed too.
#[test]
fn totals_are_sums() {
    let json = |top: &str| {
        let output = layout(&["hlo", "program.hlo", "--json", "--top", top]).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let all = json("1000");
    for section in ["parameters", "results", "buffers"] {
        let rows = all[section].as_array().unwrap();
        let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
        let total = &all["totals"][section];
        assert_eq!(total["arrays"], rows.len(), "{section}");
        assert_eq!(total["arrays_of_unknown_size"], 0, "{section}");
        assert_eq!(total["bytes"], sum("bytes"), "{section}");
        assert_eq!(total["unpadded_bytes"], sum("unpadded_bytes"), "{section}");
        assert_eq!(total["waste_bytes"], sum("bytes") - sum("unpadded_bytes"), "{section}");
    }
    assert_eq!(json("0")["totals"], all["totals"]);
}

/// A terminal is what `script` makes, where that is installed.
#[cfg(target_os = "linux")]
#[test]
fn pictures_fit_the_terminal() {
    let widest = |columns: u32| {
        let show = format!(
            "stty rows 50 cols {columns}; '{}' show 'f32[300,500]{{1,0:T(8,128)}}'",
            env!("CARGO_BIN_EXE_layout")
        );
        let mut script = Command::new("script");
        script.args(["-qec", &show, "/dev/null"]).env("NO_COLOR", "1").stdin(Stdio::null());
        let text = String::from_utf8(script.output().ok()?.stdout).expect("text");
        text.lines().map(|line| line.trim_end().chars().count()).max()
    };
    let Some(at_80) = widest(80) else { return };
    assert!((70..=80).contains(&at_80), "{at_80}");
    let at_160 = widest(160).expect("as before");
    assert!((140..=160).contains(&at_160), "{at_160}");
    // There is no room for a picture below 80 columns.
    assert_eq!(widest(30), Some(at_80));
}

/// A terminal is what `script` makes, where that is installed.
#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals() {
    let shown = |no_color: Option<&str>| {
        let mut script = Command::new("script");
        let program = env!("CARGO_BIN_EXE_layout");
        script.args(["-qec", &format!("'{program}' show 'f32[3,5]{{1,0:T(2,2)}}'"), "/dev/null"]);
        script.env_remove("NO_COLOR").stdin(Stdio::null());
        if let Some(value) = no_color {
            script.env("NO_COLOR", value);
        }
        script.output().ok().map(|output| String::from_utf8(output.stdout).expect("text"))
    };
    let Some(coloured) = shown(None) else { return };
    assert!(coloured.contains("\x1b[36m  0\x1b[0m"), "{coloured:?}");
    // Padding is faint.
    assert!(coloured.contains("\x1b[90m"), "{coloured:?}");
    assert!(!shown(Some("1")).expect("as before").contains('\x1b'));
    assert!(shown(Some("")).expect("as before").contains('\x1b'));
}

/// What the README and the guide show, the command prints: each line `$ layout ..` of a block of text is
/// followed by its whole output.
#[test]
fn documents_show_what_it_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (document, expected) in
        [("README.md", 1), ("layout/cli/README.md", 1), ("layout/src/guide.md", 6)]
    {
        let text = fs::read_to_string(root.join(document)).expect("the document is there");
        let mut count = 0;
        for part in text.split("\n$ layout ").skip(1) {
            let (line, rest) = part.split_once('\n').expect("a line");
            let shown = rest.split("```").next().unwrap_or_default();
            let arguments = line.split_whitespace().map(|word| word.trim_matches('\''));
            let output = layout(&arguments.collect::<Vec<_>>()).output().expect("it runs");
            assert_eq!(String::from_utf8(output.stdout).unwrap(), shown, "{document}: {line}");
            count += 1;
        }
        assert_eq!(count, expected, "{document}");
    }
}
