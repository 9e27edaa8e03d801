//! A layout's type, compiled: its value, its digits and its program, each computed once.

pub(crate) mod check;
pub(crate) mod eval;
pub(crate) mod find;
pub(crate) mod sized;

use core::fmt;
use core::marker::PhantomData;

use layout_core::__private::{
    Built, Counts, Grid, MAX_STEPS, NO_EVEN_ROWS, OffsetProgram, Step, Tiling, Walk, bytes_of,
    native,
};
use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS, SHORT_BOUNDS, SHORT_TILE_DIMS};
use layout_core::{ArrayShape, Digits, Fault, FaultKind, Index, List, Size, XorBits};

use crate::spec::{index::IndexArray, layout_types::LayoutTypes, list::DimList, text::Writer};

/// A layout of any rank; every array type that `layout!` writes implements it.
///
/// It is the bound of types that hold a layout without a rank of their own, such as
/// [`View`](crate::View). Code that computes asks for `Layout<R>`. [`LayoutTypes`](crate::types::LayoutTypes) has its
/// index and its element type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array",
    label = "expected a layout",
    note = "`layout!` makes layouts, as in `layout!(F32[3,5]{{1,0:T(2,2)}})`"
)]
#[allow(private_bounds, reason = "nobody else implements it, or names what it is compiled to")]
pub trait AnyLayout: Compiled {
    /// The layout with sizes for all its dimensions, in elements, dimension 0 first: see
    /// [`Array::with_dims`](crate::Array::with_dims).
    ///
    /// # Errors
    /// Under the conditions of [`Array::with_dims`](crate::Array::with_dims).
    ///
    /// # Examples
    /// ```
    /// use layout::{AnyLayout, layout, shape::Fault};
    ///
    /// fn slots<L: AnyLayout<Index = [usize; 2]>>(rows: usize, columns: usize) -> Result<usize, Fault> {
    ///     Ok(L::with_dims([rows, columns])?.padded_elements())
    /// }
    /// assert_eq!(slots::<layout!(F32[?,?]{1,0:T(8,128)})>(5, 200)?, 8 * 256);
    /// # Ok::<(), Fault>(())
    /// ```
    #[inline]
    fn with_dims(dims: Self::Index) -> Result<WithDims<Self>, Fault>
    where
        Self: Sized,
    {
        let () = Self::VALID;
        WithDims::checked(&dims)
    }
}

/// The layout `L` with the sizes of its dimensions: [`with_dims`](crate::Array::with_dims) makes it.
///
/// It has the functions that a layout's type has where all sizes are part of the type. Its own sizes
/// are all that it holds: two words for a dimension `?`, one for `<=N`, none for the others; what
/// depends on tiles alone is a constant here too.
///
/// # Examples
/// ```
/// use layout::{WithDims, layout};
///
/// type A = layout!(F32[?,1024]{1,0:T(8,128)});
/// let rows = 5;
/// let a = A::with_dims([rows, 1024])?;
/// assert_eq!(a.offset([4, 700]), 5692);
/// assert_eq!((a.dims(), a.elements(), a.padded_elements()), ([5, 1024], 5120, 8192));
///
/// let data = vec![1.0; a.padded_elements()];
/// let view = a.view(&data)?;
/// let mut sum = 0.0;
/// for (_, run) in view.runs() {
///     sum += run.iter().sum::<f32>();
/// }
/// assert_eq!((view[[4, 700]], sum), (1.0, 5120.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Structs whose last field asks nothing private of `L` are `Sized` for every `L`. Where a user forgot the bound, the
// compiler then names `AnyLayout` alone.
pub struct WithDims<L: AnyLayout> {
    pub(crate) sizes: L::Sizes,
    of: PhantomData<fn() -> L>,
}

