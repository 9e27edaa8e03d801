//! Tiles and rows without the types of their layouts.

use std::borrow::Borrow;

use layout::dynamic::{DynBuffer, DynView};
use layout::memory::{Addressed, AddressedMut};
use layout::walks::{self, Row, Tile};
use layout::{AnyLayout, Buffer, View, ViewMut};

use crate::expected::Expected;
use crate::plain::{Numbers, Steps, Stretch, index, memories};

/// A tile: its part of the array and its slots.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) origin: Vec<usize>,
    extent: Vec<usize>,
    is_full: bool,
    slots: Vec<u32>,
}

impl Block {
    pub(crate) fn of<L, S>(tile: &Tile<L, S>, slots: &[u32]) -> Block
    where
        L: walks::Tiled<Index: AsRef<[usize]>>,
    {
        Block {
            origin: tile.origin().as_ref().to_vec(),
            extent: tile.extent().as_ref().to_vec(),
            is_full: tile.is_full(),
            slots: slots.to_vec(),
        }
    }
}

/// What can be read tile by tile.
pub(crate) trait Tiled {
    /// All tiles; the walk over them says how many there are.
    fn tiles(&self) -> Vec<Block>;
    fn tile(&self, place: &[usize]) -> Option<Block>;
}

/// What can be written tile by tile.
pub(crate) trait TiledMut: Tiled {
    /// All tiles at once.
    fn tiles_mut(&mut self) -> Vec<&mut [u32]>;
    fn tile_mut(&mut self, place: &[usize]) -> Option<&mut [u32]>;
}

macro_rules! tiled {
    ([$($generics:tt)*] $memory:ty, |$given:ident| $index:expr, |$ranges:ident| $cut:expr, |$tiles:ident| $all:expr) => {
        impl<$($generics)*> Tiled for $memory {
            fn tiles(&self) -> Vec<Block> {
                let (mut found, $tiles) = (Vec::new(), self.tiles());
                let tiles = $all;
                let length = tiles.len();
                for tile in tiles {
                    found.push(Block::of(&tile, tile.as_slice()));
                }
                assert_eq!(length, found.len(), "{:?}", self.layout());
                found
            }

            fn tile(&self, $given: &[usize]) -> Option<Block> {
                let tile = self.tile($index)?;
                Some(Block::of(&tile, tile.as_slice()))
            }
        }
    };
}

macro_rules! tiled_mut {
    ([$($generics:tt)*] $memory:ty, |$given:ident| $index:expr, $($other:tt)*) => {
        impl<$($generics)*> TiledMut for $memory {
            fn tiles_mut(&mut self) -> Vec<&mut [u32]> {
                let mut found = Vec::new();
                for tile in self.tiles_mut() {
                    found.push(tile.into_mut_slice());
                }
                found
            }

            fn tile_mut(&mut self, $given: &[usize]) -> Option<&mut [u32]> {
                Some(self.tile_mut($index)?.into_mut_slice())
            }
        }
    };
}

