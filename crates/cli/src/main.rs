//! The command `layout`: array layouts in XLA's notation, shown and explained.

mod arguments;
mod check;
mod code;
mod conflicts;
mod convert;
mod diff;
mod explain;
mod explore;
mod file;
mod formats;
mod hlo;
mod install;
mod output;
mod pallas;
mod reshard;
mod shape;
mod shard;
mod show;

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::{ExitCode, exit};

use arguments::{Arguments, Command};
use clap::Parser as _;
use clap::error::ContextValue;
use layout_core::Visible;

fn main() -> ExitCode {
    let answer = match Arguments::try_parse().unwrap_or_else(usage).command {
        Command::Show(arguments) => show::show(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Explore(arguments) => explore::explore(&arguments),
        Command::Conflicts(arguments) => conflicts::conflicts(&arguments),
        Command::Formats(arguments) => formats::formats(&arguments),
        Command::Hlo(arguments) => hlo::hlo(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Code(arguments) => code::code(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Pallas(arguments) => pallas::pallas(&arguments),
        Command::Shard(arguments) => shard::shard(&arguments),
        Command::Reshard(arguments) => reshard::reshard(&arguments),
        Command::Completions(arguments) => install::completions(&arguments),
        Command::Man(arguments) => install::man(&arguments),
    };
    output::write(answer)
}

/// Says what is wrong with the arguments, or gives help, and ends.
fn usage(mut error: clap::Error) -> Arguments {
    // What was written, not clap's own text, which has lines.
    let visible = |text: &dyn Display| Visible(&text.to_string()).to_string();
    let written = error.context().filter_map(|(kind, value)| {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(visible(text)),
            // Of one path of two, clap misses the first, which may be several.
            ContextValue::Strings(missing) if *missing == ["<IN>..."] => {
                ContextValue::Strings(vec!["<OUT>".to_owned()])
            }
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| visible(text)).collect())
            }
            ContextValue::StyledStrs(texts) => {
                ContextValue::StyledStrs(texts.iter().map(|text| visible(text).into()).collect())
            }
            _ => return None,
        };
        Some((kind, value))
    });
    for (kind, value) in written.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    let written = error.print().and_then(|()| io::stdout().flush());
    match written {
        Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: standard output: {fault}");
            exit(2)
        }
        _ => exit(error.exit_code()),
    }
}
