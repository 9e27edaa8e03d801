//! `layout check`.

use std::fmt::Write as _;

use layout_core::{Error, Message, Shape, Size};
use layout_hlo::{self as hlo, ErrorKind, Occurrence};

use crate::arguments::Check;
use crate::file;
use crate::output::{Answer, Refusal, count};

pub(crate) fn check(arguments: &Check) -> Result<Answer, Refusal> {
    let mut report = Report { text: String::new(), shapes: 0, wrong: 0, is_broken: false };
    for file in &arguments.files {
        let name = file::name(file);
        let content = file::read(file, "give shapes, one per line, or the text of an HLO module")?;
        if !hlo::is_module(&content) {
            report.lines(&name, &content);
        } else if let Err(error) = hlo::for_each_shape(&content, |found| report.found(&name, found))
        {
            report.is_broken = true;
            let what = format!("{name}:{}:{}: {}", error.line(), error.column(), error.message());
            let _ = writeln!(report.text, "{}", Message::from(what).with_help(error.help()));
        }
    }
    let Report { mut text, shapes, wrong, is_broken } = report;
    let _ = writeln!(text, "{}, {wrong} wrong", count(shapes as Size, "shape"));
    Ok(Answer { text, is_yes: wrong == 0 && !is_broken })
}

struct Report {
    text: String,
    shapes: usize,
    wrong: usize,
    /// Whether a text is not HLO to its end.
    is_broken: bool,
}

impl Report {
    /// A file with a shape on each line.
    fn lines(&mut self, name: &str, content: &str) {
        for (number, line) in content.lines().enumerate() {
            let start = line.trim_start();
            if start.is_empty() || start.starts_with('#') || start.starts_with("//") {
                continue;
            }
            self.shapes += 1;
            if let Err(error) = Shape::for_each_array(line, |_, _| {}) {
                self.faults(name, (number + 1, 1), line, &error);
            }
        }
    }

    /// A shape of an HLO text.
    fn found(&mut self, name: &str, found: &Occurrence<'_>) {
        self.shapes += 1;
        if let Err(error) = found.for_each_array(|_, _| {})
            && let ErrorKind::Shape(error) = error.kind()
        {
            self.faults(name, (found.line(), found.column()), found.text(), error);
        }
    }

    fn faults(&mut self, name: &str, (line, column): (usize, usize), text: &str, error: &Error) {
        self.wrong += 1;
        for fault in error.faults() {
            let before = fault.range().and_then(|range| text.get(..range.start)).unwrap_or(text);
            let column = column + before.chars().count();
            let _ = writeln!(self.text, "{name}:{line}:{column}: {}", error.block(fault));
        }
    }
}
