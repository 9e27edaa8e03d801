//! Moving elements in safe code: of any type and size, wherever they lie.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::plan::Kernel;

use crate::kernel::block::{Axis, Batch, KernelBlock, Mover, add};

/// Elements along either side of a square that is moved at a time: what rows share of a line of memory is in the first cache
/// when the next one comes. Of longer elements lines hold few, and longer rows of the destination come faster.
const fn side(bytes: usize) -> usize {
    if bytes < 12 { 32 } else { 1024 }
}

/// Rows that are too few to be the inner loop.
const FEW: usize = 8;

/// Moves elements between slices.
pub(crate) struct Portable<'a> {
    pub src: &'a [MaybeUninit<u8>],
    pub dst: &'a mut [MaybeUninit<u8>],
    pub size: usize,
}

/// A number of elements at even distances: bytes in the source and in the destination.
#[derive(Clone, Copy)]
struct Line {
    count: usize,
    step: [usize; 2],
}

impl Mover for Portable<'_> {
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        let at = at.map(|slot| slot.wrapping_mul(self.size));
        if step == [1, 1] {
            return self.stretch(at, count * self.size);
        }
        let line = Line { count, step: step.map(|slots| slots.wrapping_mul(self.size)) };
        self.grid(at, Line { count: 1, step: [0; 2] }, line, self.size);
    }

    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        let size = self.size;
        for i in 0..batch.count {
            let at = add(batch.at, batch.step, i).map(|slot| slot.wrapping_mul(size));
            if block.kernel == Kernel::Run {
                self.stretch(at, block.wide * batch.p * size);
                continue;
            }
            block.q.digits(batch.q, size, |to_q, q| {
                block.p.digits(batch.p, size, |to_p, p| {
                    self.grid(add(add(at, to_q, 1), to_p, 1), q, p, block.wide * size);
                });
            });
        }
    }
}

impl Axis {
    /// The first values of the axis, in lines of its more minor digit, and where each begins. In bytes, of elements of that
    /// size.
    fn digits(&self, values: usize, size: usize, mut then: impl FnMut([usize; 2], Line)) {
        let [near, far] =
            [self.near, self.far].map(|step| step.map(|slots| slots.wrapping_mul(size)));
        for (i, first) in (0..values).step_by(self.minor).enumerate() {
            let count = self.minor.min(values - first);
            then(far.map(|step| i.wrapping_mul(step)), Line { count, step: near });
        }
    }
}

impl Portable<'_> {
    /// Bytes side by side.
    #[inline]
    fn stretch(&mut self, at: [usize; 2], length: usize) {
        self.dst[at[1]..][..length].copy_from_slice(&self.src[at[0]..][..length]);
    }

    /// Copies a grid that two lines span: `bytes` bytes at each place.
    fn grid(&mut self, at: [usize; 2], q: Line, p: Line, bytes: usize) {
        // What is contiguous in the destination is counted inside.
        let [outer, inner] = if q.count > FEW { [p, q] } else { [q, p] };
        match bytes {
            1 => self.squares::<1>(at, outer, inner, bytes),
            2 => self.squares::<2>(at, outer, inner, bytes),
            4 => self.squares::<4>(at, outer, inner, bytes),
            8 => self.squares::<8>(at, outer, inner, bytes),
            3 => self.squares::<3>(at, outer, inner, bytes),
            6 => self.squares::<6>(at, outer, inner, bytes),
            12 => self.squares::<12>(at, outer, inner, bytes),
            24 => self.squares::<24>(at, outer, inner, bytes),
            16 => self.squares::<16>(at, outer, inner, bytes),
            _ => self.squares::<0>(at, outer, inner, bytes),
        }
    }

    /// `N` bytes at each place, or `bytes` if it is 0.
    fn squares<const N: usize>(&mut self, at: [usize; 2], outer: Line, inner: Line, bytes: usize) {
        let side = side(bytes);
        for first_inner in (0..inner.count).step_by(side) {
            let count = side.min(inner.count - first_inner);
            let at = add(at, inner.step, first_inner);
            for number in 0..outer.count {
                let [from, to] = add(at, outer.step, number);
                if N == 0 {
                    self.line(Line { count, ..inner }, [from, to], bytes);
                } else if inner.step[1] == N {
                    self.gather::<N>(
                        from,
                        inner.step[0],
                        &Range { start: to, end: to + count * N },
                    );
                } else {
                    self.elements_of::<N>(Line { count, ..inner }, [from, to]);
                }
            }
        }
    }

    /// Elements that are contiguous in the destination.
    #[inline(always)]
    fn gather<const N: usize>(&mut self, mut from: usize, step: usize, to: &Range<usize>) {
        for to in self.dst[to.clone()].as_chunks_mut::<N>().0 {
            *to = *self.src[from..].first_chunk().unwrap();
            from = from.wrapping_add(step);
        }
    }

    #[inline(always)]
    fn elements_of<const N: usize>(&mut self, line: Line, [mut from, mut to]: [usize; 2]) {
        for _ in 0..line.count {
            let element: [MaybeUninit<u8>; N] = *self.src[from..].first_chunk().unwrap();
            *self.dst[to..].first_chunk_mut().unwrap() = element;
            from = from.wrapping_add(line.step[0]);
            to = to.wrapping_add(line.step[1]);
        }
    }

    #[inline(always)]
    fn line(&mut self, line: Line, at: [usize; 2], bytes: usize) {
        for number in 0..line.count {
            self.stretch(add(at, line.step, number), bytes);
        }
    }
}
