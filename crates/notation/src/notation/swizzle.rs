//! Swizzles as CuTe, cuda-oxide and TVM write them.

use core::fmt;
use core::str::FromStr;

use crate::digit_order::MAX_DIGITS;
use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::cute::Cute;
use crate::notation::reader::TextReader;
use crate::notation::strided::StridedDigits;
use crate::notation::write::PythonTuple;
use layout_core::base::text::Text;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Error, Fault, FaultKind, Swizzle, SwizzleUnit};

named! {
    /// A system that writes a swizzle as three numbers, each in its own way.
    ///
    /// | system | text | reads bits from |
    /// |---|---|---|
    /// | CuTe | `Swizzle<3,4,3>` | `S` places above the bits that it exchanges |
    /// | cuda-oxide | `Swizzle<3, 4, 7>` | bit `S` on |
    /// | TVM | `SwizzleLayout(per_element=4, swizzle_len=3, atom_len=3, swizzle_inner=True)` | `atom_len` places above, or below if not `swizzle_inner` |
    ///
    /// None of the texts says whether it counts elements or bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::SwizzleUnit;
    /// use layout_notation::notation::SwizzleNotation;
    ///
    /// let swizzle = SwizzleNotation::CudaOxide.read("Swizzle<3, 4, 7>", SwizzleUnit::Bytes)?;
    /// assert_eq!(swizzle.to_string(), "128B");
    /// assert_eq!(SwizzleNotation::Cute.text(swizzle)?.to_string(), "Swizzle<3,4,3>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[non_exhaustive]
    pub enum SwizzleNotation {
        /// `Swizzle<3,4,3>`, also `S<3,4,3>` and `Sw<3,4,3>`: CUTLASS's `cute/swizzle.hpp`.
        Cute = "cute",
        /// `Swizzle<3, 4, 7>` of cuda-oxide.
        CudaOxide = "cuda-oxide",
        /// `SwizzleLayout(..)` of TVM's `tirx/layout.py`.
        Tvm = "tvm",
    }
}

impl SwizzleNotation {
    /// Reads a text.
    ///
    /// # Errors
    /// If it is not one of the notation, or if no swizzle has these numbers.
    pub fn read(self, text: &str, unit: SwizzleUnit) -> Result<Swizzle, Error> {
        let mut reader = TextReader::new(text);
        let swizzle = match self {
            SwizzleNotation::Cute => template(&mut reader, unit, false),
            SwizzleNotation::CudaOxide => template(&mut reader, unit, true),
            SwizzleNotation::Tvm => {
                reader.expect("SwizzleLayout(", "expected `SwizzleLayout(`", TVM)?;
                let numbers = arguments(&mut reader, unit)?;
                reader.expect(")", "expected `)`", "close the list")?;
                Ok(numbers)
            }
        }?;
        reader.end("this follows the swizzle", "leave it out")?;
        Ok(swizzle)
    }

    /// The text of a swizzle, with the numbers of its own unit.
    ///
    /// # Errors
    /// If the numbers cannot say it: those of cuda-oxide have no negative shift.
    pub fn text(self, swizzle: Swizzle) -> Result<impl fmt::Display + use<>, Fault> {
        if matches!(self, SwizzleNotation::CudaOxide) && swizzle.shift() < 0 {
            return Err(Fault::of_whole(FaultKind::Syntax {
                what: "the swizzle reads bits below those that it exchanges",
                instead: "cuda-oxide's numbers do not say this: write it in CuTe's",
            }));
        }
        Ok(SwizzleText(self, swizzle))
    }
}

const TVM: &str =
    "write it as in `SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3, swizzle_inner=True)`";

struct SwizzleText(SwizzleNotation, Swizzle);

impl fmt::Display for SwizzleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, base, shift) = (self.1.bits(), self.1.base(), self.1.shift());
        match self.0 {
            SwizzleNotation::Cute => write!(f, "Swizzle<{bits},{base},{shift}>"),
            SwizzleNotation::CudaOxide => {
                write!(f, "Swizzle<{bits}, {base}, {}>", base + shift.unsigned_abs())
            }
            SwizzleNotation::Tvm => write!(
                f,
                "SwizzleLayout(per_element={base}, swizzle_len={bits}, atom_len={}, swizzle_inner={})",
                shift.unsigned_abs(),
                if shift < 0 { "False" } else { "True" },
            ),
        }
    }
}