/// A layout of any rank whose sizes are all part of its type: without `?`. A bounded dimension, `<=N`, is laid out with
/// its bound.
///
/// It is the bound of what makes memory of a layout without being given sizes, such as [`View::new`](crate::View::new).
#[diagnostic::on_unimplemented(
    message = "`{Self}` may have dimensions that are known at run time only (`?`)",
    label = "the sizes have to be part of the type",
    note = "`A::with_dims([..])?` gives the sizes: the value has the same functions, such as `zeroed()`, `offset(index)` and `view(data)`",
    note = "generic code asks for them by `L: StaticLayout`, or by `L: Layout<R>`"
)]
pub trait StaticLayout: AnyLayout {}

/// What code is generated from. It is private, so that the compiler suggests nothing of it where a name
/// is misspelt.
// Nothing here panics but `VALID`, `HAS_GRID`, `HAS_EVEN_ROWS`, `HAS_ROWS` and `FITS_U32`. The compiler reports the caller of
// the function that names a failing constant. So each public function names those that it needs, although functions below
// it do too: then the caller is the user's line.
pub(crate) trait Compiled: LayoutTypes + Writer {
    const ORIGIN: Self::Index = Self::Index::ORIGIN;

    /// The sizes where nothing is said at run time; `None` if then a size is unknown.
    const KNOWN: Option<Self::Sizes> = Self::DimTypes::KNOWN;

    /// Whether no count of the layout is unknown. Bounded dimensions are laid out with their bounds.
    const IS_FIXED: bool = Self::KNOWN.is_some();

    /// Sizes of the dimensions, dimension 0 first.
    #[inline(always)]
    fn dims(sizes: &Self::Sizes) -> Self::Index {
        Self::DimTypes::dims(sizes)
    }

    /// A value for sizes of the dimensions that go with the layout.
    #[inline(always)]
    fn sizes(dims: &Self::Index) -> Self::Sizes {
        Self::DimTypes::sizes(dims, |dim| Self::DIVISORS[dim])
    }

    fn counts(sizes: &Self::Sizes) -> Counts;

    const BUILT: &'static Result<Built, Fault>;

    const SIZES: &'static [usize] = Self::DimTypes::SIZE_LIST;

    /// Whether tiles divide products of unknown counts.
    const HAS_PRODUCTS: bool = {
        let mut has = false;
        each!(for number in 0..Self::QUOTIENTS {
            has |= Self::DIGITS.quotient(number).dim().is_none();
        });
        has
    };

