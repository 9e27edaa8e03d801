//! Which sizes, known at run time only, go with a layout.

use core::marker::PhantomData;

use layout_core::__private::{Amount, Counts};
use layout_core::limits::MAX_SIZE;
use layout_core::{ArrayShape, Dim, Fault, Index, Size};

use crate::compiled::{self, AnyLayout, WithDims, check::MOST};
use crate::spec::index::each_coordinate;

/// Whether sizes go with a layout, and the array fits in the target's memory.
pub(crate) const fn go_with(shape: &ArrayShape, dims: &[usize]) -> Result<(), Fault> {
    match shape.with_dims(Index::of_native(dims).as_slice()) {
        Err(error) => Err(error),
        // The limit of values is that of 64-bit targets.
        Ok(_) if MOST == MAX_SIZE => Ok(()),
        Ok(shape) => match shape.fault_within(MOST) {
            Some(fault) => Err(fault),
            None => Ok(()),
        },
    }
}

impl<L: AnyLayout> WithDims<L> {
    #[inline(always)]
    pub(crate) const fn of(sizes: L::Sizes) -> Self {
        WithDims { sizes, of: PhantomData }
    }

    /// The layout whose type says all sizes; stops the build where it does not.
    pub(crate) const fn known() -> Self {
        Self::of(compiled::known::<L>())
    }

    /// The layout with sizes that go with it: see [`Array::with_dims`](crate::Array::with_dims).
    #[inline(always)]
    pub(crate) fn checked(dims: &L::Index) -> Result<Self, Fault> {
        let sizes = L::sizes(dims);
        if !is_plainly_right::<L>(dims.as_ref(), &L::counts(&sizes)) {
            // By value, and the layout is made here, so that sizes stay in registers.
            examined::<L>(*dims)?;
        }
        Ok(Self::of(sizes))
    }

    /// Like [`checked`](Self::checked), with the sizes of an array that has the layout `A`.
    #[inline(always)]
    pub(crate) fn counterpart<A: AnyLayout>(sizes: L::Sizes) -> Result<Self, Fault> {
        if const { need_as_much::<A, L>() } {
            return Ok(Self::of(sizes));
        }
        let dims = L::dims(&sizes);
        let sizes = L::sizes(&dims);
        if dims.as_ref().contains(&0) || !have_room::<L>(&L::counts(&sizes)) {
            examined::<L>(dims)?;
        }
        Ok(Self::of(sizes))
    }

    /// Like [`checked`](Self::checked), of a list, whose length may be wrong.
    #[inline]
    pub(crate) fn checked_list(dims: &[usize]) -> Result<Self, Fault> {
        let mut index = L::ORIGIN;
        if dims.len() != index.as_ref().len() {
            go_with(L::VALUE, dims)?;
        }
        index.as_mut().copy_from_slice(dims);
        Self::checked(&index)
    }
}

/// Sizes that may be wrong: the fault is found by all of the rules.
#[cold]
#[inline(never)]
fn examined<L: AnyLayout>(dims: L::Index) -> Result<(), Fault> {
    go_with(L::VALUE, dims.as_ref())
}

/// Whether both layouts have equally many slots for all sizes, and may have equally many: such as orders of one array without tiles.
const fn need_as_much<A: AnyLayout, B: AnyLayout>() -> bool {
    A::QUOTIENTS == 0
        && B::QUOTIENTS == 0
        && A::SHORT_DIGITS.size_amount().is_same(B::SHORT_DIGITS.size_amount())
        && A::VALUE.most_slots(MOST) == B::VALUE.most_slots(MOST)
}

/// An amount once the counts are known; `None` where the product is not below 2⁶⁴. Also of counts that are no layout's.
#[inline(always)]
const fn product(amount: Amount, counts: &Counts) -> Option<Size> {
    let unknowns = amount.unknowns();
    if unknowns == 0 {
        return Some(amount.factor);
    }
    // The first one apart, as in `Amount::value`.
    let mut rest = unknowns & (unknowns - 1);
    let mut value = amount.factor.checked_mul(counts[unknowns.trailing_zeros() as usize]);
    while rest != 0
        && let Some(product) = value
    {
        value = product.checked_mul(counts[rest.trailing_zeros() as usize]);
        rest &= rest - 1;
    }
    value
}

/// Whether sizes go with a layout, where some multiplications tell. `false` says nothing.
#[inline(always)]
fn is_plainly_right<L: AnyLayout>(dims: &[usize], counts: &Counts) -> bool {
    let mut is_right = true;
    each_coordinate! { L::SIZES.len(), dim => {
        let size = dims[dim] as Size;
        is_right &= size != 0 && match L::VALUE.dim(dim) {
            Dim::Static(known) => size == known,
            Dim::Bounded(bound) => size <= bound,
            _ => true,
        };
    } }
    is_right && have_room::<L>(counts)
}

/// Whether counts, none of which is 0, are those of an array that fits in the target's memory. `false` says nothing.
#[inline(always)]
fn have_room<L: AnyLayout>(counts: &Counts) -> bool {
    if const { L::IS_FIXED } {
        return true;
    }
    let mut are_right = true;
    if const { L::HAS_PRODUCTS } {
        // Products of counts are divided: they have to be right too.
        each!(for number in 0..L::QUOTIENTS {
            are_right &= product(L::DIGITS.quotient(number).dividend(), counts).is_some();
        });
    }
    let most = const { L::VALUE.most_slots(MOST) };
    let slots = product(const { L::SHORT_DIGITS.size_amount() }, counts);
    are_right && slots.is_some_and(|slots| slots <= most)
}
