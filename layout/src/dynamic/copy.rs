//! Copies from and to memory whose layout is known at run time only.

use core::ops::{Deref, DerefMut};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::dynamic::bits::DynBits;
use crate::dynamic::layout::DynLayout;
use crate::dynamic::place::DynPart;
use crate::memory::{Memory, Part, Strides};
use crate::relayout::{CopiedTo, CopyError, Destination, MappedTo, Padding, Plan};

/// Copies by a plan of both sides' digits, of which one at least is a value.
macro_rules! by_digits {
    ($([$($parameter:tt)*] $from:ty => $to:ty;)*) => {$(
        impl<$($parameter)*> CopiedTo<$to> for $from {}

        impl<$($parameter)*> MappedTo<$to> for $from {}
    )*};
}

by_digits! {
    [] DynLayout => DynLayout;
    [] DynLayout => DynPart;
    [] DynPart => DynLayout;
    [] DynPart => DynPart;
    [L: AnyLayout] DynLayout => WithDims<L>;
    [L: AnyLayout] DynLayout => Part<L>;
    [L: AnyLayout] DynPart => WithDims<L>;
    [L: AnyLayout] DynPart => Part<L>;
    [L: AnyLayout] WithDims<L> => DynLayout;
    [L: AnyLayout] WithDims<L> => DynPart;
    [L: AnyLayout] Part<L> => DynLayout;
    [L: AnyLayout] Part<L> => DynPart;
    [const R: usize] DynLayout => Strides<R>;
    [const R: usize] Strides<R> => DynLayout;
    [const R: usize] DynPart => Strides<R>;
    [const R: usize] Strides<R> => DynPart;
}

/// Elements of any type, of which the layouts say how many bits they have.
#[diagnostic::do_not_recommend]
impl<B, D> Destination<Memory<DynLayout, DynBits<B>>> for Memory<DynLayout, DynBits<D>>
where
    B: Deref<Target = [u8]>,
    D: DerefMut<Target = [u8]>,
{
    type Elem = u128;

    fn copy_from(
        &mut self,
        from: &Memory<DynLayout, DynBits<B>>,
        padding: Padding<u128>,
    ) -> Result<(), CopyError> {
        let plan = Plan::new(from.layout().shape(), self.layout().shape())?;
        plan.run(from.as_bytes(), self.as_mut_bytes(), padding)
    }
}
