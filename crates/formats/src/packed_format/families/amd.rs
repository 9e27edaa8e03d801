//! Operands of AMD's matrix cores, as the Matrix Instruction Calculator spreads them over lanes.

use crate::packed_format::row::{BYTES, Family, Row};
use layout_core::ElementType::{self, F8E4M3FNUZ, F8E5M2FNUZ};

const MFMA: Row = Row {
    lanes: 64,
    ..Row::of(Family::Amd, "https://github.com/ROCm/amd_matrix_instruction_calculator")
};
const WMMA: Row = Row { lanes: 32, ..MFMA };
const FP8: &[ElementType] = &[F8E4M3FNUZ, F8E5M2FNUZ];

formats! {
    MFMA "v_mfma_f32_16x16x16_f16.A" "M,K" [] "operand A of `v_mfma_f32_16x16x16_f16`, CDNA 3"
        VMfmaF32_16x16x16F16A F16[16, 16]{1,0:T(16,4)};
    MFMA "v_mfma_f32_16x16x16_f16.D" "M,N" ["v_mfma_f32_16x16x16_f16.C"]
        "operands C and D of `v_mfma_f32_16x16x16_f16`, CDNA 3"
        VMfmaF32_16x16x16F16D F32[16, 16]{1,0:T(4,1)};
    MFMA "v_mfma_f32_32x32x8_f16.B" "K,N" [] "operand B of `v_mfma_f32_32x32x8_f16`, CDNA 3"
        VMfmaF32_32x32x8F16B F16[8, 32]{1,0:T(4,1)};
    MFMA "v_mfma_f32_16x16x4_f32.A" "M,K" [] "operand A of `v_mfma_f32_16x16x4_f32`, CDNA 3"
        VMfmaF32_16x16x4F32A F32[16, 4]{0,1};
    MFMA "v_mfma_f32_16x16x4_f32.D" "M,N" ["v_mfma_f32_16x16x4_f32.C"]
        "operands C and D of `v_mfma_f32_16x16x4_f32`, CDNA 3" VMfmaF32_16x16x4F32D F32[16, 16]{1,0:T(4,1)};
    MFMA "v_mfma_f32_32x32x2_f32.B" "K,N" [] "operand B of `v_mfma_f32_32x32x2_f32`, CDNA 3"
        VMfmaF32_32x32x2F32B F32[2, 32]{1,0};
    MFMA "v_mfma_f32_4x4x4_16b_f16.A" "block,M,K" [] "operand A of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3"
        VMfmaF32_4x4x4_16bF16A F16[16, 4, 4]{2,1,0};
    MFMA "v_mfma_f32_4x4x4_16b_f16.D" "block,M,N" ["v_mfma_f32_4x4x4_16b_f16.C"]
        "operands C and D of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3" VMfmaF32_4x4x4_16bF16D F32[16, 4, 4]{1,2,0};
    MFMA "v_mfma_f32_16x16x4_4b_f16.B" "block,K,N" [] "operand B of `v_mfma_f32_16x16x4_4b_f16`, CDNA 3"
        VMfmaF32_16x16x4_4bF16B F16[4, 4, 16]{1,2,0};
    MFMA "v_mfma_f32_32x32x4_2b_f16.A" "block,M,K" [] "operand A of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3"
        VMfmaF32_32x32x4_2bF16A F16[2, 32, 4]{2,1,0};
    MFMA "v_mfma_f32_32x32x4_2b_f16.D" "block,M,N" ["v_mfma_f32_32x32x4_2b_f16.C"]
        "operands C and D of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3"
        VMfmaF32_32x32x4_2bF16D F32[2, 32, 32]{1,0,2:T(8)(32,2,4,4)};
    MFMA "v_mfma_i32_16x16x32_i8.B" "K,N" [] "operand B of `v_mfma_i32_16x16x32_i8`, CDNA 3"
        VMfmaI32_16x16x32I8B S8[32, 16]{1,0:T(8,1)} for BYTES;
    MFMA "v_mfma_i32_32x32x16_i8.A" "M,K" [] "operand A of `v_mfma_i32_32x32x16_i8`, CDNA 3"
        VMfmaI32_32x32x16I8A S8[32, 16]{1,0:T(32,8)} for BYTES;
    MFMA "v_mfma_i32_32x32x16_i8.D" "M,N" ["v_mfma_i32_32x32x16_i8.C"]
        "operands C and D of `v_mfma_i32_32x32x16_i8`, CDNA 3"
        VMfmaI32_32x32x16I8D S32[32, 32]{0,1:T(8)(32,4,4)};
    MFMA "v_mfma_f32_16x16x32_fp8_fp8.B" "K,N" [] "operand B of `v_mfma_f32_16x16x32_fp8_fp8`, CDNA 3"
        VMfmaF32_16x16x32Fp8Fp8B F8E4M3FNUZ[32, 16]{1,0:T(8,1)} for FP8;
    MFMA "v_mfma_f64_16x16x4_f64.A" "M,K" [] "operand A of `v_mfma_f64_16x16x4_f64`, CDNA 3"
        VMfmaF64_16x16x4F64A F64[16, 4]{0,1};
    MFMA "v_mfma_f64_16x16x4_f64.D" "M,N" ["v_mfma_f64_16x16x4_f64.C"]
        "operands C and D of `v_mfma_f64_16x16x4_f64`, CDNA 3"
        VMfmaF64_16x16x4F64D F64[16, 16]{0,1:T(4)(16,4,1)};
    MFMA "v_mfma_f32_16x16x8_xf32.B" "K,N" [] "operand B of `v_mfma_f32_16x16x8_xf32`, CDNA 3"
        VMfmaF32_16x16x8Xf32B F32[8, 16]{1,0:T(2,1)};
    WMMA "v_wmma_f32_16x16x16_f16.D.rdna3" "M,N" ["v_wmma_f32_16x16x16_f16.C.rdna3"]
        "operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 3"
        VWmmaF32_16x16x16F16DRdna3 F32[16, 16]{0,1:T(2)(16,8,1)};
    WMMA "v_wmma_f32_16x16x16_f16.A.rdna4" "M,K" [] "operand A of `v_wmma_f32_16x16x16_f16`, RDNA 4"
        VWmmaF32_16x16x16F16ARdna4 F16[16, 16]{1,0:T(8)(16,2,4)};
    WMMA "v_wmma_f32_16x16x16_f16.D.rdna4" "M,N" ["v_wmma_f32_16x16x16_f16.C.rdna4"]
        "operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 4"
        VWmmaF32_16x16x16F16DRdna4 F32[16, 16]{1,0:T(8,1)};
    WMMA "v_wmma_i32_16x16x16_iu8.B.rdna4" "K,N" [] "operand B of `v_wmma_i32_16x16x16_iu8`, RDNA 4"
        VWmmaI32_16x16x16Iu8BRdna4 S8[16, 16]{1,0:T(8,1)} for BYTES;
}
