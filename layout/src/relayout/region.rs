//! Copying a part of an array.

use layout_core::Digits;

use super::{Copying, Padding, Settings, fill_padding};
use crate::any::{self, AnyLayout};
use crate::slice::Slice;
use crate::stored::StoredAs;
use crate::view::ViewMut;

/// Copies a slice to a view of its size: by a plan, given the digits of an array of its size that lies in
/// memory as the slice does, and where; else element by element.
#[track_caller]
pub(crate) fn relayout_region<L, B, T>(
    from: Option<(Digits, usize)>,
    slice: &Slice<'_, L, T>,
    to: &mut ViewMut<'_, B, T>,
    padding: Padding<T>,
) where
    L: AnyLayout,
    B: AnyLayout<Index = L::Index, ElementKind = L::ElementKind>,
    T: StoredAs<B::ElementKind>,
{
    let dst = any::digits::<B>(&to.sizes());
    fill_padding(&dst, to, padding);
    if let Some((src, base)) = from {
        let copying = Copying::new(&src, &dst, size_of::<T>());
        let plain = <T as StoredAs<B::ElementKind>>::PLAIN;
        copying.run(plain, &slice.memory()[base..], to.as_mut_slice(), &Settings::default());
    } else {
        for (index, element) in slice.iter() {
            to[index] = *element;
        }
    }
}
