//! Operands in registers, as types.

use core::marker::PhantomData;

use layout::Array;
use layout::types::{DimList, Dims, Element, NumberList, Properties, StaticDims, TileSpec};
use layout_core::__private::native;
use layout_core::Size;
use layout_gpu::fragment as gpu;

/// The layout `A` as an array that `LANES` lanes hold in registers, each as many values: offset = lane · values + value.
///
/// # Examples
/// ```
/// use layout::element::F32;
/// use layout_formats::packed_format::{FragmentOf, MmaM16n8C, WgmmaD64};
///
/// type C = FragmentOf<MmaM16n8C<F32>>;
/// assert_eq!((C::lane_of([9, 3]), C::value_of([9, 3])), (5, 3));
///
/// // Four warps.
/// type D = FragmentOf<WgmmaD64<F32>, 128>;
/// assert_eq!((D::lane_of([25, 10]), D::value_of([25, 10]), D::VALUES), (37, 6, 32));
/// assert_eq!(D::index_of(37, 6), Some([25, 10]));
/// ```
///
/// Lanes that do not divide the array are a compile error:
/// ```compile_fail,E0080
/// # use layout_formats::packed_format::FragmentOf;
/// type Odd = FragmentOf<layout::layout!(F32[3,5])>;
/// const VALUES: usize = Odd::VALUES;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FragmentOf<A, const LANES: usize = 32>(PhantomData<A>);

impl<E, D, M, T, P, const LANES: usize> FragmentOf<Array<E, D, M, T, P>, LANES>
where
    E: Element,
    D: DimList,
    M: NumberList,
    T: TileSpec,
    P: Properties,
{
    /// Lanes (threads) that hold the array.
    pub const LANES: usize = LANES;

    /// Values of each lane.
    pub const VALUES: usize = {
        let slots = Array::<E, D, M, T, P>::PADDED_ELEMENTS;
        assert!(
            LANES > 0 && slots.is_multiple_of(LANES),
            "the lanes do not hold as many values each: `LANES` does not divide the elements in memory"
        );
        slots / LANES
    };

    /// The map as a value, of one warp of all lanes. Operands that lanes hold several times, which no layout is, are values
    /// alone: see `layout_gpu::fragment::Instruction`.
    ///
    /// A layout with padding has none: a use of it does not compile.
    pub const MAP: gpu::Fragment = {
        let lanes = LANES as Size;
        gpu::FragmentError::or_panic(gpu::Fragment::of_layout(
            Array::<E, D, M, T, P>::SHAPE,
            lanes,
            lanes,
        ))
    };

    /// The index of a value of a lane; `None` if the lane or the value is out of range.
    pub const fn index_of<const R: usize>(lane: usize, value: usize) -> Option<[usize; R]>
    where
        D: Dims<R> + StaticDims,
    {
        let holder = gpu::Holder::register(0, lane as Size, value as Size);
        let Some(found) = Self::MAP.index(holder) else { return None };
        let mut index = [0; R];
        each!(for dim in 0..R {
            index[dim] = native(found.as_slice()[dim]);
        });
        Some(index)
    }

    /// The lane that holds the element.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    #[inline]
    #[track_caller]
    pub const fn lane_of<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        Array::<E, D, M, T, P>::offset(index) / Self::VALUES
    }

    /// The number of the element among the values of its lane.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    #[inline]
    #[track_caller]
    pub const fn value_of<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        Array::<E, D, M, T, P>::offset(index) % Self::VALUES
    }
}
