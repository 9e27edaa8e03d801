//! The arguments of `layout hlo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use layout_hlo::Bytes;

use super::values::{device, share};

/// Say whether a compiled program fits, what fills the memory while it runs, which copies it makes, and what to write instead
///
/// Reads the text that `compiled.as_text()` of JAX prints, or the `*.oom_intermediate_module.txt` that a failed compile leaves
/// where XLA_FLAGS has --xla_dump_to=DIR, or lists the programs in DIR. Of XLA's error of a program that ran out of memory, also in
/// a log, and of `*-memory-usage-report.txt` it lists the largest arrays. Bytes count padding. What has to fit is arguments, results, constants
/// and a block for all temporaries, packed as the compiler does it. The peak is what is in use at once.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "Example:\n  layout hlo module_0001.jit_step.after_optimizations.txt\n  \
                  layout hlo module_0001.jit_step.after_optimizations.txt --svg memory.svg\n  \
                  layout hlo DIR --device v5e\n  \
                  layout hlo diff BEFORE AFTER --budget 1%\n  \
                  layout hlo module_0001.jit_step.after_optimizations.txt --check-args model.safetensors"
)]
pub(crate) struct Hlo {
    #[command(subcommand)]
    pub command: Option<HloCommand>,

    /// The file, `-` for the standard input; or the folder of a dump
    #[arg(required = true)]
    pub file: Option<PathBuf>,

    /// Number of lines of each table
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,

    /// List all frames of each line's stack, not only the innermost one of the user's files
    #[arg(long)]
    pub frames: bool,

    /// Bytes that there are, as in 15.75G: says what is over; the exit status is 1 if the program does not fit
    #[arg(long, value_name = "BYTES")]
    pub limit: Option<Bytes>,

    /// The limit by the name of a device, as in v5e or h100 (of GPUs the three quarters that JAX takes by default)
    #[arg(long, value_name = "DEVICE", value_parser = device, conflicts_with = "limit")]
    pub device: Option<Bytes>,

    /// List what is in memory by module and call path
    #[arg(long)]
    pub tree: bool,

    /// List what is in VMEM too
    #[arg(long)]
    pub vmem: bool,

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
    #[arg(long, value_name = "TENSORS", conflicts_with_all = ["json", "top", "advise", "svg", "frames", "limit", "device", "tree", "vmem"])]
    pub check_args: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum HloCommand {
    Diff(HloDiff),
}

/// Say what changed between two versions of a program: what has to fit, copies, and what came and went
///
/// Of two folders, modules of one name are compared.
#[derive(Args)]
pub(crate) struct HloDiff {
    /// The program before, `-` for the standard input; or the folder of a dump
    pub before: PathBuf,

    /// The program after, or its folder
    pub after: PathBuf,

    /// Number of lines of each table
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,

    /// How much more a program may need; above that the exit status is 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub budget: Option<f64>,
}