/// Reads `Swizzle<3,4,3>`; the third number is a place instead of a distance if `is_place`.
pub(super) fn template(
    reader: &mut TextReader<'_>,
    unit: SwizzleUnit,
    is_place: bool,
) -> Result<Swizzle, Error> {
    let start = reader.at();
    let name = reader.take_while(|c| c.is_ascii_alphabetic());
    let numbers = reader.take_while(|c| c != '>');
    reader.take(">");
    let fault = |kind| reader.error_of(start, reader.at(), kind);
    if !["Swizzle", "Sw", "S"].contains(&name) || numbers.len() > 32 {
        let (what, instead) = ("expected a swizzle", "write it as in `Swizzle<3,4,3>`");
        return Err(fault(FaultKind::Syntax { what, instead }));
    }
    let text: Text<64> = text!("elements", numbers, ">");
    let read = Swizzle::parse(text.as_str()).map_err(|error| fault(error.kind()))?;
    let shift = read.shift() - if is_place { read.base() as i8 } else { 0 };
    Swizzle::new(unit, read.bits(), read.base(), shift).map_err(|error| fault(error.kind()))
}

/// Reads what `SwizzleLayout` is given, with the names of the arguments or without.
fn arguments(reader: &mut TextReader<'_>, unit: SwizzleUnit) -> Result<Swizzle, Error> {
    let start = reader.at();
    let mut numbers = [0; 3];
    for (number, name) in numbers.iter_mut().zip(["per_element=", "swizzle_len=", "atom_len="]) {
        reader.take(name);
        *number = small(reader)?;
        reader.take(",");
    }
    let shift = if outer(reader) { -numbers[2] } else { numbers[2] };
    let [base, bits, _] = numbers.map(i8::unsigned_abs);
    Swizzle::new(unit, bits, base, shift)
        .map_err(|fault| reader.error_of(start, reader.at(), fault.kind()))
}

/// Whether `swizzle_inner=False` comes next.
fn outer(reader: &mut TextReader<'_>) -> bool {
    let is_named = reader.take("swizzle_inner=");
    let is_outer = reader.take("False");
    is_outer || is_named && !reader.take("True")
}

/// Reads a number of a swizzle.
fn small(reader: &mut TextReader<'_>) -> Result<i8, Error> {
    reader.skip_spaces();
    let start = reader.at();
    let number = i8::try_from(reader.number()?);
    number.map_err(|_| reader.error(start, "the number is too large", "offsets have 63 bits"))
}

/// TVM's `TileLayout`, alone or in a `ComposeLayout` with a swizzle: `ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))`.
///
/// The extents split the number of an element in row-major order, the first one most major; each digit is taken times its
/// stride. Numbers count elements.
///
/// # Examples
/// ```
/// use layout_notation::notation::TvmTile;
///
/// let tile: TvmTile = "ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))".parse()?;
/// let shape = tile.layout(&"f16[8,64]".parse()?)?;
/// assert_eq!(shape.to_string(), "f16[8,64]{1,0}, swizzle = elements<3,3,3>");
/// assert_eq!(TvmTile::of(&shape)?.to_string(), "ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct TvmTile {
    /// Extents and strides, the most major first.
    shards: [(Size, Size); MAX_DIGITS],
    len: usize,
    swizzle: Swizzle,
}

impl TvmTile {
    const NONE: TvmTile = TvmTile { shards: [(1, 1); MAX_DIGITS], len: 0, swizzle: Swizzle::NONE };

    /// The layout of a shape.
    ///
    /// # Errors
    /// Those of [`Cute::of`].
    pub fn of(shape: &ArrayShape) -> Result<TvmTile, NotExpressible> {
        let cute = Cute::of(shape)?;
        let mut tile = TvmTile { swizzle: cute.swizzle(), ..TvmTile::NONE };
        for dim in 0..cute.rank() {
            for mode in cute.mode(dim).iter().rev() {
                tile.shards[tile.len] = (mode.shape, mode.stride);
                tile.len += 1;
            }
        }
        Ok(tile)
    }

