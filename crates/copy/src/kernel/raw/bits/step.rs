//! What a pass does to its vectors.

use crate::kernel::raw::vector::Vector;

/// A step of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Exchanges a bit of the register's number with one within words: elements move by `shift` bits. `mask` has the
    /// elements whose bit is 0.
    Between { register: u8, shift: u32, mask: u64 },
    /// Exchanges a bit of the register's number with one of a word's number in its vector, which counts `words` words.
    Cross { register: u8, words: u8 },
    /// Exchanges two bits within words.
    Within { shift: u32, mask: u64 },
    /// Permutes the bytes of each 16 by a table.
    Bytes([u8; 16]),
    /// Permutes the groups of four bytes of a vector by a table.
    Fours([u8; 16]),
    /// Permutes the bytes of a vector by one of the pass's tables.
    Permute(u8),
    /// Keeps the bits at a mask.
    Keep(u64),
    /// The elements of each byte, of this many bits, in reverse.
    Mirror(u32),
    /// Extends the sign of elements of this many bits, each in a byte.
    Signs(u32),
}

impl Step {
    /// What it makes of one word.
    #[inline(always)]
    pub(crate) fn word(&self, word: u64) -> u64 {
        // SAFETY: words need no instructions of their own.
        let [word] = unsafe { made([word], self, &[[0; 64]; 4]) };
        word
    }
}

/// From where each byte of a vector is taken: a table for each pass, and one more for the last one.
pub(crate) type Tables = [[u8; 64]; 4];

/// Makes a step.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
pub(super) unsafe fn made<V: Vector, const N: usize>(
    mut vectors: [V; N],
    step: &Step,
    tables: &Tables,
) -> [V; N] {
    /// Calls the function for registers whose numbers differ in a bit.
    macro_rules! for_register {
        ($register:ident, $function:ident($($argument:ident),*)) => {
            match $register {
                0 => $function::<V, N, 1>($($argument),*),
                1 => $function::<V, N, 2>($($argument),*),
                2 => $function::<V, N, 4>($($argument),*),
                _ => $function::<V, N, 8>($($argument),*),
            }
        };
    }
    /// The vectors, of each of which the same is made. A closure would not be compiled for the instructions.
    macro_rules! each_vector {
        ($vector:ident => $made:expr) => {{
            unrolled!(i in 0..N, {
                let $vector = vectors[i];
                vectors[i] = $made;
            });
            vectors
        }};
    }
    // SAFETY: the caller vouches for the instructions, which touch registers only.
    unsafe {
        match *step {
            Step::Between { register, shift, mask } => {
                for_register!(register, between(vectors, shift, mask))
            }
            Step::Cross { register, words } => for_register!(register, cross(vectors, words)),
            Step::Within { shift, mask } => each_vector!(vector => {
                let moved = vector.down(shift).select(mask, vector);
                vector.up(shift).select(mask << shift, moved)
            }),
            Step::Bytes(ref table) => each_vector!(vector => vector.bytes(table)),
            Step::Fours(ref table) => each_vector!(vector => vector.fours(table)),
            Step::Permute(number) => {
                let table = &tables[usize::from(number) % tables.len()];
                each_vector!(vector => vector.permute(table))
            }
            Step::Keep(mask) => each_vector!(vector => vector.select(mask, V::ZERO)),
            Step::Mirror(bits) => {
                let mut shift = bits;
                while shift < 8 {
                    let mask = u64::MAX / ((1 << shift) + 1);
                    vectors = each_vector!(vector => {
                        vector.down(shift).select(mask, vector.up(shift))
                    });
                    shift *= 2;
                }
                vectors
            }
            Step::Signs(bits) => each_vector!(vector => {
                // A sign is one bit of its byte, and becomes all from the next one on.
                let signs = vector.select((u64::MAX / 0xff) << (bits - 1), V::ZERO);
                vector.minus(signs.up(1).minus(signs.up(9 - bits)))
            }),
        }
    }
}

/// Whether a register is the first of two whose numbers differ in the bit that counts `bit` of them.
const fn is_first(register: usize, bit: usize, registers: usize) -> bool {
    register & bit == 0 && register + bit < registers
}

/// Exchanges a bit of the register's number, which counts `J` of them, with one within words.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn between<V: Vector, const N: usize, const J: usize>(
    mut vectors: [V; N],
    shift: u32,
    mask: u64,
) -> [V; N] {
    unrolled!(i in 0..N, {
        if const { is_first(i, J, N) } {
            let (low, high) = (vectors[i], vectors[const { i + J }]);
            // SAFETY: the caller vouches for the instructions.
            unsafe {
                vectors[i] = low.select(mask, high.up(shift));
                vectors[const { i + J }] = low.down(shift).select(mask, high);
            }
        }
    });
    vectors
}

/// Exchanges a bit of the register's number, which counts `J` of them, with one of a word's number, which counts `words`.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn cross<V: Vector, const N: usize, const J: usize>(
    mut vectors: [V; N],
    words: u8,
) -> [V; N] {
    macro_rules! crossed {
        ($words:literal) => {
            unrolled!(i in 0..N, {
                if const { is_first(i, J, N) } {
                    let (a, b) = (vectors[i], vectors[const { i + J }]);
                    // SAFETY: the caller vouches for the instructions.
                    (vectors[i], vectors[const { i + J }]) = unsafe { a.cross::<$words>(b) };
                }
            })
        };
    }
    match words {
        1 => crossed!(1),
        2 => crossed!(2),
        _ => crossed!(4),
    }
    vectors
}
