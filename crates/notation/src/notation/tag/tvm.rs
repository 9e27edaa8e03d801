//! TVM's layouts.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::{DigitOrder, NotThisLayout};
use crate::notation::reader::TextReader;
use crate::notation::tag::letters::{DimNames, Letters, write};
use layout_core::{ArrayShape, Error};

/// A layout of TVM, such as `NCHW16c` or `OIHW4i16o4i`.
///
/// Upper-case letters are the dimensions in the order of memory, the most major first, and lower-case ones with
/// a size before them are blocks of the dimension with that letter, the most minor last. The dimensions are numbered as in
/// `NCHW` and `OIHW` (with `D` and `G` too), or as in the layout before an arrow: `NHWC -> NCHW4c`.
///
/// Defined by TVM's `tir::Layout` and `topi.layout_transform`, which refuse two blocks of one dimension side by
/// side.
///
/// # Examples
/// ```
/// use layout_notation::notation::Tvm;
///
/// let tag: Tvm = "OIHW4i16o4i".parse()?;
/// let shape = tag.layout(&"s8[32,32,3,3]".parse()?)?;
/// assert_eq!(shape.to_string(), "s8[32,32,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}");
/// assert_eq!(Tvm::of(&shape)?.with_names("oihw")?.to_string(), "OIHW4i16o4i");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tvm {
    pub(super) order: DigitOrder,
    pub(super) names: DimNames,
}

impl Tvm {
    /// The array laid out as the tag says: see [`DigitOrder::layout`].
    ///
    /// # Errors
    /// If the array has another number of dimensions, or is too large with the padding of the blocks.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        self.order.layout(array)
    }
}

impl FromStr for Tvm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Tvm, Error> {
        let mut reader = TextReader::new(text);
        let mut letters = Letters::read(&mut reader)?;
        let mut source = None;
        if reader.take("->") {
            source = Some(letters);
            reader.skip_spaces();
            letters = Letters::read(&mut reader)?;
        }
        letters.end(&reader)?;
        for letter in source.iter().flat_map(|source| source.iter()).chain(letters.iter()) {
            if letter.letter.is_ascii_uppercase() == letter.size.is_some() {
                let what =
                    "a dimension is in upper case without a size, a block in lower case with one";
                return Err(letters.error(letter, what, "write `NCHW16c`"));
            }
        }
        let names = letters.names()?;
        let names = match source {
            Some(source) => {
                if let Some(block) = source.blocks().next() {
                    let what = "the dimensions before the arrow are in blocks";
                    let instead = "write their letters alone, as in `NHWC -> NCHW4c`";
                    return Err(letters.error(block, what, instead));
                }
                let numbered = source.names()?;
                let instead = "write the same letters on both sides";
                if let Some(letter) = letters.dims().find(|dim| !numbered.has(dim)) {
                    let what = "no dimension before the arrow has this letter";
                    return Err(letters.error(letter, what, instead));
                }
                if let Some(letter) = source.iter().find(|dim| !names.has(dim)) {
                    let what = "no dimension after the arrow has this letter";
                    return Err(letters.error(letter, what, instead));
                }
                numbered
            }
            None => names.canonical().ok_or_else(|| {
                let what = "these letters name no dimensions together";
                let instead = "write how they are numbered before an arrow, as in `NHWC -> NCHW4c`";
                letters.error_of_all(what, instead)
            })?,
        };
        Ok(Tvm { order: letters.order(&names)?, names })
    }
}

impl fmt::Display for Tvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &self.names.letters[..self.names.rank];
        // Without the arrow it would be read as of dimensions that are numbered in another order.
        if self.names.canonical().is_none_or(|known| known.letters[..known.rank] != *names) {
            for letter in names {
                write!(f, "{}", char::from(letter.to_ascii_uppercase()))?;
            }
            f.write_str(" -> ")?;
        }
        write(f, &self.order, &self.names, true)
    }
}
