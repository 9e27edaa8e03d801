//! Tiling as a thing to watch: pad, reshape, transpose, a picture for each.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_core::analysis::{PadReshapeTranspose, TileStep};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayFields, Index, Size, Splits, Swizzle, Tiles};

use crate::chart::{Cell, Chart, MARGIN, joined};
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
const MOST_SLOTS: usize = 32;

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
        let in_order = |sizes: &[Size]| {
            shape.minor_to_major().iter().rev().map(|dim| sizes[*dim]).collect::<Vec<_>>()
        };
        let mut fields = *shape.fields();
        (fields.has_padding, fields.padded_dims, fields.fill) = (false, [0; MAX_DIMS], None);
        (fields.tiles, fields.swizzle) = (Tiles::NONE, Swizzle::NONE);
        (fields.tail_alignment, fields.splits) = (1, Splits::NONE);
        let of = |fields: &ArrayFields| fields.checked().ok()?.digits().ok();
        let mut digits = of(&fields)?;

        let mut bounds = in_order(&self.padded.sizes[self.padded.leading..]);
        let mut lines = row(&bounds);
        let says = format!("the dimensions from major to minor: {}", list(&bounds));
        let mut steps = vec![self.step("array", &bounds, says, lines, |at| digits.index(at))?];
        if let Some(widths) = shape.padded_dimensions() {
            (fields.has_padding, fields.padded_dims) = (true, shape.fields().padded_dims);
            digits = of(&fields)?;
            let padded = in_order(widths);
            let says = format!("pads {} to {}", list(&bounds), list(&padded));
            (lines, bounds) = (row(&padded), padded);
            steps.push(self.step("PAD", &bounds, says, lines, |at| digits.index(at))?);
        }
        let (text, mut end) = (shape.tiles().to_string(), 0);
        for (step, tile) in PadReshapeTranspose::of(shape).zip(text.split_inclusive(')')) {
            end += tile.len();
            fields.tiles = text[..end].parse().ok()?;
            let TileStep { combined, padded, reshaped, permutation, result, .. } = &step;
            // The element at a position of the padded array, which the reshape does not change.
            let at = |position: Size| {
                let (mut rest, mut flat, mut stride) = (position, 0, 1);
                for (padded, size) in padded.iter().zip(combined.iter()).rev() {
                    flat += rest % padded * stride;
                    if rest % padded >= *size {
                        return None;
                    }
                    (rest, stride) = (rest / padded, stride * size);
                }
                digits.index(flat)
            };
            let whole = list(combined);
            let (name, mut says) = match combined.len() < bounds.len() {
                true => ("combine and pad", format!("combines {} to {whole}; ", list(&bounds))),
                false => ("pad", String::new()),
            };
            says += &if padded == combined {
                format!("{whole} are multiples of the tile {tile}")
            } else {
                format!("pads {whole} to {}, multiples of the tile {tile}", list(padded))
            };
            steps.push(self.step(name, padded, says, row(padded), at)?);

            let sizes = &result[combined.len()..];
            let size = |from_end| sizes.len().checked_sub(from_end).map_or(0, |i| sizes[i]);
            lines = [row(padded)[0], size(2), size(1)];
            let says = format!("splits each dimension under the tile in two: {}", list(reshaped));
            steps.push(self.step("reshape", reshaped, says, lines, at)?);

            (lines, bounds) = ([sizes.iter().product(), 0, 0], result.to_vec());
            let (by, to) = (joined(permutation), list(result));
            let says = format!("moves the tile's dimensions to the end, by ({by}): {to}");
            digits = of(&fields)?;
            steps.push(self.step("transpose", result, says, lines, |at| digits.index(at))?);
        }
        let slots = self.slots();
        if bounds.iter().product::<Size>() < slots {
            bounds = vec![slots];
            let multiple = shape.tail_padding_alignment();
            let says = format!("pads the end to {slots}, a multiple of {multiple}");
            steps.push(self.step("L", &bounds, says, lines, |at| digits.index(at))?);
        }
        if !shape.swizzle().is_none() {
            digits = shape.digits().ok()?;
            let says = format!("exchanges slots by XOR of their offsets: {}", shape.swizzle());
            steps.push(self.step("swizzle", &bounds, says, lines, |at| digits.index(at))?);
        }
        Some(steps)
    }

    /// A stage, of which a function says what is at a position.
    fn step(
        &self,
        name: &str,
        bounds: &[Size],
        says: String,
        [width, rows, columns]: Lines,
        at: impl Fn(Size) -> Option<Index>,
    ) -> Option<Step> {
        let memory = self.shape.digits().ok()?;
        let slots = bounds.iter().product::<Size>();
        let cell = |line: Size, slot: Size| {
            let position = line * width + slot;
            let cell = match at(position) {
                Some(index) => self.cell(self.label, memory.offset_unchecked(&index)),
                None => Cell { is_hatched: true, hint: "padding".to_string(), ..Cell::default() },
            };
            let right = (slot + 1).is_multiple_of(columns).then_some(0);
            let below = (line + 1).is_multiple_of(rows).then_some(0);
            (position < slots).then_some(Cell { right, below, ..cell })
        };
        let chart = Chart::fitting(self.width - 2 * MARGIN, MOST_SLOTS, |most| {
            let lines = [slots.div_ceil(width), MOST_LINES];
            let title = format!("{name}: {}", list(bounds));
            Chart::table(title, lines, [width, most as Size], width, cell)
        });
        Some(Step { name: name.to_string(), bounds: bounds.to_vec(), says, svg: chart.svg() })
    }
}

/// How a stage is drawn: slots of a line, and of which rows and columns each last one has a heavy line; 0 without.
type Lines = [Size; 3];

fn row(bounds: &[Size]) -> Lines {
    [bounds.last().map_or(1, |last| *last), 0, 0]
}

fn list(bounds: &[Size]) -> String {
    format!("[{}]", joined(bounds))
}
