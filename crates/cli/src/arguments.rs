//! The command's arguments.

mod hlo;
mod mesh;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use layout_core::Size;
use layout_core::tpu::Tpu;
use layout_files::Share;
use layout_gpu::code::Language;
use layout_hlo::pallas::{BlockIndex, BlockSize};
use layout_picture::Label;

pub(crate) use hlo::{Hlo, HloCommand, HloDiff};
pub(crate) use mesh::{Reshard, Shard};
use values::{block_size, check, label, language, number, tpu};

/// Array layouts in XLA's notation, shown and explained.
#[derive(Parser)]
#[command(
    name = "layout",
    version,
    arg_required_else_help = true,
    after_help = "Write shapes as XLA does and quote them: 'f32[3,5]{1,0:T(2,2)}'. Angle brackets work as \
                  well as braces.\nExit status: 0; 1 if `check` finds a fault, `conflicts` conflicts, `diff` a \
                  difference, `hlo` with `--check-args`, `--limit` or `--budget` what does not fit or `convert --check-only` what is wrong, or if `pallas --block` is refused; 2 on an error."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Show(Show),
    Explain(Explain),
    Explore(Explore),
    Conflicts(Conflicts),
    Formats(Formats),
    Hlo(Hlo),
    Check(Check),
    Diff(Diff),
    Code(Code),
    Convert(Convert),
    Pallas(Pallas),
    Shard(Shard),
    Reshard(Reshard),
    Completions(Completions),
    Man(ManPage),
}

/// A shape.
#[derive(Args)]
pub(crate) struct ShapeText {
    /// A shape with its layout, as in `f32[3,5]{1,0:T(2,2)}` or `f16[64,64], swizzle = 128B`; or a packed format, as in
    /// `marlin` or `marlin u4[64,128]`; or another notation and the array, as in `onednn:nChw16c f32[2,40,5,7]`
    #[arg(required = true, value_name = "SHAPE")]
    pub words: Vec<String>,

    #[command(flatten)]
    pub dims: Dims,
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
                        layout show 'bf16[300,500]{1,0:T(8,128)(2,1)}' --svg layout.svg\n  \
                        layout show 'f32[2,3,8,128]' --rows 0 --columns 3 --at 0,1,2,0\n  \
                        layout show 'q4_0_4_8 u4[4,64]'\n  \
                        layout show onednn:nChw16c 'f32[2,40,5,7]'\n  \
                        layout show 'f32[2,40,5,7]{3,2,1,0:T(16,1,1)}' --as einops")]
pub(crate) struct Show {
    #[command(flatten)]
    pub shape: ShapeText,

    /// Write the picture as SVG to a file; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// What stands in the cells of the SVG: offset, index, both or none
    #[arg(long, value_name = "LABEL", requires = "svg", value_parser = label)]
    pub label: Option<Label>,

    /// The dimension that is drawn as rows
    #[arg(long, value_name = "DIM", requires = "columns")]
    pub rows: Option<usize>,

    /// The dimension that is drawn as columns
    #[arg(long, value_name = "DIM", requires = "rows")]
    pub columns: Option<usize>,

    /// Draw only the slice through the element at this index, as in `1,2,3`
    #[arg(long, value_name = "INDEX", value_delimiter = ',', value_parser = number)]
    pub at: Option<Vec<Size>>,

    #[arg(long = "as", value_name = "NOTATION", conflicts_with = "svg", help = notations())]
    pub notation: Option<String>,
}

fn notations() -> String {
    let names = layout_notation::notation::Notation::NAMES;
    format!("Print the layout in this notation instead: xla, {names} or numpy")
}

/// Explain a layout: sizes, tiling step by step, the formula of an offset, what is addressable without a copy
///
/// Addressable is what is one stretch of memory: the slice at index 0 of dimension 0, a tile, a row, with its padding.
#[derive(Args)]
#[command(after_help = "Example:\n  layout explain 'bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}' \
                        --at 1,2,3 --offset 17")]
pub(crate) struct Explain {
    #[command(flatten)]
    pub shape: ShapeText,

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

/// Open a page in the browser: layouts as pictures to hover over and compare, the memory of compiled programs
///
/// The page is one file, and nothing that is typed or dropped on it leaves the machine. A compiled program is dropped on the
/// page, not named here. Prints the path of the page, which is in the folder for temporary files; for a browser that may
/// not read that folder, write the page elsewhere with `--out`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout explore 'f32[3,5]{1,0:T(2,2)}'\n  layout explore --out layouts.html"
)]
pub(crate) struct Explore {
    /// The layout that the page shows first, in any notation, as for `layout show`
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,

