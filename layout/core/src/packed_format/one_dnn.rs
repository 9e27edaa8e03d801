//! Formats of oneDNN that its kernels for AVX-512, AMX and Arm choose. [`OneDnn`](crate::notation::OneDnn) reads every
//! tag.

use super::table::{Entry, Family, Form, Sizes};

const BASE: Entry = Entry {
    family: Family::OneDnn,
    definition: "https://uxlfoundation.github.io/oneDNN/dev_guide_understanding_memory_formats.html",
    ..Entry::NONE
};
const ACTIVATIONS: Entry =
    Entry { dims: "N,C,H,W", sizes: Sizes::Multiples(&[1, 1, 1, 1]), ..BASE };
const WEIGHTS: Entry = Entry { dims: "O,I,H,W", sizes: Sizes::Multiples(&[1, 1, 1, 1]), ..BASE };
const MATMUL: Entry = Entry { dims: "K,N", sizes: Sizes::Multiples(&[1, 1]), ..BASE };

/// One layout for all element types.
macro_rules! any {
    ($text:literal) => {
        &[Form { elements: &[], text: $text }]
    };
}

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "nChw8c",
        aliases: &["aBcd8b", "onednn avx2 activations"],
        what: "activations of convolutions, for AVX2",
        forms: any!("f32[1,16,2,3]{3,2,1,0:T(8,1,1)}"),
        ..ACTIVATIONS
    },
    Entry {
        name: "nChw16c",
        aliases: &["aBcd16b", "onednn avx512 activations"],
        what: "activations of convolutions, for AVX-512",
        forms: any!("f32[1,32,2,3]{3,2,1,0:T(16,1,1)}"),
        ..ACTIVATIONS
    },
    Entry {
        name: "nCdhw16c",
        aliases: &["aBcde16b"],
        what: "activations of 3-D convolutions, for AVX-512",
        dims: "N,C,D,H,W",
        sizes: Sizes::Multiples(&[1, 1, 1, 1, 1]),
        forms: any!("f32[1,32,2,1,3]{4,3,2,1,0:T(16,1,1,1)}"),
        ..BASE
    },
    Entry {
        name: "OIhw16i16o",
        aliases: &["ABcd16b16a", "onednn avx512 weights"],
        what: "f32 weights of convolutions, for AVX-512",
        forms: any!("f32[32,16,1,1]{3,2,1,0:T(16,16,1,1)(16,1,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OIhw8i16o2i",
        aliases: &["ABcd8b16a2b", "onednn avx512 bf16 weights"],
        what: "bf16 weights of convolutions, for AVX-512 with BF16",
        forms: any!("bf16[32,16,1,1]{3,2,1,0:T(16,16,1,1)(16,2,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OIhw4i16o4i",
        aliases: &["ABcd4b16a4b", "onednn avx512 s8 weights"],
        what: "s8 weights of convolutions, for AVX-512 with VNNI",
        forms: any!("s8[32,16,1,1]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OIhw16i16o2i",
        aliases: &["ABcd16b16a2b", "onednn amx bf16 convolution"],
        what: "bf16 weights of convolutions, for AMX",
        forms: any!("bf16[16,32,1,1]{3,2,1,0:T(16,32,1,1)(16,2,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OIhw16i16o4i",
        aliases: &["ABcd16b16a4b", "onednn amx s8 convolution"],
        what: "s8 weights of convolutions, for AMX",
        forms: any!("s8[16,64,1,1]{3,2,1,0:T(16,64,1,1)(16,4,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "BA16a64b",
        aliases: &["onednn avx512 matmul"],
        what: "f32 weights of matrix products, for AVX-512",
        forms: any!("f32[32,64]{0,1:T(64,16)(64,1)}"),
        ..MATMUL
    },
    Entry {
        name: "BA16a64b2a",
        aliases: &["onednn amx bf16", "onednn amx bf16 weights"],
        what: "bf16 weights of matrix products, for AMX",
        forms: any!("bf16[64,64]{0,1:T(64,32)(64,2)}"),
        ..MATMUL
    },
    Entry {
        name: "BA16a64b4a",
        aliases: &["onednn amx s8", "onednn amx s8 weights"],
        what: "s8 weights of matrix products, for AMX",
        forms: any!("s8[128,64]{0,1:T(64,64)(64,4)}"),
        ..MATMUL
    },
    Entry {
        name: "Ohwi4o",
        aliases: &["Acdb4a", "OHWIo4", "onednn neon weights"],
        what: "f32 weights of convolutions, for Arm NEON (Arm Compute Library's `OHWIo4`)",
        forms: any!("f32[8,3,1,2]{1,3,2,0:T(4,1,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "Ohwi8o",
        aliases: &["Acdb8a", "OHWIo8", "onednn sve weights"],
        what: "f32 weights of convolutions, for Arm SVE (Arm Compute Library's `OHWIo8`)",
        forms: any!("f32[16,3,1,2]{1,3,2,0:T(8,1,1,1)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OhwI8o2i",
        aliases: &["AcdB8a2b", "OHWIo8i2", "onednn arm bf16 weights"],
        what: "bf16 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i2`)",
        forms: any!("bf16[16,4,1,2]{1,3,2,0:T(8,1,1,2)}"),
        ..WEIGHTS
    },
    Entry {
        name: "OhwI8o4i",
        aliases: &["AcdB8a4b", "OHWIo8i4", "onednn arm s8 weights"],
        what: "bf16 and s8 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i4`)",
        forms: any!("s8[16,8,1,2]{1,3,2,0:T(8,1,1,4)}"),
        ..WEIGHTS
    },
    Entry {
        name: "BA8b4a",
        aliases: &["onednn arm matmul"],
        what: "bf16 and s8 weights of matrix products, for Arm",
        forms: any!("bf16[8,16]{0,1:T(8,4)}"),
        ..MATMUL
    },
];
