//! The command `layout`: array layouts in XLA's notation, shown and explained.

mod advice;
mod arguments;
mod check;
mod code;
mod convert;
mod diff;
mod explain;
mod file;
mod formats;
mod hlo;
mod install;
mod output;
mod shape;
mod show;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser as _;

fn main() -> ExitCode {
    let answer = match Arguments::try_parse().unwrap_or_else(output::usage).command {
        Command::Show(arguments) => show::show(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Formats(arguments) => formats::formats(&arguments),
        Command::Hlo(arguments) => hlo::hlo(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Code(arguments) => code::code(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Completions(arguments) => install::completions(&arguments),
        Command::Man(arguments) => install::man(&arguments),
    };
    output::write(answer)
}
