//! `layout check`.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;

use layout_spec::Shape;

use crate::arguments::Check;
use crate::output::{Answer, Refusal};

pub(crate) fn check(arguments: &Check) -> Result<Answer, Refusal> {
    let mut text = String::new();
    let (mut shapes, mut wrong) = (0, 0);
    for file in &arguments.files {
        let is_stdin = file == Path::new("-");
        let name = if is_stdin { "<stdin>".to_string() } else { file.display().to_string() };
        let content = read(file).map_err(|error| Refusal(format!("{name}: {error}")))?;
        for (number, line) in content.lines().enumerate() {
            let start = line.trim_start();
            if start.is_empty() || start.starts_with('#') || start.starts_with("//") {
                continue;
            }
            shapes += 1;
            let Err(error) = line.parse::<Shape>() else { continue };
            wrong += 1;
            for fault in error.faults() {
                let before = line.get(..fault.range().start).unwrap_or(line);
                let column = before.chars().count() + 1;
                let _ = writeln!(text, "{name}:{}:{column}: {}", number + 1, error.block(fault));
            }
        }
    }
    let _ = writeln!(text, "{shapes} shapes, {wrong} wrong");
    Ok(Answer { text, is_yes: wrong == 0 })
}

fn read(file: &Path) -> io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}
