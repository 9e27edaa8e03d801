//! `layout hlo`.

mod check_args;

use std::fmt::Write as _;
use std::path::Path;

use layout_core::is_hidden;
use layout_hlo::{Memory, Module, ReportOptions};

use crate::arguments::{Hlo, HloCommand, HloDiff};
use crate::file;
use crate::output::{Answer, Refusal};

/// Which text a program is.
const HELP: &str = "give the text of an HLO module, which starts with `HloModule`; tensors are compared by `--check-args`";

pub(crate) fn hlo(arguments: &Hlo) -> Result<Answer, Refusal> {
    if let Some(HloCommand::Diff(diff)) = &arguments.command {
        return difference(diff);
    }
    let file = arguments.file.as_deref().unwrap_or(Path::new("-"));
    let text = file::read(file, HELP)?;
    let module = parsed(file, &text)?;
    if let Some(tensors) = &arguments.check_args {
        return check_args::check_args(&module, tensors);
    }
    let memory = memory(file, &module)?;
    let options = ReportOptions { top: arguments.top, frames: arguments.frames };
    let answer = match &arguments.svg {
        Some(svg) => file::write_picture(svg, memory.svg())?,
        None if arguments.json => json(&memory)?,
        None if arguments.advise => memory.report_copies(options),
        None => memory.report(options),
    };
    Ok(Answer::yes(answer))
}

fn difference(arguments: &HloDiff) -> Result<Answer, Refusal> {
    let [before, after] = [&arguments.before, &arguments.after].map(|file| file::read(file, HELP));
    let (before, after) = (before?, after?);
    let [a, b] = [(&arguments.before, &before), (&arguments.after, &after)];
    let (a, b) = (parsed(a.0, a.1)?, parsed(b.0, b.1)?);
    let options = ReportOptions { top: arguments.top, frames: false };
    let after = memory(&arguments.after, &b)?;
    Ok(Answer::yes(memory(&arguments.before, &a)?.difference(&after, options)))
}

fn parsed<'a>(file: &Path, text: &'a str) -> Result<Module<'a>, Refusal> {
    Module::parse(text).map_err(|error| Refusal::from(format!("{}: {error}", file::name(file))))
}

fn memory<'m>(file: &Path, module: &'m Module<'_>) -> Result<Memory<'m>, Refusal> {
    module.memory().map_err(|error| Refusal::from(format!("{}: {error}", file::name(file))))
}

/// The memory as JSON. What is hidden in it stands in strings, which have an escape for it.
fn json(memory: &Memory<'_>) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(memory)? + "\n";
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Ok(out)
}
