//! Files that someone made to mislead a reader, or to take all time and memory.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A file that goes when the test ends.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Temporary {
        let file = std::env::temp_dir().join(format!("layout-{}-{name}", std::process::id()));
        fs::write(&file, text).expect("the folder for temporary files can be written");
        Temporary(file)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
        command.args(arguments).arg(&self.0).output().expect("the program runs")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn texts(output: Output) -> [String; 2] {
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// Whether nothing of it acts on a terminal or reorders what is read.
fn is_visible(text: &str) -> bool {
    !text.chars().any(|c| c != '\n' && layout_core::is_hidden(c))
}

/// A module with these instructions.
fn module(instructions: &str) -> String {
    format!("HloModule m\n\nENTRY main {{\n{instructions}}}\n")
}

/// As XLA escapes them and raw: the escape sequence for a title, a bell, a newline, and what turns the text around.
const NAME: &str = "\\033]0;x\\007\u{1b}[2J\u{9b}m\\n  99 forged\n\u{202e}w";

#[test]
fn names_cannot_act_on_the_terminal() {
    let text = module(&format!(
        "  p = f32[3] parameter(0), metadata={{op_name=\"{NAME}\"}}\n  ROOT r = f32[3] add(p)\n"
    ));
    let file = Temporary::new("names.hlo", &text);
    let [out, _] = texts(file.run(&["hlo"]));
    assert!(is_visible(&out), "{out:?}");
    let expected = "parameters
  bytes  expansion     name                                                                    shape
     12       1.00  0  \\u{1b}]0;x\\u{7}\\u{1b}[2J\\u{9b}m\\n  99 forged\\n\\u{202e}w  f32[3]{0}
";
    let expected = expected.replace("\\\\", "\\");
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(squeezed(&out).contains(&squeezed(&expected)), "{out}");
    // Columns are as wide as what is shown.
    let mut lines = out.lines().skip_while(|line| *line != "parameters").skip(1);
    let [head, row] = [lines.next(), lines.next()].map(|line| line.expect("two lines"));
    assert_eq!(head.find("shape"), row.find("f32[3]"), "{out}");

    let [json, _] = texts(file.run(&["hlo", "--json"]));
    assert!(is_visible(&json), "{json:?}");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let name = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}m\n  99 forged\n\u{202e}w";
    assert_eq!(value["parameters"][0]["name"], name);
}

