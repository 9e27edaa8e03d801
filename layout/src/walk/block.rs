//! An array by the tiles of any level.
#![allow(unsafe_code, reason = "each block has slots of its own")]

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use layout_core::__private::{NATIVE, native};

use crate::compiled::{self, AnyLayout, find, stop};
use crate::memory::storage::{Slots, SpreadMut, Storage};
use crate::memory::walked::{ByNumber, Lies, Numbered, Walked};

/// Slots of a tile of a level, at least 1; stops the build where there are none.
pub(super) const fn length<L: AnyLayout>(level: usize) -> usize {
    let () = L::VALID;
    if level > 0 && level >= L::VALUE.tiles().len() {
        stop("the layout has no tiles of this level: the first tile is level 0");
    }
    match L::VALUE.block(level) {
        Ok(block) if block.known().is_some() => match native(block.factor) {
            0 => 1,
            slots => slots,
        },
        Ok(_) => {
            stop("the size of a tile is known at run time only: without tiles it is the array")
        }
        Err(_) => stop(
            "a later tile spans several tiles of this level, so these are not contiguous: ask for its level",
        ),
    }
}

/// A tile of any level, as consecutive memory `S`: see [`Memory::blocks`](crate::memory::Memory::blocks).
pub struct Block<L: AnyLayout, S = ()> {
    sizes: L::Sizes,
    start: usize,
    length: usize,
    slots: S,
}

impl<L: AnyLayout, S: Copy> Clone for Block<L, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout, S: Copy> Copy for Block<L, S> {}

/// The tiles of a level, without memory.
pub type Blocks<L> = Numbered<Block<L>>;

/// The blocks of an array, each of `length` slots.
#[inline(always)]
pub(super) fn blocks<L: AnyLayout>(sizes: L::Sizes, length: usize) -> Blocks<L> {
    let first = Block { sizes, start: 0, length, slots: () };
    Numbered::new(first, compiled::tiled_slots::<L>(&sizes) / length)
}

impl<L: AnyLayout> ByNumber for Block<L> {
    type Item = Block<L>;

    #[inline(always)]
    fn item(&self, number: usize) -> Block<L> {
        Block { start: number * self.length, ..*self }
    }
}

// SAFETY: a block asks for its slots alone.
unsafe impl<L: AnyLayout, S: Slots> Lies<S> for Block<L> {
    type With = Block<L, S::Stretch>;

    #[inline(always)]
    unsafe fn with(self, slots: &mut S) -> Self::With {
        let Block { sizes, start, length, .. } = self;
        // SAFETY: the caller's promise.
        Block { sizes, start, length, slots: unsafe { slots.stretch(start..start + length) } }
    }
}

/// The elements of a block, without its padding: indices with the numbers of their slots in the block.
#[derive(Clone, Debug)]
pub struct BlockOffsets<L: AnyLayout> {
    sizes: L::Sizes,
    start: usize,
    left: Range<usize>,
}

impl<L: AnyLayout> Iterator for BlockOffsets<L> {
    type Item = (L::Index, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(L::Index, usize)> {
        let BlockOffsets { sizes, start, left } = self;
        left.find_map(|at| Some((find::element::<L, NATIVE>(sizes, *start + at)?, at)))
    }
}

impl<L: AnyLayout> FusedIterator for BlockOffsets<L> {}

impl<L: AnyLayout, S> Block<L, S> {
    /// Offset of the first slot, in elements.
    pub fn offset(&self) -> usize {
        self.start
    }

    fn offsets(&self) -> BlockOffsets<L> {
        BlockOffsets { sizes: self.sizes, start: self.start, left: 0..self.length }
    }
}

impl<L: AnyLayout, S: Storage> Block<L, S> {
    /// The memory, padding included.
    #[inline(always)]
    pub fn as_slice(&self) -> S::Shared<'_> {
        self.slots.shared()
    }

    /// The elements with their indices, in the order of memory, without padding.
    ///
    /// Each slot's index is computed apart, as [`Array::index`](crate::Array::index) does.
    pub fn indexed_iter(&self) -> Walked<BlockOffsets<L>, S::Shared<'_>> {
        // SAFETY: they are elements of the block.
        unsafe { Walked::new(self.offsets(), self.slots.shared()) }
    }
}

impl<'a, L: AnyLayout, T> Block<L, &'a mut [T]> {
    /// The memory to write, padding included.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The memory to write, padding included, for as long as the array is borrowed.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }

    /// The elements with their indices to write: see [`indexed_iter`](Self::indexed_iter).
    pub fn indexed_iter_mut(&mut self) -> Walked<BlockOffsets<L>, SpreadMut<'_, T>> {
        // SAFETY: they are elements of the block, which is borrowed, and different ones.
        unsafe { Walked::new(self.offsets(), SpreadMut::from(&mut *self.slots)) }
    }
}

impl<L: AnyLayout, S> fmt::Debug for Block<L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block")
            .field("offset", &self.start)
            .field("slots", &self.length)
            .finish_non_exhaustive()
    }
}
