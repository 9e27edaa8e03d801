//! Operands of AMD's matrix cores, as the Matrix Instruction Calculator spreads them over lanes.

use super::table::{BYTES, Entry, Family, Form};
use crate::shape::element::ElementType::{F8E4M3FNUZ, F8E5M2FNUZ, F16, F32, F64, S32};

const BASE: Entry = Entry {
    family: Family::Amd,
    lanes: 64,
    definition: "https://github.com/ROCm/amd_matrix_instruction_calculator",
    ..Entry::NONE
};
const WMMA: Entry = Entry { lanes: 32, ..BASE };

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "v_mfma_f32_16x16x16_f16.A",
        what: "operand A of `v_mfma_f32_16x16x16_f16`, CDNA 3",
        dims: "M,K",
        forms: &[Form { elements: &[F16], text: "f16[16,16]{1,0:T(16,4)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x16_f16.D",
        aliases: &["v_mfma_f32_16x16x16_f16.C"],
        what: "operands C and D of `v_mfma_f32_16x16x16_f16`, CDNA 3",
        dims: "M,N",
        forms: &[Form { elements: &[F32], text: "f32[16,16]{1,0:T(4,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_32x32x8_f16.B",
        what: "operand B of `v_mfma_f32_32x32x8_f16`, CDNA 3",
        dims: "K,N",
        forms: &[Form { elements: &[F16], text: "f16[8,32]{1,0:T(4,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x4_f32.A",
        what: "operand A of `v_mfma_f32_16x16x4_f32`, CDNA 3",
        dims: "M,K",
        forms: &[Form { elements: &[F32], text: "f32[16,4]{0,1}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x4_f32.D",
        aliases: &["v_mfma_f32_16x16x4_f32.C"],
        what: "operands C and D of `v_mfma_f32_16x16x4_f32`, CDNA 3",
        dims: "M,N",
        forms: &[Form { elements: &[F32], text: "f32[16,16]{1,0:T(4,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_32x32x2_f32.B",
        what: "operand B of `v_mfma_f32_32x32x2_f32`, CDNA 3",
        dims: "K,N",
        forms: &[Form { elements: &[F32], text: "f32[2,32]{1,0}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_4x4x4_16b_f16.A",
        what: "operand A of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3",
        dims: "block,M,K",
        forms: &[Form { elements: &[F16], text: "f16[16,4,4]{2,1,0}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_4x4x4_16b_f16.D",
        aliases: &["v_mfma_f32_4x4x4_16b_f16.C"],
        what: "operands C and D of `v_mfma_f32_4x4x4_16b_f16`, CDNA 3",
        dims: "block,M,N",
        forms: &[Form { elements: &[F32], text: "f32[16,4,4]{1,2,0}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x4_4b_f16.B",
        what: "operand B of `v_mfma_f32_16x16x4_4b_f16`, CDNA 3",
        dims: "block,K,N",
        forms: &[Form { elements: &[F16], text: "f16[4,4,16]{1,2,0}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_32x32x4_2b_f16.A",
        what: "operand A of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3",
        dims: "block,M,K",
        forms: &[Form { elements: &[F16], text: "f16[2,32,4]{2,1,0}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_32x32x4_2b_f16.D",
        aliases: &["v_mfma_f32_32x32x4_2b_f16.C"],
        what: "operands C and D of `v_mfma_f32_32x32x4_2b_f16`, CDNA 3",
        dims: "block,M,N",
        forms: &[Form { elements: &[F32], text: "f32[2,32,32]{1,0,2:T(8)(32,2,4,4)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_i32_16x16x32_i8.B",
        what: "operand B of `v_mfma_i32_16x16x32_i8`, CDNA 3",
        dims: "K,N",
        forms: &[Form { elements: BYTES, text: "s8[32,16]{1,0:T(8,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_i32_32x32x16_i8.A",
        what: "operand A of `v_mfma_i32_32x32x16_i8`, CDNA 3",
        dims: "M,K",
        forms: &[Form { elements: BYTES, text: "s8[32,16]{1,0:T(32,8)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_i32_32x32x16_i8.D",
        aliases: &["v_mfma_i32_32x32x16_i8.C"],
        what: "operands C and D of `v_mfma_i32_32x32x16_i8`, CDNA 3",
        dims: "M,N",
        forms: &[Form { elements: &[S32], text: "s32[32,32]{0,1:T(8)(32,4,4)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x32_fp8_fp8.B",
        what: "operand B of `v_mfma_f32_16x16x32_fp8_fp8`, CDNA 3",
        dims: "K,N",
        forms: &[Form {
            elements: &[F8E4M3FNUZ, F8E5M2FNUZ],
            text: "f8e4m3fnuz[32,16]{1,0:T(8,1)}",
        }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f64_16x16x4_f64.A",
        what: "operand A of `v_mfma_f64_16x16x4_f64`, CDNA 3",
        dims: "M,K",
        forms: &[Form { elements: &[F64], text: "f64[16,4]{0,1}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f64_16x16x4_f64.D",
        aliases: &["v_mfma_f64_16x16x4_f64.C"],
        what: "operands C and D of `v_mfma_f64_16x16x4_f64`, CDNA 3",
        dims: "M,N",
        forms: &[Form { elements: &[F64], text: "f64[16,16]{0,1:T(4)(16,4,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_mfma_f32_16x16x8_xf32.B",
        what: "operand B of `v_mfma_f32_16x16x8_xf32`, CDNA 3",
        dims: "K,N",
        forms: &[Form { elements: &[F32], text: "f32[8,16]{1,0:T(2,1)}" }],
        ..BASE
    },
    Entry {
        name: "v_wmma_f32_16x16x16_f16.D.rdna3",
        aliases: &["v_wmma_f32_16x16x16_f16.C.rdna3"],
        what: "operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 3",
        dims: "M,N",
        forms: &[Form { elements: &[F32], text: "f32[16,16]{0,1:T(2)(16,8,1)}" }],
        ..WMMA
    },
    Entry {
        name: "v_wmma_f32_16x16x16_f16.A.rdna4",
        what: "operand A of `v_wmma_f32_16x16x16_f16`, RDNA 4",
        dims: "M,K",
        forms: &[Form { elements: &[F16], text: "f16[16,16]{1,0:T(8)(16,2,4)}" }],
        ..WMMA
    },
    Entry {
        name: "v_wmma_f32_16x16x16_f16.D.rdna4",
        aliases: &["v_wmma_f32_16x16x16_f16.C.rdna4"],
        what: "operands C and D of `v_wmma_f32_16x16x16_f16`, RDNA 4",
        dims: "M,N",
        forms: &[Form { elements: &[F32], text: "f32[16,16]{1,0:T(8,1)}" }],
        ..WMMA
    },
    Entry {
        name: "v_wmma_i32_16x16x16_iu8.B.rdna4",
        what: "operand B of `v_wmma_i32_16x16x16_iu8`, RDNA 4",
        dims: "K,N",
        forms: &[Form { elements: BYTES, text: "s8[16,16]{1,0:T(8,1)}" }],
        ..WMMA
    },
];
