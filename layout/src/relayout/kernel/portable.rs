//! The kernels in safe code, for elements of any type.

use core::any::Any;
use core::array::from_fn;

use layout_core::__private::Kernel;

use crate::relayout::kernel::block::{Batch, KernelBlock, Mover, add};

/// Elements along either side of a block that is transposed at a time.
const SIDE: usize = 32;

/// Moves blocks of one kernel.
pub(crate) type MoveBlocks<T> = fn(&mut Portable<'_, T>, &KernelBlock, &Batch);

/// Moves elements between slices.
pub(crate) struct Portable<'a, T> {
    pub src: &'a [T],
    pub dst: &'a mut [T],
    /// What moves the plan's blocks.
    pub by: MoveBlocks<T>,
}

/// What moves the blocks of a plan. Inlined, since it names every such function: where the plan is a constant, only the one
/// that is chosen becomes part of the program.
#[inline]
pub(crate) const fn move_blocks<T: Copy + 'static>(block: &KernelBlock) -> MoveBlocks<T> {
    macro_rules! grids {
        ($kernel:expr) => {
            match block.wide {
                2 => |portable, block, batch| grids::<T, 2>(portable, block, batch, $kernel),
                4 => |portable, block, batch| grids::<T, 4>(portable, block, batch, $kernel),
                8 => |portable, block, batch| grids::<T, 8>(portable, block, batch, $kernel),
                16 => |portable, block, batch| grids::<T, 16>(portable, block, batch, $kernel),
                _ => |portable, block, batch| grids::<T, 1>(portable, block, batch, $kernel),
            }
        };
    }
    match (block.kernel, block.q.total, block.p.total) {
        // On the general path there are no blocks.
        (Kernel::Run | Kernel::General, ..) => runs,
        (Kernel::Interleave, 2, _) => grids!(interleave::<_, 2>),
        (Kernel::Interleave, 4, _) => grids!(interleave::<_, 4>),
        (Kernel::Interleave, 8, _) => grids!(interleave::<_, 8>),
        (Kernel::Deinterleave, _, 2) => grids!(deinterleave::<_, 2>),
        (Kernel::Deinterleave, _, 4) => grids!(deinterleave::<_, 4>),
        (Kernel::Deinterleave, _, 8) => grids!(deinterleave::<_, 8>),
        _ => grids!(transpose),
    }
}

impl<T: Copy + 'static> Mover for Portable<'_, T> {
    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        if block.kernel == Kernel::Deinterleave && block.q.total > block.q.minor {
            self.tiles(block, batch);
        } else {
            (self.by)(self, block, batch);
        }
    }

    #[inline(always)]
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        if step == [1, 1] {
            self.dst[at[1]..][..count].copy_from_slice(&self.src[at[0]..][..count]);
            return;
        }
        for i in 0..count {
            self.dst[at[1] + i * step[1]] = self.src[at[0] + i * step[0]];
        }
    }
}

impl<T: Copy + 'static> Portable<'_, T> {
    /// Rows that go on in further tiles, one tile after the other.
    fn tiles(&mut self, block: &KernelBlock, batch: &Batch) {
        let mut tile = *block;
        tile.q.total = block.q.minor;
        for first in (0..batch.q).step_by(block.q.minor) {
            let at = [0, 1].map(|side| batch.at[side] + block.q.offset(first, side));
            let q = block.q.minor.min(batch.q - first);
            self.blocks(&tile, &Batch { at, q, ..*batch });
        }
    }
}

/// Contiguous elements.
pub(crate) fn runs<T: Copy + 'static>(
    portable: &mut Portable<'_, T>,
    block: &KernelBlock,
    batch: &Batch,
) {
    for i in 0..batch.count {
        portable.elements(add(batch.at, batch.step, i), block.wide * batch.p, [1, 1]);
    }
}

