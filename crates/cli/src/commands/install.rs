//! `layout completions` and `layout man`: what an installation puts beside the program.

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::arguments::{Arguments, Completions, ManPage};
use crate::output::{Answer, Refusal};

pub(crate) fn completions(arguments: &Completions) -> Result<Answer, Refusal> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    Ok(Answer::yes(String::from_utf8(script)?))
}

pub(crate) fn man(arguments: &ManPage) -> Result<Answer, Refusal> {
    // Only the commands of this program have pages: `help` is clap's own.
    let mut command = Arguments::command().disable_help_subcommand(true);
    // Gives the subcommands their whole names, `layout-show`.
    command.build();
    if let Some(name) = &arguments.command {
        command = command
            .find_subcommand(name)
            .ok_or_else(|| {
                let names = command.get_subcommands().map(|command| command.get_name());
                let names = names.collect::<Vec<_>>().join(", ");
                let name = layout_core::Visible(name);
                Refusal::from(format!("`{name}` is not a command: the commands are {names}"))
            })?
            .clone();
    }
    let mut page = Vec::new();
    let source = format!("layout {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(&mut page)?;
    Ok(Answer::yes(String::from_utf8(page)?))
}
