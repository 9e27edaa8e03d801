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
    format!("HloModule m, is_scheduled=true\n\nENTRY main {{\n{instructions}}}\n")
}

/// Lines of a table after its title.
fn rows<'a>(out: &'a str, title: &str) -> Vec<&'a str> {
    let lines = out.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Work that grows with the square of this takes minutes.
#[test]
fn long_tables_take_linear_time() {
    let instructions = (0..50_000).map(|number| {
        let size = number + 1;
        let last = if number == 0 { "p.0".to_owned() } else { format!("a.{}", number - 1) };
        format!(
            "  p.{number} = f32[{size}] parameter({number})\n  a.{number} = f32[{size}] add(p.{number}, {last})\n"
        )
    });
    let text = module(&instructions.collect::<String>());
    let out = run("tables", &text, &["hlo", "--top", "40000"]);
    let rows = rows(&out, "in memory at the peak");
    assert_eq!(rows.len(), 40_001, "{}", &out[..1000]);
    assert!(rows[0].contains(" f32[50000] ") && rows[40_000].contains("more groups"));
}

/// Wrong shapes on one line, so that each error has to count its column.
#[test]
fn wrong_shapes_on_one_line_take_linear_time() {
    let shapes = (100_000..400_000).map(|i| format!("a{i}=f23[é] c() ")).collect::<String>();
    let text = format!("HloModule m ENTRY main {{ {shapes}}}\n");
    let out = run("line", &text, &["check"]);
    assert!(out.ends_with("\n300000 shapes, 300000 wrong\n"));
    let last = format!(":1:{}: unknown element type\n", 34 + 19 * 299_999);
    assert!(out.contains(&last));
}

/// Runs with no more memory than a few times the text, all of the program itself included. An instruction takes some hundred
/// bytes of memory, and of a text as compilers print it too.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_a_few_times_the_text() {
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
    // The page in the command is not memory that the text takes.
    let page = std::fs::metadata("page/index.html").map_or(0, |page| page.len() as usize);
    let root = "  ROOT r = f32[] add()\n";
    let metadata = r#"metadata={op_name="jit(step)/jvp(Model)/layers/attention/dot_general" source_file="/home/me/model.py" source_line=31}"#;
    let repeated = |number| format!("  a{number} = f32[{}] add(), {metadata}\n", number % 50);
    let distinct = |number| format!("  a{number} = f32[{number}] add(), {metadata}\n");
    let growing = |number| match number {
        0 => format!("  a0 = f32[] add(), {metadata}\n"),
        _ => {
            format!("  a{number} = f32[{number}] add(f32[{number}] a{}), {metadata}\n", number - 1)
        }
    };
    let tuple = format!("  t = ({}f32[2]) add()\n{root}", many(&|_| "f32[2], ".into()));
    for (name, command, times, text) in [
        ("repeated", "hlo", 6, module(&many(&repeated))),
        ("distinct", "hlo", 6, module(&many(&distinct))),
        ("growing", "hlo", 6, module(&many(&growing))),
        // Each of its arrays is one in memory, with a size and a time, for nine letters of text.
        ("a tuple", "hlo", 45, module(&tuple)),
        ("shapes", "check", 5, many(&|number| format!("f32[{number}]\n"))),
        ("a tuple alone", "check", 5, format!("({}f32[2])\n", many(&|_| "f32[2],".into()))),
        ("distinct", "check", 5, module(&many(&distinct))),
    ] {
        let folder = Folder::new("bounded");
        let file = folder.write("file.txt", &text);
        let script = format!("ulimit -v {} && exec \"$@\"", (text.len() * times + page) / 1024);
        let program = env!("CARGO_BIN_EXE_layout");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh", program, command]).arg(file);
        let output = shell.output().expect("there is a shell");
        assert!(output.status.success(), "{command}, {name}: {output:?}");
    }
}
