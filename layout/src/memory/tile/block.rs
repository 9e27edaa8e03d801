//! A view by the tiles of any level.

use core::fmt;
use core::marker::PhantomData;

use layout_core::__private::{NATIVE, native};

use crate::compiled::find;
use crate::compiled::{AnyLayout, stop};

/// Slots of a tile of a level; stops the build where there are none.
const fn elements<L: AnyLayout>(level: usize) -> usize {
    let () = L::VALID;
    if level > 0 && level >= L::VALUE.tiles().len() {
        stop("the layout has no tiles of this level: the first tile is level 0");
    }
    match L::VALUE.block(level) {
        Ok(block) if block.known().is_some() => native(block.factor),
        Ok(_) => {
            stop("the size of a tile is known at run time only: without tiles it is the array")
        }
        Err(_) => stop(
            "a later tile spans several tiles of this level, so these are not contiguous: ask for its level",
        ),
    }
}

/// The tiles of a level, as chunks of memory.
pub(in crate::memory) struct Chunks<L, const LEVEL: usize>(PhantomData<L>);

impl<L: AnyLayout, const LEVEL: usize> Chunks<L, LEVEL> {
    /// Slots of a tile, at least 1.
    pub(in crate::memory) const LENGTH: usize = match elements::<L>(LEVEL) {
        0 => 1,
        elements => elements,
    };
}

/// Consecutive memory of a view, to read: see [`View::blocks`](crate::View::blocks).
pub struct Block<'a, L: AnyLayout, T> {
    pub(in crate::memory) sizes: L::Sizes,
    pub(in crate::memory) slots: &'a [T],
    pub(in crate::memory) start: usize,
}

/// Consecutive memory of a view, to read and write: see [`ViewMut::blocks_mut`](crate::ViewMut::blocks_mut).
pub struct BlockMut<'a, L: AnyLayout, T> {
    pub(in crate::memory) sizes: L::Sizes,
    pub(in crate::memory) slots: &'a mut [T],
    pub(in crate::memory) start: usize,
}

copy! { Block<'a, L: AnyLayout, T> }

impl<'a, L: AnyLayout, T> BlockMut<'a, L, T> {
    /// The memory to write, padding included, for as long as the array is borrowed.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }

    /// The memory to write, padding included.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The elements with their indices to write: see [`Block::elements`].
    pub fn elements_mut(&mut self) -> impl Iterator<Item = (L::Index, &mut T)> {
        let (start, sizes) = (self.start, self.sizes);
        let slots = self.slots.iter_mut().enumerate();
        slots.filter_map(move |(slot, x)| {
            Some((find::element::<L, NATIVE>(&sizes, start + slot)?, x))
        })
    }
}

/// The methods that read a block: `$a` is the lifetime of the references that they return.
macro_rules! reads {
    ($block:ident<$a:lifetime> $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, T> $block<$a, L, T> {
            /// Offset of the first slot, in elements.
            pub fn offset(&self) -> usize {
                self.start
            }

            /// The memory, padding included.
            #[inline(always)]
            pub fn as_slice(&self) -> &$a [T] {
                self.slots
            }

            /// The elements with their indices, in the order of memory, without padding.
            ///
            /// Each slot's index is computed apart, as [`Array::index`](crate::Array::index) does.
            pub fn elements(&self) -> impl Iterator<Item = (L::Index, &$a T)> + use<$a, L, T> {
                let (start, sizes) = (self.start, self.sizes);
                let slots = self.slots.iter().enumerate();
                slots.filter_map(move |(slot, x)| {
                    Some((find::element::<L, NATIVE>(&sizes, start + slot)?, x))
                })
            }
        }

        impl<L: AnyLayout, T> fmt::Debug for $block<'_, L, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($block))
                    .field("offset", &self.offset())
                    .field("slots", &self.slots.len())
                    .finish_non_exhaustive()
            }
        }
    };
}

reads! { Block<'a> 'a }
reads! { BlockMut<'_> }
