//! Operands of NVIDIA's tensor cores, as PTX spreads them over threads. A and C are as PTX writes them; B is
//! transposed, `N,K`, as in CuTe.

use crate::packed_format::row::{BYTES, CODES, Family, HALVES, Row};
use layout_core::ElementType::{
    self, F4E2M1FN, F8E4M3FN, F8E5M2, F16, F32, F64, S4, S8, S32, U4, U8,
};

const MMA: Row = Row {
    lanes: 32,
    ..Row::of(
        Family::Nvidia,
        "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#warp-level-matrix-instructions-mma",
    )
};
const MMA_SP: Row = Row {
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#warp-level-matrix-instructions-for-sparse-mma",
    ..MMA
};
const LDMATRIX: Row = Row {
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#warp-level-matrix-instructions-ldmatrix",
    ..MMA
};
const WGMMA: Row = Row {
    lanes: 128,
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#asynchronous-warpgroup-level-matrix-instructions-wgmma-mma",
    ..MMA
};
/// tf32 is stored in `f32`.
const WIDE: &[ElementType] = &[F32, F64];
const NARROW: &[ElementType] = &[S8, U8, F8E4M3FN, F8E5M2];
/// 4-bit codes and floats.
const NIBBLES: &[ElementType] = &[U4, S4, F4E2M1FN];
const RESULTS: &[ElementType] = &[F32, S32, F16, F64];
const WGMMA_RESULTS: &[ElementType] = &[F32, S32, F16];

