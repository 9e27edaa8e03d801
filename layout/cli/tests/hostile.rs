//! Files that someone made to mislead a reader, or to take all time and memory.

#[path = "../../files/tests/folder/mod.rs"]
mod folder;

use std::process::Command;

use folder::Folder;

/// Runs the command on a file with this text.
fn run(name: &str, text: &str, arguments: &[&str]) -> String {
    let folder = Folder::new(name);
    let file = folder.write("file.txt", text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    let output = command.args(arguments).arg(&file).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

/// A module with these instructions.
fn module(instructions: &str) -> String {
    format!("HloModule m\n\nENTRY main {{\n{instructions}}}\n")
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
    let text = module(&instructions.collect::<String>());
    let out = run("tables", &text, &["hlo", "--top", "40000"]);
    let (parameters, buffers) = (rows(&out, "parameters"), rows(&out, "largest buffers"));
    assert_eq!((parameters.len(), buffers.len()), (50_001, 40_001));
    assert!(buffers[1].ends_with("f32[50000]{0}") && buffers[40_000].ends_with("f32[10001]{0}"));
}

/// Wrong shapes on one line, so that each error has to count its column.
#[test]
fn wrong_shapes_on_one_line_take_linear_time() {
    let shapes = "a=f23[é] b() ".repeat(300_000);
    let text = format!("HloModule m ENTRY main {{ {shapes}}}\n");
    let out = run("line", &text, &["check"]);
    assert!(out.ends_with("\n300000 shapes, 300000 wrong\n"));
    let last = format!(":1:{}: unknown element type\n", 28 + 13 * 299_999);
    assert!(out.contains(&last));
}

/// The list has the largest buffers, and among equal ones the first in the text, also where others were dropped from it.
#[test]
fn the_largest_buffers_keep_their_order() {
    let sizes = (0..1000usize).map(|number| number * 7919 % 101).collect::<Vec<_>>();
    let instruction =
        |(number, size): (usize, &usize)| format!("  a.{number} = f32[{size}] add()\n");
    let text = module(&sizes.iter().enumerate().map(instruction).collect::<String>());
    let mut expected = sizes.iter().enumerate().collect::<Vec<_>>();
    expected.sort_by_key(|(_, size)| core::cmp::Reverse(**size));
    for top in [1, 2, 37, 999, 2000] {
        let out = run("order", &text, &["hlo", "--top", &top.to_string()]);
        let rows = rows(&out, "largest buffers");
        let found =
            rows[1..].iter().map(|row| row.split_whitespace().nth(2).expect("a name").to_owned());
        let expected = expected.iter().take(top).map(|(number, _)| format!("a.{number}"));
        assert!(found.eq(expected), "{top}");
    }
    let out = run("order", &text, &["hlo", "--top", "0"]);
    let bytes = 4 * sizes.iter().sum::<usize>();
    let total =
        format!("total of 1000 arrays: {bytes} bytes, {bytes} without padding, 0 wasted (0.0%)");
    assert!(out.ends_with(&format!("\nlargest buffers\n  {total}\n")), "{out}");
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
    let repeated = |number| format!("  a = f32[{}] add()\n", number % 50);
    let distinct = |number| format!("  a = f32[{number}] add()\n");
    let growing = |number| format!("  a{number} = f32[{number}] b(f32[{number}] x)\n");
    let tuple = format!("  t = ({}f32[2]) add()\n{root}", many(&|_| "f32[2], ".into()));
    for (name, command, text) in [
        ("repeated", "hlo", module(&many(&repeated))),
        ("distinct", "hlo", module(&many(&distinct))),
        ("growing", "hlo", module(&many(&growing))),
        ("a tuple", "hlo", module(&tuple)),
        ("shapes", "check", many(&|number| format!("f32[{number}]\n"))),
        ("a tuple alone", "check", format!("({}f32[2])\n", many(&|_| "f32[2],".into()))),
        ("distinct", "check", module(&many(&distinct))),
    ] {
        let folder = Folder::new("bounded");
        let file = folder.write("file.txt", &text);
        let script = format!("ulimit -v {} && exec \"$@\"", text.len() * 5 / 1024);
        let program = env!("CARGO_BIN_EXE_layout");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh", program, command]).arg(file);
        let output = shell.output().expect("there is a shell");
        assert!(output.status.success(), "{command}, {name}: {output:?}");
    }
}
