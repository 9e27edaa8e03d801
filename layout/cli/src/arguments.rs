//! The command's arguments.

use std::num::ParseIntError;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use layout_core::Size;
use layout_core::tpu::Tpu;

/// Array layouts in XLA's notation, shown and explained.
#[derive(Parser)]
#[command(
    name = "layout",
    version,
    arg_required_else_help = true,
    after_help = "Write shapes as XLA does and quote them: 'f32[3,5]{1,0:T(2,2)}'. Angle brackets work as \
                  well as braces.\nExit status: 0; 1 if `check` finds a fault or `diff` a difference; 2 on \
                  an error."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Show(Show),
    Explain(Explain),
    Hlo(Hlo),
    Check(Check),
    Diff(Diff),
    Completions(Completions),
    Man(ManPage),
}

/// Sizes of the dimensions.
#[derive(Args)]
pub(crate) struct Dims {
    /// Sizes of all dimensions, dimension 0 first, for a shape with unknown sizes (`?`)
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = number)]
    pub dims: Option<Vec<Size>>,
}

/// Draw a layout: the array as a grid of offsets, and its order in memory
///
/// Offsets count elements. Padding is shaded. Of a large array, the parts where something changes are
/// shown: … and ⋮ stand for columns and rows that are left out, ┊ and ┄ for those that tiles end in. On a
/// terminal the picture is as wide as the terminal, elsewhere 100 columns.
#[derive(Args)]
#[command(after_help = "Example:\n  layout show 'f32[3,5]{1,0:T(2,2)}'\n  \
                        layout show 'bf16[300,500]{1,0:T(8,128)(2,1)}' --svg layout.svg")]
pub(crate) struct Show {
    /// The shape of an array with its layout, as in `f32[3,5]{1,0:T(2,2)}`
    pub shape: String,

    #[command(flatten)]
    pub dims: Dims,

    /// Write the picture as SVG to a file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Explain a layout: sizes, tiling step by step, the formula of an offset
#[derive(Args)]
#[command(after_help = "Example:\n  layout explain 'bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}' \
                        --at 1,2,3 --offset 17")]
pub(crate) struct Explain {
    /// The shape of an array with its layout, as in `f32[3,5]{1,0:T(2,2)}`
    pub shape: String,

    #[command(flatten)]
    pub dims: Dims,

    /// Rank this TPU's layouts for every order of dimensions
    #[arg(long, value_name = "GENERATION", value_parser = tpu)]
    pub tpu: Option<Tpu>,

    /// Print the offset of the element at this index, dimension 0 first, as in `1,2,3` or `'1, 2, 3'`
    #[arg(long, value_name = "INDEX", value_delimiter = ',', value_parser = number)]
    pub at: Option<Vec<Size>>,

    /// Print the index of the element at this offset, in elements
    #[arg(long, value_name = "OFFSET")]
    pub offset: Option<Size>,
}

/// List the arrays of a compiled program: parameters, results and the largest buffers
///
/// Reads the text of an HLO module. Sizes are in bytes, padding included; the expansion is the padded bytes
/// divided by the unpadded bytes. Buffers are the arrays that instructions outside of fusions produce. Their
/// total counts all of them, not only those listed; a program that reuses memory needs less.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout hlo module_0001.jit_step.after_optimizations.txt --top 5"
)]
pub(crate) struct Hlo {
    /// The file; `-` is the standard input
    pub file: PathBuf,

    /// Number of buffers to list
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Check shapes in files, one per line, or in HLO text
///
/// Empty lines and lines that begin with `#` or `//` are skipped. Each fault is printed with its file, line
/// and column. The exit status is 1 if there are any.
#[derive(Args)]
#[command(after_help = "Example:\n  layout check shapes.txt\n  \
                        echo 'f32[3,5]{1,1}' | layout check -")]
pub(crate) struct Check {
    /// The files; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Compare two layouts of one array: do they put every element in the same place?
///
/// If not, prints the first element that moves; the exit status is 1.
#[derive(Args)]
#[command(after_help = "Example:\n  layout diff 'f32[16,128]' 'f32[16,128]{1,0:T(8,128)}'")]
pub(crate) struct Diff {
    /// The first shape, with its layout
    pub a: String,

    /// The second shape, with its layout
    pub b: String,

    #[command(flatten)]
    pub dims: Dims,
}

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  \
                        layout completions bash > ~/.local/share/bash-completion/completions/layout")]
pub(crate) struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Print the manual page of `layout` or of one of its commands
#[derive(Args)]
#[command(after_help = "Example:\n  layout man > layout.1\n  layout man show > layout-show.1")]
pub(crate) struct ManPage {
    /// The command, as in `show`
    pub command: Option<String>,
}

/// A number of a list, which may have spaces around it.
fn number(text: &str) -> Result<Size, ParseIntError> {
    text.trim().parse()
}

fn tpu(name: &str) -> Result<Tpu, String> {
    Tpu::from_name(name).ok_or_else(|| {
        let names = Tpu::ALL.map(Tpu::name).join(", ");
        format!("expected one of {names}")
    })
}