formats! {
    MMA "mma.m16n8k4.A" "M,K" [] "operand A of `mma.m16n8k4`, tf32 and f64"
        MmaM16n8k4A F32[16, 4]{0,1:T(8)(4,2,1)} for WIDE;
    MMA "mma.m16n8k4.B" "N,K" [] "operand B of `mma.m16n8k4`, tf32 and f64"
        MmaM16n8k4B F32[8, 4]{1,0} for WIDE;
    MMA "mma.m16n8k8.A" "M,K" [] "operand A of `mma.m16n8k8`"
        MmaM16n8k8A F16[16, 8]{1,0:T(8,8)(2,1,1,2)} for HALVES,
        MmaM16n8k8A32 F32[16, 8]{1,0:T(16,4)(8,4)(2,2,1,1,1)} for WIDE;
    MMA "mma.m16n8k8.B" "N,K" [] "operand B of `mma.m16n8k8`"
        MmaM16n8k8B F16[8, 8]{1,0} for HALVES,
        MmaM16n8k8B32 F32[8, 8]{1,0:T(4)(2,1)} for WIDE;
    MMA "mma.m16n8k16.A" "M,K" [] "operand A of `mma.m16n8k16`"
        MmaM16n8k16A F16[16, 16]{1,0:T(16,8)(8,8)(2,2,1,1,2)} for HALVES,
        MmaM16n8k16A8 S8[16, 16]{1,0:T(8,16)(2,1,1,4)} for BYTES,
        MmaM16n8k16A64 F64[16, 16]{1,0:T(16,4)(8,4)(4,2,1,1,1)};
    MMA "mma.m16n8k16.B" "N,K" [] "operand B of `mma.m16n8k16`"
        MmaM16n8k16B F16[8, 16]{1,0:T(8)(2,2)} for HALVES,
        MmaM16n8k16B8 S8[8, 16]{1,0} for BYTES,
        MmaM16n8k16B64 F64[8, 16]{1,0:T(4)(4,1)};
    MMA "mma.m16n8k32.A" "M,K" [] "operand A of `mma.m16n8k32`"
        MmaM16n8k32A S8[16, 32]{1,0:T(16,16)(8,16)(2,2,1,1,4)} for NARROW,
        MmaM16n8k32A4 U4[16, 32]{1,0:T(8,32)(2,1,1,8)E(4)} for CODES;
    MMA "mma.m16n8k32.B" "N,K" [] "operand B of `mma.m16n8k32`"
        MmaM16n8k32B S8[8, 32]{1,0:T(16)(2,4)} for NARROW,
        MmaM16n8k32B4 U4[8, 32]{1,0:E(4)} for CODES;
    MMA "mma.m16n8k64.A" "M,K" [] "operand A of `mma.m16n8k64`, of 4 bits"
        MmaM16n8k64A U4[16, 64]{1,0:T(16,32)(8,32)(2,2,1,1,8)E(4)} for CODES;
    MMA "mma.m16n8k64.B" "N,K" [] "operand B of `mma.m16n8k64`, of 4 bits"
        MmaM16n8k64B U4[8, 64]{1,0:T(32)(2,8)E(4)} for CODES;
    MMA "mma.m16n8k128.A" "M,K" [] "operand A of `mma.m16n8k128`, of single bits"
        MmaM16n8k128A U1[16, 128]{1,0:T(8,128)(2,1,1,32)E(1)};
    MMA "mma.m16n8k128.B" "N,K" [] "operand B of `mma.m16n8k128`, of single bits"
        MmaM16n8k128B U1[8, 128]{1,0:E(1)};
    MMA "mma.m16n8k256.A" "M,K" [] "operand A of `mma.m16n8k256`, of single bits"
        MmaM16n8k256A U1[16, 256]{1,0:T(16,128)(8,128)(2,2,1,1,32)E(1)};
    MMA "mma.m16n8k256.B" "N,K" [] "operand B of `mma.m16n8k256`, of single bits"
        MmaM16n8k256B U1[8, 256]{1,0:T(128)(2,32)E(1)};
    MMA "mma.m8n8k128.A" "M,K" [] "operand A of `mma.m8n8k128`, of single bits"
        MmaM8n8k128A U1[8, 128]{1,0:E(1)};
    MMA "mma.m8n8k128.B" "N,K" [] "operand B of `mma.m8n8k128`, of single bits"
        MmaM8n8k128B U1[8, 128]{1,0:E(1)};
    MMA "mma.m8n8.C" "M,N" ["mma.m8n8.D", "mma.m8n8k128.C", "mma.m8n8k128.D", "mma.m8n8k16.C", "mma.m8n8k32.C"]
        "operands C and D of `mma.m8n8k16`, `mma.m8n8k32` and `mma.m8n8k128`" MmaM8n8C S32[8, 8]{1,0};
    MMA_SP "mma.sp.m16n8k64.B" "N,K" [] "operand B of `mma.sp.m16n8k64`, which is not sparse"
        MmaSpM16n8k64B S8[8, 64]{1,0:T(16)(4,4)} for NARROW;
    MMA_SP "mma.sp.m16n8k128.B" "N,K" [] "operand B of `mma.sp.m16n8k128`, which is not sparse"
        MmaSpM16n8k128B U4[8, 128]{1,0:T(32)(4,8)E(4)} for NIBBLES;
    MMA "mma.m16n8.C" "M,N" ["mma.m16n8.D", "mma.m16n8k4.C", "mma.m16n8k8.C", "mma.m16n8k16.C",
        "mma.m16n8k32.C", "mma.m16n8k64.C", "mma.m16n8k128.C", "mma.m16n8k256.C", "mma.m16n8k8.D", "mma.m16n8k16.D", "mma.m16n8k32.D"]
        "operands C and D of every `mma.m16n8`" MmaM16n8C F32[16, 8]{1,0:T(8,8)(2,1,1,2)} for RESULTS;
    LDMATRIX "ldmatrix.x1" "matrix,row,column" ["stmatrix.x1", "ldmatrix"]
        "an 8×8 matrix in registers after `ldmatrix.x1`" LdmatrixX1 F16[1, 8, 8]{0,2,1} for HALVES;
    LDMATRIX "ldmatrix.x2" "matrix,row,column" ["stmatrix.x2"]
        "two 8×8 matrices in registers after `ldmatrix.x2`" LdmatrixX2 F16[2, 8, 8]{0,2,1:T(2,1)} for HALVES;
    LDMATRIX "ldmatrix.x4" "matrix,row,column" ["stmatrix.x4"]
        "four 8×8 matrices in registers after `ldmatrix.x4`"
        LdmatrixX4 F16[4, 8, 8]{0,2,1:T(2,1)} for HALVES;
    LDMATRIX "ldmatrix.x4.trans" "matrix,row,column" ["stmatrix.x4.trans", "ldmatrix.trans"]
        "four 8×8 matrices in registers after `ldmatrix.x4.trans`, which transposes them"
        LdmatrixX4Trans F16[4, 8, 8]{0,1,2:T(2,1)} for HALVES;
    WGMMA "wgmma.A" "M,K" ["wgmma.m64k16.A", "wgmma.m64k32.A", "wgmma.m64k8.A"]
        "operand A of `wgmma` in registers: four operands A of `mma`, one for each warp"
        WgmmaA F16[64, 16]{1,0:T(16,8)(8,8)(2,2,1,1,2)} for HALVES,
        WgmmaA8 S8[64, 32]{1,0:T(16,16)(8,16)(2,2,1,1,4)} for NARROW,
        WgmmaA32 F32[64, 8]{1,0:T(16,4)(8,4)(2,2,1,1,1)};
    WGMMA "wgmma.D" "M,N" ["wgmma.m64nNk16.D", "wgmma.C", "wgmma accumulator"]
        "operand D of `wgmma.m64nN`: its tiles depend on N"
        WgmmaD8 F32[64, 8]{1,0:T(8,8)(2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD16 F32[64, 16]{1,0:T(16,8)(8,8)(2,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD24 F32[64, 24]{1,0:T(16,8)(8,8)(3,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD32 F32[64, 32]{1,0:T(16,8)(8,8)(4,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD48 F32[64, 48]{1,0:T(16,8)(8,8)(6,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD64 F32[64, 64]{1,0:T(16,8)(8,8)(8,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD96 F32[64, 96]{1,0:T(16,8)(8,8)(12,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD128 F32[64, 128]{1,0:T(16,8)(8,8)(16,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD192 F32[64, 192]{1,0:T(16,8)(8,8)(24,2,1,1,2)} for WGMMA_RESULTS,
        WgmmaD256 F32[64, 256]{1,0:T(16,8)(8,8)(32,2,1,1,2)} for WGMMA_RESULTS;
}
