//! Fragments of the operands of matrix instructions.

use super::Axis::{Lane as L, Register as R, Warp as W};
use super::build::{Builder, COPIES, Next};
use super::{Fragment, FragmentError};
use layout_core::limits::Size;

/// An operand of `D = A · B + C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The left factor, of dimensions `M,K`.
    A,
    /// The right factor, of dimensions `K,N`.
    B,
    /// The result, of dimensions `M,N`. `C`, which is added, lies as it does.
    D,
}

/// How the warps of a block are spread over an array.
#[derive(Clone, Copy, Debug)]
pub enum Warps<'a> {
    /// This many warps along each dimension of the result, next to one another (`warps_per_cta`). The last dimension's
    /// are counted first, with `wgmma` the rows'.
    Grid(&'a [Size]),
    /// For each bit of the warp's number the tile of the result to which it moves: `[0, 2]` is two tiles to the right. Tiles
    /// that no warp reaches are repeated in registers (`warp_bases`).
    Bases(&'a [[Size; 2]]),
}

impl Warps<'_> {
    /// One warp.
    pub const ONE: Warps<'static> = Warps::Bases(&[]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mnemonic {
    Mma,
    Wgmma,
    Mfma { wide: bool },
    Wmma { copies: bool },
}

/// An instruction that multiplies matrices, with its sizes: what it takes from each lane.
///
/// Sizes and types that no instruction has are errors of its fragments.
///
/// # Examples
/// ```
/// use layout_gpu::fragment::{Holder, Instruction, Operand, Warps};
///
/// let mma = Instruction::mma([16, 8, 16], 16);
/// let a = mma.operand(Operand::A)?;
/// assert_eq!(a.holder(&[10, 7]), Some(Holder::register(0, 11, 3)));
///
/// // A larger array: 2 × 2 warps, and what they do not cover in registers.
/// let a = mma.fragment(Operand::A, &[64, 32], Warps::Grid(&[2, 2]))?;
/// assert_eq!((a.warps(), a.registers(), a.copies()), (4, 32, 2));
///
/// let error = Instruction::mma([16, 8, 4], 16).operand(Operand::A).unwrap_err();
/// assert_eq!(error.to_string(), "no such `mma`: it takes 16×8 by a K of 128 or 256 bits, 8×8 by a \
///     K of 128 bits (elements of 1, 4 or 8), and for 64-bit elements 16×8 by 4, 8 or 16, or 8×8×4");
/// # Ok::<(), layout_gpu::fragment::FragmentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    family: Mnemonic,
    /// M (for each warp), N and K.
    sizes: [Size; 3],
    k_width: Size,
    /// Whether A and B are exchanged, which transposes the result.
    transposed: bool,
    fault: Option<FragmentError>,
}

impl Instruction {
    /// NVIDIA's `mma.sync`, by M, N and K and the bits of the elements of A and B.
    pub const fn mma(sizes: [Size; 3], bits: Size) -> Instruction {
        let k_width = if bits == 0 || bits > 32 { 1 } else { 32 / bits };
        let [m, n, k] = sizes;
        let fault = match (m, n, bits) {
            (16, 8, 64) if k == 4 || k == 8 || k == 16 => None,
            (16, 8, 1 | 4 | 8 | 16 | 32) if k == 4 * k_width || k == 8 * k_width => None,
            (8, 8, 1 | 4 | 8 | 64) if k == 4 * k_width => None,
            _ => Some(FragmentError::MMA),
        };
        Instruction { family: Mnemonic::Mma, sizes, k_width, transposed: false, fault }
    }

    /// NVIDIA's `wgmma.mma_async`, by N and the bits of the elements of A and B: four warps, each with 16 rows.
    pub const fn wgmma(n: Size, bits: Size) -> Instruction {
        let (k_width, fault) = match bits {
            1 | 8 | 16 | 32 if n > 0 && n <= 256 && n.is_multiple_of(8) => (32 / bits, None),
            _ => (1, Some(FragmentError::WGMMA)),
        };
        let sizes = [16, n, 8 * k_width];
        Instruction { family: Mnemonic::Wgmma, sizes, k_width, transposed: false, fault }
    }

