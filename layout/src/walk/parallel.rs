//! Tiles and runs of arrays, shared among the threads of the crate `rayon`.
#![allow(unsafe_code, reason = "each thread has tiles and runs of its own")]

use core::ops::Range;

use rayon::iter::split;
use rayon::prelude::*;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::storage::{AddressedMut, Slots, Storage};
use crate::memory::walked::Lies;
use crate::memory::{Memory, Shared, Stretch};
use crate::order::{grid::block, run::Run, run::RunWalk, tile::Tile, tiles::LayoutTiles};

/// Slots below which a part is not divided: another thread would take longer to begin.
const LEAST: usize = 1024;

/// Slots of which threads use different ones.
struct Threads<S>(S);

// SAFETY: they go to other threads as the elements do that those take of them.
unsafe impl<S: Send> Sync for Threads<S> {}

/// Items of a walk, given to threads: each asks for slots of its own.
fn with_slots<I: Lies<S>, S: Slots>(slots: &Threads<S>, item: I) -> I::With {
    // SAFETY: items share no slot, and the slots are borrowed for as long.
    unsafe { item.with(&mut slots.0.alias()) }
}

/// The runs that begin in consecutive slots.
struct RunRange<L: AnyLayout> {
    runs: RunWalk<L, false>,
    range: Range<usize>,
}

impl<L: AnyLayout> RunRange<L> {
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
                let second = RunRange { runs, range: at..end };
                (RunRange { range: start..at, ..self }, Some(second))
            }
            _ => (self, None),
        }
    }

    fn runs(self) -> impl Iterator<Item = Run<L::Index>> {
        let end = self.range.end;
        self.runs.take_while(move |run| run.offset < end)
    }
}

fn par_runs<L: AnyLayout, S: Slots<Stretch: Send> + Send>(
    layout: WithDims<L>,
    slots: S,
) -> impl ParallelIterator<Item = (Run<L::Index>, S::Stretch)> {
    let (sizes, slots) = (layout.sizes, Threads(slots));
    let all = RunRange::<L> { runs: RunWalk::new(sizes), range: 0..layout.padded_elements() };
    split(all, RunRange::halves)
        .flat_map_iter(RunRange::runs)
        .map(move |run| with_slots(&slots, run))
}

fn par_tiles<L: AnyLayout, S: Slots<Stretch: Send> + Send>(
    layout: WithDims<L>,
    slots: S,
) -> impl IndexedParallelIterator<Item = Tile<L, S::Stretch>> {
    let (sizes, slots) = (layout.sizes, Threads(slots));
    let all = LayoutTiles::<L>::new(sizes);
    let (count, least) = (all.len(), LEAST / block::<L>(&sizes).max(1));
    let numbers = (0..count).into_par_iter().with_min_len(least.max(1));
    // A thread goes from tile to tile, wherever its stretch of them begins.
    let first = all.clone();
    numbers.map_init(
        move || first.clone(),
        #[inline(always)]
        move |tiles, number| {
            if count - tiles.len() != number {
                *tiles = all.from(number);
            }
            match tiles.next() {
                Some(tile) => with_slots(&slots, tile),
                None => unreachable!("there are {count} tiles"),
            }
        },
    )
}

/// Tiles and runs for the threads of the crate `rayon`.
impl<L: AnyLayout, S: Storage> Memory<WithDims<L>, S> {
    /// Like [`tiles`](Self::tiles), for rayon's threads.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    /// use rayon::prelude::*;
    ///
    /// type A = layout!(F32[512,1024]{1,0:T(8,128)});
    /// let mut buffer = Buffer::<A>::filled(1.0);
    /// let sums = buffer.par_tiles().map(|tile| tile.as_slice().iter().sum::<f32>());
    /// assert_eq!(sums.collect::<Vec<_>>(), [1024.0; 512]);
    /// buffer.par_tiles_mut().for_each(|mut tile| tile.as_mut_slice().fill(2.0));
    /// assert_eq!(buffer[[511, 1023]], 2.0);
    /// ```
    pub fn par_tiles<'s>(
        &'s self,
    ) -> impl IndexedParallelIterator<Item = Tile<L, Stretch<'s, S>>> + use<'s, L, S>
    where
        Shared<'s, S>: Send + Slots<Stretch: Send>,
    {
        let () = L::HAS_GRID;
        par_tiles(self.place, self.slots.shared())
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
    pub fn par_runs<'s>(
        &'s self,
    ) -> impl ParallelIterator<Item = (Run<L::Index>, Stretch<'s, S>)> + use<'s, L, S>
    where
        Shared<'s, S>: Send + Slots<Stretch: Send>,
    {
        par_runs(self.place, self.slots.shared())
    }
}

impl<L: AnyLayout, S: AddressedMut<Elem: Send>> Memory<WithDims<L>, S> {
    /// Like [`tiles_mut`](Self::tiles_mut), for rayon's threads: see [`par_tiles`](Self::par_tiles).
    pub fn par_tiles_mut(
        &mut self,
    ) -> impl IndexedParallelIterator<Item = Tile<L, &mut [S::Elem]>> {
        let () = L::HAS_GRID;
        par_tiles(self.place, self.slots.spread())
    }

    /// Like [`runs_mut`](Self::runs_mut), for rayon's threads: see [`par_runs`](Self::par_runs).
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    /// use rayon::prelude::*;
    ///
    /// type A = layout!(F32[64,100]{1,0:T(8,128)});
    /// let mut buffer = Buffer::<A, f32>::zeroed();
    /// buffer.par_runs_mut().for_each(|(run, elements)| elements.fill(run.index[0] as f32));
    /// assert_eq!(buffer[[63, 99]], 63.0);
    /// ```
    pub fn par_runs_mut(
        &mut self,
    ) -> impl ParallelIterator<Item = (Run<L::Index>, &mut [S::Elem])> {
        par_runs(self.place, self.slots.spread())
    }
}
