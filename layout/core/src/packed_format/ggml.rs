//! The codes of ggml's blocks, without the scales that stand between them: [`BlockFormat`](super::BlockFormat) has
//! whole blocks.

use super::table::{BYTES, CODES, Entry, Family, Form, Sizes};
use crate::shape::element::ElementType::{self, F4E2M1FN, S2, S4, U1, U2, U4};

const BLOCKS: Entry = Entry {
    family: Family::Ggml,
    dims: "N,K",
    stacks: true,
    definition: "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-common.h",
    ..Entry::NONE
};
/// What llama.cpp makes of blocks when it loads a model on a CPU.
const REPACKED: Entry = Entry {
    definition: "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-cpu/repack.cpp",
    ..BLOCKS
};
const CODES_2: &[ElementType] = &[U2, S2];
const FLOATS: &[ElementType] = &[F4E2M1FN, U4, S4];
const BITS: &[ElementType] = &[U1];

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "q4_0",
        what: "4-bit codes of `Q4_0` blocks: a byte has elements i and i + 16 of 32",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: CODES, text: "u4[1,32]{1,0:T(16)(2,1)E(4)}" }],
        ..BLOCKS
    },
    Entry {
        name: "q4_1",
        what: "4-bit codes of `Q4_1` blocks",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: CODES, text: "u4[1,32]{1,0:T(16)(2,1)E(4)}" }],
        ..BLOCKS
    },
    Entry {
        name: "iq4_nl",
        what: "4-bit codes of `IQ4_NL` blocks",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: CODES, text: "u4[1,32]{1,0:T(16)(2,1)E(4)}" }],
        note: "a code is the number of a value in a table",
        ..BLOCKS
    },
    Entry {
        name: "iq4_xs",
        what: "4-bit codes of `IQ4_XS` super-blocks of 256",
        sizes: Sizes::Multiples(&[1, 256]),
        forms: &[Form { elements: CODES, text: "u4[1,256]{1,0:T(16)(2,1)E(4)}" }],
        note: "a code is the number of a value in a table",
        ..BLOCKS
    },
    Entry {
        name: "mxfp4",
        aliases: &["ggml mxfp4", "ocp mxfp4"],
        what: "4-bit floats of `MXFP4` blocks of 32",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: FLOATS, text: "f4e2m1fn[1,32]{1,0:T(16)(2,1)E(4)}" }],
        ..BLOCKS
    },
    Entry {
        name: "nvfp4",
        aliases: &["ggml nvfp4"],
        what: "4-bit floats of `NVFP4` blocks of 64, in groups of 16",
        sizes: Sizes::Multiples(&[1, 64]),
        forms: &[Form { elements: FLOATS, text: "f4e2m1fn[1,64]{1,0:T(64)(8)(2,1)E(4)}" }],
        ..BLOCKS
    },
    Entry {
        name: "q4_k",
        aliases: &["q4_k_m", "q4_k_s"],
        what: "4-bit codes of `Q4_K` super-blocks of 256",
        sizes: Sizes::Multiples(&[1, 256]),
        forms: &[Form { elements: CODES, text: "u4[1,256]{1,0:T(256)(32)(2,1)E(4)}" }],
        ..BLOCKS
    },
    Entry {
        name: "q2_k",
        what: "2-bit codes of `Q2_K` super-blocks of 256",
        sizes: Sizes::Multiples(&[1, 256]),
        forms: &[Form { elements: CODES_2, text: "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}" }],
        ..BLOCKS
    },
    Entry {
        name: "tq2_0",
        what: "ternary digits in 2 bits, of `TQ2_0` super-blocks of 256",
        sizes: Sizes::Multiples(&[1, 256]),
        forms: &[Form { elements: CODES_2, text: "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}" }],
        ..BLOCKS
    },
    Entry {
        name: "q8_0",
        what: "8-bit codes of `Q8_0` blocks of 32",
        sizes: Sizes::Multiples(&[1, 32]),
        forms: &[Form { elements: BYTES, text: "s8[1,64]{1,0:T(32)}" }],
        ..BLOCKS
    },
    Entry {
        name: "q4_0_4_4",
        aliases: &["q4_0_4x4"],
        what: "codes of `Q4_0`, repacked: 4 rows together, 4 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}" }],
        note: "bit 3 of each code is inverted",
        ..REPACKED
    },
    Entry {
        name: "q4_0_4_8",
        aliases: &["q4_0_4x8"],
        what: "codes of `Q4_0`, repacked: 4 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,8)(2,1)E(4)}" }],
        note: "bit 3 of each code is inverted",
        ..REPACKED
    },
    Entry {
        name: "q4_0_8_8",
        aliases: &["q4_0_8x8"],
        what: "codes of `Q4_0`, repacked: 8 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 32]),
        forms: &[Form { elements: CODES, text: "u4[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}" }],
        note: "bit 3 of each code is inverted",
        ..REPACKED
    },
    Entry {
        name: "q4_0_16_1",
        aliases: &["q4_0_16x1"],
        what: "codes of `Q4_0`, repacked: 16 rows together, one byte of each in turn",
        sizes: Sizes::Multiples(&[16, 32]),
        forms: &[Form { elements: CODES, text: "u4[16,32]{1,0:T(16)(16,2,1)E(4)}" }],
        note: "bit 3 of each code is inverted",
        ..REPACKED
    },
    Entry {
        name: "iq4_nl_4_4",
        aliases: &["iq4_nl_4x4"],
        what: "codes of `IQ4_NL`, repacked: 4 rows together, 4 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: CODES, text: "u4[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}" }],
        note: "a code is the number of a value in a table",
        ..REPACKED
    },
    Entry {
        name: "iq4_nl_8_8",
        aliases: &["iq4_nl_8x8"],
        what: "codes of `IQ4_NL`, repacked: 8 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 32]),
        forms: &[Form { elements: CODES, text: "u4[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}" }],
        note: "a code is the number of a value in a table",
        ..REPACKED
    },
    Entry {
        name: "iq4_nl_16_1",
        aliases: &["iq4_nl_16x1"],
        what: "codes of `IQ4_NL`, repacked: 16 rows together, one byte of each in turn",
        sizes: Sizes::Multiples(&[16, 32]),
        forms: &[Form { elements: CODES, text: "u4[16,32]{1,0:T(16)(16,2,1)E(4)}" }],
        note: "a code is the number of a value in a table",
        ..REPACKED
    },
    Entry {
        name: "mxfp4_4_4",
        aliases: &["mxfp4_4x4"],
        what: "codes of `MXFP4`, repacked: 4 rows together, 4 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: FLOATS, text: "f4e2m1fn[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}" }],
        ..REPACKED
    },
    Entry {
        name: "mxfp4_8_8",
        aliases: &["mxfp4_8x8"],
        what: "codes of `MXFP4`, repacked: 8 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 32]),
        forms: &[Form { elements: FLOATS, text: "f4e2m1fn[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}" }],
        ..REPACKED
    },
    Entry {
        name: "q8_0_4_4",
        aliases: &["q8_0_4x4"],
        what: "codes of `Q8_0`, repacked: 4 rows together, 4 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: BYTES, text: "s8[4,32]{1,0:T(4,32)(4,4)}" }],
        ..REPACKED
    },
    Entry {
        name: "q8_0_4_8",
        aliases: &["q8_0_4x8"],
        what: "codes of `Q8_0`, repacked: 4 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[4, 32]),
        forms: &[Form { elements: BYTES, text: "s8[4,32]{1,0:T(4,32)(4,8)}" }],
        ..REPACKED
    },
    Entry {
        name: "q8_0_16_1",
        aliases: &["q8_0_16x1"],
        what: "codes of `Q8_0`, repacked: 16 rows together, 1 byte of each in turn",
        sizes: Sizes::Multiples(&[16, 32]),
        forms: &[Form { elements: BYTES, text: "s8[16,32]{1,0:T(16,32)(16,1)}" }],
        ..REPACKED
    },
    Entry {
        name: "q4_k_8_4",
        aliases: &["q4_k_8x4"],
        what: "codes of `Q4_K`, repacked: 8 rows together, 4 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 256]),
        forms: &[Form { elements: CODES, text: "u4[8,256]{1,0:T(8,256)(32)(8,2,4)(2,1)E(4)}" }],
        ..REPACKED
    },
    Entry {
        name: "q4_k_8_8",
        aliases: &["q4_k_8x8"],
        what: "codes of `Q4_K`, repacked: 8 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 256]),
        forms: &[Form { elements: CODES, text: "u4[8,256]{1,0:T(8,256)(32)(8,2,8)(2,1)E(4)}" }],
        ..REPACKED
    },
    Entry {
        name: "q2_k_8_8",
        aliases: &["q2_k_8x8"],
        what: "codes of `Q2_K`, repacked: 8 rows together, 8 bytes of each in turn",
        sizes: Sizes::Multiples(&[8, 256]),
        forms: &[Form { elements: CODES_2, text: "u2[8,256]{1,0:T(8,256)(32)(8,4,8)(4,1)E(2)}" }],
        ..REPACKED
    },
    Entry {
        name: "q1_0_4_4",
        aliases: &["q1_0_4x4"],
        what: "bits of `Q1_0`, repacked: 4 rows together, 4 bits of each in turn",
        sizes: Sizes::Multiples(&[4, 128]),
        forms: &[Form { elements: BITS, text: "u1[4,128]{1,0:T(4,128)(4,4)E(1)}" }],
        ..REPACKED
    },
    Entry {
        name: "q1_0_4_8",
        aliases: &["q1_0_4x8"],
        what: "bits of `Q1_0`, repacked: 4 rows together, 8 bits of each in turn",
        sizes: Sizes::Multiples(&[4, 128]),
        forms: &[Form { elements: BITS, text: "u1[4,128]{1,0:T(4,128)(4,8)E(1)}" }],
        ..REPACKED
    },
];
