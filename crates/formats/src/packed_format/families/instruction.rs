//! Operands of CPU instructions that multiply matrices, and right-hand sides packed for them.

use crate::packed_format::row::{BYTES, CODES, Family, HALVES, Row};

const AMX: Row = Row::of(
    Family::Cpu,
    "https://www.intel.com/content/www/us/en/docs/intrinsics-guide/index.html#text=_tile_dpbf16ps",
);
const VNNI: Row = Row {
    stacks: true,
    ..Row::of(
        Family::Cpu,
        "https://www.intel.com/content/www/us/en/docs/intrinsics-guide/index.html#text=_mm512_dpbusd_epi32",
    )
};
const ARM: Row = Row::of(
    Family::Cpu,
    "https://developer.arm.com/documentation/ddi0602/latest/SIMD-FP-Instructions/",
);
const KLEIDI: Row = Row {
    stacks: true,
    note: "missing rows repeat the last row instead of 0; sums, scales and biases stand after each group of rows",
    ..Row::of(
        Family::Cpu,
        "https://gitlab.arm.com/kleidi/kleidiai/-/tree/main/kai/ukernels/matmul/pack",
    )
};

formats! {
    AMX "amx.B" "K,N" ["amx tile B", "tdpbf16ps.B", "tdpbssd.B"]
        "operand B of Intel AMX in a tile register: a row has 2 or 4 rows of the matrix"
        AmxB BF16[32, 16]{1,0:T(2,1)} for HALVES,
        AmxB8 S8[64, 16]{1,0:T(4,1)} for BYTES;
    VNNI "vnni" "K,N" ["vnni2", "vnni4", "avx512 vnni", "vpdpbusd", "vdpbf16ps"]
        "right-hand sides for Intel's dot products: 2 or 4 rows of the matrix side by side"
        Vnni BF16[K = 4, N = 16]{1,0:T(2,1)} for HALVES,
        Vnni8 S8[K = 8, N = 16]{1,0:T(4,1)} for BYTES;
    ARM "smmla" "N,K" ["i8mm", "arm i8mm", "ummla"]
        "matrices for Arm's `SMMLA` and `UMMLA`: a vector has 2 rows of 8 bytes"
        Smmla S8[N = 4, K = 16]{1,0:T(2,8)} for BYTES;
    ARM "bfmmla" "N,K" ["arm bfmmla"] "matrices for Arm's `BFMMLA`: a vector has 2 rows of 4 elements"
        Bfmmla BF16[N = 4, K = 8]{1,0:T(2,4)} for HALVES;
    ARM "sdot" "N,K" ["arm dotprod", "udot"]
        "matrices for Arm's `SDOT` and `UDOT`: a vector has 4 rows of 4 bytes"
        Sdot S8[N = 8, K = 8]{1,0:T(4,4)} for BYTES;
    KLEIDI "qsi8cxp4x4" "N,K" ["kleidiai qsi8cxp4x4"] "8-bit weights of KleidiAI, 4 rows of 4"
        Qsi8cxp4x4 S8[N = 4, K = 32]{1,0:T(4,32)(4,4)} for BYTES;
    KLEIDI "qsi8cxp4x8" "N,K" ["kleidiai qsi8cxp4x8"] "8-bit weights of KleidiAI, 4 rows of 8"
        Qsi8cxp4x8 S8[N = 4, K = 32]{1,0:T(4,32)(4,8)} for BYTES;
    KLEIDI "qsi8cxp8x8" "N,K" ["kleidiai qsi8cxp8x8"] "8-bit weights of KleidiAI, 8 rows of 8"
        Qsi8cxp8x8 S8[N = 8, K = 32]{1,0:T(8,32)(8,8)} for BYTES;
    KLEIDI "qsi8cxp4x16" "N,K" ["kleidiai qsi8cxp4x16"] "8-bit weights of KleidiAI, 4 rows of 16"
        Qsi8cxp4x16 S8[N = 4, K = 32]{1,0:T(4,32)(4,16)} for BYTES;
    KLEIDI "qsi8cxp12x4" "N,K" ["kleidiai qsi8cxp12x4"] "8-bit weights of KleidiAI, 12 rows of 4"
        Qsi8cxp12x4 S8[N = 12, K = 32]{1,0:T(12,32)(12,4)} for BYTES;
    KLEIDI "qsi4cxp4x8" "N,K" ["kleidiai qsi4cxp4x8"] "4-bit weights of KleidiAI, 4 rows of 8 bytes"
        Qsi4cxp4x8 U4[N = 4, K = 32]{1,0:T(16)(4,2,8)(2,1)E(4)} for CODES;
    KLEIDI "qsi4cxp4x8s2" "N,K" ["qsi4cxp4x8 sr=2", "kleidiai qsi4cxp4x8 sr=2"]
        "4-bit weights of KleidiAI, 4 rows of 8 split in two"
        Qsi4cxp4x8s2 U4[N = 4, K = 32]{1,0:T(16)(4,2,4)(2,1)E(4)} for CODES;
    KLEIDI "qsi4cxp4x16s2" "N,K" ["qsi4cxp4x16 sr=2", "kleidiai qsi4cxp4x16 sr=2"]
        "4-bit weights of KleidiAI, 4 rows of 16 split in two"
        Qsi4cxp4x16s2 U4[N = 4, K = 32]{1,0:T(16)(4,2,8)(2,1)E(4)} for CODES;
    KLEIDI "qsi4cxp8x8s2" "N,K" ["qsi4cxp8x8 sr=2", "kleidiai qsi4cxp8x8 sr=2"]
        "4-bit weights of KleidiAI, 8 rows of 8 split in two"
        Qsi4cxp8x8s2 U4[N = 8, K = 32]{1,0:T(16)(8,2,4)(2,1)E(4)} for CODES;
    KLEIDI "qsi4cxp8x16s2" "N,K" ["qsi4cxp8x16 sr=2", "kleidiai qsi4cxp8x16 sr=2"]
        "4-bit weights of KleidiAI, 8 rows of 16 split in two"
        Qsi4cxp8x16s2 U4[N = 8, K = 32]{1,0:T(16)(8,2,8)(2,1)E(4)} for CODES;
}
