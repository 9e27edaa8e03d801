//! Copies from and to memory whose layout is known at run time only.

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::{
    CopiedAs, error::CopyError, padding::Padding, plan::Plan, related::related, slots::CopiedSlots,
};
use crate::dynamic::{bits::AnyWidth, layout::DynLayout, place::DynPart};
use crate::memory::{Part, Place, Strides};

related! {
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
impl CopiedAs<AnyWidth> for AnyWidth {
    fn copied<'d, P: Place, Q: Place>(
        (from, to): (&P, &Q),
        src: &[u8],
        slots: CopiedSlots<'_, 'd, u8>,
        padding: Option<u128>,
    ) -> Result<&'d mut [u8], CopyError> {
        let dst = slots.initialised(None);
        let (Some(from), Some(to)) = (from.shape(), to.shape()) else {
            return Err(CopyError::Blocks);
        };
        let padding = padding.map_or(Padding::Leave, Padding::Fill);
        Plan::new(from, to)?.run_bytes(src, &mut *dst, padding)?;
        Ok(dst)
    }

    fn converted(element: u128) -> u128 {
        element
    }
}
