//! Tiles and runs of views, shared among the threads of the crate `rayon`.

use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use rayon::prelude::*;

use crate::compiled::{self, AnyLayout};
use crate::memory::buffer::Buffer;
use crate::memory::tile::{Tile, TileMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::walk::grid::{TilePlace, block};
use crate::walk::run::{Run, RunWalk};

/// Slots below which a part is not divided: another thread would take longer to begin.
const LEAST: usize = 1024;

/// Consecutive slots that can be divided.
trait Slots: Send + Sized {
    fn count(&self) -> usize;

    fn divide(self, at: usize) -> (Self, Self);
}

impl<T: Sync> Slots for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn divide(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Send> Slots for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn divide(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// The runs that begin in consecutive slots.
struct ParRuns<L: AnyLayout, S> {
    runs: RunWalk<L, false>,
    slots: S,
    /// Offset of the first slot.
    start: usize,
}

impl<L: AnyLayout, S: Slots> ParRuns<L, S> {
    fn new(sizes: L::Sizes, slots: S) -> Self {
        ParRuns { runs: RunWalk::new(sizes), slots, start: 0 }
    }
}

impl<L: AnyLayout, S: Slots> UnindexedProducer for ParRuns<L, S> {
    type Item = (Run<L::Index>, S);

    fn split(self) -> (Self, Option<Self>) {
        let (start, count) = (self.start, self.slots.count());
        if count < LEAST {
            return (self, None);
        }
        match self.runs.at_slots(start + count / 2..start + count) {
            // Otherwise one run goes from the first half into the second.
            Some(runs) if runs.offset() > start => {
                let at = runs.offset();
                let (slots, rest) = self.slots.divide(at - start);
                let second = ParRuns { runs, slots: rest, start: at };
                (ParRuns { runs: self.runs, slots, start }, Some(second))
            }
            _ => (self, None),
        }
    }

    fn fold_with<F: Folder<Self::Item>>(self, mut folder: F) -> F {
        let ParRuns { runs, slots: mut rest, mut start } = self;
        let end = start + rest.count();
        for run in runs {
            if run.offset >= end || folder.full() {
                break;
            }
            let (_, from_here) = rest.divide(run.offset - start);
            let (elements, after) = from_here.divide(run.length);
            (rest, start) = (after, run.offset + run.length);
            folder = folder.consume((run, elements));
        }
        folder
    }
}

impl<L: AnyLayout, S: Slots> ParallelIterator for ParRuns<L, S> {
    type Item = (Run<L::Index>, S);

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

impl<'a, L: AnyLayout, T: Sync> View<'a, L, T> {
    /// As [`tiles`](Self::tiles), for rayon's threads.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    /// use rayon::prelude::*;
    ///
    /// type A = layout!(F32[512,1024]{1,0:T(8,128)});
    /// let buffer = Buffer::<A>::filled(1.0);
    /// let sums = buffer.par_tiles().map(|tile| tile.as_slice().iter().sum::<f32>());
    /// assert_eq!(sums.collect::<Vec<_>>(), [1024.0; 512]);
    /// ```
    pub fn par_tiles(&self) -> impl IndexedParallelIterator<Item = Tile<'a, L, T>> + use<'a, L, T> {
        let () = L::HAS_GRID;
        let sizes = self.sizes();
        let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
        let blocks = slots.par_chunks_exact(block::<L>(&sizes).max(1)).enumerate();
        blocks.map(move |(number, slots)| {
            Tile::new(TilePlace::numbered(&sizes, number), slots, sizes)
        })
    }

    /// As [`runs`](Self::runs), for rayon's threads. Where runs are many times as long as a page of memory
    /// there may be fewer of them than threads.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    /// use rayon::prelude::*;
    ///
    /// type A = layout!(F32[500,1000]{1,0:T(8,128)});
    /// let buffer = Buffer::<A>::filled(1.0);
    /// let sums = buffer.par_runs().map(|(_, run)| run.iter().sum::<f32>());
    /// assert_eq!(sums.sum::<f32>(), 500_000.0);
    /// ```
    pub fn par_runs(
        &self,
    ) -> impl ParallelIterator<Item = (Run<L::Index>, &'a [T])> + use<'a, L, T> {
        ParRuns::<L, _>::new(self.sizes(), self.as_slice())
    }
}

macro_rules! shared {
    ($($of:ty;)*) => {$(
        /// Reading by rayon's threads, as of a [`View`].
        impl<L: AnyLayout, T: Sync> $of {
            /// As [`tiles`](Self::tiles), for rayon's threads: see [`View::par_tiles`].
            pub fn par_tiles(&self) -> impl IndexedParallelIterator<Item = Tile<'_, L, T>> {
                let () = L::HAS_GRID;
                self.as_view().par_tiles()
            }

            /// As [`runs`](Self::runs), for rayon's threads: see [`View::par_runs`].
            pub fn par_runs(&self) -> impl ParallelIterator<Item = (Run<L::Index>, &[T])> {
                self.as_view().par_runs()
            }
        }

        /// Writing by rayon's threads.
        impl<L: AnyLayout, T: Send> $of {
            /// As [`tiles_mut`](Self::tiles_mut), for rayon's threads.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, layout};
            /// use rayon::prelude::*;
            ///
            /// type A = layout!(F32[512,1024]{1,0:T(8,128)});
            /// let mut buffer = Buffer::<A>::filled(1.0);
            /// buffer.par_tiles_mut().for_each(|mut tile| tile.as_mut_slice().fill(2.0));
            /// assert_eq!(buffer[[511, 1023]], 2.0);
            /// ```
            pub fn par_tiles_mut(
                &mut self,
            ) -> impl IndexedParallelIterator<Item = TileMut<'_, L, T>> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &mut self.as_mut_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let blocks = slots.par_chunks_exact_mut(block::<L>(&sizes).max(1)).enumerate();
                blocks.map(move |(number, slots)| {
                    TileMut::new(TilePlace::numbered(&sizes, number), slots, sizes)
                })
            }

            /// As [`runs_mut`](Self::runs_mut), for rayon's threads: see [`View::par_runs`].
            pub fn par_runs_mut(
                &mut self,
            ) -> impl ParallelIterator<Item = (Run<L::Index>, &mut [T])> {
                ParRuns::<L, _>::new(self.layout().sizes(), self.as_mut_slice())
            }
        }
    )*};
}

shared! {
    ViewMut<'_, L, T>;
    Buffer<L, T>;
}