    /// The array in this layout: consecutive extents are the digits of a dimension, as many as its size takes.
    ///
    /// # Errors
    /// Those of [`Cute::layout`].
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let mut digits = StridedDigits::new(array.rank());
        let mut end = self.len;
        for dim in (0..array.rank()).rev() {
            let size = array.dims()[dim].size().ok_or(NotThisLayout::unknown(dim))?;
            while end > 0 && digits.size(dim) < size {
                end -= 1;
                let (extent, stride) = self.shards[end];
                digits.push(dim, extent, stride)?;
            }
        }
        digits.swizzled_layout(array, self.swizzle)
    }
}

impl FromStr for TvmTile {
    type Err = Error;

    fn from_str(text: &str) -> Result<TvmTile, Error> {
        const INSTEAD: &str =
            "write it as in `ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))`";
        let mut reader = TextReader::new(text);
        let mut tile = TvmTile::NONE;
        let is_composed = reader.take("ComposeLayout(");
        let start = reader.at();
        if is_composed {
            let is_apart = reader.take("SwizzleLayout(");
            tile.swizzle = arguments(&mut reader, SwizzleUnit::Elements)?;
            if is_apart {
                reader.expect(")", "expected `)`", INSTEAD)?;
                reader.expect(",", "expected `,`", INSTEAD)?;
            }
        }
        let swizzle_end = reader.at();
        reader.expect("TileLayout(S[", "expected `TileLayout(S[`", INSTEAD)?;
        let extents = shards(&mut reader)?;
        let strides = if reader.take(":") { Some(shards(&mut reader)?) } else { None };
        let at = reader.at();
        if strides.is_some_and(|(_, len)| len != extents.1) {
            return Err(reader.error(at, "there are not as many strides as extents", INSTEAD));
        }
        let mut stride: Size = 1;
        for i in (0..extents.1).rev() {
            let given = strides.map_or(stride, |(strides, _)| strides[i]);
            tile.shards[i] = (extents.0[i], given);
            stride = stride.saturating_mul(extents.0[i]);
        }
        tile.len = extents.1;
        reader.expect("])", "expected `])`", INSTEAD)?;
        if is_composed {
            reader.take(",");
            if outer(&mut reader) {
                let (bits, base, shift) =
                    (tile.swizzle.bits(), tile.swizzle.base(), tile.swizzle.shift());
                tile.swizzle = Swizzle::new(SwizzleUnit::Elements, bits, base, -shift)
                    .map_err(|fault| reader.error_of(start, swizzle_end, fault.kind()))?;
            }
            reader.expect(")", "expected `)`", INSTEAD)?;
        }
        reader.end("this follows the layout", "leave it out")?;
        Ok(tile)
    }
}

/// Reads a number, or a list of numbers.
fn shards(reader: &mut TextReader<'_>) -> Result<([Size; MAX_DIGITS], usize), Error> {
    let (mut list, mut len) = ([1; MAX_DIGITS], 0);
    let mut item = |reader: &mut TextReader<'_>| {
        let start = reader.at();
        let number = reader.number()?;
        let place = list.get_mut(len);
        *place.ok_or_else(|| reader.error(start, "too many extents", "write fewer"))? = number;
        len += 1;
        Ok(())
    };
    if reader.take("(") {
        reader.list(")", item)?
    } else {
        item(reader)?
    }
    Ok((list, len))
}

impl fmt::Display for TvmTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, base, shift) = (self.swizzle.bits(), self.swizzle.base(), self.swizzle.shift());
        let is_composed = !self.swizzle.is_none();
        if is_composed {
            write!(f, "ComposeLayout({base}, {bits}, {}, ", shift.unsigned_abs())?;
        }
        let shards = &self.shards[..self.len];
        let extents = PythonTuple(shards.iter().map(|shard| shard.0));
        let strides = PythonTuple(shards.iter().map(|shard| shard.1));
        write!(f, "TileLayout(S[{extents} : {strides}])")?;
        if shift < 0 {
            f.write_str(", swizzle_inner=False")?;
        }
        f.write_str(if is_composed { ")" } else { "" })
    }
}
