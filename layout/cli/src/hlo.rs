//! `layout hlo`.

mod check_args;
mod json;

use std::cmp::Reverse;
use std::path::Path;

use layout::tpu::pallas::used_vmem;
use layout_core::Visible;
use layout_hlo::{Bytes, Memory, Module, ReportOptions};

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
        Some(svg) if svg == Path::new("-") => memory.svg(),
        Some(svg) => {
            let written = std::fs::write(svg, memory.svg());
            written.map_err(|error| Refusal(format!("{}: {error}", file::name(svg))))?;
            String::new()
        }
        None if arguments.json => json::json(&memory)?,
        None if arguments.advise => memory.report_copies(options),
        None => memory.report(options) + &kernels(&text, arguments.top),
    };
    Ok(Answer::yes(answer))
}

/// What kernels of Pallas take of VMEM, those that take most first.
fn kernels(text: &str, top: usize) -> String {
    let calls = text.lines().filter(|line| line.contains("\"tpu_custom_call\""));
    let used = calls.filter_map(|line| {
        let name = line.trim_start().trim_start_matches("ROOT ").split(' ').next()?;
        Some((used_vmem(line)?, name.trim_start_matches('%')))
    });
    let mut found = used.collect::<Vec<_>>();
    found.sort_by_key(|(used, _)| Reverse(used.bytes));
    let mut out = String::new();
    for (number, (used, name)) in found.iter().take(top).enumerate() {
        if number == 0 {
            out += "\nVMEM of Pallas kernels\n";
        }
        let limit = used.limit.map(|limit| format!(" of {}", Bytes(limit as u64)));
        let limit = limit.unwrap_or_default();
        out +=
            &format!("  {:>9}{limit}  `{}`\n", Bytes(used.bytes as u64).to_string(), Visible(name));
    }
    if found.len() > top {
        out += &format!("  … and {} more kernels (`--top` lists more)\n", found.len() - top);
    }
    out
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
    Module::parse(text).map_err(|error| Refusal(format!("{}: {error}", file::name(file))))
}

fn memory<'m>(file: &Path, module: &'m Module<'_>) -> Result<Memory<'m>, Refusal> {
    module.memory().map_err(|error| Refusal(format!("{}: {error}", file::name(file))))
}

#[cfg(test)]
mod tests {
    use super::kernels;

    #[test]
    fn vmem_of_kernels() {
        let call = |name: &str, lists: &str| {
            let target = "custom_call_target=\"tpu_custom_call\"";
            format!("  {name} = f32[8]{{0}} custom-call(x), {target}, backend_config={{{lists}}}\n")
        };
        let list = |name: &str, size: u32| {
            format!("\"{name}\":[{{\"memory_space\":\"1\",\"offset\":\"0\",\"size\":\"{size}\"}}]")
        };
        let used = |size| list("used_scoped_memory_configs", size);
        let limited = list("scoped_memory_configs", 1 << 24) + "," + &used(1 << 20);
        let text =
            call("%small.1", &used(2048)) + &call("ROOT large.2", &limited) + &call("silent", "");
        let said = "\nVMEM of Pallas kernels\n   1.00 MiB of 16.0 MiB  `large.2`\n   2.00 KiB  `small.1`\n";
        assert_eq!(kernels(&text, 2), said);
        assert!(kernels(&text, 1).ends_with("… and 1 more kernels (`--top` lists more)\n"));
        assert_eq!(kernels(&call("silent", ""), 2), "");
    }
}
