//! What users do in a shell, and what they see, byte for byte: the files in `sessions/`. And what such a file cannot
//! show: pipes that are closed, terminals.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p tiled-layout-cli` writes the sessions anew.
#![cfg(unix)]

#[path = "../../files/tests/folder/mod.rs"]
mod folder;

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use folder::Folder;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

fn layout(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(arguments).current_dir(TESTS).stdin(Stdio::null());
    command
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

/// Runs the lines of a session that begin with `$ `, in a shell and an empty folder: each with what it prints, and with
/// its status if that is not 0. The folder of the data is `../data` there, and the one of this file `../tests`.
fn run_session(name: &str, session: &str) -> String {
    let folder = Folder::new(name);
    let work = folder.path("work");
    fs::create_dir(&work).unwrap();
    let absolute = format!("{}/", work.canonicalize().unwrap().display());
    symlink(Path::new(TESTS).join("../../../tests/data/files"), folder.path("data")).unwrap();
    symlink(TESTS, folder.path("tests")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_layout")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut found = String::new();
    for line in session.lines().filter(|line| line.starts_with("$ ")) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!(". ../tests/functions.sh\n{}", &line[2..])]);
        shell.env("PATH", &path).env("LC_ALL", "C").current_dir(&work).stdin(Stdio::null());
        let output = shell.output().expect("there is a shell");
        let status = status(&output);
        let [out, error] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        // Nothing acts on a terminal or reorders what is read: no colours in a pipe either.
        let is_hidden = |c| c != '\n' && layout_core::is_hidden(c);
        assert!(
            !out.contains(is_hidden) && !error.contains(is_hidden),
            "{line}: {out:?} {error:?}"
        );
        // What is refused says so on the standard error only, and the rest on the standard output only.
        assert!(status != 2 || out.is_empty(), "{line}: {out}");
        assert_eq!(error.is_empty(), status != 2, "{line}: {error}");
        found += &format!("{line}\n{out}{}", error.replace(&absolute, ""));
        if status != 0 {
            found += &format!("[status {status}]\n");
        }
    }
    found
}

/// Runs each session with [`run_session`]; on a difference, shows the output from the first line that differs.
#[test]
fn sessions_are_as_recorded() {
    for entry in fs::read_dir(Path::new(TESTS).join("sessions")).unwrap() {
        let path = entry.unwrap().path();
        let recorded = fs::read_to_string(&path).unwrap();
        let found = run_session(path.file_stem().unwrap().to_str().unwrap(), &recorded);
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            fs::write(&path, &found).unwrap();
        } else if recorded != found {
            let equal = recorded.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
            let rest = found.lines().skip(equal.saturating_sub(3)).take(40).collect::<Vec<_>>();
            panic!("{}:{}: found\n{}", path.display(), equal + 1, rest.join("\n"));
        }
    }
}

/// Like `| head -1`, but the reader is gone before anything is written.
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

/// The peak is the sum of its parts, and of what is listed but for the table of the results' addresses.
#[test]
fn the_peak_is_a_sum() {
    let output = layout(&["hlo", "train.hlo", "--json"]).output().unwrap();
    let all = serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
    let peak = |key: &str| all["hbm"][key].as_u64().unwrap();
    let parts = ["arguments_bytes", "results_bytes", "temporaries_bytes"].map(peak);
    assert_eq!(peak("peak_bytes"), parts.iter().sum::<u64>());
    let live = all["hbm"]["live"].as_array().unwrap().iter();
    let listed = live.map(|group| group["bytes"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(peak("peak_bytes") - listed, 512);
}

/// What a command prints on a terminal, which is what `script` makes where that is installed.
#[cfg(target_os = "linux")]
fn on_terminal(command: &str, no_color: Option<&str>) -> Option<String> {
    let folder = Folder::new("terminal");
    fs::copy(folder::python("rows.npy"), folder.path("rows.npy")).unwrap();
    let command = command.replace("layout", env!("CARGO_BIN_EXE_layout"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(folder.path(""));
    script.env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
    script.envs(no_color.map(|value| ("NO_COLOR", value)));
    let output = script.output().ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

#[cfg(target_os = "linux")]
#[test]
fn pictures_fit_the_terminal() {
    let widest = |columns: u32| {
        let show = "layout show 'f32[300,500]{1,0:T(8,128)}'";
        let text = on_terminal(&format!("stty rows 50 cols {columns}; {show}"), Some("1"))?;
        text.lines().map(|line| line.trim_end().chars().count()).max()
    };
    let Some(at_80) = widest(80) else { return };
    assert!((70..=80).contains(&at_80), "{at_80}");
    let at_160 = widest(160).expect("as before");
    assert!((140..=160).contains(&at_160), "{at_160}");
    // A picture does not fit in less than 80 columns.
    assert_eq!(widest(30), Some(at_80));
}

#[cfg(target_os = "linux")]
#[test]
fn colours_and_bars_are_for_terminals() {
    let shown = |no_color| on_terminal("layout show 'f32[3,5]{1,0:T(2,2)}'", no_color);
    let Some(coloured) = shown(None) else { return };
    // Padding is faint.
    assert!(coloured.contains("\x1b[36m  0\x1b[0m") && coloured.contains("\x1b[90m"));
    assert!(!shown(Some("1")).expect("as before").contains('\x1b'));
    assert!(shown(Some("")).expect("as before").contains('\x1b'));
    let convert = on_terminal("layout convert rows.npy new.npy --to '{0,1}'", None);
    assert!(!convert.expect("as before").is_empty());
}

/// What the README and the guide show, the command prints: each line `$ layout ..` of a block of text is
/// followed by its whole output.
#[test]
fn documents_show_what_it_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (document, expected) in [
        ("README.md", 1),
        ("crates/cli/README.md", 5),
        ("layout/src/guide.md", 5),
        ("crates/gpu/src/shared_memory.md", 2),
    ] {
        let text = fs::read_to_string(root.join(document)).expect("the document is there");
        let mut count = 0;
        for part in text.split("\n$ layout ").skip(1) {
            let (line, rest) = part.split_once('\n').expect("a line");
            let shown = rest.split("```").next().unwrap_or_default();
            // Every second part is in quotes.
            let parts = line.split('\'').enumerate();
            let arguments = parts.flat_map(|(number, part)| match number % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            let output = layout(&arguments.collect::<Vec<_>>()).output().expect("it runs");
            assert_eq!(String::from_utf8(output.stdout).unwrap(), shown, "{document}: {line}");
            count += 1;
        }
        assert_eq!(count, expected, "{document}");
    }
}
