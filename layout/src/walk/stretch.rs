//! Parts of arrays that are one stretch of memory.
#![allow(unsafe_code, reason = "the slots of a part are its own")]

use core::ops::Range;

use crate::compiled::{AnyLayout, Compiled};
use crate::memory::storage::{AddressedMut, Slots, Spread, SpreadMut, Storage};
use crate::memory::{Memory, Part, Place};
use crate::order::tiles::LayoutTiles;

impl<L: AnyLayout> Part<L> {
    /// The slots of the part, if no others lie between them: of whole tiles or rows one after another, or of one run. The padding of
    /// tiles counts.
    fn slots_alone(&self) -> Option<Range<usize>> {
        let (sizes, region) = (self.layout.sizes, &self.region);
        let tiles = if const { <L as Compiled>::VALUE.grid().is_ok() } {
            LayoutTiles::of_region(region, sizes).and_then(|tiles| tiles.stretch())
        } else {
            None
        };
        tiles.or_else(|| self.layout.stretch(&region.start(), &region.limit())).or_else(|| {
            let mut runs = self.runs();
            let Some(run) = runs.next() else { return Some(0..0) };
            runs.next().is_none().then(|| run.range())
        })
    }
}

/// A part as a slice.
impl<'a, L: AnyLayout, T> Memory<Part<L>, Spread<'a, T>> {
    /// The memory of the part, if it is one stretch without elements of others: whole tiles that follow one another, their padding
    /// included, whole rows, or one run. `as_chunks` of it has the tiles.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,256]{1,0:T(8,128)});
    /// let data: Vec<f32> = (0..4096).map(|slot| slot as f32).collect();
    /// let view = View::<A>::new(&data)?;
    /// let tiles = view.slice((8.., ..))?.as_slice().unwrap();
    /// let (tiles, []) = tiles.as_chunks::<1024>() else { unreachable!() };
    /// assert_eq!((tiles.len(), tiles[1][0]), (2, 3072.0));
    /// assert_eq!(view.slice((8..9, 5..9))?.as_slice(), Some(&data[2053..2057]));
    /// assert!(view.slice((.., ..128))?.as_slice().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        // SAFETY: nobody writes them, as long as the part is borrowed.
        self.place.slots_alone().map(|slots| unsafe { self.slots.shared().stretch(slots) })
    }
}

/// A part to write as a slice.
impl<L: AnyLayout, T> Memory<Part<L>, SpreadMut<'_, T>> {
    /// The memory of the part, if it is one stretch: see `as_slice` of a [`Slice`](crate::memory::Slice).
    #[must_use]
    pub fn as_slice(&self) -> Option<&[T]> {
        // SAFETY: they are the part's own, which is borrowed.
        self.place.slots_alone().map(|slots| unsafe { self.slots.shared().stretch(slots) })
    }

    /// The memory of the part to write, if it is one stretch: see [`as_slice`](Self::as_slice).
    #[must_use]
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        // SAFETY: they are the part's own, which is borrowed; nobody else reaches the padding of its tiles.
        self.place.slots_alone().map(|slots| unsafe { self.slots.spread().stretch(slots) })
    }
}