    /// Write the page to a file, and open no browser; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Count bank conflicts: how many passes a warp's access to shared memory takes, with a picture of the banks
///
/// NVIDIA's GPUs have 32 banks of 4 bytes and warps of 32 lanes. An access of 8 or 16 bytes a lane runs in phases of 16 or 8
/// lanes. If lanes of a phase touch different words of one bank, the phase takes a pass, a wavefront, for each of these
/// words; the bank with the most decides. The exit status is 1 if there are conflicts.
#[derive(Args)]
#[command(after_help = "Example:\n  layout conflicts 'f32[32,32]' --access 'lane, 0' --search\n  \
                        layout conflicts 'f16[64,64], swizzle = 128B' --access 'lane % 16, lane / 16 * 8' --bytes 16\n  \
                        layout conflicts 'f32[32,33]' --access '0, lane' --access 'lane, 0'")]
pub(crate) struct Conflicts {
    #[command(flatten)]
    pub shape: ShapeText,

    /// The element that a lane accesses, as in `'lane / 8, lane % 8 * 8'`; may be given several times
    ///
    /// A coordinate for each dimension, with `lane`, numbers, `+ - * / % & ^` and parentheses, as in C.
    #[arg(long = "access", value_name = "INDEX", required = true)]
    pub accesses: Vec<String>,

    /// Bytes that a lane accesses, 1, 2, 4, 8 or 16: one number, or one for each access; if not given, those of an element
    ///
    /// If an element has fewer, the lane accesses the next ones along the most minor dimension too.
    #[arg(long, value_name = "BYTES", value_delimiter = ',')]
    pub bytes: Vec<usize>,

    /// Number of active lanes, from lane 0 on: `--bytes 16 --lanes 16` for `ldmatrix.x2`
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub lanes: u32,

    /// The address at which the array begins, in bytes
    #[arg(long, value_name = "ADDRESS", default_value_t = 0)]
    pub base: Size,

    /// Find the swizzle and the padding of rows with the fewest wavefronts for all accesses
    #[arg(long)]
    pub search: bool,

    /// Write the tile by bank and the wavefronts as SVG to a file instead; `-` is the standard output
    #[arg(long, value_name = "FILE", conflicts_with = "search")]
    pub svg: Option<PathBuf>,

    /// Leave out the pictures of the banks
    #[arg(long)]
    pub brief: bool,
}

/// List the packed formats that have names: Marlin, Q4_0_4_8, operands of tensor cores
///
/// Each with its dimensions and the layout that it stands for, at a size that shows it. With a name, prints what is
/// known of this format.
#[derive(Args)]
#[command(after_help = "Example:\n  layout formats\n  layout formats marlin")]
pub(crate) struct Formats {
    /// The name of a format, as in `marlin`
    pub name: Option<String>,
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

/// Write a layout's functions for kernels, in WGSL, in the C family or as maps of MLIR
///
/// The functions are the offset of an element, its inverse, whether a slot is padding, and whether coordinates are in
/// bounds. Where sizes are known at run time only (`?`, `<=N`) the functions take them as arguments. GLSL and HLSL come
/// from WGSL, which naga translates.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout code --language wgsl --name weights 'bf16[300,500]{1,0:T(8,128)(2,1)}'"
)]
pub(crate) struct Code {
    #[command(flatten)]
    pub shape: ShapeText,

    #[arg(long, value_parser = language, help = languages())]
    pub language: Language,

    /// What the names of the functions begin with
    #[arg(long, default_value = "layout")]
    pub name: String,

    /// The width of an index: 32 if not given, or 64 in the C family
    #[arg(long, value_name = "BITS")]
    pub index_bits: Option<usize>,
}

