//! Tiling as a thing to watch: pad, reshape, transpose, a picture for each.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_core::analysis::{PadReshapeTranspose, TileStep};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Index, Size, Splits, Swizzle, TileDim, Tiles};

use crate::chart::{Cell, Chart, MARGIN, Row, cell_size, joined};
use crate::picture::Picture;

/// A stage on the way from the array to its memory: a row-major array.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// `array`, `PAD`, `pad`, `combine and pad`, `reshape`, `transpose`, `L` or `swizzle`.
    pub name: String,
    /// Its bounds, the most major first.
    pub bounds: Vec<Size>,
    /// What is done, in a sentence.
    pub says: String,
    /// The slots in lines, as SVG. Elements have their offset in memory as `data-offset` in all steps.
    pub svg: String,
}

/// Lines, and slots of a line. What is more is left out.
const MOST_LINES: Size = 16;
const MOST_SLOTS: Size = 32;

impl Picture {
    /// How tiles make memory of the array, step by step, as XLA's document "Tiled layout" explains it. Empty if the array has no
    /// elements.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_picture::Picture;
    ///
    /// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let steps = Picture::new(&shape).unwrap().steps();
    /// let names = steps.iter().map(|step| &*step.name).collect::<Vec<_>>();
    /// assert_eq!(names, ["array", "pad", "reshape", "transpose"]);
    /// assert_eq!(steps[1].says, "pads [3,5] to [4,6], multiples of the tile (2,2)");
    /// assert_eq!(steps[3].bounds, [2, 3, 2, 2]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn steps(&self) -> Vec<Step> {
        if self.slots() == 0 { Vec::new() } else { self.stages().unwrap_or_default() }
    }

    fn stages(&self) -> Option<Vec<Step>> {
        let shape = &self.shape;
        let order = || shape.minor_to_major().iter().rev();
        let mut fields = *shape.fields();
        (fields.has_padding, fields.padded_dims, fields.fill) = (false, [0; MAX_DIMS], None);
        (fields.tiles, fields.swizzle) = (Tiles::NONE, Swizzle::NONE);
        (fields.tail_alignment, fields.splits) = (1, Splits::NONE);
        let mut digits = fields.checked().ok()?.digits().ok()?;

        let mut bounds = order().map(|dim| shape.dim(*dim).size()).collect::<Option<Vec<_>>>()?;
        let says = format!("the dimensions from major to minor: {}", list(&bounds));
        let mut steps =
            vec![self.step("array", &bounds, says, row(&bounds), |at| digits.index(at))];
        if let Some(widths) = shape.padded_dimensions() {
            (fields.has_padding, fields.padded_dims) = (true, shape.fields().padded_dims);
            digits = fields.checked().ok()?.digits().ok()?;
            let padded = order().map(|dim| widths[*dim]).collect::<Vec<_>>();
            let says = format!("pads {} to {}", list(&bounds), list(&padded));
            bounds = padded;
            steps.push(self.step("PAD", &bounds, says, row(&bounds), |at| digits.index(at)));
        }
        let mut lines = row(&bounds);
        for (tile, entries) in PadReshapeTranspose::of(shape).zip(shape.tiles().iter()) {
            fields.tiles.begin();
            for entry in &*entries {
                fields.tiles.push(*entry);
            }
            let after = fields.checked().ok()?.digits().ok()?;
            let sizes = &tile.result[tile.combined.len()..];
            lines = Lines { width: sizes.iter().product(), tile: [0, 0] };
            let text = tile_text(&entries);
            steps.extend(self.pad_and_reshape(&bounds, &tile, &text, &digits));
            bounds = tile.result.to_vec();
            let says = format!(
                "moves the tile's dimensions to the end, by ({}): {}",
                joined(&tile.permutation.iter().map(|from| *from as Size).collect::<Vec<_>>()),
                list(&bounds)
            );
            steps.push(self.step("transpose", &bounds, says, lines, |at| after.index(at)));
            digits = after;
        }
        let slots = [self.slots()];
        if bounds.iter().product::<Size>() < slots[0] {
            let says = format!(
                "pads the end to {}, a multiple of {}",
                slots[0],
                shape.tail_padding_alignment()
            );
            bounds = slots.to_vec();
            steps.push(self.step("L", &bounds, says, lines, |at| digits.index(at)));
        }
        if !shape.swizzle().is_none() {
            digits = shape.digits().ok()?;
            let says = format!("exchanges slots by XOR of their offsets: {}", shape.swizzle());
            steps.push(self.step("swizzle", &bounds, says, lines, |at| digits.index(at)));
        }
        Some(steps)
    }

    /// The stages of a tile before the transpose, of which neither moves an element.
    fn pad_and_reshape(
        &self,
        bounds: &[Size],
        tile: &TileStep,
        text: &str,
        before: &Digits,
    ) -> [Step; 2] {
        let TileStep { combined, padded, reshaped, result, .. } = tile;
        let at = |position: Size| {
            let (mut rest, mut flat, mut stride) = (position, 0, 1);
            for (padded, size) in padded.iter().zip(combined.iter()).rev() {
                let at = rest % padded;
                if at >= *size {
                    return None;
                }
                (rest, flat, stride) = (rest / padded, flat + at * stride, stride * size);
            }
            before.index(flat)
        };
        let (given, whole) = (list(bounds), list(combined));
        let (name, first) = if combined.len() < bounds.len() {
            ("combine and pad", format!("combines {given} to {whole}; "))
        } else if combined.len() > bounds.len() {
            ("pad", format!("prepends dimensions of size 1: {whole}; "))
        } else {
            ("pad", String::new())
        };
        let says = if padded == combined {
            format!("{first}{whole} are multiples of the tile {text}")
        } else {
            format!("{first}pads {whole} to {}, multiples of the tile {text}", list(padded))
        };
        let pad = self.step(name, padded, says, row(padded), at);
        let mut lines = row(padded);
        for (edge, size) in lines.tile.iter_mut().rev().zip(result[combined.len()..].iter().rev()) {
            *edge = *size;
        }
        let says = format!("splits each dimension under the tile in two: {}", list(reshaped));
        [pad, self.step("reshape", reshaped, says, lines, at)]
    }

    /// A stage, of which a function says what is at a position.
    fn step(
        &self,
        name: &str,
        bounds: &[Size],
        says: String,
        Lines { width, tile }: Lines,
        at: impl Fn(Size) -> Option<Index>,
    ) -> Step {
        let cell = |position: Size| match at(position) {
            None => Cell { is_hatched: true, hint: "padding".to_string(), ..Cell::default() },
            Some(index) => {
                let mut own = vec![0; self.padded.leading];
                own.extend(&*index);
                let offset = self.padded.offset(&own);
                self.cell(self.label, offset, Some(index.to_vec()), self.slot(offset).tile)
            }
        };
        let slots = bounds.iter().product::<Size>();
        let count = slots.div_ceil(width);
        let line = |line: Size| {
            let start = line * width;
            let end = slots.min(start + width);
            let shown = end.min(start + MOST_SLOTS);
            let cells = (start..shown).map(|position| {
                let ends = (position - start + 1).is_multiple_of(tile[1]);
                Some(Cell { right: ends.then_some(0), ..cell(position) })
            });
            let rest = (shown < end).then(|| Some(Cell::text("…")));
            let ends = (line + 1).is_multiple_of(tile[0]);
            Row { name: start.to_string(), cells: cells.chain(rest).collect(), ends }
        };
        let mut rows = (0..count.min(MOST_LINES)).map(line).collect::<Vec<_>>();
        let room = (self.width - 3 * MARGIN) / cell_size(&rows)[0];
        for cells in rows.iter_mut().map(|row| &mut row.cells).filter(|cells| cells.len() > room) {
            cells.truncate(room.saturating_sub(1).max(2));
            cells.push(Some(Cell::text("…")));
        }
        if count > MOST_LINES {
            rows.push(Row { name: "⋮".to_string(), ..Row::default() });
        }
        let title = format!("{name}: {}", list(bounds));
        let svg = Chart { title, columns: Vec::new(), rows }.svg();
        Step { name: name.to_string(), bounds: bounds.to_vec(), says, svg }
    }
}

/// How the slots of a stage are drawn: the slots of a line, and the rows and columns of a tile with edges; 0 without them.
#[derive(Clone, Copy)]
struct Lines {
    width: Size,
    tile: [Size; 2],
}

/// A line for each row, without edges.
fn row(bounds: &[Size]) -> Lines {
    Lines { width: bounds.last().map_or(1, |last| *last), tile: [0, 0] }
}

fn list(bounds: &[Size]) -> String {
    format!("[{}]", joined(bounds))
}

fn tile_text(entries: &[TileDim]) -> String {
    let mut tile = Tiles::NONE;
    tile.begin();
    for entry in entries {
        tile.push(*entry);
    }
    tile.to_string()
}
