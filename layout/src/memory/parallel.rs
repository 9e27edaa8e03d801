//! Tiles and runs of views, shared among the threads of the crate `rayon`.

use core::ops::Range;

use rayon::iter::split;
use rayon::prelude::*;

use crate::compiled::{self, AnyLayout};
use crate::memory::buffer::Buffer;
use crate::memory::slots::{Slots, with_slots};
use crate::memory::tile::{Tile, TileMut};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::walk::grid::{TilePlace, block};
use crate::walk::run::{Run, RunWalk};

/// Slots below which a part is not divided: another thread would take longer to begin.
const LEAST: usize = 1024;

/// The runs that begin in consecutive slots.
struct RunRange<L: AnyLayout, S> {
    runs: RunWalk<L, false>,
    slots: S,
    /// Offsets of the slots.
    range: Range<usize>,
}

impl<L: AnyLayout, S: Slots> RunRange<L, S> {
    /// Two halves of it, if another thread may as well take one.
    fn halves(self) -> (Self, Option<Self>) {
        let Range { start, end } = self.range;
        if end - start < LEAST {
            return (self, None);
        }
        match self.runs.at_slots(start.midpoint(end)..end) {
            // Otherwise one run goes from the first half into the second.
            Some(runs) if runs.offset() > start => {
                let at = runs.offset();
                let (slots, rest) = self.slots.divide(at - start);
                let second = RunRange { runs, slots: rest, range: at..end };
                (RunRange { runs: self.runs, slots, range: start..at }, Some(second))
            }
            _ => (self, None),
        }
    }

    fn runs(self) -> impl Iterator<Item = (Run<L::Index>, S)> {
        let Range { start, end } = self.range;
        with_slots(self.runs.take_while(move |run| run.offset < end), self.slots, start)
    }
}

fn par_runs<L: AnyLayout, S: Slots + Send>(
    sizes: L::Sizes,
    slots: S,
) -> impl ParallelIterator<Item = (Run<L::Index>, S)> {
    let range = 0..compiled::slots::<L>(&sizes);
    let all = RunRange::<L, S> { runs: RunWalk::new(sizes), slots, range };
    split(all, RunRange::halves).flat_map_iter(RunRange::runs)
}

/// The methods that read: `$a` is the lifetime of the references that they return.
macro_rules! reads {
    ($of:ty, $a:lifetime $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, T: Sync> $of {
            /// Like [`tiles`](Self::tiles), for rayon's threads.
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
            pub fn par_tiles(&self) -> impl IndexedParallelIterator<Item = Tile<$a, L, T>> + use<$a, L, T> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let slots = &self.as_slice()[..compiled::tiled_slots::<L>(&sizes)];
                let blocks = slots.par_chunks_exact(block::<L>(&sizes).max(1)).enumerate();
                blocks.map(move |(number, slots)| {
                    Tile { place: TilePlace::numbered(&sizes, number), slots, sizes }
                })
            }

            /// Like [`runs`](Self::runs), for rayon's threads. Where runs are many times as long as a page of memory
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
            ) -> impl ParallelIterator<Item = (Run<L::Index>, &$a [T])> + use<$a, L, T> {
                par_runs::<L, _>(self.layout().sizes(), self.as_slice())
            }
        }
    };
}

reads! { View<'a, L, T>, 'a 'a }
reads! { ViewMut<'_, L, T>, '_ }
reads! { Buffer<L, T>, '_ }

macro_rules! writes {
    ($($of:ty;)*) => {$(
        impl<L: AnyLayout, T: Send> $of {
            /// Like [`tiles_mut`](Self::tiles_mut), for rayon's threads.
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
                    TileMut { place: TilePlace::numbered(&sizes, number), slots, sizes }
                })
            }

            /// Like [`runs_mut`](Self::runs_mut), for rayon's threads: see [`View::par_runs`].
            pub fn par_runs_mut(
                &mut self,
            ) -> impl ParallelIterator<Item = (Run<L::Index>, &mut [T])> {
                par_runs::<L, _>(self.layout().sizes(), self.as_mut_slice())
            }
        }
    )*};
}

writes! {
    ViewMut<'_, L, T>;
    Buffer<L, T>;
}