#[test]
fn file_names_and_excerpts_cannot_act_on_the_terminal() {
    let shapes =
        Temporary::new("\u{1b}[31m\n\u{202e}.txt", "f32[\u{202e}\u{7}2]\n(\u{1b}, f23[1])\n");
    let [out, _] = texts(shapes.run(&["check"]));
    assert!(is_visible(&out), "{out:?}");
    let shown = r"-\u{1b}[31m\n\u{202e}.txt:2:5: unknown element type
  | (\u{1b}, f23[1])
  |          ^^^";
    assert!(out.contains(shown), "{out}");
    let [_, error] = texts(shapes.run(&["hlo"]));
    assert!(is_visible(&error), "{error:?}");
    assert!(error.contains(r"-\u{1b}[31m\n\u{202e}.txt: line 1, column 1: "), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");

    let missing = Temporary(PathBuf::from("no\u{1b}such\nfile\u{202e}"));
    for arguments in
        [&["check"][..], &["hlo"], &["show", "f32[2]", "--svg=no/such\u{1b}\n", "--dims=1"]]
    {
        let [out, error] = texts(missing.run(arguments));
        assert!(out.is_empty() && is_visible(&error), "{error:?}");
    }
    let [_, error] = texts(missing.run(&["check"]));
    assert!(error.starts_with(r"error: no\u{1b}such\nfile\u{202e}: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn arguments_cannot_act_on_the_terminal() {
    let hostile = "\u{1b}]0;x\u{7}\n\u{202e}";
    for arguments in [
        &[hostile][..],
        &["show", hostile],
        &["show", "f32[2]", hostile],
        &["show", &format!("--{hostile}")],
        &["show", "f32[2]", "--dims", hostile],
        &["explain", "f32[2]", "--tpu", hostile],
        &["show", "f32[2]", "--svg", &format!("no/such/{hostile}")],
        &["diff", "f32[2]", hostile],
        &["explain", "f32[2]", "--at", hostile],
        &["completions", hostile],
        &["man", hostile],
        &["help", hostile],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
        let output = command.args(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let [out, error] = texts(output);
        assert!(out.is_empty() && is_visible(&error), "{arguments:?}: {error:?}");
        assert!(error.contains(r"\u{1b}]0;x\u{7}"), "{arguments:?}: {error}");
    }
}

/// Lines of a table after its title, up to the total; all rows end their columns where the head does.
fn rows<'a>(out: &'a str, title: &str) -> Vec<&'a str> {
    let lines = out.lines().skip_while(|line| *line != title).skip(1);
    let mut rows = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>();
    assert!(rows.pop().is_some_and(|line| line.starts_with("  total of ")), "{title}");
    let shape = rows[0].find("shape").expect("a head");
    assert!(rows[1..].iter().all(|row| row[shape..].starts_with("f32[")), "{title}");
    rows
}

/// Work that grows with the square of this takes minutes.
#[test]
fn long_tables_take_linear_time() {
    let instructions = (0..50_000).map(|number| {
        let size = number + 1;
        format!(
            "  p.{number} = f32[{size}] parameter({number})\n  a.{number} = f32[{size}] add()\n"
        )
    });
    let file = Temporary::new("tables.hlo", &module(&instructions.collect::<String>()));
    let [out, _] = texts(file.run(&["hlo", "--top", "40000"]));
    let (parameters, buffers) = (rows(&out, "parameters"), rows(&out, "largest buffers"));
    assert_eq!((parameters.len(), buffers.len()), (50_001, 40_001));
    assert!(buffers[1].ends_with("f32[50000]{0}") && buffers[40_000].ends_with("f32[10001]{0}"));
}

/// The same, where each column is to be counted.
#[test]
fn wrong_shapes_on_one_line_take_linear_time() {
    let shapes = "a=f23[é] b() ".repeat(300_000);
    let text = format!("HloModule m ENTRY main {{ {shapes}}}\n");
    let file = Temporary::new("line.hlo", &text);
    let [out, _] = texts(file.run(&["check"]));
    assert!(out.ends_with("\n300000 shapes, 300000 wrong\n"));
    let last = format!(":1:{}: unknown element type\n", 28 + 13 * 299_999);
    assert!(out.contains(&last));
}

/// The largest, and among equals the first, whatever was left out on the way.
#[test]
fn the_largest_buffers_keep_their_order() {
    let sizes = (0..1000usize).map(|number| number * 7919 % 101).collect::<Vec<_>>();
    let instruction =
        |(number, size): (usize, &usize)| format!("  a.{number} = f32[{size}] add()\n");
    let text = module(&sizes.iter().enumerate().map(instruction).collect::<String>());
    let file = Temporary::new("order.hlo", &text);
    let mut expected = sizes.iter().enumerate().collect::<Vec<_>>();
    expected.sort_by_key(|(_, size)| core::cmp::Reverse(**size));
    for top in [1, 2, 37, 999, 2000] {
        let [out, _] = texts(file.run(&["hlo", "--top", &top.to_string()]));
        let rows = rows(&out, "largest buffers");
        let found =
            rows[1..].iter().map(|row| row.split_whitespace().nth(2).expect("a name").to_owned());
        let expected = expected.iter().take(top).map(|(number, _)| format!("a.{number}"));
        assert!(found.eq(expected), "{top}");
    }
    let [out, _] = texts(file.run(&["hlo", "--top", "0"]));
    let bytes = 4 * sizes.iter().sum::<usize>();
    let total =
        format!("total of 1000 arrays: {bytes} bytes, {bytes} without padding, 0 wasted (0.0%)");
    assert!(out.ends_with(&format!("\nlargest buffers\n  {total}\n")), "{out}");
}

/// More bytes than a `u64` counts.
#[test]
fn totals_do_not_overflow() {
    let largest = "s8[9223372036854775807]";
    let text = module(&format!("  p = ({largest}, {largest}, {largest}) add()\n"));
    let file = Temporary::new("overflow.hlo", &text);
    let [out, _] = texts(file.run(&["hlo"]));
    assert!(out.contains("total of 3 arrays: 27670116110564327421 bytes, "), "{out}");
    let [json, _] = texts(file.run(&["hlo", "--json"]));
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["totals"]["buffers"]["bytes"], serde_json::Value::Null);
    assert_eq!(value["totals"]["buffers"]["waste_bytes"], 0);
}

/// Runs with no more memory than five times the text, all of the program itself included.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_below_five_times_the_text() {
    let bytes = 6_000_000;
    let many = |piece: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for number in 0.. {
            text += &piece(number);
            if text.len() > bytes {
                break;
            }
        }
        text
    };
    let root = "  ROOT r = f32[] add()\n";
    for (name, command, text) in [
        ("repeated", "hlo", module(&many(&|number| format!("  a = f32[{}] add()\n", number % 50)))),
        ("distinct", "hlo", module(&many(&|number| format!("  a = f32[{number}] add()\n")))),
        (
            "growing",
            "hlo",
            module(&many(&|number| format!("  a{number} = f32[{number}] b(f32[{number}] x)\n"))),
        ),
        (
            "a tuple",
            "hlo",
            module(&format!("  t = ({}f32[2]) add()\n{root}", many(&|_| "f32[2], ".into()))),
        ),
        ("shapes", "check", many(&|number| format!("f32[{number}]\n"))),
        ("a tuple alone", "check", format!("({}f32[2])\n", many(&|_| "f32[2],".into()))),
        ("distinct", "check", module(&many(&|number| format!("  a = f32[{number}] add()\n")))),
    ] {
        let file = Temporary::new("memory.txt", &text);
        let script = format!("ulimit -v {} && exec \"$@\"", text.len() * 5 / 1024);
        let program = env!("CARGO_BIN_EXE_layout");
        let output =
            Command::new("sh").args(["-c", &script, "sh", program, command]).arg(&file.0).output();
        let output = output.expect("there is a shell");
        let [_, error] = texts(output.clone());
        assert!(output.status.success(), "{command}, {name}: {error}");
    }
}