    /// AMD's MFMA, by M, N and K, for results of 32 bits. `4×64` and `64×4` are the instructions of 16 blocks of 4×4, used as
    /// one product. `transposed` exchanges A and B, so that the result is transposed.
    pub const fn mfma(sizes: [Size; 3], transposed: bool) -> Instruction {
        let (k_width, fault) = match sizes {
            [m @ 32, 32, k] | [m @ 16, 16, k] | [m @ 4, 64, k] | [m @ 64, 4, k]
                if k > 0 && k <= 1024 =>
            {
                ((k * m).div_ceil(64), None)
            }
            _ => (1, Some(FragmentError::MFMA)),
        };
        Instruction { family: Mnemonic::Mfma { wide: false }, sizes, k_width, transposed, fault }
    }

    /// AMD's MFMA of 64-bit floats, `v_mfma_f64_16x16x4_f64`.
    pub const MFMA_F64: Instruction = Instruction {
        family: Mnemonic::Mfma { wide: true },
        sizes: [16, 16, 4],
        k_width: 1,
        transposed: false,
        fault: None,
    };

    /// AMD's WMMA on waves of 32 lanes, by the generation and K. Generation 1 is RDNA 3, where lanes 16 to 31 repeat the
    /// operands A and B of lanes 0 to 15; 2 is RDNA 4, 3 is gfx1250. `transposed` exchanges A and B, so that the result is
    /// transposed.
    pub const fn wmma(generation: usize, k: Size, transposed: bool) -> Instruction {
        let (copies, exists) = (generation == 1, generation > 0 && generation <= 3);
        let (k_width, fault) = match k {
            2..=1024 if exists && copies => (k, None),
            2..=15 if exists => (k / 2, None),
            16..=1024 if exists => (8, None),
            _ => (1, Some(FragmentError::WMMA)),
        };
        let family = Mnemonic::Wmma { copies };
        Instruction { family, sizes: [16, 16, k], k_width, transposed, fault }
    }

    /// The instruction with another number of consecutive elements along K in each lane (`k_width`), for operands that are
    /// converted from another width, or several instructions that share their loads. NVIDIA's K grows by the same factor.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Instruction, Operand};
    ///
    /// // Two instructions share their loads: each lane has four consecutive elements along K instead of two.
    /// let mma = Instruction::mma([16, 8, 16], 16).with_k_width(4);
    /// assert_eq!(mma.operand(Operand::A)?.registers(), 16);
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn with_k_width(mut self, k_width: Size) -> Instruction {
        if k_width == 0 || k_width > 1024 {
            self.fault = Some(FragmentError::K_WIDTH);
            return self;
        }
        if matches!(self.family, Mnemonic::Mma | Mnemonic::Wgmma) {
            self.sizes[2] = (self.sizes[2] / self.k_width).saturating_mul(k_width);
        }
        self.k_width = k_width;
        self
    }

    /// The fragment of an operand of one instruction.
    ///
    /// # Errors
    /// If the instruction does not exist, or the operand is not in registers.
    pub const fn operand(self, operand: Operand) -> Result<Fragment, FragmentError> {
        let [m, n, k] = self.sizes;
        let (m, warps) = match self.family {
            Mnemonic::Wgmma => (4 * m, Warps::Grid(&[4, 1])),
            _ => (m, Warps::ONE),
        };
        let dims = match operand {
            Operand::A => [m, k],
            Operand::B => [k, n],
            Operand::D => [m, n],
        };
        self.fragment(operand, &dims, warps)
    }

