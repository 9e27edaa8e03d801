//! Operands of NVIDIA's tensor cores, as PTX spreads them over threads. A and C are as PTX writes them; B is
//! transposed, `N,K`, as in CuTe.

use super::table::{BYTES, CODES, Entry, Family, Form, HALVES, Sizes};
use crate::shape::element::ElementType::{self, F8E4M3FN, F8E5M2, F16, F32, F64, S8, S32, U8};

const BASE: Entry = Entry {
    family: Family::Nvidia,
    sizes: Sizes::Fixed,
    lanes: 32,
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#warp-level-matrix-instructions-mma",
    ..Entry::NONE
};
const A: Entry = Entry { dims: "M,K", ..BASE };
const B: Entry = Entry { dims: "N,K", ..BASE };
const WGMMA: Entry = Entry {
    lanes: 128,
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#asynchronous-warpgroup-level-matrix-instructions-wgmma-mma",
    ..BASE
};
const LDMATRIX: Entry = Entry {
    dims: "matrix,row,column",
    definition: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#warp-level-matrix-instructions-ldmatrix",
    ..BASE
};
/// tf32 is stored in `f32`.
const WIDE: &[ElementType] = &[F32, F64];
const NARROW: &[ElementType] = &[S8, U8, F8E4M3FN, F8E5M2];
const RESULTS: &[ElementType] = &[F32, S32, F16, F64];
const WGMMA_RESULTS: &[ElementType] = &[F32, S32, F16];

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "mma.m16n8k4.A",
        what: "operand A of `mma.m16n8k4`, tf32 and f64",
        forms: &[Form { elements: WIDE, text: "f32[16,4]{0,1:T(8)(4,2,1)}" }],
        ..A
    },
    Entry {
        name: "mma.m16n8k4.B",
        what: "operand B of `mma.m16n8k4`, tf32 and f64",
        forms: &[Form { elements: WIDE, text: "f32[8,4]{1,0}" }],
        ..B
    },
    Entry {
        name: "mma.m16n8k8.A",
        what: "operand A of `mma.m16n8k8`",
        forms: &[
            Form { elements: HALVES, text: "f16[16,8]{1,0:T(8,8)(2,1,1,2)}" },
            Form { elements: WIDE, text: "f32[16,8]{1,0:T(16,4)(8,4)(2,2,1,1,1)}" },
        ],
        ..A
    },
    Entry {
        name: "mma.m16n8k8.B",
        what: "operand B of `mma.m16n8k8`",
        forms: &[
            Form { elements: HALVES, text: "f16[8,8]{1,0}" },
            Form { elements: WIDE, text: "f32[8,8]{1,0:T(4)(2,1)}" },
        ],
        ..B
    },
    Entry {
        name: "mma.m16n8k16.A",
        what: "operand A of `mma.m16n8k16`",
        forms: &[
            Form { elements: HALVES, text: "f16[16,16]{1,0:T(16,8)(8,8)(2,2,1,1,2)}" },
            Form { elements: BYTES, text: "s8[16,16]{1,0:T(8,16)(2,1,1,4)}" },
            Form { elements: &[F64], text: "f64[16,16]{1,0:T(16,4)(8,4)(4,2,1,1,1)}" },
        ],
        ..A
    },
    Entry {
        name: "mma.m16n8k16.B",
        what: "operand B of `mma.m16n8k16`",
        forms: &[
            Form { elements: HALVES, text: "f16[8,16]{1,0:T(8)(2,2)}" },
            Form { elements: BYTES, text: "s8[8,16]{1,0}" },
            Form { elements: &[F64], text: "f64[8,16]{1,0:T(4)(4,1)}" },
        ],
        ..B
    },
    Entry {
        name: "mma.m16n8k32.A",
        what: "operand A of `mma.m16n8k32`",
        forms: &[
            Form { elements: NARROW, text: "s8[16,32]{1,0:T(16,16)(8,16)(2,2,1,1,4)}" },
            Form { elements: CODES, text: "u4[16,32]{1,0:T(8,32)(2,1,1,8)E(4)}" },
        ],
        ..A
    },
    Entry {
        name: "mma.m16n8k32.B",
        what: "operand B of `mma.m16n8k32`",
        forms: &[
            Form { elements: NARROW, text: "s8[8,32]{1,0:T(16)(2,4)}" },
            Form { elements: CODES, text: "u4[8,32]{1,0:E(4)}" },
        ],
        ..B
    },
    Entry {
        name: "mma.m16n8k64.A",
        what: "operand A of `mma.m16n8k64`, of 4 bits",
        forms: &[Form { elements: CODES, text: "u4[16,64]{1,0:T(16,32)(8,32)(2,2,1,1,8)E(4)}" }],
        ..A
    },
    Entry {
        name: "mma.m16n8k64.B",
        what: "operand B of `mma.m16n8k64`, of 4 bits",
        forms: &[Form { elements: CODES, text: "u4[8,64]{1,0:T(32)(2,8)E(4)}" }],
        ..B
    },
    Entry {
        name: "mma.m16n8.C",
        aliases: &[
            "mma.m16n8.D",
            "mma.m16n8k4.C",
            "mma.m16n8k8.C",
            "mma.m16n8k16.C",
            "mma.m16n8k32.C",
            "mma.m16n8k64.C",
            "mma.m16n8k8.D",
            "mma.m16n8k16.D",
            "mma.m16n8k32.D",
        ],
        what: "operands C and D of every `mma.m16n8`",
        dims: "M,N",
        forms: &[Form { elements: RESULTS, text: "f32[16,8]{1,0:T(8,8)(2,1,1,2)}" }],
        ..BASE
    },
    Entry {
        name: "ldmatrix.x1",
        aliases: &["stmatrix.x1", "ldmatrix"],
        what: "an 8×8 matrix in registers after `ldmatrix.x1`",
        forms: &[Form { elements: HALVES, text: "f16[1,8,8]{0,2,1}" }],
        ..LDMATRIX
    },
    Entry {
        name: "ldmatrix.x2",
        aliases: &["stmatrix.x2"],
        what: "two 8×8 matrices in registers after `ldmatrix.x2`",
        forms: &[Form { elements: HALVES, text: "f16[2,8,8]{0,2,1:T(2,1)}" }],
        ..LDMATRIX
    },
    Entry {
        name: "ldmatrix.x4",
        aliases: &["stmatrix.x4"],
        what: "four 8×8 matrices in registers after `ldmatrix.x4`",
        forms: &[Form { elements: HALVES, text: "f16[4,8,8]{0,2,1:T(2,1)}" }],
        ..LDMATRIX
    },
    Entry {
        name: "ldmatrix.x4.trans",
        aliases: &["stmatrix.x4.trans", "ldmatrix.trans"],
        what: "four 8×8 matrices in registers after `ldmatrix.x4.trans`, which transposes them",
        forms: &[Form { elements: HALVES, text: "f16[4,8,8]{0,1,2:T(2,1)}" }],
        ..LDMATRIX
    },
    Entry {
        name: "wgmma.A",
        aliases: &["wgmma.m64k16.A", "wgmma.m64k32.A", "wgmma.m64k8.A"],
        what: "operand A of `wgmma` in registers: four operands A of `mma`, one for each warp",
        dims: "M,K",
        forms: &[
            Form { elements: HALVES, text: "f16[64,16]{1,0:T(16,8)(8,8)(2,2,1,1,2)}" },
            Form { elements: NARROW, text: "s8[64,32]{1,0:T(16,16)(8,16)(2,2,1,1,4)}" },
            Form { elements: &[F32], text: "f32[64,8]{1,0:T(16,4)(8,4)(2,2,1,1,1)}" },
        ],
        ..WGMMA
    },
    Entry {
        name: "wgmma.D",
        aliases: &["wgmma.m64nNk16.D", "wgmma.C", "wgmma accumulator"],
        what: "operand D of `wgmma.m64nN`: its tiles depend on N",
        dims: "M,N",
        forms: &[
            Form { elements: WGMMA_RESULTS, text: "f32[64,8]{1,0:T(8,8)(2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,16]{1,0:T(16,8)(8,8)(2,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,24]{1,0:T(16,8)(8,8)(3,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,32]{1,0:T(16,8)(8,8)(4,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,48]{1,0:T(16,8)(8,8)(6,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,64]{1,0:T(16,8)(8,8)(8,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,96]{1,0:T(16,8)(8,8)(12,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,128]{1,0:T(16,8)(8,8)(16,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,192]{1,0:T(16,8)(8,8)(24,2,1,1,2)}" },
            Form { elements: WGMMA_RESULTS, text: "f32[64,256]{1,0:T(16,8)(8,8)(32,2,1,1,2)}" },
        ],
        ..WGMMA
    },
];
