//! Fragments of tensor memory (`tcgen05`): 128 lanes of 512 columns, and the registers that it is copied to.

use super::build::Builder;
use super::{Axis, Fragment, FragmentError, Holder};
use crate::base::limits::Size;

/// How a result of `tcgen05.mma` lies in tensor memory, by the letters of the PTX ISA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datapath {
    /// M = 256 by two blocks, 128 rows each: row `i` in lane `i`.
    A,
    /// M = 128 by two blocks, 64 rows each: the right half of the columns in lanes 64 to 127.
    B,
    /// M = 128 by two blocks, sparse, 64 rows each: 16 rows in every 32 lanes.
    C,
    /// M = 128: row `i` in lane `i`.
    D,
    /// M = 64 with `.ws`: as B.
    E,
    /// M = 64: as C.
    F,
    /// M = 32 with `.ws`: a quarter of the columns in every 32 lanes.
    G,
}

/// The shape of a copy between tensor memory and registers (`tcgen05.ld`, `tcgen05.st`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadAtom {
    /// 32 lanes, 32 bits: lane `i` of a warp takes lane `i`.
    Lanes32Bits32,
    /// 16 lanes, 64 bits.
    Lanes16Bits64,
    /// 16 lanes, 128 bits.
    Lanes16Bits128,
    /// 16 lanes, 256 bits: as the result of `mma`.
    Lanes16Bits256,
}

const DATAPATH: &str = "datapaths A and D take 128 rows, B, C, E and F take 64, G takes 32 and multiples of 4 columns; only C and F have an upper half";
const ATOM: &str = "`tcgen05.ld` takes 128 rows, or 64 (with 32x32b of 32-bit elements only), and as many columns as its width times a power of two, at most 128 registers";
const OPERAND: &str = "A in tensor memory takes [64, K], [128, K], and with `.ws` [2, 64, K]; D takes the rows of its block, and with M = 64 `.ws` or 128 by two blocks [64, N], [2, 64, N], [64, 2, N] or [64, N1, 2, N2]";
const BLOCK: &str = "tensor memory takes blocks of 64 or 128 rows";

impl Fragment {
    /// A result of `tcgen05.mma` in tensor memory, of these rows and columns. Datapaths C and F leave half of the lanes free; `upper` takes the other half of them.
    ///
    /// # Errors
    /// If the datapath takes other sizes.
    ///
    /// # Examples
    /// ```
    /// use layout::gpu::fragment::{Datapath, Fragment, Holder};
    ///
    /// let d = Fragment::datapath(Datapath::F, [64, 32], false)?;
    /// assert_eq!(d.holder(&[17, 5]), Some(Holder::tensor_memory(33, 5)));
    /// # Ok::<(), layout::gpu::fragment::FragmentError>(())
    /// ```
    pub const fn datapath(
        datapath: Datapath,
        dims: [Size; 2],
        upper: bool,
    ) -> Result<Fragment, FragmentError> {
        let builder = Builder::new(&dims);
        let [rows, columns] = dims;
        let builder = match datapath {
            Datapath::A | Datapath::D if rows == 128 && !upper => {
                builder.push(Axis::Lane, 0, 128).push(Axis::Column, 1, columns)
            }
            Datapath::B | Datapath::E if rows == 64 && columns.is_multiple_of(2) && !upper => {
                let half = builder.push(Axis::Lane, 0, 64).push(Axis::Column, 1, columns / 2);
                half.push(Axis::Lane, 1, 2)
            }
            Datapath::C | Datapath::F if rows == 64 => {
                let first = Holder::tensor_memory(if upper { 16 } else { 0 }, 0);
                let rows = builder.push(Axis::Lane, 0, 16).strided(Axis::Lane, 32, 0, 16, 4);
                rows.push(Axis::Column, 1, columns).from(first)
            }
            Datapath::G if rows == 32 && columns.is_multiple_of(4) && !upper => {
                let quarter = builder.push(Axis::Lane, 0, 32).push(Axis::Column, 1, columns / 4);
                quarter.push(Axis::Lane, 1, 4)
            }
            _ => builder.with_fault(FragmentError::Instruction { takes: DATAPATH }),
        };
        builder.finish()
    }

