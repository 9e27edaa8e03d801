//! `layout hlo`.

mod check_args;
mod folder;

use std::fmt::Write as _;
use std::path::Path;

use layout_core::is_hidden;
use layout_hlo::{Memory, Module, OutOfMemory, ReportOptions, is_module};

use crate::arguments::{Hlo, HloCommand, HloDiff};
use crate::file;
use crate::output::{Answer, Refusal, count};

/// Which text a program is.
const HELP: &str = "give the text of an HLO module, which starts with `HloModule`; tensors are compared by `--check-args`";

pub(crate) fn hlo(arguments: &Hlo) -> Result<Answer, Refusal> {
    if let Some(HloCommand::Diff(diff)) = &arguments.command {
        return difference(diff);
    }
    let file = arguments.file.as_deref().unwrap_or(Path::new("-"));
    let limit = arguments.limit.or(arguments.device).map(|limit| limit.0);
    if file.is_dir() {
        return folder::programs(file, limit);
    }
    let text = file::read(file, HELP)?;
    let is_report = !arguments.json && arguments.svg.is_none() && arguments.check_args.is_none();
    if is_report
        && !is_module(&text)
        && let Some(found) = OutOfMemory::find(&text)
    {
        let is_yes = limit.is_none_or(|limit| found.fits(limit));
        return Ok(Answer { text: found.report(arguments.top), is_yes });
    }
    let module = parsed(file, &text)?;
    if let Some(tensors) = &arguments.check_args {
        return check_args::check_args(&module, tensors);
    }
    let memory = memory(file, &module)?;
    let Hlo { top, frames, vmem, tree, .. } = *arguments;
    let options = ReportOptions { top, frames, vmem, tree, limit, ..ReportOptions::default() };
    let text = match &arguments.svg {
        Some(svg) => file::write_picture(svg, memory.svg(limit))?,
        None if arguments.json => json(&memory)?,
        None if arguments.advise => memory.report_copies(options),
        None => memory.report(options),
    };
    let is_yes = limit.is_none_or(|limit| memory.hbm.allocated_bytes <= limit);
    Ok(Answer { text, is_yes })
}

fn difference(arguments: &HloDiff) -> Result<Answer, Refusal> {
    let HloDiff { before, after, top, budget } = arguments;
    let options = ReportOptions { top: *top, ..ReportOptions::default() };
    let mut text = String::new();
    let mut is_yes = true;
    let mut same = 0;
    let are_folders = before.is_dir() && after.is_dir();
    for (before, after) in folder::pairs(before, after, &mut text)? {
        let (a, b) = (file::read(&before, HELP)?, file::read(&after, HELP)?);
        let (a, b) = (parsed(&before, &a)?, parsed(&after, &b)?);
        let (a, b) = (memory(&before, &a)?, memory(&after, &b)?);
        if are_folders && a.hbm.allocated_bytes == b.hbm.allocated_bytes {
            same += 1;
            continue;
        }
        let _ = writeln!(text, "{} to {}", file::name(&before), file::name(&after));
        text.push_str(&a.difference(&b, options));
        let allowed = |budget: f64| a.hbm.allocated_bytes as f64 * (1.0 + budget);
        is_yes &= budget.is_none_or(|it| b.hbm.allocated_bytes as f64 <= allowed(it));
    }
    if same > 0 {
        let _ = writeln!(text, "{}: no change in what has to fit", count(same, "program"));
    }
    Ok(Answer { text, is_yes })
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
