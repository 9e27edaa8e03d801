//! A view by the tiles of any level.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use layout_core::__private::{NATIVE, native};

use crate::compiled::find;
use crate::compiled::{self, AnyLayout, stop};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;

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
pub(super) struct Chunks<L, const LEVEL: usize>(PhantomData<L>);

impl<L: AnyLayout, const LEVEL: usize> Chunks<L, LEVEL> {
    /// Slots of a tile, at least 1.
    pub(super) const LENGTH: usize = match elements::<L>(LEVEL) {
        0 => 1,
        elements => elements,
    };
}

/// Consecutive memory of a view, to read: see [`View::blocks`].
pub struct Block<'a, L: AnyLayout, T> {
    sizes: L::Sizes,
    slots: &'a [T],
    start: usize,
}

/// Consecutive memory of a view, to read and write: see [`ViewMut::blocks_mut`].
pub struct BlockMut<'a, L: AnyLayout, T> {
    sizes: L::Sizes,
    slots: &'a mut [T],
    start: usize,
}

impl<'a, L: AnyLayout, T> Block<'a, L, T> {
    /// The memory, padding included.
    #[inline(always)]
    pub fn as_slice(&self) -> &'a [T] {
        self.slots
    }

    /// The elements with their indices, in the order of memory, without padding.
    ///
    /// Each slot's index is computed apart, as [`Array::index`](crate::Array::index) does.
    pub fn elements(&self) -> impl Iterator<Item = (L::Index, &'a T)> + use<'a, L, T> {
        let (start, sizes) = (self.start, self.sizes);
        let slots = self.slots.iter().enumerate();
        slots.filter_map(move |(slot, x)| {
            Some((find::element::<L, NATIVE>(&sizes, start + slot)?, x))
        })
    }
}

copy! { Block<'a, L: AnyLayout, T> }

impl<'a, L: AnyLayout, T> BlockMut<'a, L, T> {
    /// The memory to write, padding included, for as long as the array is borrowed.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }

    /// The memory, padding included.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.slots
    }

    /// The memory to write, padding included.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The elements with their indices, in the order of memory, without padding: see [`Block::elements`].
    pub fn elements(&self) -> impl Iterator<Item = (L::Index, &T)> {
        Block::<L, T> { sizes: self.sizes, slots: self.slots, start: self.start }.elements()
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

macro_rules! facts {
    ($($block:ident)*) => {$(
        impl<L: AnyLayout, T> $block<'_, L, T> {
            /// Offset of the first slot, in elements.
            pub fn offset(&self) -> usize {
                self.start
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
    )*};
}

facts! { Block BlockMut }

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The tiles of a level as blocks of memory, each of constant length, in the order of memory. The
    /// first tile is level 0.
    ///
    /// This serves every layout, whether its tiles combine dimensions (`*`) or not, as long as later
    /// tiles stay inside those of the level, as the last tile always does; other levels do not compile.
    /// [`tiles`](Self::tiles) says in addition where a tile lies in the array. Slots that `L` adds
    /// belong to no tile.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// // 16-bit floats of a TPU: two rows side by side in each 32-bit word.
    /// type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
    /// let data: Vec<u16> = (0..4096).collect();
    /// let view = View::<A, u16>::new(&data)?;
    /// assert_eq!(view.blocks::<0>().count(), 4);
    /// let word = view.blocks::<1>().nth(1).unwrap();
    /// assert_eq!(word.as_slice(), [2, 3]);
    /// assert!(word.elements().eq([([0, 1], &2), ([1, 1], &3)]));
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    pub fn blocks<const LEVEL: usize>(
        &self,
    ) -> impl ExactSizeIterator<Item = Block<'a, L, T>>
    + DoubleEndedIterator
    + FusedIterator
    + use<'a, L, T, LEVEL> {
        let length = Chunks::<L, LEVEL>::LENGTH;
        let sizes = self.sizes();
        let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
        let chunks = slots.chunks_exact(length).enumerate();
        chunks.map(move |(number, slots)| Block { slots, start: number * length, sizes })
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// [`blocks_mut`](Self::blocks_mut) for as long as the memory is borrowed.
    #[inline(always)]
    pub(super) fn into_blocks<const LEVEL: usize>(
        self,
    ) -> impl ExactSizeIterator<Item = BlockMut<'a, L, T>>
    + DoubleEndedIterator
    + FusedIterator
    + use<'a, L, T, LEVEL> {
        let length = Chunks::<L, LEVEL>::LENGTH;
        let sizes = self.sizes();
        let slots = &mut self.into_slots()[..compiled::tiled_slots::<L>(&sizes)];
        let chunks = slots.chunks_exact_mut(length).enumerate();
        chunks.map(move |(number, slots)| BlockMut { slots, start: number * length, sizes })
    }
}
