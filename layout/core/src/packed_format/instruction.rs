//! Operands of CPU instructions that multiply matrices, and right-hand sides packed for them.

use super::table::{BYTES, CODES, Entry, Family, Form, HALVES, Sizes};

const BASE: Entry = Entry { family: Family::Cpu, ..Entry::NONE };
const ROWS: Entry = Entry { dims: "N,K", sizes: Sizes::Multiples(&[1, 1]), ..BASE };
const KLEIDI: Entry = Entry {
    stacks: true,
    note: "missing rows repeat the last row instead of 0; sums, scales and biases stand after each group of rows",
    definition: "https://gitlab.arm.com/kleidi/kleidiai/-/tree/main/kai/ukernels/matmul/pack",
    ..ROWS
};
const ARM: &str = "https://developer.arm.com/documentation/ddi0602/latest/SIMD-FP-Instructions/";

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "amx.B",
        aliases: &["amx tile B", "tdpbf16ps.B", "tdpbssd.B"],
        what: "operand B of Intel AMX in a tile register: a row has 2 or 4 rows of the matrix",
        dims: "K,N",
        forms: &[
            Form { elements: HALVES, text: "bf16[32,16]{1,0:T(2,1)}" },
            Form { elements: BYTES, text: "s8[64,16]{1,0:T(4,1)}" },
        ],
        definition: "https://www.intel.com/content/www/us/en/docs/intrinsics-guide/index.html#text=_tile_dpbf16ps",
        ..BASE
    },
    Entry {
        name: "vnni",
        aliases: &["vnni2", "vnni4", "avx512 vnni", "vpdpbusd", "vdpbf16ps"],
        what: "right-hand sides for Intel's dot products: 2 or 4 rows of the matrix side by side",
        dims: "K,N",
        sizes: Sizes::Multiples(&[1, 1]),
        stacks: true,
        forms: &[
            Form { elements: HALVES, text: "bf16[4,16]{1,0:T(2,1)}" },
            Form { elements: BYTES, text: "s8[8,16]{1,0:T(4,1)}" },
        ],
        definition: "https://www.intel.com/content/www/us/en/docs/intrinsics-guide/index.html#text=_mm512_dpbusd_epi32",
        ..BASE
    },
    Entry {
        name: "smmla",
        aliases: &["i8mm", "arm i8mm", "ummla"],
        what: "matrices for Arm's `SMMLA` and `UMMLA`: a vector has 2 rows of 8 bytes",
        forms: &[Form { elements: BYTES, text: "s8[4,16]{1,0:T(2,8)}" }],
        definition: ARM,
        ..ROWS
    },
    Entry {
        name: "bfmmla",
        aliases: &["arm bfmmla"],
        what: "matrices for Arm's `BFMMLA`: a vector has 2 rows of 4 elements",
        forms: &[Form { elements: HALVES, text: "bf16[4,8]{1,0:T(2,4)}" }],
        definition: ARM,
        ..ROWS
    },
    Entry {
        name: "sdot",
        aliases: &["arm dotprod", "udot"],
        what: "matrices for Arm's `SDOT` and `UDOT`: a vector has 4 rows of 4 bytes",
        forms: &[Form { elements: BYTES, text: "s8[8,8]{1,0:T(4,4)}" }],
        definition: ARM,
        ..ROWS
    },
    Entry {
        name: "qsi8cxp4x4",
        aliases: &["kleidiai qsi8cxp4x4"],
        what: "8-bit weights of KleidiAI, 4 rows of 4",
        forms: &[Form { elements: BYTES, text: "s8[4,32]{1,0:T(4,32)(4,4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi8cxp4x8",
        aliases: &["kleidiai qsi8cxp4x8"],
        what: "8-bit weights of KleidiAI, 4 rows of 8",
        forms: &[Form { elements: BYTES, text: "s8[4,32]{1,0:T(4,32)(4,8)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi8cxp8x8",
        aliases: &["kleidiai qsi8cxp8x8"],
        what: "8-bit weights of KleidiAI, 8 rows of 8",
        forms: &[Form { elements: BYTES, text: "s8[8,32]{1,0:T(8,32)(8,8)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi8cxp4x16",
        aliases: &["kleidiai qsi8cxp4x16"],
        what: "8-bit weights of KleidiAI, 4 rows of 16",
        forms: &[Form { elements: BYTES, text: "s8[4,32]{1,0:T(4,32)(4,16)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi8cxp12x4",
        aliases: &["kleidiai qsi8cxp12x4"],
        what: "8-bit weights of KleidiAI, 12 rows of 4",
        forms: &[Form { elements: BYTES, text: "s8[12,32]{1,0:T(12,32)(12,4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi4cxp4x8",
        aliases: &["kleidiai qsi4cxp4x8"],
        what: "4-bit weights of KleidiAI, 4 rows of 8 bytes",
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,8)(2,1)E(4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi4cxp4x8s2",
        aliases: &["qsi4cxp4x8 sr=2", "kleidiai qsi4cxp4x8 sr=2"],
        what: "4-bit weights of KleidiAI, 4 rows of 8 split in two",
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi4cxp4x16s2",
        aliases: &["qsi4cxp4x16 sr=2", "kleidiai qsi4cxp4x16 sr=2"],
        what: "4-bit weights of KleidiAI, 4 rows of 16 split in two",
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,8)(2,1)E(4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi4cxp8x8s2",
        aliases: &["qsi4cxp8x8 sr=2", "kleidiai qsi4cxp8x8 sr=2"],
        what: "4-bit weights of KleidiAI, 8 rows of 8 split in two",
        forms: &[Form { elements: CODES, text: "u4[8,32]{1,0:T(16)(8,2,4)(2,1)E(4)}" }],
        ..KLEIDI
    },
    Entry {
        name: "qsi4cxp8x16s2",
        aliases: &["qsi4cxp8x16 sr=2", "kleidiai qsi4cxp8x16 sr=2"],
        what: "4-bit weights of KleidiAI, 8 rows of 16 split in two",
        forms: &[Form { elements: CODES, text: "u4[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}" }],
        ..KLEIDI
    },
];