    /// The digits, of most layouts: see [`Built`].
    const SHORT_DIGITS: &'static FewDigits = match Self::BUILT {
        Ok(built) => &built.digits,
        Err(_) => &FewDigits::SCALAR,
    };

    /// All digits. They are large: what only asks for an offset does not name them.
    const DIGITS: &'static Digits = &{
        let mut tiling: Tiling = Tiling::NONE;
        *tiling.digits(Self::VALUE)
    };

    /// Quotients of unknown counts.
    const QUOTIENTS: usize = Self::SHORT_DIGITS.quotient_count();

    /// The first steps, which for most layouts are all.
    // Not of `DIGITS`: for each constant that refers to them, the compiler looks at all of their bytes.
    #[allow(clippy::let_and_return, reason = "with a name it is not promoted by itself")]
    const STEPS: &'static OffsetProgram<8> = &{
        let steps = match Self::BUILT {
            Ok(Built { is_short: false, .. }) => steps_of_long::<Self, 8>(),
            _ => OffsetProgram::first(Self::SHORT_DIGITS),
        };
        steps
    };

    /// The steps after the first ones, where there are more.
    const LATER_STEPS: &'static [Step] =
        if Self::STEPS.len > Self::STEPS.steps.len() { later_steps::<Self>() } else { &[] };

    /// The most minor dimension; 0 of a scalar.
    const MINOR: usize = if Self::SIZES.is_empty() { 0 } else { Self::VALUE.minor_to_major()[0] };

    /// How to visit the elements run by run.
    const WALK: &'static Walk = &Walk::new(Self::DIGITS, Self::MINOR);

    /// How to visit the elements row by row; by runs where elements of a row need not be evenly spaced.
    const ROWS: &'static Walk = &match Walk::rows(Self::DIGITS, Self::MINOR) {
        Some(rows) => rows,
        None => *Self::WALK,
    };

    /// What is done with the sum of the digits.
    const SWIZZLE: XorBits = Self::SHORT_DIGITS.swizzle();

    /// How many digits are taken of coordinates, where all are.
    const COUNTERS: usize = match Self::DIGITS.straight() {
        Some(count) => count,
        None => 0,
    };

    /// The outermost tiling; `Grid::NONE` if its tiles are not contiguous.
    const GRID: &'static Grid = &match Self::VALUE.grid() {
        Ok(grid) => grid,
        Err(_) => Grid::NONE,
    };

    /// Stops the build if tiles are not contiguous.
    const HAS_GRID: () = match Self::VALUE.grid() {
        Ok(_) => {}
        Err(why) => stop(why.line()),
    };

    /// Stops the build where the elements of a row need not be evenly spaced.
    const HAS_EVEN_ROWS: () = {
        let () = Self::VALID;
        if Walk::rows(Self::DIGITS, Self::MINOR).is_none() {
            stop(NO_EVEN_ROWS)
        }
    };

    /// Stops the build where the rows of a tile are not contiguous.
    const HAS_ROWS: () = {
        let () = Self::HAS_GRID;
        if Self::VALUE.tiles().len() > 1 {
            stop(
                "a later tile splits the rows of the first one's tiles, so these are not contiguous: use `View::rows`",
            )
        }
    };

    /// What the size of each dimension is divided by before it counts.
    const DIVISORS: &'static [usize; MAX_DIMS] = &{
        let mut divisors = [1; MAX_DIMS];
        each!(for dim in 0..Self::SIZES.len() {
            divisors[dim] = native(Self::DIGITS.divisor(dim));
        });
        divisors
    };

    /// Stops the build if the type is not a layout, or if 32 bits do not count its slots.
    const FITS_U32: () = {
        let () = Self::VALID;
        if let Err(error) = check_u32(Self::SLOTS) {
            stop(error.line().as_str())
        }
    };

    /// Bits of an element in memory.
    const BITS: usize = native(Self::VALUE.element_bits());

    /// Slots in memory; 0 if a size is unknown.
    const SLOTS: usize = if Self::VALUE.is_unbounded() {
        0
    } else {
        native(Self::VALUE.padded_elements_by(Self::SHORT_DIGITS))
    };

    /// Bounds of the array in memory, if all are known.
    const BOUNDS: &'static Option<List<{ 2 * MAX_TILE_DIMS }, usize>> =
        &match Self::VALUE.physical_dims() {
            Some(list) => Some(list.to_native()),
            None => None,
        };

    /// The shape; a scalar stands in for a faulty one.
    const VALUE: &'static ArrayShape = match Self::BUILT {
        Ok(built) => &built.shape,
        Err(_) => &ArrayShape::scalar(layout_core::ElementType::PRED),
    };

    /// Stops the build if the type is not a layout.
    const VALID: () = if let Err(fault) = Self::BUILT {
        stop(fault.line().as_str())
    };
}

type FewDigits = Digits<SHORT_BOUNDS, SHORT_TILE_DIMS>;

// A constant that names another one evaluates it, needed or not; a function that is not called does not.

const fn steps_of_long<L: Compiled + ?Sized, const N: usize>() -> OffsetProgram<N> {
    OffsetProgram::first(L::DIGITS)
}

const fn later_steps<L: Compiled + ?Sized>() -> &'static [Step] {
    const { &steps_of_long::<L, MAX_STEPS>() }.steps.split_at(L::STEPS.steps.len()).1
}

/// Whether 32 bits count this many slots.
pub(crate) const fn check_u32(slots: usize) -> Result<(), Fault> {
    let slots = slots as Size;
    if slots > u32::MAX as Size {
        return Err(Fault::of_whole(FaultKind::Above32Bits { slots }));
    }
    Ok(())
}