fn languages() -> String {
    format!("One of {}", Language::NAMES.to_ascii_lowercase())
}

/// Convert the layouts of tensors in files: .npy, .safetensors, GGUF (read only), raw
///
/// The extension says the format; what has no other one is raw: the bytes of one tensor. A layout is written without
/// sizes (`{1,0:T(8,128)}`), and is then that of each chosen tensor; or as a whole shape, which the tensor must have; or
/// as the name of a packed format (`layout formats`), or in another notation (`onednn:nChw16c`). Tensors that are not
/// chosen are copied; but an OUT of one tensor (.npy, raw) has the chosen one alone.
///
/// Prints a line for each tensor that changes: its layouts, and its bytes before and after.
///
/// OUT.layout.json records what was done. Without `--from`, `--to` and `--tpu`, `layout convert OUT BACK` undoes it,
/// with names, element types and dimensions that OUT could not hold; a file without a record only changes its format. A
/// tensor is stored with the dimensions that it has in memory, tiles and padding included: f32[300,500]{1,0:T(8,128)} as
/// [38,4,8,128].
///
/// OUT is replaced when the new file is whole, which gets its permissions; until then it is written as OUT.NUMBER.tmp,
/// and OUT.layout.lock keeps other runs away. What a run that is killed leaves, the next one for OUT removes. Of a
/// symbolic link, the file that it leads to is replaced, and these files and OUT.layout.json are beside that file.
#[derive(Args)]
#[command(
    after_help = "Example:\n  layout convert model.safetensors v5e.safetensors --tpu v5e --tensor 'model.layers.*.weight'\n  \
                  layout convert v5e.safetensors model.safetensors\n  \
                  layout convert weights.bin tiles.npy --from 'bf16[300,500]' --to '{1,0:T(8,128)(2,1)}'\n  \
                  layout convert weights.bin tiles.npy --from 'bf16[300,500]' --to '{1,0:T(8,128)(2,1)}' --check-only\n  \
                  layout convert model.safetensors v5e.safetensors --tpu v5e --part 2/16\n  \
                  layout convert --join v5e.safetensors.part-*-of-16 v5e.safetensors"
)]
pub(crate) struct Convert {
    /// The file to read; with `--join`, all shares
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,

    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// The layout in IN; if not given, what IN.layout.json says, or else row-major
    ///
    /// A whole shape also gives the element type, where the file does not: 'u4[4096,11008]{1,0:E(4)}' for a tensor of
    /// bytes, or of words that hold packed elements. It must have as many bytes as the tensor.
    #[arg(long, value_name = "LAYOUT")]
    pub from: Option<String>,

    /// The layout in OUT; row-major, if only `--from` is given
    #[arg(long, value_name = "LAYOUT", conflicts_with = "tpu")]
    pub to: Option<String>,

    /// The default layouts of this TPU's compiler in OUT
    #[arg(long, value_name = "GENERATION", value_parser = tpu)]
    pub tpu: Option<Tpu>,

    /// Convert the tensors with this name only, in which `*` stands for any characters and `?` for one; may be given
    /// several times
    #[arg(long = "tensor", value_name = "NAME")]
    pub tensors: Vec<String>,

    /// Keep the low bits of bytes that become narrower elements
    ///
    /// Without it, a byte that such an element does not hold is an error, before anything is written: it must be the same
    /// byte when the element is widened again, by zeros, or by the sign in s4 and s2. So 0x0f becomes an element of u4
    /// with E(4), and 0xff one of s4. Bytes that hold negative numbers with zeros above them, as ml_dtypes stores int4,
    /// need it.
    #[arg(long)]
    pub truncate: bool,

    /// Compare OUT, or its share, with IN before it takes its place: every element and all padding, or a sample
    ///
    /// The copy takes no part in it: the formulas of both layouts say where each element is. That takes about 60 ns for an
    /// element (80 MB/s of f32, 17 of bytes), divided by the number of processors, and no memory for whole tensors. `--check=sample` compares 131,072
    /// random elements of each converted tensor, and what lies around each MiB: an error at the ends of an array or in a
    /// ten thousandth of it is found, one wrong element is not. With `--truncate` the low bits count.
    #[arg(
        long,
        value_name = "HOW",
        value_parser = check,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    pub check: Option<layout_files::Check>,

