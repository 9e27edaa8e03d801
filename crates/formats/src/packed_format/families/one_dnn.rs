//! Formats of oneDNN that its kernels for AVX-512, AMX and Arm choose. `layout_notation::notation::OneDnn` reads every
//! tag.

use crate::packed_format::row::{ANY, Family, Row};

const TAG: Row = Row::of(
    Family::OneDnn,
    "https://uxlfoundation.github.io/oneDNN/dev_guide_understanding_memory_formats.html",
);

formats! {
    TAG "nChw8c" "N,C,H,W" ["aBcd8b", "onednn avx2 activations"]
        "activations of convolutions, for AVX2"
        NChw8c F32[N = 1, C = 16, H = 2, W = 3]{3,2,1,0:T(8,1,1)} for ANY;
    TAG "nChw16c" "N,C,H,W" ["aBcd16b", "onednn avx512 activations"]
        "activations of convolutions, for AVX-512"
        NChw16c F32[N = 1, C = 32, H = 2, W = 3]{3,2,1,0:T(16,1,1)} for ANY;
    TAG "nCdhw16c" "N,C,D,H,W" ["aBcde16b"] "activations of 3-D convolutions, for AVX-512"
        NCdhw16c F32[N = 1, C = 32, D = 2, H = 1, W = 3]{4,3,2,1,0:T(16,1,1,1)} for ANY;
    TAG "OIhw16i16o" "O,I,H,W" ["ABcd16b16a", "onednn avx512 weights"]
        "f32 weights of convolutions, for AVX-512"
        OIhw16i16o F32[O = 32, I = 16, H = 1, W = 1]{3,2,1,0:T(16,16,1,1)(16,1,1,1)} for ANY;
    TAG "OIhw8i16o2i" "O,I,H,W" ["ABcd8b16a2b", "onednn avx512 bf16 weights"]
        "bf16 weights of convolutions, for AVX-512 with BF16"
        OIhw8i16o2i BF16[O = 32, I = 16, H = 1, W = 1]{3,2,1,0:T(16,16,1,1)(16,2,1,1)} for ANY;
    TAG "OIhw4i16o4i" "O,I,H,W" ["ABcd4b16a4b", "onednn avx512 s8 weights"]
        "s8 weights of convolutions, for AVX-512 with VNNI"
        OIhw4i16o4i S8[O = 32, I = 16, H = 1, W = 1]{3,2,1,0:T(16,16,1,1)(16,4,1,1)} for ANY;
    TAG "OIhw16i16o2i" "O,I,H,W" ["ABcd16b16a2b", "onednn amx bf16 convolution"]
        "bf16 weights of convolutions, for AMX"
        OIhw16i16o2i BF16[O = 16, I = 32, H = 1, W = 1]{3,2,1,0:T(16,32,1,1)(16,2,1,1)} for ANY;
    TAG "OIhw16i16o4i" "O,I,H,W" ["ABcd16b16a4b", "onednn amx s8 convolution"]
        "s8 weights of convolutions, for AMX"
        OIhw16i16o4i S8[O = 16, I = 64, H = 1, W = 1]{3,2,1,0:T(16,64,1,1)(16,4,1,1)} for ANY;
    TAG "BA16a64b" "K,N" ["onednn avx512 matmul"] "f32 weights of matrix products, for AVX-512"
        BA16a64b F32[K = 32, N = 64]{0,1:T(64,16)(64,1)} for ANY;
    TAG "BA16a64b2a" "K,N" ["onednn amx bf16", "onednn amx bf16 weights"]
        "bf16 weights of matrix products, for AMX"
        BA16a64b2a BF16[K = 64, N = 64]{0,1:T(64,32)(64,2)} for ANY;
    TAG "BA16a64b4a" "K,N" ["onednn amx s8", "onednn amx s8 weights"]
        "s8 weights of matrix products, for AMX" BA16a64b4a S8[K = 128, N = 64]{0,1:T(64,64)(64,4)} for ANY;
    TAG "Ohwi4o" "O,I,H,W" ["Acdb4a", "OHWIo4", "onednn neon weights"]
        "f32 weights of convolutions, for Arm NEON (Arm Compute Library's `OHWIo4`)"
        Ohwi4o F32[O = 8, I = 3, H = 1, W = 2]{1,3,2,0:T(4,1,1,1)} for ANY;
    TAG "Ohwi8o" "O,I,H,W" ["Acdb8a", "OHWIo8", "onednn sve weights"]
        "f32 weights of convolutions, for Arm SVE (Arm Compute Library's `OHWIo8`)"
        Ohwi8o F32[O = 16, I = 3, H = 1, W = 2]{1,3,2,0:T(8,1,1,1)} for ANY;
    TAG "OhwI8o2i" "O,I,H,W" ["AcdB8a2b", "OHWIo8i2", "onednn arm bf16 weights"]
        "bf16 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i2`)"
        OhwI8o2i BF16[O = 16, I = 4, H = 1, W = 2]{1,3,2,0:T(8,1,1,2)} for ANY;
    TAG "OhwI8o4i" "O,I,H,W" ["AcdB8a4b", "OHWIo8i4", "onednn arm s8 weights"]
        "bf16 and s8 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i4`)"
        OhwI8o4i S8[O = 16, I = 8, H = 1, W = 2]{1,3,2,0:T(8,1,1,4)} for ANY;
    TAG "BA8b4a" "K,N" ["onednn arm matmul"] "bf16 and s8 weights of matrix products, for Arm"
        BA8b4a BF16[K = 8, N = 16]{0,1:T(8,4)} for ANY;
}
