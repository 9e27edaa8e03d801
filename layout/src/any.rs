//! A layout's type, compiled: its value, its digits and its program, each computed once.

use layout_spec::__private::{Built, Grid, NoGrid, Parts, Steps, Walk, parts};
use layout_spec::{ArrayShape, Digits, Fault};

use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList};
use crate::property::Properties;
use crate::text::{Buffer, Writer};
use crate::tiles::TileSpec;

/// A layout of whatever rank: what [`Layout<R>`](crate::Layout) is for every `R`.
///
/// It is the bound of types that hold a layout without a rank of their own, such as
/// [`View`](crate::View). Code that computes asks for `Layout<R>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array",
    label = "expected a layout",
    note = "`layout!` makes layouts, as in `layout!(F32[3,5]{{1,0:T(2,2)}})`"
)]
// What code is generated from. Nothing here panics but `VALID`, `HAS_GRID` and `HAS_ROWS`, which a
// public function names once each, so that a mistake is reported once.
pub trait AnyLayout: sealed::Sealed + 'static {
    /// An index: `[usize; RANK]`.
    type Index: Copy + core::fmt::Debug + PartialEq + AsRef<[usize]> + AsMut<[usize]> + 'static;

    /// Type of the elements: a type of [`element`](crate::element).
    type ElementKind: Element;

    #[doc(hidden)]
    const ORIGIN: Self::Index;

    #[doc(hidden)]
    fn find(index: &Self::Index) -> Option<usize>;

    #[doc(hidden)]
    fn find_unchecked(index: &Self::Index) -> usize;

    #[doc(hidden)]
    const BUILT: &'static Result<Built, Fault>;

    #[doc(hidden)]
    const SIZES: &'static [usize];

    #[doc(hidden)]
    const DIGITS: &'static Digits = match Self::BUILT {
        Ok(built) => &built.digits,
        Err(_) => &Digits::SCALAR,
    };

    #[doc(hidden)]
    const STEPS: &'static Steps = &Steps::new(Self::DIGITS);

    /// The most minor dimension; 0 of a scalar.
    #[doc(hidden)]
    const MINOR: usize = if Self::SIZES.is_empty() { 0 } else { Self::VALUE.minor_to_major()[0] };

    /// The way the layout is walked.
    #[doc(hidden)]
    const WALK: &'static Walk = &Walk::new(Self::DIGITS, Self::MINOR);

    /// The outermost tiling, or something else where its tiles are no blocks of memory.
    #[doc(hidden)]
    const GRID: &'static Grid = &match Self::VALUE.grid() {
        Ok(grid) => grid,
        Err(_) => Grid::NONE,
    };

    /// Stops the build where the tiles are no blocks of memory.
    #[doc(hidden)]
    const HAS_GRID: () = match Self::VALUE.grid() {
        Ok(_) => {}
        Err(NoGrid::Combined) => stop(
            "the first tile combines dimensions, so that its tiles are no boxes: walk over `runs()`",
        ),
        Err(_) => stop(
            "a later tile reaches across the first one's tiles, so that these are no blocks of memory: walk over `runs()`",
        ),
    };

    /// Stops the build where the rows of a tile are not contiguous.
    #[doc(hidden)]
    const HAS_ROWS: () = {
        let () = Self::HAS_GRID;
        if Self::VALUE.tiles().len() > 1 {
            stop("a later tile takes the rows of the first one's tiles apart: walk over `runs()`")
        }
    };

    /// Slots in memory.
    #[doc(hidden)]
    const SLOTS: usize = match Self::VALUE.padded_elements() {
        Some(slots) => slots,
        None => 0,
    };

    /// The shape; a scalar stands in for a faulty one.
    #[doc(hidden)]
    const VALUE: &'static ArrayShape = match Self::BUILT {
        Ok(built) => &built.shape,
        Err(_) => &ArrayShape::scalar(layout_spec::ElementType::PRED),
    };

    /// Stops the build if the type is no layout.
    #[doc(hidden)]
    const VALID: () = if let Err(fault) = Self::BUILT {
        fail(fault)
    };
}

/// Stops with a message, at the place that asks.
#[cold]
#[track_caller]
pub(crate) const fn stop(message: &str) -> ! {
    panic!("{}", message)
}

/// Stops with a fault, at the place that asks.
#[cold]
#[track_caller]
pub(crate) const fn fail(fault: &Fault) -> ! {
    panic!("{}", fault.line().as_str())
}

mod sealed {
    pub trait Sealed {}
    impl<E, D, M, T, P> Sealed for crate::array::Array<E, D, M, T, P> {}
}

#[diagnostic::do_not_recommend]
impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> AnyLayout
    for Array<E, D, M, T, P>
{
    type Index = D::Index;
    type ElementKind = E;
    const ORIGIN: D::Index = D::ORIGIN;

    #[inline(always)]
    fn find(index: &D::Index) -> Option<usize> {
        D::find::<Self>(index)
    }

    #[inline(always)]
    fn find_unchecked(index: &D::Index) -> usize {
        D::find_unchecked::<Self>(index)
    }

    const BUILT: &'static Result<Built, Fault> = &parts(&Parts {
        element: E::TYPE,
        dims: D::DIMS,
        minor_to_major: M::NUMBERS,
        tiles: T::TILES,
        properties: P::VALUES,
    });
    const SIZES: &'static [usize] = D::SIZE_LIST;
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Writer
    for Array<E, D, M, T, P>
{
    const TEXT: Buffer = <Self as AnyLayout>::VALUE.text();
}
