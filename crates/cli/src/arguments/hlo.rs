//! The arguments of `layout hlo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Say what fills the memory while a compiled program runs, which copies it makes, and what to write instead
///
/// Reads the text that `compiled.as_text()` of JAX prints, or the `*.oom_intermediate_module.txt` that a failed compile leaves
/// where XLA_FLAGS has --xla_dump_to=DIR. Bytes count padding. The peak is arguments, results
/// and temporaries at the moment when they are most; compilers for CPUs report it without temporaries.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "Example:\n  layout hlo module_0001.jit_step.after_optimizations.txt\n  \
                  layout hlo module_0001.jit_step.after_optimizations.txt --svg memory.svg\n  \
                  layout hlo diff before.txt after.txt\n  \
                  layout hlo module_0001.jit_step.after_optimizations.txt --check-args model.safetensors"
)]
pub(crate) struct Hlo {
    #[command(subcommand)]
    pub command: Option<HloCommand>,

    /// The file; `-` is the standard input
    #[arg(required = true)]
    pub file: Option<PathBuf>,

    /// Number of lines of each table
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,

    /// List all frames of each line's stack, not only the innermost one of the user's files
    #[arg(long)]
    pub frames: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// List only the copies between layouts, and what to write so that they go
    #[arg(long)]
    pub advise: bool,

    /// Draw the memory in use over the program as SVG to a file; `-` is the standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "advise"])]
    pub svg: Option<PathBuf>,

    /// Compare the parameters with the tensors of a file instead; the exit status is 1 if they do not fit
    ///
    /// A tensor is for the parameter whose name is its own or ends with its own: layers.0.w for params['layers'][0]['w'].
    /// If no name fits, tensors are taken in the order of their names.
    #[arg(long, value_name = "TENSORS", conflicts_with_all = ["json", "top", "advise", "svg", "frames"])]
    pub check_args: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum HloCommand {
    Diff(HloDiff),
}

/// Say what changed between two versions of a program: the peak, copies, and what came and went
#[derive(Args)]
pub(crate) struct HloDiff {
    /// The program before; `-` is the standard input
    pub before: PathBuf,

    /// The program after
    pub after: PathBuf,

    /// Number of lines of each table
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,
}