    /// The fragment of an operand of many instructions, which together take an array of these dimensions; those before
    /// the last two are a batch. The warps are spread over it, and registers hold what is left.
    ///
    /// Of an array that is smaller than the instruction or the warps, lanes and warps hold copies. The order is Triton's;
    /// CuTe, TVM and Mosaic have the same one for single instructions.
    ///
    /// # Errors
    /// If the instruction does not exist, the operand is not in registers, or the sizes are not multiples of the instruction's.
    pub const fn fragment(
        self,
        operand: Operand,
        dims: &[Size],
        warps: Warps<'_>,
    ) -> Result<Fragment, FragmentError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        refuse!(RANK if dims.len() < 2);
        let (row, column) = (dims.len() - 2, dims.len() - 1);
        let builder = ok!(Builder::new(dims));
        match operand {
            Operand::A => self.spread(self.factor(builder, column, row), warps, column),
            Operand::B if matches!(self.family, Mnemonic::Wgmma) => Err(FragmentError::WGMMA_B),
            Operand::B => self.spread(self.factor(builder, row, column), warps, row),
            Operand::D => self.spread(self.result(builder, row, column), warps, COPIES),
        }
    }

    /// The digits of A or B: `k` is its dimension along K.
    const fn factor(self, builder: Builder, k: usize, other: usize) -> Builder {
        let [m, n, all_k] = self.sizes;
        let size = if other < k { m } else { n };
        let low = builder.next(&[(R, k, self.k_width)]);
        match self.family {
            Mnemonic::Mma | Mnemonic::Wgmma => {
                let high_k = all_k / (4 * self.k_width);
                low.next(&[(L, k, 4), (L, other, 8), (R, other, size / 8), (R, k, high_k)])
            }
            Mnemonic::Mfma { .. } => low.next(&[(L, other, size), (L, k, 64 / size)]),
            Mnemonic::Wmma { copies: true } => low.next(&[(L, other, size), (L, COPIES, 2)]),
            Mnemonic::Wmma { .. } => low.next(&[(L, other, size), (L, k, 2)]),
        }
    }

    /// The digits of D.
    const fn result(self, builder: Builder, row: usize, column: usize) -> Builder {
        let [m, n, _] = self.sizes;
        let (m, n, row, column) = match self.transposed {
            true => (n, m, column, row),
            false => (m, n, row, column),
        };
        let digits: &[Next] = match self.family {
            Mnemonic::Mma | Mnemonic::Wgmma => {
                &[(R, column, 2), (L, column, 4), (L, row, 8), (R, row, m / 8), (R, column, n / 8)]
            }
            Mnemonic::Mfma { wide } => {
                let height = if wide { 1 } else { 4 };
                let rest = (m * n).div_ceil(64 * height);
                &[(R, row, height), (L, column, n), (L, row, 64 / n), (R, row, rest)]
            }
            Mnemonic::Wmma { copies: true } => &[(L, column, n), (L, row, 2), (R, row, m / 2)],
            Mnemonic::Wmma { .. } => &[(R, row, m / 2), (L, column, n), (L, row, 2)],
        };
        builder.next(digits)
    }

    /// Adds the warps, which hold copies along dimension `k`, and registers for what is left.
    const fn spread(
        self,
        mut builder: Builder,
        warps: Warps<'_>,
        k: usize,
    ) -> Result<Fragment, FragmentError> {
        let rank = builder.fragment.dims().len();
        match warps {
            Warps::Grid(sizes) if sizes.len() != rank => return Err(FragmentError::RANK),
            Warps::Grid(sizes) => each!(for place in (0..rank).rev() {
                let dim = match self.family {
                    // Rows first.
                    Mnemonic::Wgmma if place + 2 >= rank => 2 * rank - 3 - place,
                    _ => place,
                };
                builder = builder.next(&[(W, if dim == k { COPIES } else { dim }, sizes[dim])]);
            }),
            Warps::Bases(bases) => each!(for &[rows, columns] in bases {
                let (dim, tiles) = if rows > 0 { (rank - 2, rows) } else { (rank - 1, columns) };
                refuse!(BASIS if rows > 0 && columns > 0 || tiles > 0 && !tiles.is_power_of_two());
                let tile = self.sizes[dim + 2 - rank].saturating_mul(tiles);
                builder = builder.attach(W, (dim, if dim == k { 0 } else { tile }), 2);
            }),
        }
        // The dimension along K is repeated first.
        if k != COPIES {
            builder = builder.fill(R, k);
        }
        each!(for dim in (0..rank).rev() {
            builder = builder.fill(R, dim);
        });
        builder.finish()
    }
}
