//! The codes of ggml's blocks, without the scales that stand between them: [`BlockFormat`](super::super::BlockFormat) has
//! whole blocks.

use crate::packed_format::row::{BYTES, CODES, CODES_2, Family, Row};
use layout_core::ElementType::{self, F4E2M1FN, S4, U4};

const BLOCKS: Row = Row {
    stacks: true,
    ..Row::of(
        Family::Ggml,
        "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-common.h",
    )
};
/// What llama.cpp makes of blocks when it loads a model on a CPU.
const REPACKED: Row = Row {
    definition: "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-cpu/repack.cpp",
    ..BLOCKS
};
const INVERTED: Row = Row { note: "bit 3 of each code is inverted", ..REPACKED };
const TABLE: &str = "a code is the number of a value in a table";
const BLOCKS_OF_TABLE: Row = Row { note: TABLE, ..BLOCKS };
const REPACKED_OF_TABLE: Row = Row { note: TABLE, ..REPACKED };
const FLOATS: &[ElementType] = &[F4E2M1FN, U4, S4];

formats! {
    BLOCKS "q4_0" "N,K" [] "4-bit codes of `Q4_0` blocks: a byte has elements i and i + 16 of 32"
        Q4_0 U4[N = 1, K % 32 = 32]{1,0:T(16)(2,1)E(4)} for CODES;
    BLOCKS "q4_1" "N,K" [] "4-bit codes of `Q4_1` blocks"
        Q4_1 U4[N = 1, K % 32 = 32]{1,0:T(16)(2,1)E(4)} for CODES;
    BLOCKS_OF_TABLE "iq4_nl" "N,K" [] "4-bit codes of `IQ4_NL` blocks"
        Iq4Nl U4[N = 1, K % 32 = 32]{1,0:T(16)(2,1)E(4)} for CODES;
    BLOCKS_OF_TABLE "iq4_xs" "N,K" [] "4-bit codes of `IQ4_XS` super-blocks of 256"
        Iq4Xs U4[N = 1, K % 256 = 256]{1,0:T(16)(2,1)E(4)} for CODES;
    BLOCKS "mxfp4" "N,K" ["ggml mxfp4", "ocp mxfp4"] "4-bit floats of `MXFP4` blocks of 32"
        Mxfp4 F4E2M1FN[N = 1, K % 32 = 32]{1,0:T(16)(2,1)E(4)} for FLOATS;
    BLOCKS "nvfp4" "N,K" ["ggml nvfp4"] "4-bit floats of `NVFP4` blocks of 64, in groups of 16"
        Nvfp4 F4E2M1FN[N = 1, K % 64 = 64]{1,0:T(64)(8)(2,1)E(4)} for FLOATS;
    BLOCKS "q4_k" "N,K" ["q4_k_m", "q4_k_s"] "4-bit codes of `Q4_K` super-blocks of 256"
        Q4K U4[N = 1, K % 256 = 256]{1,0:T(256)(32)(2,1)E(4)} for CODES;
    BLOCKS "q2_k" "N,K" [] "2-bit codes of `Q2_K` super-blocks of 256"
        Q2K U2[N = 1, K % 256 = 256]{1,0:T(256)(32)(4,1)E(2)} for CODES_2;
    BLOCKS "tq2_0" "N,K" [] "ternary digits in 2 bits, of `TQ2_0` super-blocks of 256"
        Tq2_0 U2[N = 1, K % 256 = 256]{1,0:T(256)(32)(4,1)E(2)} for CODES_2;
    BLOCKS "q8_0" "N,K" [] "8-bit codes of `Q8_0` blocks of 32"
        Q8_0 S8[N = 1, K % 32 = 64]{1,0:T(32)} for BYTES;
    INVERTED "q4_0_4_4" "N,K" ["q4_0_4x4"]
        "codes of `Q4_0`, repacked: 4 rows together, 4 bytes of each in turn"
        Q4_0_4_4 U4[N % 4 = 4, K % 32 = 32]{1,0:T(16)(4,2,4)(2,1)E(4)} for CODES;
    INVERTED "q4_0_4_8" "N,K" ["q4_0_4x8"]
        "codes of `Q4_0`, repacked: 4 rows together, 8 bytes of each in turn"
        Q4_0_4_8 U4[N % 4 = 4, K % 32 = 32]{1,0:T(16)(4,2,8)(2,1)E(4)} for CODES;
    INVERTED "q4_0_8_8" "N,K" ["q4_0_8x8"]
        "codes of `Q4_0`, repacked: 8 rows together, 8 bytes of each in turn"
        Q4_0_8_8 U4[N % 8 = 8, K % 32 = 32]{1,0:T(16)(8,2,8)(2,1)E(4)} for CODES;
    INVERTED "q4_0_16_1" "N,K" ["q4_0_16x1"]
        "codes of `Q4_0`, repacked: 16 rows together, one byte of each in turn"
        Q4_0_16_1 U4[N % 16 = 16, K % 32 = 32]{1,0:T(16)(16,2,1)E(4)} for CODES;
    REPACKED_OF_TABLE "iq4_nl_4_4" "N,K" ["iq4_nl_4x4"]
        "codes of `IQ4_NL`, repacked: 4 rows together, 4 bytes of each in turn"
        Iq4Nl4_4 U4[N % 4 = 4, K % 32 = 32]{1,0:T(16)(4,2,4)(2,1)E(4)} for CODES;
    REPACKED_OF_TABLE "iq4_nl_8_8" "N,K" ["iq4_nl_8x8"]
        "codes of `IQ4_NL`, repacked: 8 rows together, 8 bytes of each in turn"
        Iq4Nl8_8 U4[N % 8 = 8, K % 32 = 32]{1,0:T(16)(8,2,8)(2,1)E(4)} for CODES;
    REPACKED_OF_TABLE "iq4_nl_16_1" "N,K" ["iq4_nl_16x1"]
        "codes of `IQ4_NL`, repacked: 16 rows together, one byte of each in turn"
        Iq4Nl16_1 U4[N % 16 = 16, K % 32 = 32]{1,0:T(16)(16,2,1)E(4)} for CODES;
    REPACKED "mxfp4_4_4" "N,K" ["mxfp4_4x4"]
        "codes of `MXFP4`, repacked: 4 rows together, 4 bytes of each in turn"
        Mxfp4_4_4 F4E2M1FN[N % 4 = 4, K % 32 = 32]{1,0:T(16)(4,2,4)(2,1)E(4)} for FLOATS;
    REPACKED "mxfp4_8_8" "N,K" ["mxfp4_8x8"]
        "codes of `MXFP4`, repacked: 8 rows together, 8 bytes of each in turn"
        Mxfp4_8_8 F4E2M1FN[N % 8 = 8, K % 32 = 32]{1,0:T(16)(8,2,8)(2,1)E(4)} for FLOATS;
    REPACKED "q8_0_4_4" "N,K" ["q8_0_4x4"]
        "codes of `Q8_0`, repacked: 4 rows together, 4 bytes of each in turn"
        Q8_0_4_4 S8[N % 4 = 4, K % 32 = 32]{1,0:T(4,32)(4,4)} for BYTES;
    REPACKED "q8_0_4_8" "N,K" ["q8_0_4x8"]
        "codes of `Q8_0`, repacked: 4 rows together, 8 bytes of each in turn"
        Q8_0_4_8 S8[N % 4 = 4, K % 32 = 32]{1,0:T(4,32)(4,8)} for BYTES;
    REPACKED "q8_0_16_1" "N,K" ["q8_0_16x1"]
        "codes of `Q8_0`, repacked: 16 rows together, 1 byte of each in turn"
        Q8_0_16_1 S8[N % 16 = 16, K % 32 = 32]{1,0:T(16,32)(16,1)} for BYTES;
    REPACKED "q4_k_8_4" "N,K" ["q4_k_8x4"]
        "codes of `Q4_K`, repacked: 8 rows together, 4 bytes of each in turn"
        Q4K8_4 U4[N % 8 = 8, K % 256 = 256]{1,0:T(8,256)(32)(8,2,4)(2,1)E(4)} for CODES;
    REPACKED "q4_k_8_8" "N,K" ["q4_k_8x8"]
        "codes of `Q4_K`, repacked: 8 rows together, 8 bytes of each in turn"
        Q4K8_8 U4[N % 8 = 8, K % 256 = 256]{1,0:T(8,256)(32)(8,2,8)(2,1)E(4)} for CODES;
    REPACKED "q2_k_8_8" "N,K" ["q2_k_8x8"]
        "codes of `Q2_K`, repacked: 8 rows together, 8 bytes of each in turn"
        Q2K8_8 U2[N % 8 = 8, K % 256 = 256]{1,0:T(8,256)(32)(8,4,8)(4,1)E(2)} for CODES_2;
    REPACKED "q1_0_4_4" "N,K" ["q1_0_4x4"] "bits of `Q1_0`, repacked: 4 rows together, 4 bits of each in turn"
        Q1_0_4_4 U1[N % 4 = 4, K % 128 = 128]{1,0:T(4,128)(4,4)E(1)};
    REPACKED "q1_0_4_8" "N,K" ["q1_0_4x8"] "bits of `Q1_0`, repacked: 4 rows together, 8 bits of each in turn"
        Q1_0_4_8 U1[N % 4 = 4, K % 128 = 128]{1,0:T(4,128)(4,8)E(1)};
}
