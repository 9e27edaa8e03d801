//! The blocks of ggml: `ggml-common.h` and, for those with several rows, `repack.h`.

use crate::limits::Size;

pub(super) struct BlockEntry {
    pub name: &'static str,
    pub rows: Size,
    /// Of each row.
    pub elements: Size,
    pub bytes: Size,
    /// Bits of the codes come low to high.
    pub parts: &'static [PartEntry],
}

pub(super) struct PartEntry {
    pub name: &'static str,
    /// Where it begins.
    pub byte: Size,
    pub text: &'static str,
    pub is_of_codes: bool,
}

const fn block(
    name: &'static str,
    [rows, elements]: [Size; 2],
    bytes: Size,
    parts: &'static [PartEntry],
) -> BlockEntry {
    BlockEntry { name, rows, elements, bytes, parts }
}

/// Scales and what else there is besides the codes.
const fn part(name: &'static str, byte: Size, text: &'static str) -> PartEntry {
    PartEntry { name, byte, text, is_of_codes: false }
}

const fn codes(name: &'static str, byte: Size, text: &'static str) -> PartEntry {
    PartEntry { name, byte, text, is_of_codes: true }
}

pub(super) const BLOCKS: &[BlockEntry] = &[
    block(
        "q4_0",
        [1, 32],
        18,
        &[part("scale", 0, "f16[1,1]{1,0}"), codes("codes", 2, "u4[1,32]{1,0:T(16)(2,1)E(4)}")],
    ),
    block(
        "q4_1",
        [1, 32],
        20,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            part("minimum", 2, "f16[1,1]{1,0}"),
            codes("codes", 4, "u4[1,32]{1,0:T(16)(2,1)E(4)}"),
        ],
    ),
    block(
        "q5_0",
        [1, 32],
        22,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            codes("low", 6, "u4[1,32]{1,0:T(16)(2,1)E(4)}"),
            codes("high", 2, "u1[1,32]{1,0:E(1)}"),
        ],
    ),
    block(
        "q5_1",
        [1, 32],
        24,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            part("minimum", 2, "f16[1,1]{1,0}"),
            codes("low", 8, "u4[1,32]{1,0:T(16)(2,1)E(4)}"),
            codes("high", 4, "u1[1,32]{1,0:E(1)}"),
        ],
    ),
    block(
        "q8_0",
        [1, 32],
        34,
        &[part("scale", 0, "f16[1,1]{1,0}"), codes("codes", 2, "s8[1,32]{1,0}")],
    ),
    block(
        "q2_k",
        [1, 256],
        84,
        &[
            part("scales", 0, "u8[1,16]{1,0}"),
            codes("codes", 16, "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}"),
            part("scale", 80, "f16[1,1]{1,0}"),
            part("minimum", 82, "f16[1,1]{1,0}"),
        ],
    ),
    block(
        "q3_k",
        [1, 256],
        110,
        &[
            codes("low", 32, "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}"),
            codes("high", 0, "u1[1,256]{1,0:T(32)(8,1)E(1)}"),
            part("scales", 96, "u8[1,12]{1,0}"),
            part("scale", 108, "f16[1,1]{1,0}"),
        ],
    ),
    block(
        "q4_k",
        [1, 256],
        144,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            part("minimum", 2, "f16[1,1]{1,0}"),
            part("scales", 4, "u8[1,12]{1,0}"),
            codes("codes", 16, "u4[1,256]{1,0:T(256)(32)(2,1)E(4)}"),
        ],
    ),
    block(
        "q5_k",
        [1, 256],
        176,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            part("minimum", 2, "f16[1,1]{1,0}"),
            part("scales", 4, "u8[1,12]{1,0}"),
            codes("low", 48, "u4[1,256]{1,0:T(256)(32)(2,1)E(4)}"),
            codes("high", 16, "u1[1,256]{1,0:T(32)(8,1)E(1)}"),
        ],
    ),
    block(
        "q6_k",
        [1, 256],
        210,
        &[
            codes("low", 0, "u4[1,256]{1,0:T(64)(2,1)E(4)}"),
            codes("high", 128, "u2[1,256]{1,0:T(32)(4,1)E(2)}"),
            part("scales", 192, "s8[1,16]{1,0}"),
            part("scale", 208, "f16[1,1]{1,0}"),
        ],
    ),
    block(
        "iq4_nl",
        [1, 32],
        18,
        &[part("scale", 0, "f16[1,1]{1,0}"), codes("codes", 2, "u4[1,32]{1,0:T(16)(2,1)E(4)}")],
    ),
    block(
        "iq4_xs",
        [1, 256],
        136,
        &[
            part("scale", 0, "f16[1,1]{1,0}"),
            part("scales_high", 2, "u2[1,8]{1,0:E(2)}"),
            part("scales_low", 4, "u4[1,8]{1,0:E(4)}"),
            codes("codes", 8, "u4[1,256]{1,0:T(16)(2,1)E(4)}"),
        ],
    ),
    block(
        "mxfp4",
        [1, 32],
        17,
        &[
            part("scale", 0, "f8e8m0fnu[1,1]{1,0}"),
            codes("codes", 1, "f4e2m1fn[1,32]{1,0:T(16)(2,1)E(4)}"),
        ],
    ),
    block(
        "nvfp4",
        [1, 64],
        36,
        &[
            part("scales", 0, "f8e4m3fn[1,4]{1,0}"),
            codes("codes", 4, "f4e2m1fn[1,64]{1,0:T(64)(8)(2,1)E(4)}"),
        ],
    ),
    block(
        "tq2_0",
        [1, 256],
        66,
        &[
            codes("codes", 0, "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}"),
            part("scale", 64, "f16[1,1]{1,0}"),
        ],
    ),
    block(
        "q4_0_4_4",
        [4, 32],
        72,
        &[
            part("scale", 0, "f16[4,1]{1,0}"),
            codes("codes", 8, "u4[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}"),
        ],
    ),
    block(
        "q4_0_4_8",
        [4, 32],
        72,
        &[
            part("scale", 0, "f16[4,1]{1,0}"),
            codes("codes", 8, "u4[4,32]{1,0:T(16)(4,2,8)(2,1)E(4)}"),
        ],
    ),
    block(
        "q4_0_8_8",
        [8, 32],
        144,
        &[
            part("scale", 0, "f16[8,1]{1,0}"),
            codes("codes", 16, "u4[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}"),
        ],
    ),
    block(
        "q4_0_16_1",
        [16, 32],
        288,
        &[
            part("scale", 0, "f16[16,1]{1,0}"),
            codes("codes", 32, "u4[16,32]{1,0:T(16)(16,2,1)E(4)}"),
        ],
    ),
    block(
        "iq4_nl_4_4",
        [4, 32],
        72,
        &[
            part("scale", 0, "f16[4,1]{1,0}"),
            codes("codes", 8, "u4[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}"),
        ],
    ),
    block(
        "iq4_nl_8_8",
        [8, 32],
        144,
        &[
            part("scale", 0, "f16[8,1]{1,0}"),
            codes("codes", 16, "u4[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}"),
        ],
    ),
    block(
        "iq4_nl_16_1",
        [16, 32],
        288,
        &[
            part("scale", 0, "f16[16,1]{1,0}"),
            codes("codes", 32, "u4[16,32]{1,0:T(16)(16,2,1)E(4)}"),
        ],
    ),
    block(
        "mxfp4_4_4",
        [4, 32],
        68,
        &[
            part("scale", 0, "f8e8m0fnu[4,1]{1,0}"),
            codes("codes", 4, "f4e2m1fn[4,32]{1,0:T(16)(4,2,4)(2,1)E(4)}"),
        ],
    ),
    block(
        "mxfp4_8_8",
        [8, 32],
        136,
        &[
            part("scale", 0, "f8e8m0fnu[8,1]{1,0}"),
            codes("codes", 8, "f4e2m1fn[8,32]{1,0:T(16)(8,2,8)(2,1)E(4)}"),
        ],
    ),
    block(
        "q8_0_4_4",
        [4, 32],
        136,
        &[part("scale", 0, "f16[4,1]{1,0}"), codes("codes", 8, "s8[4,32]{1,0:T(4,32)(4,4)}")],
    ),
    block(
        "q8_0_4_8",
        [4, 32],
        136,
        &[part("scale", 0, "f16[4,1]{1,0}"), codes("codes", 8, "s8[4,32]{1,0:T(4,32)(4,8)}")],
    ),
    block(
        "q8_0_16_1",
        [16, 32],
        544,
        &[part("scale", 0, "f16[16,1]{1,0}"), codes("codes", 32, "s8[16,32]{1,0:T(16,32)(16,1)}")],
    ),
    block(
        "q1_0_4_4",
        [4, 128],
        72,
        &[part("scale", 0, "f16[4,1]{1,0}"), codes("codes", 8, "u1[4,128]{1,0:T(4,128)(4,4)E(1)}")],
    ),
    block(
        "q1_0_4_8",
        [4, 128],
        72,
        &[part("scale", 0, "f16[4,1]{1,0}"), codes("codes", 8, "u1[4,128]{1,0:T(4,128)(4,8)E(1)}")],
    ),
];