/// The other kernels, `W` elements as one, each of which moves a block of `q` by `p` elements that the array may end in.
fn grids<T: Copy, const W: usize>(
    portable: &mut Portable<'_, T>,
    block: &KernelBlock,
    batch: &Batch,
    kernel: impl Fn(&[[T; W]], &mut [[T; W]], &KernelBlock, usize, usize),
) {
    let KernelBlock { p, q, .. } = block;
    let strides = [batch.at, batch.step, p.near, p.far, q.near, q.far];
    if strides.as_flattened().iter().any(|stride| !stride.is_multiple_of(W)) {
        return portable.anywhere::<W>(block, batch);
    }
    let src = portable.src.as_chunks::<W>().0;
    let dst = portable.dst.as_chunks_mut::<W>().0;
    let divide = |strides: [usize; 2]| strides.map(|stride| stride / W);
    let mut block = *block;
    for axis in [&mut block.p, &mut block.q] {
        axis.near = divide(axis.near);
        axis.far = divide(axis.far);
    }
    let (at, step) = (divide(batch.at), divide(batch.step));
    for i in 0..batch.count {
        let src = &src[at[0] + i * step[0]..];
        let dst = &mut dst[at[1] + i * step[1]..];
        kernel(src, dst, &block, batch.q, batch.p);
    }
}

impl<T: Copy> Portable<'_, T> {
    /// The same where the wide elements do not lie at multiples of their size.
    fn anywhere<const W: usize>(&mut self, KernelBlock { p, q, .. }: &KernelBlock, batch: &Batch) {
        for i in 0..batch.count {
            let [src, dst] = add(batch.at, batch.step, i);
            for first_q in (0..batch.q).step_by(SIDE) {
                for at_p in 0..batch.p {
                    let (from, to) = (src + p.offset(at_p, 0), dst + p.offset(at_p, 1));
                    for at_q in first_q..(first_q + SIDE).min(batch.q) {
                        let from = &self.src[from + q.offset(at_q, 0)..][..W];
                        self.dst[to + q.offset(at_q, 1)..][..W].copy_from_slice(from);
                    }
                }
            }
        }
    }
}

/// `K` rows of the source become one, side by side.
fn interleave<U: Copy + 'static, const K: usize>(
    src: &[U],
    dst: &mut [U],
    block: &KernelBlock,
    q: usize,
    p: usize,
) {
    if q != K {
        return transpose(src, dst, block, q, p);
    }
    let rows: [&[U]; K] = from_fn(|row| &src[block.q.offset(row, 0)..][..p]);
    let dst = &mut dst.as_chunks_mut::<K>().0[..p];
    if let Some(join) = same_type::<Join<[u8; 1], 4>, Join<U, K>>(join_bytes) {
        return join(rows, dst);
    }
    // Slices that the compiler sees to be of the same length, so that it makes vectors of them.
    let rows = rows.map(|row| &row[..p]);
    for i in 0..dst.len() {
        dst[i] = from_fn(|row| rows[row][i]);
    }
}

/// The reverse: a row of the source becomes `K`.
fn deinterleave<U: Copy + 'static, const K: usize>(
    src: &[U],
    dst: &mut [U],
    block: &KernelBlock,
    q: usize,
    p: usize,
) {
    if p != K {
        return transpose(src, dst, block, q, p);
    }
    let src = &src.as_chunks::<K>().0[..q];
    let starts = from_fn(|row| block.p.offset(row, 1));
    if let Some(part) = same_type::<Part<[u8; 1], 4>, Part<U, K>>(part_bytes) {
        return part(src, dst, starts);
    }
    for (row, start) in starts.into_iter().enumerate() {
        let dst = &mut dst[start..][..q];
        // Of two rows the compiler makes vectors if it knows which one it is.
        match row {
            0 => part_row(src, dst, 0),
            1 => part_row(src, dst, 1),
            _ => part_row(src, dst, row),
        }
    }
}

/// One of `K` rows.
#[inline(always)]
fn part_row<U: Copy, const K: usize>(src: &[[U; K]], dst: &mut [U], row: usize) {
    for (to, from) in dst.iter_mut().zip(src) {
        *to = from[row];
    }
}

/// Puts rows side by side.
type Join<U, const K: usize> = fn([&[U]; K], &mut [[U; K]]);
/// Takes rows apart, which begin at these places.
type Part<U, const K: usize> = fn(&[[U; K]], &mut [U], [usize; K]);

/// A function for one type of elements, if that is the type at hand.
fn same_type<F: 'static, G: Copy + 'static>(function: F) -> Option<G> {
    (&function as &dyn Any).downcast_ref::<G>().copied()
}

/// Bytes of a row that are joined at a time, and those that are parted: what the compiler keeps in
/// registers.
const JOINED: usize = 64;
const PARTED: usize = 16;

