//! Fragments of tensor memory (`tcgen05`): 128 lanes of 512 columns, and the registers that it is copied to.

use super::Axis::{Column as C, Lane as L, Register as R, Warp as W};
use super::build::{Builder, COPIES, Next};
use super::{Fragment, FragmentError, Holder, Operand};
use layout_core::base::width::least;
use layout_core::limits::Size;

impl Fragment {
    /// A result of `tcgen05.mma` in tensor memory, of these rows and columns, by the letter of its datapath in the PTX ISA.
    /// Datapaths C and F leave half of the lanes free; `upper` takes the other half of them.
    ///
    /// # Errors
    /// If the datapath takes other sizes.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Holder};
    ///
    /// // 16 rows in every 32 lanes.
    /// let d = Fragment::datapath('F', [64, 32], false)?;
    /// assert_eq!(d.holder(&[17, 5]), Some(Holder::tensor_memory(33, 5)));
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn datapath(
        letter: char,
        [rows, columns]: [Size; 2],
        upper: bool,
    ) -> Result<Fragment, FragmentError> {
        let digits: &[Next] = match (letter, rows) {
            ('A' | 'D', 128) if !upper => &[(L, 0, 128), (C, 1, columns)],
            ('B' | 'E', 64) if !upper && columns.is_multiple_of(2) => {
                &[(L, 0, 64), (C, 1, columns / 2), (L, 1, 2)]
            }
            ('G', 32) if !upper && columns.is_multiple_of(4) => {
                &[(L, 0, 32), (C, 1, columns / 4), (L, 1, 4)]
            }
            ('C' | 'F', 64) => &[(L, 0, 16), (C, 1, columns)],
            _ => return Err(FragmentError::DATAPATH),
        };
        let mut builder = ok!(Builder::new(&[rows, columns])).next(digits);
        if matches!(letter, 'C' | 'F') {
            builder = builder.place(L, 32, (0, 16), 4);
            builder.fragment.first = Holder::tensor_memory(if upper { 16 } else { 0 }, 0);
        }
        builder.finish()
    }

    /// Operand A or D of `tcgen05.mma` in tensor memory, by M of the instruction, the blocks that compute it (`cta_group`)
    /// and whether it is a `.ws` one. The dimensions are the rows of this block and the columns.
    ///
    /// Where halves of the columns are in lanes 0 to 63 and 64 to 127, a dimension of size 2 can say which: they are apart in
    /// `[64, 2, N]`, and alternate in `[64, N1, 2, N2]`.
    ///
    /// # Errors
    /// If the instruction takes other sizes, or the operand is not in tensor memory.
    pub const fn tcgen05(
        operand: Operand,
        m: Size,
        blocks: usize,
        ws: bool,
        dims: &[Size],
    ) -> Result<Fragment, FragmentError> {
        let letter = match (m, blocks, ws) {
            (128, 1, _) => 'D',
            (256, 2, false) => 'A',
            (128, 2, false) | (64, 1, true) => 'B',
            (64, 1, false) => 'F',
            (32, 1, true) => 'G',
            _ => return Err(FragmentError::OPERAND),
        };
        let is_a = matches!(operand, Operand::A);
        let digits: &[Next] = match (is_a, letter, dims) {
            _ if matches!(operand, Operand::B) => return Err(FragmentError::OPERAND),
            (true, 'F', &[64, k]) => &[(L, 0, 64), (C, 1, k)],
            (true, 'B', &[64, k]) if !ws => &[(L, 0, 64), (L, COPIES, 2), (C, 1, k)],
            (_, 'B', &[2, 64, n]) => &[(L, 1, 64), (L, 0, 2), (C, 2, n)],
            (false, 'B', &[64, 2, n]) => &[(L, 0, 64), (L, 1, 2), (C, 2, n)],
            (false, 'B', &[64, high, 2, low]) => {
                &[(L, 0, 64), (L, 2, 2), (C, 3, low), (C, 1, high)]
            }
            (false, _, &[rows, n]) | (true, 'A' | 'D', &[rows, n]) => {
                return Fragment::datapath(letter, [rows, n], false);
            }
            _ => return Err(FragmentError::OPERAND),
        };
        ok!(Builder::new(dims)).next(digits).finish()
    }

    /// An array in tensor memory, in blocks of these rows and columns, as Triton's `TensorMemoryEncoding` has it. Blocks of
    /// 64 rows take 16 of every 32 lanes, and the next block takes the others. Each element takes `column_stride` columns.
    ///
    /// # Errors
    /// If the blocks have other rows, or do not divide the array.
    pub const fn tensor_memory(
        [rows, columns]: [Size; 2],
        column_stride: Size,
        dims: [Size; 2],
    ) -> Result<Fragment, FragmentError> {
        let columns = least(columns, dims[1]);
        let mut builder = ok!(Builder::new(&dims));
        builder = match rows {
            128 => builder.next(&[(L, 0, 128)]),
            64 => {
                let low = builder.next(&[(L, 0, 16)]);
                // The next block is below, or else to the right. Of a single block lanes hold copies.
                let (dim, weight) = if dims[0] > 64 { (0, 64) } else { (1, columns) };
                low.attach(L, (dim, weight), 2).next(&[(L, 0, 4)])
            }
            _ => return Err(FragmentError::BLOCK),
        };
        let block = builder.next(&[(C, COPIES, column_stride), (C, 1, columns)]);
        block.fill(C, 0).fill(C, 1).finish()
    }

    /// An array of these rows and columns in the registers of four warps, after a copy from tensor memory (`tcgen05.ld`):
    /// by the lanes and bits of its shape, `[16, 64]` for `16x64b`, and the bits of an element. With 128 rows, shapes of 16
    /// lanes are two copies, one after the other in the registers.
    ///
    /// # Errors
    /// If the rows are not 64 or 128, or the columns not a power of two times the shape's.
    pub const fn tcgen05_ld(
        shape: [Size; 2],
        bits: Size,
        [rows, columns]: [Size; 2],
    ) -> Result<Fragment, FragmentError> {
        let halves = match rows {
            64 | 128 if matches!(bits, 8 | 16 | 32) => rows / 64,
            _ => return Err(FragmentError::LOAD),
        };
        let each = 32 / bits;
        // 32-bit columns, and registers of 32 bits that they take.
        let (width, registers) = match shape {
            [32, 32] if halves == 2 || each == 1 => (2 / halves, 1),
            [16, 64] => (2, 1),
            [16, 128] => (4, 2),
            [16, 256] => (8, 4),
            _ => return Err(FragmentError::LOAD),
        };
        let times = columns / (width * each);
        let fits = times.is_power_of_two() && times <= 128 / registers;
        refuse!(LOAD if !fits || !columns.is_multiple_of(width * each));
        let builder = ok!(Builder::new(&[rows, columns]));
        let builder = match shape {
            [32, _] => {
                let low = builder.next(&[(R, 1, each * times), (L, 0, 32)]);
                low.next(&[(W, 0, rows / 32), (W, 1, width)])
            }
            [_, 64] => {
                let low = builder.attach(L, (0, 8), 2).next(&[(R, 1, each), (L, 1, 2), (L, 0, 8)]);
                low.next(&[(R, 1, times), (R, 0, halves), (W, 0, 4)])
            }
            _ => {
                let low = builder.next(&[(R, 1, each * registers / 2), (L, 1, 4), (L, 0, 8)]);
                low.next(&[(R, 0, 2), (R, 1, times), (R, 0, halves), (W, 0, 4)])
            }
        };
        builder.finish()
    }
}
