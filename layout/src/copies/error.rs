//! Why a copy is not made.

use core::fmt;

use layout_core::__private::{Piece, native};
use layout_core::{ArrayShape, ElementType, Fault, Size, UnknownSize};

use crate::memory::{error::MemoryError, place::strided::StridesError};
use crate::order::region::SliceError;

/// One of the two sides of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The array that is read.
    Source,
    /// The array that is written.
    Destination,
}

impl Side {
    const fn name(self) -> &'static str {
        match self {
            Side::Source => "source",
            Side::Destination => "destination",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

errors! {
    /// Why a copy is not made. Nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use layout::copies::Side;
    /// use layout::{CopyError, Padding, copy, layout};
    ///
    /// type A = layout!(F32[3,5]);
    /// type B = layout!(F32[3,5]{1,0:T(2,2)});
    /// let error = copy::<A, B, _>(&[0.0; 15], &mut [0.0; 15], Padding::Zero).unwrap_err();
    /// assert_eq!(error, CopyError::TooShort { side: Side::Destination, needed: 24, given: 15 });
    /// ```
    pub enum CopyError {
        /// The sizes do not go with a layout.
        Dims(fault: Fault) => "the sizes do not go with the layout: ", &fault.line();
        /// A slice is shorter than its layout, padding included: the source, if both are. Lengths are in elements; in bytes for packed
        /// memory and [`Plan::run_bytes`](crate::Plan::run_bytes).
        TooShort { side: Side, needed: usize, given: usize } => "the layout of the ", side.name(), " needs a slice of ", needed,
            ", padding counted, and got one of ", given;
        /// The arrays have different numbers of dimensions.
        OtherRank { source: usize, destination: usize } => "the arrays differ: the source has rank ", source,
            ", the destination rank ", destination;
        /// A dimension has another size in the destination, or is bounded (`<=N`) on one side only.
        OtherSize { dim: usize, source: usize, destination: usize } => "the arrays differ: ", &match source == destination {
            true => phrase!(source, " is the size of dimension ", dim, " on one side, and its bound on the other"),
            false => phrase!("dimension ", dim, " has size ", source, " in the source and ", destination, " in the destination"),
        };
        /// The arrays have different element types.
        OtherElements { source: ElementType, destination: ElementType } => "the arrays differ: elements are ",
            Piece::Quoted(source.name()), " in the source and ", Piece::Quoted(destination.name()), " in the destination";
        /// There are more or fewer planes than the array has along its most major dimension.
        Planes { needed: usize, given: usize } => "planes of the array: ", needed, ", planes given: ", given;
        /// The element type does not say which value the padding gets: write [`Padding::Fill`](crate::Padding::Fill).
        NoPadding => "the type of the elements does not say which value the padding gets: write `Padding::Fill`";
        /// The strides are not those of memory to read or to write.
        Strides(error: StridesError) => &error.line();
        /// There is not one stride for each dimension.
        StrideCount { needed: usize, given: usize } => "an array of rank ", needed, " has ", needed, " strides, and got ", given;
        /// A size is known at run time only (`?`): [`ArrayShape::with_dims`] gives it.
        UnknownSize(error: UnknownSize) => &error.line();
        /// The layouts have elements of sizes that are not copied, in bits.
        ElementBits { source: usize, destination: usize } => "elements of ", source, " bits are not copied to elements of ", destination,
            " bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8";
        /// The elements have another size than those of the plan, in bytes.
        ElementBytes { planned: usize, given: usize } => "the plan has elements of ", planned, " bytes, and these take ", given;
        /// A range is not one of the destination's bytes, or cuts an element of `element` bytes.
        Part { start: usize, end: usize, bytes: usize, element: usize } => start, "..", end, " is not a part of the destination's ",
            bytes, " bytes: parts are whole elements, each of ", element, match element { 1 => " byte", _ => " bytes" };
        /// A part is asked of a copy whose source or destination has strides or is a part of blocks.
        OnePart { side: Side, bytes: usize } => "the ", side.name(), " has strides or is a part of blocks: such a copy has one part, 0..",
            bytes;
        /// The array is not a whole number of blocks, or no plan describes where the parts of blocks lie.
        Blocks => "the array is not a matrix of whole blocks, or no plan describes where their parts lie";
        /// A layout has more bytes than this machine addresses.
        TooLarge { bytes: Size } => "a layout of ", bytes, " bytes is larger than this machine's memory";
        /// A range is out of bounds or reversed.
        Slice(error: SliceError) => &error.line();
        /// Memory is too short for its layout.
        Memory(error: MemoryError) => &error.line();
    }
}

impl CopyError {
    /// The first `needed` of a source.
    #[inline(always)]
    pub(super) fn source<T>(src: &[T], needed: usize) -> Result<&[T], CopyError> {
        let (side, given) = (Side::Source, src.len());
        src.get(..needed).ok_or(CopyError::TooShort { side, needed, given })
    }

    /// The first `needed` of a destination.
    #[inline(always)]
    pub(super) fn destination<T>(dst: &mut [T], needed: usize) -> Result<&mut [T], CopyError> {
        let (side, given) = (Side::Destination, dst.len());
        dst.get_mut(..needed).ok_or(CopyError::TooShort { side, needed, given })
    }

    /// Whether two shapes are of one array.
    pub(crate) fn check_array(from: &ArrayShape, to: &ArrayShape) -> Result<(), CopyError> {
        let (source, destination) = (from.rank(), to.rank());
        if source != destination {
            return Err(CopyError::OtherRank { source, destination });
        }
        for (dim, (a, b)) in from.dims().iter().zip(to.dims()).enumerate() {
            if a != b {
                let [source, destination] = [a, b].map(|dim| dim.size().map_or(0, native));
                return Err(CopyError::OtherSize { dim, source, destination });
            }
        }
        let (source, destination) = (from.element_type(), to.element_type());
        if source != destination {
            return Err(CopyError::OtherElements { source, destination });
        }
        Ok(())
    }
}

error_of! { CopyError {
    Dims(Fault);
    Strides(StridesError);
    UnknownSize(UnknownSize);
    Slice(SliceError);
    Memory(MemoryError);
} }
