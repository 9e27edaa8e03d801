//! What a kernel is told to do.

use core::mem::MaybeUninit;

use crate::kernel::block::{Axis, KernelBlock};

/// What a kernel does, in bytes: `count` blocks, evenly spaced, of `q` by `p` elements. `q` lies `q_src` apart in the source where it
/// is one digit, and so on. For runs `p` is their length, and there are `q` such batches of them, `q_src` apart in the source and
/// `p_dst` in the destination.
pub(super) struct KernelTask<'a> {
    pub src: *const u8,
    pub dst: *mut u8,
    pub count: usize,
    pub step: [usize; 2],
    pub q: usize,
    pub p: usize,
    pub q_src: usize,
    pub p_dst: usize,
    /// What a whole block is, in elements of `size` bytes.
    block: &'a KernelBlock,
    size: usize,
    /// Whether all bytes of the source are initialised.
    pub are_plain: bool,
    /// Whether whole lines of runs go around the cache.
    pub streams: bool,
}

impl<'a> KernelTask<'a> {
    /// A whole block of plain elements of `size` bytes.
    pub(super) fn new(
        src: *const u8,
        dst: *mut u8,
        block: &'a KernelBlock,
        size: usize,
    ) -> KernelTask<'a> {
        KernelTask {
            src,
            dst,
            count: 1,
            step: [0; 2],
            q: block.q.total,
            p: block.p.total,
            q_src: block.q.near[0].wrapping_mul(size),
            p_dst: block.p.near[1].wrapping_mul(size),
            block,
            size,
            are_plain: true,
            streams: false,
        }
    }

    /// The axes in bytes. Kernels that need none of it have no code for it.
    #[inline(always)]
    pub(super) fn q_axis(&self) -> Axis {
        self.block.q.scaled(self.size)
    }

    #[inline(always)]
    pub(super) fn p_axis(&self) -> Axis {
        self.block.p.scaled(self.size)
    }

    /// Where a block lies.
    #[inline(always)]
    pub(super) fn place(&self, i: usize) -> (*const u8, *mut u8) {
        (self.src.wrapping_add(i * self.step[0]), self.dst.wrapping_add(i * self.step[1]))
    }

    /// Calls a function with values of both axes that are evenly spaced, at most `most` of each: where they begin, how many they are, of
    /// `q` and of `p`, and how many digits of `p` on end have as many.
    #[inline(always)]
    pub(super) fn grids(&self, most: usize, mut then: impl FnMut([usize; 2], [usize; 2], usize)) {
        let (q_axis, p_axis) = (self.q_axis(), self.p_axis());
        let mut q = 0;
        while q < self.q {
            let rows = q_axis.alike(q, self.q).min(most);
            let mut p = 0;
            while p < self.p {
                let columns = p_axis.alike(p, self.p).min(most);
                let are_more = columns < self.p - p && columns == p_axis.minor;
                let digits = if are_more { (self.p - p) / columns } else { 1 };
                then(p_axis.place(q_axis.place([0; 2], q), p), [rows, columns], digits);
                p += columns * digits;
            }
            q += rows;
        }
    }

    /// Goes on to the next batch of runs.
    #[inline(always)]
    pub(super) fn next_batch(&mut self) {
        self.src = self.src.wrapping_add(self.q_src);
        self.dst = self.dst.wrapping_add(self.p_dst);
        self.q -= 1;
    }
}

impl Axis {
    /// The axis in bytes, of elements of that size.
    #[inline(always)]
    fn scaled(&self, size: usize) -> Axis {
        let scale = |[src, dst]: [usize; 2]| [src.wrapping_mul(size), dst.wrapping_mul(size)];
        let mut axis = *self;
        (axis.near, axis.far) = (scale(self.near), scale(self.far));
        axis
    }

    /// Values of the more minor digit from one value on, up to an end.
    #[inline(always)]
    fn alike(&self, first: usize, end: usize) -> usize {
        (end - first).min(self.minor - first % self.minor)
    }

    /// Where a value of the counter lies, and those that follow it. Out of line: kernels need it at many places.
    #[inline(never)]
    fn offsets(&self, mut first: usize, side: usize, mut to: &mut [MaybeUninit<usize>]) {
        let near = self.near[side];
        while !to.is_empty() {
            let (alike, others) = to.split_at_mut(self.alike(first, first + to.len()));
            let mut offset = self.offset(first, side);
            first += alike.len();
            for to in alike {
                to.write(offset);
                offset = offset.wrapping_add(near);
            }
            to = others;
        }
    }
}

/// Offsets of rows or columns, which wrap around where these come one before another. Only those that were set are initialised: clearing all of them would take longer than a small
/// copy.
pub(super) struct Offsets<const N: usize>([MaybeUninit<usize>; N]);

impl<const N: usize> Offsets<N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Offsets([const { MaybeUninit::uninit() }; N])
    }

    /// Sets as many as `count`, from number `at` on, to where values of an axis lie on one side, from the `first` one on.
    #[inline]
    pub(super) fn set(&mut self, at: usize, axis: &Axis, first: usize, side: usize, count: usize) {
        axis.offsets(first, side, &mut self.0[at..at + count]);
    }

    /// Those from a number on.
    #[inline(always)]
    pub(super) fn from(&self, at: usize) -> *const usize {
        self.0.as_ptr().wrapping_add(at).cast()
    }
}
