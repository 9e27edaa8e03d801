//! The blocks of ggml: `ggml-common.h` and, for those with several rows, `repack.h`.

use super::ggml;
use layout_core::limits::Size;

pub(super) struct BlockRow {
    pub name: &'static str,
    pub rows: Size,
    /// Of each row.
    pub elements: Size,
    pub bytes: Size,
    /// Bits of the codes come low to high.
    pub parts: &'static [PartRow],
}

pub(super) struct PartRow {
    pub name: &'static str,
    /// Where it begins.
    pub byte: Size,
    pub text: &'static str,
}

impl PartRow {
    /// Whether it has bits of the codes, rather than scales or minimums.
    pub(super) fn is_of_codes(&self) -> bool {
        matches!(self.name, "codes" | "low" | "high")
    }
}

/// The codes of the packed format with this name, whose example is one block.
const fn codes_of(name: &str) -> &'static str {
    let mut i = 0;
    while !ggml::FORMATS[i].name.eq_ignore_ascii_case(name) {
        i += 1;
    }
    ggml::FORMATS[i].forms[0].text
}

/// Rows: the name, rows and elements of each, bytes, and the parts with their layouts and first bytes. `codes` without a
/// layout are those of the packed format with the same name.
macro_rules! blocks {
    ($(
        $name:literal [$rows:literal, $elements:literal] $bytes:literal:
            $($part:ident $($text:literal)? at $byte:literal),+;
    )*) => {
        pub(super) const BLOCKS: &[BlockRow] = &[$(BlockRow {
            name: $name,
            rows: $rows,
            elements: $elements,
            bytes: $bytes,
            parts: &[$(PartRow {
                name: stringify!($part),
                byte: $byte,
                text: text!($name $($text)?),
            }),+],
        }),*];
    };
}

macro_rules! text {
    ($name:literal) => {
        codes_of($name)
    };
    ($name:literal $text:literal) => {
        $text
    };
}

blocks! {
    "q4_0" [1, 32] 18: scale "f16[1,1]{1,0}" at 0, codes at 2;
    "q4_1" [1, 32] 20: scale "f16[1,1]{1,0}" at 0, minimum "f16[1,1]{1,0}" at 2, codes at 4;
    "q5_0" [1, 32] 22: scale "f16[1,1]{1,0}" at 0, low "u4[1,32]{1,0:T(16)(2,1)E(4)}" at 6,
        high "u1[1,32]{1,0:E(1)}" at 2;
    "q5_1" [1, 32] 24: scale "f16[1,1]{1,0}" at 0, minimum "f16[1,1]{1,0}" at 2,
        low "u4[1,32]{1,0:T(16)(2,1)E(4)}" at 8, high "u1[1,32]{1,0:E(1)}" at 4;
    "q8_0" [1, 32] 34: scale "f16[1,1]{1,0}" at 0, codes "s8[1,32]{1,0}" at 2;
    "q2_k" [1, 256] 84: scales "u8[1,16]{1,0}" at 0, codes at 16, scale "f16[1,1]{1,0}" at 80,
        minimum "f16[1,1]{1,0}" at 82;
    "q3_k" [1, 256] 110: low "u2[1,256]{1,0:T(256)(32)(4,1)E(2)}" at 32,
        high "u1[1,256]{1,0:T(32)(8,1)E(1)}" at 0, scales "u8[1,12]{1,0}" at 96,
        scale "f16[1,1]{1,0}" at 108;
    "q4_k" [1, 256] 144: scale "f16[1,1]{1,0}" at 0, minimum "f16[1,1]{1,0}" at 2,
        scales "u8[1,12]{1,0}" at 4, codes at 16;
    "q5_k" [1, 256] 176: scale "f16[1,1]{1,0}" at 0, minimum "f16[1,1]{1,0}" at 2,
        scales "u8[1,12]{1,0}" at 4, low "u4[1,256]{1,0:T(256)(32)(2,1)E(4)}" at 48,
        high "u1[1,256]{1,0:T(32)(8,1)E(1)}" at 16;
    "q6_k" [1, 256] 210: low "u4[1,256]{1,0:T(64)(2,1)E(4)}" at 0,
        high "u2[1,256]{1,0:T(32)(4,1)E(2)}" at 128, scales "s8[1,16]{1,0}" at 192,
        scale "f16[1,1]{1,0}" at 208;
    "iq4_nl" [1, 32] 18: scale "f16[1,1]{1,0}" at 0, codes at 2;
    "iq4_xs" [1, 256] 136: scale "f16[1,1]{1,0}" at 0, scales_high "u2[1,8]{1,0:E(2)}" at 2,
        scales_low "u4[1,8]{1,0:E(4)}" at 4, codes at 8;
    "mxfp4" [1, 32] 17: scale "f8e8m0fnu[1,1]{1,0}" at 0, codes at 1;
    "nvfp4" [1, 64] 36: scales "f8e4m3fn[1,4]{1,0}" at 0, codes at 4;
    "tq2_0" [1, 256] 66: codes at 0, scale "f16[1,1]{1,0}" at 64;
    "q4_0_4_4" [4, 32] 72: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "q4_0_4_8" [4, 32] 72: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "q4_0_8_8" [8, 32] 144: scale "f16[8,1]{1,0}" at 0, codes at 16;
    "q4_0_16_1" [16, 32] 288: scale "f16[16,1]{1,0}" at 0, codes at 32;
    "iq4_nl_4_4" [4, 32] 72: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "iq4_nl_8_8" [8, 32] 144: scale "f16[8,1]{1,0}" at 0, codes at 16;
    "iq4_nl_16_1" [16, 32] 288: scale "f16[16,1]{1,0}" at 0, codes at 32;
    "mxfp4_4_4" [4, 32] 68: scale "f8e8m0fnu[4,1]{1,0}" at 0, codes at 4;
    "mxfp4_8_8" [8, 32] 136: scale "f8e8m0fnu[8,1]{1,0}" at 0, codes at 8;
    "q8_0_4_4" [4, 32] 136: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "q8_0_4_8" [4, 32] 136: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "q8_0_16_1" [16, 32] 544: scale "f16[16,1]{1,0}" at 0, codes at 32;
    "q1_0_4_4" [4, 128] 72: scale "f16[4,1]{1,0}" at 0, codes at 8;
    "q1_0_4_8" [4, 128] 72: scale "f16[4,1]{1,0}" at 0, codes at 8;
}
