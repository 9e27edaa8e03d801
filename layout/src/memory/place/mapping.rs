//! Where the elements of an array lie, as plain data: what an offset, a copy and a picture have to know, and nothing of memory.
#![allow(unnameable_types, reason = "copies alone name them")]

use layout_core::__private::{Counts, Region};
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, ElementType, Index, Size};

use crate::compiled::eval::NO_COUNTS;
use crate::memory::{place::digits::base, place::digits::digits};
use crate::spec::index::{AnyIndex, each_coordinate};

/// What says where elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A layout that is a type, and its sizes: [`Mapping::DIGITS`], [`Mapping::counts`].
    Layout,
    /// A stride for each dimension, which are the `counts`, and a first slot.
    Strides,
    /// A part of such a layout whose tiles it cuts: digits of the whole, and a region.
    Tiles,
    /// Digits that are values.
    Value,
}

/// The items of a [`Mapping`] that is plain data: it is its own side, and an array of its own.
macro_rules! its_own_side {
    () => {
        type Side = Self;
        type Own = Self;

        #[inline(always)]
        fn side(&self) -> Self {
            *self
        }

        #[inline(always)]
        fn own(&self) -> Option<Self> {
            Some(*self)
        }
    };
}
pub(crate) use its_own_side;

/// Sizes, digits or strides, the first slot, and what of these is constant. Implemented once for each kind of place; all copies are made of
/// two of these.
pub trait Mapping: Clone {
    /// One coordinate for each dimension, dimension 0 first.
    type Index: AnyIndex;
    /// The type of the same mapping as data, which mappings of many types share: so their copies share code.
    type Side: Mapping<Index = Self::Index>;

    /// The type of [`Self::own`].
    type Own: Mapping<Index = Self::Index>;

    /// What a copy finds elements by.
    const FORM: Form;
    /// The digits of a `Form::Layout`.
    const DIGITS: Option<&'static Digits> = None;
    /// The dimensions whose sizes a value says, as bits.
    const VARYING: u16 = 0;
    /// The sizes, if all are known to the compiler; bounded ones are their bounds.
    const SIZES: Option<&'static [usize]> = None;
    /// The slots, where a value says nothing.
    const SLOTS: Option<usize> = None;
    /// Whether it is a part of an array, so that digits are those of the whole, and a region says which.
    const IS_PART: bool = false;

    /// This mapping as data.
    fn side(&self) -> Self::Side;

    /// The place as an array of its own, so that digits alone say offsets; `None` for a part that begins within a tile.
    #[inline(always)]
    fn own(&self) -> Option<Self::Own> {
        None
    }

    /// Sizes of the dimensions, in elements.
    fn dims(&self) -> Self::Index;

    /// Slots of the memory, padding included.
    fn slots(&self) -> usize;

    /// The offset of an element with an index in bounds.
    fn offset(&self, index: &Self::Index) -> usize;

    /// Where the element with index 0 lies, where digits do not say it.
    #[inline(always)]
    fn first(&self) -> usize {
        0
    }

    /// The unknown counts of the layout, or the strides.
    #[inline(always)]
    fn counts(&self) -> Counts {
        *NO_COUNTS
    }

    /// The digits of the offset along the whole array, the part that this is (`None` if it is all), and the offset of index 0 of strides.
    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&Region>, usize) -> R) -> R;

    /// Elements along the dimension of runs that are consecutive, from each multiple of their number on, and the coordinate of the first
    /// element.
    #[inline(always)]
    fn consecutive(&self) -> [usize; 2] {
        [1, 0]
    }

    /// Whether some slots hold no element.
    fn has_padding(&self) -> bool {
        false
    }

    /// The bits that the layout declares for its padding.
    fn declared(&self) -> Option<u128> {
        None
    }

    /// The type of the elements, if the place says it.
    fn element(&self) -> Option<ElementType> {
        None
    }

    /// The layout, where it is a value.
    fn shape(&self) -> Option<&ArrayShape> {
        None
    }
}

/// Elements that lie a stride apart along each dimension.
// Its coordinates are named one by one: the compiler then keeps them in registers from the start.
#[derive(Clone, Copy, Debug)]
pub struct AtStrides<I> {
    /// Where index 0 lies.
    pub first: usize,
    pub dims: I,
    /// Below 0 in two's complement.
    pub strides: I,
}

impl<I: AnyIndex> AtStrides<I> {
    /// An array of these sizes in row-major order, without padding.
    pub(crate) fn row_major(dims: I) -> Self {
        let (mut strides, mut stride) = (dims, 1_usize);
        for (to, size) in strides.as_mut().iter_mut().zip(dims.as_ref()).rev() {
            *to = stride;
            // The other sizes of an array without elements may be any.
            stride = stride.wrapping_mul(*size);
        }
        AtStrides { first: 0, dims, strides }
    }
}

impl<I: AnyIndex> Mapping for AtStrides<I> {
    type Index = I;
    its_own_side! {}

    const FORM: Form = if I::KNOWN_RANK.is_some() { Form::Strides } else { Form::Value };

    #[inline(always)]
    fn dims(&self) -> I {
        self.dims
    }

    /// No copy asks: all memory between elements is someone else's.
    fn slots(&self) -> usize {
        0
    }

    #[inline(always)]
    fn offset(&self, index: &I) -> usize {
        let steps = index.as_ref().iter().zip(self.strides.as_ref());
        steps.fold(self.first, |offset, (at, stride)| offset.wrapping_add(at.wrapping_mul(*stride)))
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.first
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        let mut counts = *NO_COUNTS;
        let strides = self.strides.as_ref();
        each_coordinate! { match I::KNOWN_RANK { Some(rank) => rank, None => 0 }, dim =>
            counts[dim] = strides[dim].cast_signed() as i64 as Size
        }
        counts
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&Region>, usize) -> R) -> R {
        let strides = self.strides.as_ref().iter().map(|stride| stride.cast_signed());
        then(&digits(&Index::of_native(self.dims.as_ref()), strides), None, self.first)
    }
}

/// Elements of an array of these sizes: the others of an array without elements may be any.
#[inline(always)]
pub(crate) fn elements(dims: &[usize]) -> usize {
    if dims.contains(&0) { 0 } else { dims.iter().product() }
}

/// Calls with the slots at which both sides begin, and digits from there on; or with the digits of both whole arrays, where these begin,
/// and the parts.
pub(crate) fn with_digits<A: Mapping, B: Mapping>(
    from: &A,
    to: &B,
    then: impl FnOnce([&Digits; 2], [Size; 2], Option<&[Region; 2]>),
) {
    let dims = Index::of_native(from.dims().as_ref());
    from.with_digits(|a, part_a, first_a| {
        to.with_digits(|b, part_b, first_b| {
            let first = [first_a as Size, first_b as Size];
            // Of whole arrays the code for parts is left out of programs.
            if const { !A::IS_PART && !B::IS_PART } || part_a.is_none() && part_b.is_none() {
                return then([a, b], first, None);
            }
            if let (Some(src), Some(dst)) = (base(a, part_a, first_a), base(b, part_b, first_b)) {
                let digits = [&a.with_dims(&dims), &b.with_dims(&dims)];
                return then(digits, [src as Size, dst as Size], None);
            }
            // A part as digits take it: all of a side that is none.
            let region = |part: Option<&Region>| {
                let mut whole = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
                whole.limit[..dims.len()].copy_from_slice(&dims);
                part.copied().unwrap_or(whole)
            };
            then([a, b], first, Some(&[region(part_a), region(part_b)]));
        });
    });
}