    /// Compare an OUT that was written before with IN, as `--check` does, and write nothing; the exit status is 1 if it is
    /// wrong
    ///
    /// Give the arguments that OUT was made with, or none where OUT was made by undoing a conversion.
    #[arg(long, conflicts_with_all = ["dry_run", "part"])]
    pub check_only: bool,

    /// Say what would be written, and write nothing; bytes that narrower elements do not hold are not looked for
    #[arg(long)]
    pub dry_run: bool,

    /// Write one of N shares of OUT, as OUT.part-K-of-N, which `--join` puts together
    ///
    /// Shares are consecutive stretches of OUT's bytes, of about the same size; 1/1 is one too, OUT.part-1-of-1. Each
    /// has a mark at its end: which conversion of which source it is of, and a digest of its bytes. So each run reads all
    /// of IN once, besides what it converts.
    #[arg(long, value_name = "K/N")]
    pub part: Option<Share>,

    /// Join shares: each IN is one, in any order, and OUT is the whole file
    ///
    /// OUT gets its OUT.layout.json too. A share that is missing, doubled, damaged or of another conversion is an error.
    #[arg(long, conflicts_with_all = ["from", "to", "tpu", "tensors", "truncate", "check", "check_only", "part", "dry_run"])]
    pub join: bool,
}

/// Check blocks of Pallas kernels for TPUs: what the compiler refuses, and what they take in VMEM
///
/// Of a file of kernels, one in JSON a line, the answer is a line of JSON for each: its `id`; the `verdict`, `ok` or `refused`; the
/// `reason`; bytes of the `windows`, a number for each operand, and of all of them (`vmem_bytes`); `bound_bytes`, which no
/// kernel measured exceeds; and `limit_bytes`, which the kernel gets. Fields of a kernel are `tpu`, `grid` and
/// `operands`; of an operand `role` (in, out, scratch, prefetch), `dtype`, `array`, `block` (null for a squeezed dimension,
/// {"element": 8, "padding": [0, 8]} for `pl.Element`, {"bounded_slice": 8} for `pl.BoundedSlice`),
/// `index_map` (texts in `g0`, `g1`, .. for the grid and `p0[..]` for what is prefetched, or `constant`), `space`, `buffers`,
/// `element` (1 if indices count elements), `in_vmem` (whether XLA keeps the array in VMEM). A kernel may also have `semantics`,
/// `vmem_limit`, `internal_scratch`, `input_fusion`, `scoped_alloc`, `pin` (1 if its arrays are forced into HBM), `body`:
/// `none`, `zero`, `copy`, `add`, `matmul`, `store_first` and `scratch_live` (which write scratch) are known; and `intermediates`, values
/// in the body that are larger than any block, as in [["f32", [2048, 4096]]] for the scores of attention. Without them, the bound of
/// a body that is not known has the two largest dots that its inputs can have.
///
/// With `--block`, checks one array, read by a kernel, and answers for a person; the exit status is 1 if it is refused.
#[derive(Args)]
#[command(after_help = "Example:\n  layout pallas kernels.jsonl\n  \
                        layout pallas 'bf16[4096,4096]' --block 256,512 --grid 16,8 --tpu v5e")]
pub(crate) struct Pallas {
    /// The file, `-` for the standard input; or an array, with `--block`
    #[arg(value_name = "KERNELS|ARRAY")]
    pub subject: String,

    /// Sizes of a block of the array, dimension 0 first; `_` for a squeezed dimension
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = block_size, requires = "tpu")]
    pub block: Vec<BlockSize>,

    /// Sizes of the grid's axes; one step if not given
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = number, requires = "block")]
    pub grid: Vec<Size>,

    /// Where the block lies along each dimension, as in `g0,g1//2`; if not given, along each axis of the grid in turn
    #[arg(long, value_name = "INDICES", value_delimiter = ',', requires = "block")]
    pub map: Vec<BlockIndex>,

    /// The TPU: v4, v5e, v5p, v6e or v7x
    #[arg(long, value_name = "GENERATION", value_parser = tpu, requires = "block")]
    pub tpu: Option<Tpu>,
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
