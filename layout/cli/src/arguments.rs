//! What is written behind the command's name.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use layout_core::tpu::Tpu;

/// Array layouts in XLA's notation, shown and explained.
#[derive(Parser)]
#[command(
    name = "layout",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "A shape is written as XLA does, `f32[3,5]{1,0:T(2,2)}`; `<1,0:T(2,2)>` is the same. \
                  Put it in quotes.\nExit status: 0; 1 if `check` or `diff` says no; 2 if the \
                  arguments are wrong."
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
}

/// Sizes of the dimensions.
#[derive(Args)]
pub(crate) struct Dims {
    /// Sizes of all dimensions, for a shape that leaves some open (`?`)
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub dims: Option<Vec<usize>>,
}

/// Draw a layout: the array as a grid of offsets, and its order in memory
///
/// Offsets count elements. Padding is shaded. Large arrays are shown in parts.
#[derive(Args)]
#[command(after_help = "Example:\n  layout show 'f32[3,5]{1,0:T(2,2)}'\n  \
                        layout show 'bf16[300,500]{1,0:T(8,128)(2,1)}' --svg layout.svg")]
pub(crate) struct Show {
    /// The shape of an array with its layout, as in `f32[3,5]{1,0:T(2,2)}`
    pub shape: String,

    #[command(flatten)]
    pub dims: Dims,

    /// Write the picture to a file as SVG instead; `-` is the standard output
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

    /// Rank the layouts that the compiler of this generation of TPUs gives the orders of dimensions
    #[arg(long, value_name = "GENERATION", value_parser = tpu)]
    pub tpu: Option<Tpu>,

    /// Say where this element lies: its coordinates, dimension 0 first
    #[arg(long, value_name = "INDEX", value_delimiter = ',')]
    pub at: Option<Vec<usize>>,

    /// Say what lies at this offset, in elements
    #[arg(long, value_name = "OFFSET")]
    pub offset: Option<usize>,
}

/// List the arrays of a compiled program: parameters, results and the largest buffers
///
/// Reads the text of an HLO module. Bytes are those in memory with all padding; the expansion says how many
/// times as many they are as those of the elements alone. Buffers are the arrays that instructions outside
/// of fusions make.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout hlo module_0001.jit_step.after_optimizations.txt --top 5"
)]
pub(crate) struct Hlo {
    /// The file; `-` is the standard input
    pub file: PathBuf,

    /// How many buffers are listed
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub top: usize,

    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Check files of shapes, one shape a line, or HLO texts
///
/// In files of shapes empty lines and lines that begin with `#` or `//` are skipped. Faults are printed with file, line and
/// column. The exit status is 1 if there are any.
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
/// If they do not, the first element that moves is named, and the exit status is 1.
#[derive(Args)]
#[command(after_help = "Example:\n  layout diff 'f32[16,128]' 'f32[16,128]{1,0:T(8,128)}'")]
pub(crate) struct Diff {
    /// A shape with its layout
    pub a: String,

    /// Another
    pub b: String,

    #[command(flatten)]
    pub dims: Dims,
}

fn tpu(name: &str) -> Result<Tpu, String> {
    Tpu::from_name(name).ok_or_else(|| {
        let names = Tpu::ALL.map(Tpu::name).join(", ");
        format!("the generations are {names}")
    })
}