memories! { tiled_mut: ViewMut<'_, L, u32>, Buffer<L, u32>; }
memories! { tiled: View<'_, L, u32>, ViewMut<'_, L, u32>, Buffer<L, u32>; DynView<'_, u32>, DynBuffer<u32> }

impl Expected {
    /// Tiles as blocks of memory that holds the number of each slot: each has the elements of its part of the array, and
    /// no others.
    pub(crate) fn assert_tiles(&self, memory: &dyn Tiled, size: &[usize], counts: &[usize]) {
        let text = &self.text;
        let tiles = memory.tiles();
        assert_eq!(tiles.len(), counts.iter().product::<usize>(), "{text}");
        let mut start = 0;
        for tile in &tiles {
            let Block { origin, extent, is_full, slots } = tile;
            let end = start + slots.len();
            assert!(slots.iter().map(|&slot| slot as usize).eq(start..end), "{text} {origin:?}");
            let mut count = 0;
            for index in self.slots[start..end].iter().flatten() {
                let inside =
                    |dim: usize| (origin[dim]..origin[dim] + extent[dim]).contains(&index[dim]);
                assert!((0..index.len()).all(inside), "{text} {index:?} {origin:?} {extent:?}");
                count += 1;
            }
            assert_eq!(count, extent.iter().product::<usize>(), "{text} {origin:?}");
            assert_eq!(*is_full, extent == size, "{text} {origin:?}");
            let place = origin.iter().zip(size).map(|(at, size)| at / size).collect::<Vec<_>>();
            assert_eq!(memory.tile(&place).as_ref(), Some(tile), "{text} {place:?}");
            start = end;
        }
        // The slots that `L` adds belong to no tile.
        assert!(self.in_memory.last().is_none_or(|(_, last)| *last < start), "{text}");
        assert!(memory.tile(counts).is_none() || counts.is_empty(), "{text}");
    }

    /// The same tiles written: all at once, one by its place, and in rows.
    pub(crate) fn assert_tiles_mut(&self, memory: &mut dyn TiledMut, counts: &[usize]) {
        let text = &self.text;
        let before = memory.tiles();
        let mut tiles = memory.tiles_mut();
        for (number, tile) in tiles.iter_mut().enumerate() {
            tile.fill(u32::MAX - number as u32);
        }
        let last = counts.iter().map(|count| count.saturating_sub(1)).collect::<Vec<_>>();
        match memory.tile_mut(&last) {
            Some(tile) => tile.fill(0),
            None => assert!(counts.contains(&0), "{text}"),
        }
        for (number, tile) in memory.tiles().iter().enumerate() {
            let is_last = number + 1 == before.len();
            let expected = if is_last { 0 } else { u32::MAX - number as u32 };
            assert!(tile.slots.iter().all(|x| *x == expected), "{text} tile {number}");
        }
        memory.tiles_mut().into_iter().flatten().for_each(|x| *x = 7);
        let mut tiles = memory.tiles_mut();
        assert_eq!(tiles.len(), before.len(), "{text}");
        for (tile, before) in tiles.iter_mut().zip(before) {
            assert!(tile.iter().all(|x| *x == 7), "{text}");
            tile.copy_from_slice(&before.slots);
        }
    }
}

/// Rows of memory in which each slot holds its own number.
pub(crate) fn rows<I, S: Addressed<Elem = u32>>(rows: &mut dyn Steps<Row<I, S>>) -> Vec<Stretch>
where
    I: Copy + AsRef<[usize]> + AsMut<[usize]>,
{
    let mut found = Vec::new();
    while let Some(row) = rows.step() {
        let get = |at| row.get(at).map(|slot| *slot.borrow());
        assert_eq!(
            (row.indexed_iter().len(), get(row.len())),
            (row.len(), None),
            "{:?}",
            row.index().as_ref()
        );
        let first = row.index().as_ref().iter().sum::<usize>();
        let mut slots = Vec::new();
        for (at, (index, slot)) in row.indexed_iter().enumerate() {
            let slot = *slot.borrow();
            assert_eq!((row[at], get(at)), (slot, Some(slot)), "{:?}", row.index().as_ref());
            assert_eq!(index.as_ref().iter().sum::<usize>(), first + at);
            slots.push(slot);
        }
        found.push(Stretch { index: row.index().as_ref().to_vec(), offset: row.offset(), slots });
    }
    found
}

/// Gives the elements of each row a number of its own while there are references to all.
pub(crate) fn number_rows<I, S: AddressedMut<Elem = u32>>(rows: &mut dyn Steps<Row<I, S>>)
where
    I: Copy + AsRef<[usize]> + AsMut<[usize]>,
{
    let mut all = Vec::new();
    while let Some(row) = rows.step() {
        all.push(row);
    }
    for (number, row) in all.iter_mut().enumerate() {
        for (_, x) in row.indexed_iter_mut() {
            *x = u32::MAX - number as u32;
        }
    }
    for (number, row) in all.iter_mut().enumerate() {
        let expected = u32::MAX - number as u32;
        row[0] += 0;
        let found = (row.get(0).map(|x| *x.borrow()), row.get_mut(0).copied(), row[0]);
        assert_eq!(found, (Some(expected), Some(expected), expected), "{:?}", row.index().as_ref());
        assert!(
            row.indexed_iter().all(|(_, x)| *x.borrow() == expected),
            "{:?}",
            row.index().as_ref()
        );
    }
}