    /// Operand A of `tcgen05.mma` in tensor memory, by M of the instruction, the blocks that compute it (`cta_group`) and
    /// whether it is a `.ws` one. Dimensions are the rows of this block and K.
    ///
    /// # Errors
    /// If the instruction takes other sizes.
    pub const fn tcgen05_a(
        m: Size,
        blocks: usize,
        ws: bool,
        dims: &[Size],
    ) -> Result<Fragment, FragmentError> {
        let builder = Builder::new(dims);
        let builder = match (m, blocks, ws, dims) {
            (128, 1, _, &[128, k]) | (256, 2, false, &[128, k]) => {
                builder.push(Axis::Lane, 0, 128).push(Axis::Column, 1, k)
            }
            (64, 1, false, &[64, k]) => builder.push(Axis::Lane, 0, 64).push(Axis::Column, 1, k),
            (64, 1, true, &[2, 64, k]) => {
                builder.push(Axis::Lane, 1, 64).push(Axis::Lane, 0, 2).push(Axis::Column, 2, k)
            }
            (128, 2, false, &[64, k]) => {
                builder.push(Axis::Lane, 0, 64).copies(Axis::Lane, 2).push(Axis::Column, 1, k)
            }
            _ => builder.with_fault(FragmentError::Instruction { takes: OPERAND }),
        };
        builder.finish()
    }

    /// Operand D of `tcgen05.mma`, as [`tcgen05_a`](Self::tcgen05_a). Where its halves are in lanes 0 to 63 and 64 to 127,
    /// a dimension of size 2 can say which columns they have: the halves are apart in `[64, 2, N]`, and alternate in
    /// `[64, N1, 2, N2]`.
    ///
    /// # Errors
    /// If the instruction takes other sizes.
    pub const fn tcgen05_d(
        m: Size,
        blocks: usize,
        ws: bool,
        dims: &[Size],
    ) -> Result<Fragment, FragmentError> {
        let builder = Builder::new(dims);
        let builder = match (m, blocks, ws, dims) {
            (128, 1, _, &[rows, n]) => return Fragment::datapath(Datapath::D, [rows, n], false),
            (256, 2, false, &[rows, n]) => {
                return Fragment::datapath(Datapath::A, [rows, n], false);
            }
            (64, 1, false, &[rows, n]) => return Fragment::datapath(Datapath::F, [rows, n], false),
            (32, 1, true, &[rows, n]) => return Fragment::datapath(Datapath::G, [rows, n], false),
            (64, 1, true, _) | (128, 2, false, _) => match *dims {
                [rows, n] => return Fragment::datapath(Datapath::B, [rows, n], false),
                [2, 64, n] => {
                    builder.push(Axis::Lane, 1, 64).push(Axis::Lane, 0, 2).push(Axis::Column, 2, n)
                }
                [64, 2, n] => {
                    builder.push(Axis::Lane, 0, 64).push(Axis::Lane, 1, 2).push(Axis::Column, 2, n)
                }
                [64, high, 2, low] => {
                    let lanes = builder.push(Axis::Lane, 0, 64).push(Axis::Lane, 2, 2);
                    lanes.push(Axis::Column, 3, low).push(Axis::Column, 1, high)
                }
                _ => builder.with_fault(FragmentError::Instruction { takes: OPERAND }),
            },
            _ => builder.with_fault(FragmentError::Instruction { takes: OPERAND }),
        };
        builder.finish()
    }

