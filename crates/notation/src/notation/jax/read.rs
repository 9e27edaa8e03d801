//! Reading JAX's `Layout`, and its layout of an array.

use core::str::FromStr;

use crate::digit_order::NotThisLayout;
use crate::notation::jax::{Jax, is_narrow_integer};
use crate::notation::reader::TextReader;
use layout_core::{ArrayShape, DimNumbers, Error, Tiles, reversed};

/// The arguments of `Layout`, in their order.
const ARGUMENTS: [&str; 3] = ["major_to_minor", "tiling", "sub_byte_element_size_in_bits"];

const TUPLE: &str = "write it in parentheses";

impl FromStr for Jax {
    type Err = Error;

    fn from_str(text: &str) -> Result<Jax, Error> {
        const WHOLE: &str =
            "write `Layout(major_to_minor=(0, 1), tiling=((8, 128),))`, or leave `tiling` out";
        let mut reader = TextReader::new(text);
        // An array's `format`, also by its names in older versions: a layout and a sharding.
        let is_format = reader.take("Format(") || reader.take("Layout(device_local_layout=");
        if is_format {
            reader.take("layout=");
        }
        if !reader.take("DeviceLocalLayout") {
            reader.expect("Layout", "this is not JAX's `Layout`", WHOLE)?;
        }
        reader.expect("(", "expected `(`", WHOLE)?;
        let mut jax =
            Jax { major_to_minor: DimNumbers::new(), tiles: Tiles::NONE, element_bits: 0 };
        let mut given = [false; ARGUMENTS.len()];
        let mut next = 0;
        reader.list(")", |reader| {
            let start = reader.at();
            let name = reader.word();
            if !name.is_empty() && name != "None" {
                next =
                    ARGUMENTS.iter().position(|argument| *argument == name).ok_or_else(|| {
                        reader.error(start, "`Layout` has no argument of this name", WHOLE)
                    })?;
                reader.expect("=", "expected `=` after the name of an argument", WHOLE)?;
            } else {
                *reader = reader.moved_to(start);
            }
            match given.get_mut(next) {
                Some(given) if !*given => *given = true,
                _ => {
                    let what = "`Layout` has no further argument, or this one is given twice";
                    return Err(reader.error(start, what, WHOLE));
                }
            }
            match next {
                0 => {
                    reader.expect("(", "expected a tuple", TUPLE)?;
                    jax.major_to_minor = reader.permutation(")")?;
                }
                1 if reader.take("None") => {}
                1 => jax.tiles = reader.tiling()?,
                _ => jax.element_bits = reader.number()?,
            }
            next += 1;
            Ok(())
        })?;
        if !given[0] {
            let what = "the order of the dimensions is missing";
            return Err(reader.error(reader.at() - 1, what, WHOLE));
        }
        if is_format {
            let sharding = reader.rest().trim_end();
            let length = sharding.strip_suffix(')').unwrap_or("").len();
            reader = reader.moved_to(reader.at() + length);
            reader.expect(")", "expected `)`", "close the format")?;
        }
        reader.end("this follows the layout", "leave it out")?;
        Ok(jax)
    }
}

impl TextReader<'_> {
    fn tiling(&mut self) -> Result<Tiles, Error> {
        let mut tiles = Tiles::NONE;
        self.expect("(", "expected a tuple", TUPLE)?;
        self.list(")", |reader| {
            reader.expect("(", "expected a tuple", TUPLE)?;
            reader.tile(&mut tiles, Some("-9223372036854775808"))
        })?;
        Ok(tiles)
    }
}

impl Jax {
    /// The array in this layout. Its element type and properties stay, except for `PAD` and `E`: integers narrower
    /// than a byte are packed if there are tiles and no width is given, as in JAX.
    ///
    /// The order and the tiles are for every size.
    ///
    /// # Errors
    /// [`Rank`](NotThisLayout::Rank) if the array has another number of dimensions, and
    /// [`Shape`](NotThisLayout::Shape) if it is not valid in this layout.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        NotThisLayout::same_rank(self.major_to_minor.len(), array)?;
        let mut fields = *array.fields();
        let element = array.element_type();
        fields.element_size = match self.element_bits {
            0 if !self.tiles.is_empty() && is_narrow_integer(element) => element.bits(),
            bits if bits == 8 * element.bytes() => 0,
            bits => bits,
        };
        let array = fields.checked()?;
        Ok(array.laid_out(&reversed(&self.major_to_minor), &self.tiles)?)
    }
}