/// Four rows of bytes: in two steps through 16 bits, each of which the compiler turns into vectors, as it
/// does not with one.
fn join_bytes(rows: [&[[u8; 1]]; 4], dst: &mut [[[u8; 1]; 4]]) {
    let dst = dst.as_flattened_mut().as_flattened_mut().as_chunks_mut::<4>().0;
    let [a, b, c, d] = rows.map(|row| row.as_flattened().as_chunks::<JOINED>());
    let (pieces, rest) = dst.as_chunks_mut::<JOINED>();
    let rows_of_pieces = a.0.iter().zip(b.0).zip(c.0).zip(d.0);
    for (to, (((a, b), c), d)) in pieces.iter_mut().zip(rows_of_pieces) {
        let low: [u16; JOINED] = from_fn(|i| u16::from(a[i]) | u16::from(b[i]) << 8);
        let high: [u16; JOINED] = from_fn(|i| u16::from(c[i]) | u16::from(d[i]) << 8);
        for i in 0..JOINED {
            to[i] = (u32::from(low[i]) | u32::from(high[i]) << 16).to_le_bytes();
        }
    }
    for (i, to) in rest.iter_mut().enumerate() {
        *to = [a.1[i], b.1[i], c.1[i], d.1[i]];
    }
}

/// The reverse.
fn part_bytes(src: &[[[u8; 1]; 4]], dst: &mut [[u8; 1]], starts: [usize; 4]) {
    let (pieces, rest) = src.as_flattened().as_flattened().as_chunks::<4>().0.as_chunks::<PARTED>();
    let dst = dst.as_flattened_mut();
    let mut at = 0;
    for piece in pieces {
        let words = piece.map(u32::from_le_bytes);
        let low = words.map(|word| word as u16);
        let high = words.map(|word| (word >> 16) as u16);
        let rows = [
            low.map(|x| x as u8),
            low.map(|x| (x >> 8) as u8),
            high.map(|x| x as u8),
            high.map(|x| (x >> 8) as u8),
        ];
        for (row, start) in rows.iter().zip(starts) {
            dst[start + at..][..PARTED].copy_from_slice(row);
        }
        at += PARTED;
    }
    for (i, bytes) in rest.iter().enumerate() {
        for (byte, start) in bytes.iter().zip(starts) {
            dst[start + at + i] = *byte;
        }
    }
}

/// `q` rows of the source of `p` elements; in the destination `p` rows. Also where neither is
/// contiguous.
fn transpose<U: Copy>(src: &[U], dst: &mut [U], block: &KernelBlock, q: usize, p: usize) {
    if block.p.is_run(0, 1) && block.q.is_run(1, 1) && q.min(p) >= SIDE / 4 {
        return transpose_staged(src, dst, block, q, p);
    }
    for first_q in (0..q).step_by(SIDE) {
        for first_p in (0..p).step_by(SIDE) {
            let count = SIDE.min(q - first_q);
            let from: [usize; SIDE] = from_fn(|i| block.q.offset(first_q + i.min(count - 1), 0));
            let to: [usize; SIDE] = from_fn(|i| block.q.offset(first_q + i.min(count - 1), 1));
            for i in first_p..(first_p + SIDE).min(p) {
                let (from_p, to_p) = (block.p.offset(i, 0), block.p.offset(i, 1));
                for (from, to) in from[..count].iter().zip(&to[..count]) {
                    dst[to_p + to] = src[from_p + from];
                }
            }
        }
    }
}

/// Where `p` is contiguous in the source and `q` in the destination: each piece of a row is read once, since rows that
/// lie a power of two apart drive one another out of the cache.
fn transpose_staged<U: Copy>(src: &[U], dst: &mut [U], block: &KernelBlock, q: usize, p: usize) {
    let mut stage = [[src[0]; SIDE]; SIDE];
    for first_q in (0..q).step_by(SIDE) {
        let height = SIDE.min(q - first_q);
        let from: [usize; SIDE] = from_fn(|i| block.q.offset(first_q + i.min(height - 1), 0));
        let to = block.q.offset(first_q, 1);
        for first_p in (0..p).step_by(SIDE) {
            let width = SIDE.min(p - first_p);
            let at = block.p.offset(first_p, 0);
            for (row, from) in stage.iter_mut().zip(&from[..height]) {
                row[..width].copy_from_slice(&src[at + from..][..width]);
            }
            for i in 0..width {
                let to = &mut dst[to + block.p.offset(first_p + i, 1)..][..height];
                for (to, row) in to.iter_mut().zip(&stage) {
                    *to = row[i];
                }
            }
        }
    }
}
