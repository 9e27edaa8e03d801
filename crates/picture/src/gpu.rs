//! Shared memory by bank, and fragments of matrix units by lane.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_core::base::width::native;
use layout_core::{ArrayShape, Size};
use layout_gpu::banks::{Access, BANKS, BankError, LANES, WORD_BYTES, WarpAccess};
use layout_gpu::fragment::{Fragment, Holder};

use crate::chart::{Cell, Chart, Drawing, MARGIN, Row, joined};
use crate::padded_box::PaddedBox;

/// Rows and words of a tile, rows and columns of a fragment. What is more is left out.
const MOST_ROWS: Size = 32;
const MOST_WORDS: Size = 36;
const MOST: Size = 64;
const WORD_BITS: Size = 8 * WORD_BYTES as Size;
/// Colours of lanes, and of units of 16 bytes.
const COLORS: usize = 8;

/// The tile, and below it the wavefronts of each access, in one SVG.
///
/// Each row of the tile, along its most minor dimension, is cut into words of 4 bytes, of which each has the number of its bank and
/// the colour of the four banks beside one another. Words that the first access touches have the lane, as in `L5`.
///
/// Each wavefront is a row of 32 banks with the lanes that they serve; those that a conflict costs are hatched. `+` is after
/// the first of several lanes that share a word. `data-key` are the lanes of a cell, with spaces between them, in all charts.
///
/// # Errors
/// If an access is not possible in this layout.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::banks::Access;
/// use layout_picture::gpu;
///
/// let tile: ArrayShape = "f32[32,32]".parse()?;
/// let svg = gpu::banks(&tile, &[Access::parse("lane, 0", 4)?])?;
/// // Lane 5 has a word of the tile, and a wavefront of its own.
/// assert_eq!(svg.matches("data-key=\"5\"").count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn banks(shape: &ArrayShape, accesses: &[Access]) -> Result<String, BankError> {
    let warps = accesses.iter().map(|access| access.addresses(shape));
    let warps = warps.collect::<Result<Vec<_>, _>>()?;
    let base = accesses.first().map_or(Ok(0), |access| base(shape, access))?;
    let mut out = Drawing { limit: usize::MAX, ..Drawing::default() };
    let mut top = MARGIN;
    if let Some(tile) = PaddedBox::new(shape) {
        let chart = tile_chart(shape, &tile, base, &warps);
        top = chart.draw(&mut out, [MARGIN, top], "t")[1] + MARGIN;
    }
    for warp in &warps {
        top = wavefronts(warp).draw(&mut out, [MARGIN, top], "t")[1] + MARGIN;
    }
    Ok(out.document(&shape.to_string()))
}

/// The tile alone as [`banks`] draws it, in small squares without numbers: to compare layouts of one tile.
///
/// # Errors
/// If the access is not possible in this layout.
pub fn small_banks(shape: &ArrayShape, access: Access) -> Result<String, BankError> {
    let (warp, base) = (access.addresses(shape)?, base(shape, &access)?);
    let Some(tile) = PaddedBox::new(shape) else { return Ok(String::new()) };
    let mut chart = tile_chart(shape, &tile, base, &[warp]);
    chart.title = format!("wavefronts: {}, conflicts: {}", warp.wavefronts(), warp.conflicts());
    let cells = chart.rows.iter_mut().flat_map(|row| row.cells.iter_mut().flatten());
    cells.for_each(|cell| cell.label.clear());
    Ok(chart.svg())
}

/// The address of the first byte of the tile.
fn base(shape: &ArrayShape, access: &Access) -> Result<Size, BankError> {
    let first = |warp: WarpAccess| warp.addresses().iter().flatten().next().copied().unwrap_or(0);
    Ok(first(access.addresses(shape)?) - first(access.at(0).addresses(shape)?))
}

