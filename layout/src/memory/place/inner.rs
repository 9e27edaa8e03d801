//! Parts of arrays that lie as arrays of their own do.

use core::fmt;

use layout_core::__private::{Counts, Region};
use layout_core::{Digits, Index};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::place::mapping::{Form, Mapping, its_own_side};

/// A part that begins on borders of tiles: from its first slot on it lies as an array of its sizes with the same layout, whose strides
/// are those of the array that it is a part of.
#[allow(unnameable_types, reason = "copies alone name it")]
pub struct Inner<L: AnyLayout> {
    pub(super) layout: WithDims<L>,
    pub(super) dims: L::Index,
    pub(super) first: usize,
}

copy! { Inner<L: AnyLayout> }

impl<L: AnyLayout> fmt::Debug for Inner<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?} from {}", self.dims, self.layout, self.first)
    }
}

impl<L: AnyLayout> Mapping for Inner<L> {
    type Index = L::Index;
    its_own_side! {}

    const FORM: Form = Form::Layout;
    const DIGITS: Option<&'static Digits> = Some(L::DIGITS);
    /// A part has any sizes.
    const VARYING: u16 = u16::MAX;

    #[inline(always)]
    fn dims(&self) -> L::Index {
        self.dims
    }

    fn slots(&self) -> usize {
        self.layout.slots()
    }

    #[inline(always)]
    fn offset(&self, index: &L::Index) -> usize {
        self.first + Mapping::offset(&self.layout, index)
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.first
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        self.layout.counts()
    }

    fn with_digits<R>(&self, then: impl FnOnce(&Digits, Option<&Region>, usize) -> R) -> R {
        let dims = Index::of_native(self.dims.as_ref());
        self.layout.with_digits(|digits, _, _| then(&digits.with_dims(&dims), None, self.first))
    }
}