    /// An array in tensor memory, in blocks of these rows and columns, as Triton's `TensorMemoryEncoding` has it. Blocks of 64
    /// rows take 16 of every 32 lanes, and the next block takes the others. Each element takes `column_stride` columns.
    ///
    /// # Errors
    /// If the blocks have other rows, or do not divide the array.
    pub const fn tensor_memory(
        block: [Size; 2],
        column_stride: Size,
        dims: [Size; 2],
    ) -> Result<Fragment, FragmentError> {
        let [rows, columns] = block;
        let builder = Builder::new(&dims).copies(Axis::Column, column_stride);
        let builder = match rows {
            128 => builder.push(Axis::Lane, 0, 128),
            64 => {
                let low = builder.push(Axis::Lane, 0, 16);
                let next = if dims[0] > 64 {
                    low.attach(Axis::Lane, 0, 64, 2)
                } else if dims[1] > columns {
                    low.attach(Axis::Lane, 1, columns, 2)
                } else {
                    low.copies(Axis::Lane, 2)
                };
                next.attach(Axis::Lane, 0, 16, 4)
            }
            _ => builder.with_fault(FragmentError::Instruction { takes: BLOCK }),
        };
        let columns = if columns < dims[1] { columns } else { dims[1] };
        let block = builder.push(Axis::Column, 1, columns);
        block.fill(Axis::Column, 0).fill(Axis::Column, 1).finish()
    }

    /// An array of these rows and columns in the registers of four warps, after a copy from tensor memory (`tcgen05.ld`). With 128 rows the
    /// atoms of 16 lanes are two copies, one after the other in the registers.
    ///
    /// # Errors
    /// If the rows are not 64 or 128, or the columns not a power of two times the atom's.
    pub const fn tcgen05_ld(
        atom: LoadAtom,
        bits: Size,
        dims: [Size; 2],
    ) -> Result<Fragment, FragmentError> {
        const REFUSED: FragmentError = FragmentError::Instruction { takes: ATOM };
        let builder = Builder::new(&dims).limit(Axis::Lane, 32);
        let [rows, columns] = dims;
        if !matches!(bits, 8 | 16 | 32) || (rows != 64 && rows != 128) {
            return Err(REFUSED);
        }
        let elements = 32 / bits;
        // 32-bit columns, in units of the atom's width.
        let width = match atom {
            LoadAtom::Lanes32Bits32 if rows == 128 => 1,
            LoadAtom::Lanes32Bits32 if bits == 32 => 2,
            LoadAtom::Lanes32Bits32 => return Err(REFUSED),
            LoadAtom::Lanes16Bits64 => 2,
            LoadAtom::Lanes16Bits128 => 4,
            LoadAtom::Lanes16Bits256 => 8,
        };
        let times = columns / (width * elements);
        let registers = match atom {
            LoadAtom::Lanes32Bits32 => times,
            _ => times * width / 2,
        };
        if !columns.is_multiple_of(width * elements) || !times.is_power_of_two() || registers > 128
        {
            return Err(REFUSED);
        }
        let builder = builder.push(Axis::Register, 1, elements);
        if matches!(atom, LoadAtom::Lanes32Bits32) {
            let rows = builder.push(Axis::Register, 1, times).push(Axis::Lane, 0, rows);
            return rows.push(Axis::Lane, 1, width).finish();
        }
        let tile = match atom {
            LoadAtom::Lanes16Bits64 => {
                builder.attach(Axis::Lane, 0, 8, 2).push(Axis::Lane, 1, 2).push(Axis::Lane, 0, 8)
            }
            LoadAtom::Lanes16Bits128 => {
                let lanes = builder.push(Axis::Lane, 1, 4).push(Axis::Lane, 0, 8);
                lanes.push(Axis::Register, 0, 2)
            }
            _ => {
                let lanes = builder.push(Axis::Register, 1, 2).push(Axis::Lane, 1, 4);
                lanes.push(Axis::Lane, 0, 8).push(Axis::Register, 0, 2)
            }
        };
        let repeated = tile.push(Axis::Register, 1, times);
        let halves = repeated.attach(Axis::Register, 0, 16, rows / 64);
        halves.attach(Axis::Warp, 0, rows / 4, 4).finish()
    }
}
