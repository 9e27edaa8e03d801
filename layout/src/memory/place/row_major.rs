//! An array of constant sizes in row-major order.

use core::marker::PhantomData;

use layout_core::__private::{Region, native};
use layout_core::Digits;

use crate::memory::place::mapping::{AtStrides, Form, Mapping, its_own_side};

/// The elements of a mapping that is a constant, in row-major order and without padding: so that a copy from or to it is a constant too,
/// and has the code of its own kernel alone.
pub(crate) struct RowMajor<P: Mapping> {
    dims: P::Index,
    of: PhantomData<fn() -> P>,
}

copy! { RowMajor<P: Mapping> }

impl<P: Mapping> RowMajor<P> {
    const ROW_MAJOR: Digits = match P::DIGITS {
        Some(digits) => digits.row_major(),
        None => Digits::SCALAR,
    };

    /// `None` if values say some sizes of the place.
    #[inline(always)]
    pub(crate) fn of(place: &P) -> Option<Self> {
        const { P::SLOTS.is_some() }.then(|| RowMajor { dims: place.dims(), of: PhantomData })
    }
}

impl<P: Mapping> Mapping for RowMajor<P> {
    type Index = P::Index;
    its_own_side! {}

    const FORM: Form = Form::Layout;
    const DIGITS: Option<&'static Digits> = Some(&Self::ROW_MAJOR);
    const SIZES: Option<&'static [usize]> = P::SIZES;
    const SLOTS: Option<usize> = Some(native(Self::ROW_MAJOR.elements()));

    #[inline(always)]
    fn dims(&self) -> P::Index {
        self.dims
    }

    fn slots(&self) -> usize {
        native(Self::ROW_MAJOR.elements())
    }

    fn offset(&self, index: &P::Index) -> usize {
        AtStrides::row_major(self.dims).offset(index)
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&Region>, usize) -> R) -> R {
        then(&Self::ROW_MAJOR, None, 0)
    }
}