/// The words of the rows of a tile that begins at an address.
fn tile_chart(shape: &ArrayShape, tile: &PaddedBox, base: Size, warps: &[WarpAccess]) -> Chart {
    let bits = shape.element_bits();
    let phases = |warp: &WarpAccess| (0..warp.phases()).map(|number| warp.phase(number)).collect();
    let phases: Vec<_> = warps.first().map_or_else(Vec::new, phases);
    let minor = tile.minor_to_major.first().copied();
    let others = tile.minor_to_major.get(1..).unwrap_or(&[]);
    let width = minor.map_or(1, |dim| tile.extents[dim]);
    let words = (width * bits).div_ceil(WORD_BITS);
    let cell = |row: Size, word: Size| {
        let (mut index, mut rest) = (vec![0; tile.rank()], row);
        for dim in others {
            (index[*dim], rest) = (rest % tile.extents[*dim], rest / tile.extents[*dim]);
        }
        let bit = word * WORD_BITS;
        if let Some(dim) = minor {
            index[dim] = bit / bits;
        }
        let address = base + (tile.offset(&index) * bits + bit % bits) / 8;
        let word = address / WORD_BYTES as Size;
        let bank = native(word % BANKS as Size);
        let touched = phases.iter().flat_map(|phase| phase.words(bank));
        let touched = touched.filter(|touched| touched.number == word);
        let lanes = touched.fold(0, |lanes, touched| lanes | touched.lanes);
        let is_hatched = tile.is_padding(&index);
        let what = if is_hatched { "padding" } else { &*format!("[{}]", joined(&index)) };
        let hint = format!("{what} at byte {address}, bank {bank}");
        Some(Cell { hint, is_hatched, is_marked: lanes != 0, ..bank_cell(bank, lanes, "L") })
    };
    let rows = others.iter().map(|dim| tile.extents[*dim]).product::<Size>();
    Chart::table(shape.to_string(), [rows, MOST_ROWS], [words, MOST_WORDS], 1, cell)
}

/// A row for each wavefront.
fn wavefronts(warp: &WarpAccess) -> Chart {
    let mut rows = Vec::new();
    for number in 0..warp.phases() {
        let phase = warp.phase(number);
        for wavefront in 0..phase.wavefronts() {
            let is_hatched = wavefront > 0;
            let name = if is_hatched { String::new() } else { format!("phase {number}") };
            let cell = |bank: usize| {
                let word = phase.words(bank).get(wavefront)?;
                let hint = format!("word {} in bank {bank}", word.number);
                Some(Cell { hint, is_hatched, ..bank_cell(bank, word.lanes, "") })
            };
            let cells = (0..BANKS).map(cell).collect();
            let ends = wavefront + 1 == phase.wavefronts();
            rows.push(Row { name, cells, ends, is_cut: false });
        }
    }
    let title = format!("wavefronts: {}, conflicts: {}", warp.wavefronts(), warp.conflicts());
    Chart { title, columns: (0..BANKS).map(|bank| bank.to_string()).collect(), rows }
}

/// A word of a bank with its lanes, a bit for each; the bank's number if there are none.
fn bank_cell(bank: usize, lanes: u32, prefix: &str) -> Cell {
    let more = if lanes.count_ones() > 1 { "+" } else { "" };
    let label = match lanes {
        0 => bank.to_string(),
        _ => format!("{prefix}{}{more}", lanes.trailing_zeros()),
    };
    let key = (0..LANES).filter(|lane| lanes >> lane & 1 == 1).map(|lane| lane.to_string());
    let (key, color) = (key.collect::<Vec<_>>().join(" "), Some(bank * COLORS / BANKS));
    Cell { label, key, color, ..Cell::default() }
}

/// An array of a fragment, its last two dimensions, each element with its lane and its register, as in `5.3`, and the warp before
/// them if there are several; in tensor memory with its lane and its column. Of several holders it is the first.
///
/// `data-key` are the warp and the lane, as in `0.5`.
///
/// # Examples
/// ```
/// use layout_gpu::fragment::{Instruction, Operand};
/// use layout_picture::gpu;
///
/// let d = Instruction::mma([16, 8, 16], 16).operand(Operand::D)?;
/// let svg = gpu::fragment("the result of mma.m16n8k16", &d);
/// assert!(svg.contains("data-index=\"9,3\" data-key=\"0.5\"><title>[9,3] in warp 0, lane 5, register 3"));
/// # Ok::<(), layout_gpu::fragment::FragmentError>(())
/// ```
pub fn fragment(title: &str, fragment: &Fragment) -> String {
    let dims = fragment.dims();
    let size = |from_end| dims.len().checked_sub(from_end).map_or(1, |dim| dims[dim]);
    let [height, width] = [size(2), size(1)];
    let cell = |row: Size, column: Size| {
        let mut index = vec![0; dims.len()];
        for (at, coordinate) in index.iter_mut().rev().zip([column, row]) {
            *at = coordinate;
        }
        let Holder { warp, lane, register, column, .. } = fragment.holder(&index)?;
        let (place, number) =
            if fragment.columns() > 1 { ("column", column) } else { ("register", register) };
        let label = match fragment.warps() {
            1 => format!("{lane}.{number}"),
            _ => format!("{warp}.{lane}.{number}"),
        };
        let hint = format!("[{}] in warp {warp}, lane {lane}, {place} {number}", joined(&index));
        let (key, color) = (format!("{warp}.{lane}"), Some(native(lane % COLORS as Size)));
        Some(Cell { label, hint, key, color, index: Some(index), ..Cell::default() })
    };
    Chart::table(title.to_string(), [height, MOST], [width, MOST], 1, cell).svg()
}