/// Stops with a message, at the place that asks.
#[cold]
#[track_caller]
pub(crate) const fn stop(message: &str) -> ! {
    panic!("{}", message)
}

/// Stops with the index that is out of range.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn outside<L: AnyLayout>(sizes: &L::Sizes, index: &L::Index) -> ! {
    outside_of(L::VALUE, L::dims(sizes).as_ref(), index.as_ref())
}

/// The message, compiled once for all layouts, views and slices.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn outside_of(array: &dyn fmt::Display, dims: &[usize], index: &[usize]) -> ! {
    let (given, rank) = (index.len(), dims.len());
    assert!(given == rank, "the index {index:?} has length {given}, but {array} has rank {rank}");
    let dim = (0..rank).find(|dim| index[*dim] >= dims[*dim]).unwrap_or(0);
    let (coordinate, size) = (index[dim], dims[dim]);
    panic!(
        "the index {index:?} is out of range for {array}: coordinate {coordinate} of dimension {dim}, which has size {size}"
    )
}

/// Why the build stops where a size is needed that is not part of the type.
pub(crate) const KNOWN_AT_RUN_TIME: &str = "the layout has dimensions that are known at run time only (`?`): `A::with_dims([..])` makes a value that knows them";

/// What a layout holds where all sizes are part of the type; stops the build where one is not.
#[track_caller]
pub(crate) const fn known<L: AnyLayout>() -> L::Sizes {
    let () = L::VALID;
    match L::KNOWN {
        Some(sizes) => sizes,
        None => stop(KNOWN_AT_RUN_TIME),
    }
}

/// Stops the build where a size of two layouts, of a copy, is not part of their types.
#[track_caller]
pub(crate) const fn both_known<A: AnyLayout, B: AnyLayout>() {
    let ((), ()) = (A::VALID, B::VALID);
    if A::KNOWN.is_none() || B::KNOWN.is_none() {
        stop(
            "the layouts have dimensions that are known at run time only (`?`): `copy_to` copies between views of `A::with_dims([..])`",
        )
    }
}

/// Bytes of this many slots.
#[inline(always)]
pub(crate) const fn bytes<L: AnyLayout>(slots: usize) -> usize {
    native(bytes_of(slots as Size, L::BITS as Size))
}

/// Slots in memory.
#[inline(always)]
pub(crate) fn slots<L: AnyLayout>(sizes: &L::Sizes) -> usize {
    if const { L::IS_FIXED } {
        return L::SLOTS;
    }
    // Sizes that nobody checked may need more slots than there are numbers.
    let slots = tiled_slots::<L>(sizes);
    match slots % const { native(L::VALUE.tail_padding_alignment()) } {
        0 => slots,
        rest => slots.wrapping_add(native(L::VALUE.tail_padding_alignment()) - rest),
    }
}

/// Slots in memory without those that `L` adds.
#[inline(always)]
pub(crate) fn tiled_slots<L: AnyLayout>(sizes: &L::Sizes) -> usize {
    if const { L::SHORT_DIGITS.elements() == 0 } {
        return 0;
    }
    native(const { L::SHORT_DIGITS.size_amount() }.value(&L::counts(sizes)))
}

/// The digits with all sizes known, for functions that need not be fast.
#[cold]
pub(crate) fn digits<L: AnyLayout>(sizes: &L::Sizes) -> Digits {
    digits_of_array::<L>(sizes).unwrap_or_else(|| unreachable!("the sizes were checked"))
}

/// Like [`digits`], for sizes that are not checked yet; `None` if the layout cannot have them.
#[cold]
pub(crate) fn digits_of_array<L: AnyLayout>(sizes: &L::Sizes) -> Option<Digits> {
    let dims = Index::of_native(L::dims(sizes).as_ref());
    let shape = L::VALUE.with_dims(&dims).ok()?;
    Some(shape.digits().ok()?.with_dims(&dims))
}
