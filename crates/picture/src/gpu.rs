//! Shared memory by bank, and fragments of matrix units by lane.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_core::base::width::native;
use layout_core::{ArrayShape, Size};
use layout_gpu::banks::{Access, BANKS, BankError, LANES, WORD_BYTES, WarpAccess};
use layout_gpu::fragment::{Fragment, Holder};

use crate::chart::{Cell, Chart, Drawing, MARGIN, Row, first_of, joined};
use crate::padded_box::PaddedBox;

/// Rows and words of a tile, rows and columns of a fragment. What is more is left out.
const MOST_ROWS: Size = 32;
const MOST_WORDS: Size = 36;
const MOST_ELEMENTS: Size = 64;
const WORD_BITS: Size = 8 * WORD_BYTES as Size;
/// Colours of lanes, and of units of 16 bytes.
const COLORS: usize = 8;

/// Two charts in one SVG: the tile, and the wavefronts of all accesses.
///
/// Each row of the tile, along its most minor dimension, is cut into words of 4 bytes, of which each has the number of its bank and
/// the colour of the four banks beside one another. Words that the first access touches have the lane, as in `L5`.
///
/// Each wavefront is a row of 32 banks with the lanes that they serve; those that a conflict costs are hatched. `+` is after
/// the first of several lanes that share a word. `data-key` are the lanes of a cell, with spaces between them, in both charts.
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
    let mut drawing = Drawing::default();
    let mut top = MARGIN;
    let first = accesses.first().zip(warps.first());
    if let Some(tile) = PaddedBox::new(shape) {
        let base = match first {
            None => 0,
            Some((access, warp)) => {
                first_address(warp) - first_address(&access.at(0).addresses(shape)?)
            }
        };
        top = tile_chart(shape, &tile, base, first).draw(&mut drawing, top) + MARGIN;
    }
    wavefronts(&warps).draw(&mut drawing, top);
    Ok(drawing.document(&shape.to_string()))
}

fn first_address(warp: &WarpAccess) -> Size {
    warp.addresses().iter().flatten().next().copied().unwrap_or(0)
}

/// The words of the rows of a tile that begins at an address.
fn tile_chart(
    shape: &ArrayShape,
    tile: &PaddedBox,
    base: Size,
    first: Option<(&Access, &WarpAccess)>,
) -> Chart {
    let bits = shape.element_bits();
    // The lanes of the first access that touch a word.
    let lanes = |word: Size| {
        let touches = |lane: &usize| {
            first.is_some_and(|(access, warp)| {
                let words = access.bytes().div_ceil(WORD_BYTES) as Size;
                let start = warp.addresses()[*lane].map(|address| address / WORD_BYTES as Size);
                start.is_some_and(|start| (start..start + words).contains(&word))
            })
        };
        (0..LANES).filter(touches).fold(0, |lanes, lane| lanes | 1 << lane)
    };
    let (minor, others) = match &*tile.minor_to_major {
        [] => (None, &[][..]),
        [minor, others @ ..] => (Some(*minor), others),
    };
    let width = minor.map_or(1, |dim| tile.extents[dim]);
    let words = (width * bits).div_ceil(WORD_BITS);
    let row = |row: Size| {
        let (mut index, mut rest) = (vec![0; tile.rank()], row);
        for dim in others {
            (index[*dim], rest) = (rest % tile.extents[*dim], rest / tile.extents[*dim]);
        }
        let cell = |word: Size| {
            let bit = word * WORD_BITS;
            if let Some(dim) = minor {
                index[dim] = bit / bits;
            }
            let address = base + (tile.offset(&index) * bits + bit % bits) / 8;
            let word = address / WORD_BYTES as Size;
            let (bank, lanes) = (native(word % BANKS as Size), lanes(word));
            let is_hatched = tile.is_padding(&index);
            let what = if is_hatched { "padding" } else { &*format!("[{}]", joined(&index)) };
            let hint = format!("{what} at byte {address}, bank {bank}");
            Some(Cell { hint, is_hatched, is_marked: lanes != 0, ..bank_cell(bank, lanes, "L") })
        };
        let cells = first_of(words, MOST_WORDS, Some(Cell::text("…")), cell);
        Row { name: row.to_string(), cells, ends: false }
    };
    let count = others.iter().map(|dim| tile.extents[*dim]).product::<Size>();
    let rows = first_of(count, MOST_ROWS, Row::cut(), row);
    Chart { title: shape.to_string(), columns: Vec::new(), rows }
}

/// A row for each wavefront.
fn wavefronts(warps: &[WarpAccess]) -> Chart {
    let mut rows = Vec::new();
    let mut counts = Vec::new();
    for (access, warp) in warps.iter().enumerate() {
        counts.push(format!("wavefronts: {}, conflicts: {}", warp.wavefronts(), warp.conflicts()));
        for number in 0..warp.phases() {
            let phase = warp.phase(number);
            for wavefront in 0..phase.wavefronts() {
                let name = match wavefront {
                    0 if warps.len() > 1 => format!("access {access}, phase {number}"),
                    0 => format!("phase {number}"),
                    _ => String::new(),
                };
                let cell = |bank: usize| {
                    let word = phase.words(bank).get(wavefront)?;
                    let hint = format!("word {} in bank {bank}", word.number);
                    Some(Cell {
                        hint,
                        is_hatched: wavefront > 0,
                        ..bank_cell(bank, word.lanes, "")
                    })
                };
                let cells = (0..BANKS).map(cell).collect();
                rows.push(Row { name, cells, ends: wavefront + 1 == phase.wavefronts() });
            }
        }
    }
    let columns = (0..BANKS).map(|bank| bank.to_string()).collect();
    Chart { title: counts.join("; "), columns, rows }
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
    let [height, width] = match *dims {
        [] => [1, 1],
        [width] => [1, width],
        [.., height, width] => [height, width],
    };
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
    let row = |row: Size| {
        let cells =
            first_of(width, MOST_ELEMENTS, Some(Cell::text("…")), |column| cell(row, column));
        Row { name: row.to_string(), cells, ends: false }
    };
    let rows = first_of(height, MOST_ELEMENTS, Row::cut(), row);
    let columns = (0..width.min(MOST_ELEMENTS)).map(|column| column.to_string()).collect();
    Chart { title: title.to_string(), columns, rows }.svg()
}
