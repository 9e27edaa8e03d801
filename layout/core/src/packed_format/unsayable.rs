//! Formats that are no order of elements, and why.

use core::fmt;

/// A format that users ask for and that no layout says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsayable {
    name: &'static str,
    aliases: &'static [&'static str],
    why: &'static str,
    instead: &'static str,
}

impl Unsayable {
    /// The name as its users write it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its name and other formats of which the same is true.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        core::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// What a layout cannot say of it.
    pub const fn reason(&self) -> &'static str {
        self.why
    }

    /// What to use.
    pub const fn instead(&self) -> &'static str {
        self.instead
    }
}

impl fmt::Display for Unsayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not one layout: {}\n  = help: {}", self.name, self.why, self.instead)
    }
}

const PLANES: &str =
    "its codes are split into bit planes, and a layout keeps the bits of an element together";
const PARTS: &str =
    "each plane is an array of its own: `BlockFormat` has them with their places in the block";
const BOOK: &str = "it stores numbers of entries of a code book, each for several elements";
const NO_ELEMENTS: &str =
    "a layout of the bytes says where the blocks are; the elements take the code of the format";
const SHARED: &str = "several lanes hold the same element, and a layout has one place for each";
const ONCE: &str = "lay out the operand as the lanes that differ hold it";

/// Formats that are known and are no layout, with the reasons.
pub const UNSAYABLE: &[Unsayable] = &[
    Unsayable {
        name: "q6_k",
        aliases: &[
            "q3_k", "q5_0", "q5_1", "q5_k", "q3_k_m", "q5_k_m", "q3_k_s", "q5_k_s", "q3_k_l",
        ],
        why: PLANES,
        instead: PARTS,
    },
    Unsayable {
        name: "q5_k_8_4",
        aliases: &["q5_k_8_8", "q6_k_8_4", "q6_k_8_8"],
        why: PLANES,
        instead: "each plane is an array of its own: lay out the low bits and the high bits apart",
    },
    Unsayable {
        name: "gptq 3 bit",
        aliases: &["gptq.3", "3 bit gptq", "gptq 6 bit", "gptq_p"],
        why: "codes of 3 and 6 bits cross the borders of words or are split into bit planes, and a layout has elements of a width that divides a byte",
        instead: "lay out the 32-bit words, or unpack the codes to `u4` or `u8`",
    },
    Unsayable {
        name: "iq2_xxs",
        aliases: &["iq1_s", "iq1_m", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s"],
        why: BOOK,
        instead: NO_ELEMENTS,
    },
    Unsayable {
        name: "tq1_0",
        aliases: &["ternary base 3"],
        why: "a byte holds five digits of base 3, so elements have no bits of their own",
        instead: "`tq2_0` has 2 bits for each element",
    },
    Unsayable { name: "aqlm", aliases: &["quip#", "vptq", "e8p"], why: BOOK, instead: NO_ELEMENTS },
    Unsayable {
        name: "bitsandbytes nf4",
        aliases: &["nf4", "bnb nf4", "fp4", "bitsandbytes fp4"],
        why: "the first of two codes is in the high bits of its byte, and a layout counts from the low bits",
        instead: "a plain `u4` array, read with `PackedView` and `HighFirst`, has this order",
    },
    Unsayable {
        name: "qqq per channel",
        aliases: &["qqq channel"],
        why: "one of its digits counts backwards, and strides of a layout are not negative",
        instead: "mirror the digit when the codes are read",
    },
    Unsayable {
        name: "quanto",
        aliases: &["quanto pack_weights", "quanto qint4", "quanto qint2"],
        why: "the first dimension is cut into as many parts as a byte has codes, so the tile depends on the size",
        instead: "for one size, write the parts as a tile: `u4[8,3]{0,1:T(4)(3,2,1)E(4)}`",
    },
    Unsayable {
        name: "swizzle 128B",
        aliases: &[
            "128B swizzle",
            "swizzle 64B",
            "swizzle 32B",
            "CU_TENSOR_MAP_SWIZZLE_128B",
            "CU_TENSOR_MAP_SWIZZLE_64B",
            "CU_TENSOR_MAP_SWIZZLE_32B",
            "wgmma shared memory",
            "ldmatrix swizzle",
        ],
        why: "bits of the row are added (XOR) to bits of the column, and digits of a layout are independent",
        instead: "lay out the array without it, and apply the XOR to the offset",
    },
    Unsayable {
        name: "wmma rdna3",
        aliases: &[
            "v_wmma_f32_16x16x16_f16.A.rdna3",
            "v_wmma_f32_16x16x16_f16.B.rdna3",
            "v_wmma_f16_16x16x16_f16.B.rdna3",
            "v_wmma_i32_16x16x16_iu8.B.rdna3",
            "v_wmma_i32_16x16x16_iu4.A.rdna3",
        ],
        why: SHARED,
        instead: ONCE,
    },
    Unsayable {
        name: "wgmma.B",
        aliases: &["wgmma descriptor", "wgmma.A shared"],
        why: "all threads of the warp group read the operand from shared memory, and a layout has one place for each element",
        instead: "lay out the operand in shared memory; its swizzle is a value map of the offset",
    },
    Unsayable {
        name: "im2col",
        aliases: &["sliding window", "toeplitz"],
        why: "its windows overlap: several indices share one element, and a layout gives each its own",
        instead: "lay out the input, and index it with the sum of window and position",
    },
    Unsayable {
        name: "q4_0 values",
        aliases: &["xor 0x88", "q4_0 xor 0x88"],
        why: "`^ 0x88` changes values, and a layout says where they are",
        instead: "`q4_0_4_4`, `q4_0_4_8` and `q4_0_8_8` have the order of the codes",
    },
];
