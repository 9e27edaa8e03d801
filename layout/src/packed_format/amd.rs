//! Operands of AMD's matrix cores.

use super::named;

named! {
    /// Operand A of `v_mfma_f32_16x16x16_f16`, CDNA 3.
    "v_mfma_f32_16x16x16_f16.A" VMfmaF32_16x16x16F16A<E = F16> = E[16, 16] [1, 0] [(16,4)];
    /// Operands C and D of `v_mfma_f32_16x16x16_f16`, CDNA 3.
    "v_mfma_f32_16x16x16_f16.D" VMfmaF32_16x16x16F16D<E = F32> = E[16, 16] [1, 0] [(4,1)];
    /// Operand B of `v_mfma_f32_32x32x8_f16`, CDNA 3.
    "v_mfma_f32_32x32x8_f16.B" VMfmaF32_32x32x8F16B<E = F16> = E[8, 32] [1, 0] [(4,1)];
    /// Operand A of `v_mfma_f32_16x16x4_f32`, CDNA 3.
    "v_mfma_f32_16x16x4_f32.A" VMfmaF32_16x16x4F32A<E = F32> = E[16, 4] [0, 1] [];
    /// Operands C and D of `v_mfma_f32_16x16x4_f32`, CDNA 3.
    "v_mfma_f32_16x16x4_f32.D" VMfmaF32_16x16x4F32D<E = F32> = E[16, 16] [1, 0] [(4,1)];
    /// Operand B of `v_mfma_f32_32x32x2_f32`, CDNA 3.
    "v_mfma_f32_32x32x2_f32.B" VMfmaF32_32x32x2F32B<E = F32> = E[2, 32] [1, 0] [];
    /// Operand A of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3.
    "v_mfma_f32_4x4x4_16b_f16.A" VMfmaF32_4x4x4_16bF16A<E = F16> = E[16, 4, 4] [2, 1, 0] [];
    /// Operands C and D of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3.
    "v_mfma_f32_4x4x4_16b_f16.D" VMfmaF32_4x4x4_16bF16D<E = F32> = E[16, 4, 4] [1, 2, 0] [];
    /// Operand B of `v_mfma_f32_16x16x4_4b_f16`, CDNA 3.
    "v_mfma_f32_16x16x4_4b_f16.B" VMfmaF32_16x16x4_4bF16B<E = F16> = E[4, 4, 16] [1, 2, 0] [];
    /// Operand A of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3.
    "v_mfma_f32_32x32x4_2b_f16.A" VMfmaF32_32x32x4_2bF16A<E = F16> = E[2, 32, 4] [2, 1, 0] [];
    /// Operands C and D of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3.
    "v_mfma_f32_32x32x4_2b_f16.D" VMfmaF32_32x32x4_2bF16D<E = F32> = E[2, 32, 32] [1, 0, 2] [(8)(32,2,4,4)];
    /// Operand B of `v_mfma_i32_16x16x32_i8`, CDNA 3.
    "v_mfma_i32_16x16x32_i8.B" VMfmaI32_16x16x32I8B<E = S8> = E[32, 16] [1, 0] [(8,1)];
    /// Operand A of `v_mfma_i32_32x32x16_i8`, CDNA 3.
    "v_mfma_i32_32x32x16_i8.A" VMfmaI32_32x32x16I8A<E = S8> = E[32, 16] [1, 0] [(32,8)];
    /// Operands C and D of `v_mfma_i32_32x32x16_i8`, CDNA 3.
    "v_mfma_i32_32x32x16_i8.D" VMfmaI32_32x32x16I8D<E = S32> = E[32, 32] [0, 1] [(8)(32,4,4)];
    /// Operand B of `v_mfma_f32_16x16x32_fp8_fp8`, CDNA 3.
    "v_mfma_f32_16x16x32_fp8_fp8.B" VMfmaF32_16x16x32Fp8Fp8B<E = F8E4M3FNUZ> = E[32, 16] [1, 0] [(8,1)];
    /// Operand A of `v_mfma_f64_16x16x4_f64`, CDNA 3.
    "v_mfma_f64_16x16x4_f64.A" VMfmaF64_16x16x4F64A<E = F64> = E[16, 4] [0, 1] [];
    /// Operands C and D of `v_mfma_f64_16x16x4_f64`, CDNA 3.
    "v_mfma_f64_16x16x4_f64.D" VMfmaF64_16x16x4F64D<E = F64> = E[16, 16] [0, 1] [(4)(16,4,1)];
    /// Operand B of `v_mfma_f32_16x16x8_xf32`, CDNA 3.
    "v_mfma_f32_16x16x8_xf32.B" VMfmaF32_16x16x8Xf32B<E = F32> = E[8, 16] [1, 0] [(2,1)];
    /// Operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 3.
    "v_wmma_f32_16x16x16_f16.D.rdna3" VWmmaF32_16x16x16F16DRdna3<E = F32> = E[16, 16] [0, 1] [(2)(16,8,1)];
    /// Operand A of `v_wmma_f32_16x16x16_f16`, RDNA 4.
    "v_wmma_f32_16x16x16_f16.A.rdna4" VWmmaF32_16x16x16F16ARdna4<E = F16> = E[16, 16] [1, 0] [(8)(16,2,4)];
    /// Operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 4.
    "v_wmma_f32_16x16x16_f16.D.rdna4" VWmmaF32_16x16x16F16DRdna4<E = F32> = E[16, 16] [1, 0] [(8,1)];
    /// Operand B of `v_wmma_i32_16x16x16_iu8`, RDNA 4.
    "v_wmma_i32_16x16x16_iu8.B.rdna4" VWmmaI32_16x16x16Iu8BRdna4<E = S8> = E[16, 16] [1, 0] [(8,1)];
}
