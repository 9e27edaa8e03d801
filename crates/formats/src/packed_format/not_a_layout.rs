//! Formats that are not an order of elements, and why.

use core::fmt;

use layout_core::base::text::{HELP, Line};

/// A format that users ask for and that is not a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotALayout {
    name: &'static str,
    aliases: &'static [&'static str],
    why: &'static str,
    instead: &'static str,
}

impl NotALayout {
    /// The name as its users write it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its name and other formats of which the same is true.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        core::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Why it is not a layout.
    pub const fn reason(&self) -> &'static str {
        self.why
    }

    /// What to use.
    pub const fn instead(&self) -> &'static str {
        self.instead
    }

    /// What its display says; usable in a `const`.
    pub(super) const fn line(&self) -> Line {
        text!("`", self.name, "` is not one layout: ", self.why, HELP, self.instead)
    }
}

impl fmt::Display for NotALayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.line().as_str())
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
const ONCE: &str = "lay out the operand as the lanes that differ hold it, or take the `Fragment` of `Instruction::wmma`, which has copies";

macro_rules! not_layouts {
    ($($name:literal [$($other:literal),*] $why:expr => $instead:expr;)*) => {
        /// Formats that are known and are not a layout, with the reasons.
        pub const NOT_LAYOUTS: &[NotALayout] = &[$(NotALayout {
            name: $name,
            aliases: &[$($other),*],
            why: $why,
            instead: $instead,
        }),*];
    };
}

not_layouts! {
    "q6_k" ["q3_k", "q5_0", "q5_1", "q5_k", "q3_k_m", "q5_k_m", "q3_k_s", "q5_k_s", "q3_k_l"]
        PLANES => PARTS;
    "q5_k_8_4" ["q5_k_8_8", "q6_k_8_4", "q6_k_8_8"]
        PLANES => "each plane is an array of its own: lay out the low bits and the high bits apart";
    "gptq 3 bit" ["gptq.3", "3 bit gptq", "gptq 6 bit", "gptq_p", "hqq 3 bit"]
        "codes of 3 and 6 bits cross the borders of words or are split into bit planes, and a layout has elements of a width that divides a byte"
        => "lay out the 32-bit words, or unpack the codes to `u4` or `u8`";
    "iq2_xxs" ["iq1_s", "iq1_m", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s"] BOOK => NO_ELEMENTS;
    "tq1_0" ["ternary base 3"]
        "a byte holds five digits of base 3, so elements have no bits of their own"
        => "`tq2_0` has 2 bits for each element";
    "aqlm" ["quip#", "vptq", "e8p"] BOOK => NO_ELEMENTS;
    "bitsandbytes nf4" ["nf4", "bnb nf4", "fp4", "bitsandbytes fp4"]
        "the first of two codes is in the high bits of its byte, and a layout counts from the low bits"
        => "a plain `u4` array, read with `PackedView` and `HighFirst`, has this order";
    "hqq" ["hqq 4 bit", "hqq 2 bit", "hqq 1 bit"]
        "the first rows are in the high bits of the bytes, and a layout counts from the low bits"
        => "of 4 bits, `u4[2,N/2,K]{0,2,1:E(4)}` read with `PackedView` and `HighFirst` has this order";
    "compressed-tensors" ["pack-quantized", "compressed-tensors pack-quantized"]
        "its `pack-quantized` has the codes one after another in rows, and no order of its own"
        => "write a plain array: `u4[N,K]{1,0:E(4)}`";
    "qqq per channel" ["qqq channel"]
        "one of its digits counts backwards, and strides of a layout are not negative"
        => "mirror the digit when the codes are read";
    "swizzle 128B" ["128B swizzle", "swizzle 64B", "swizzle 32B", "CU_TENSOR_MAP_SWIZZLE_128B",
        "CU_TENSOR_MAP_SWIZZLE_64B", "CU_TENSOR_MAP_SWIZZLE_32B", "wgmma shared memory",
        "ldmatrix swizzle"]
        "it moves elements of any layout (XOR of bits of their offsets), and is not an order by itself"
        => "write it after a shape: `f16[64,64]{1,0}, swizzle = 128B` (`ArrayShape::with_swizzle`); `layout_gpu::shared` has the tiles of Triton, TVM, CuTe and cubecl";
    "wmma rdna3" ["v_wmma_f32_16x16x16_f16.A.rdna3", "v_wmma_f32_16x16x16_f16.B.rdna3",
        "v_wmma_f16_16x16x16_f16.B.rdna3", "v_wmma_i32_16x16x16_iu8.B.rdna3",
        "v_wmma_i32_16x16x16_iu4.A.rdna3"] SHARED => ONCE;
    "mma.sp.A" ["mma.sp.m16n8k16.A", "mma.sp.m16n8k32.A", "mma.sp.m16n8k64.A", "mma.sp.m16n8k128.A"]
        "which elements it keeps is part of the data (the metadata), and a layout has a place for each element"
        => "the kept elements are operand A of the `mma` of half the K: of `mma.sp.m16n8k64` that is `mma.m16n8k32.A`";
    "wgmma.B" ["wgmma descriptor", "wgmma.A shared"]
        "all threads of the warp group read the operand from shared memory, and a layout has one place for each element"
        => "lay out the operand in shared memory (`layout_gpu::shared`); `layout_gpu::descriptor` has its descriptor";
    "im2col" ["sliding window", "toeplitz"]
        "its windows overlap: several indices share one element, and a layout gives each its own"
        => "lay out the input, and index it with the sum of window and position";
    "q4_0 values" ["xor 0x88", "q4_0 xor 0x88"]
        "`^ 0x88` changes values, and a layout says where they are"
        => "`q4_0_4_4`, `q4_0_4_8` and `q4_0_8_8` have the order of the codes";
}
