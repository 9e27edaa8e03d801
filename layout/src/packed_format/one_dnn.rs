//! Formats of oneDNN.

use super::named;

named! {
    /// Activations of convolutions, for AVX2.
    "nChw8c" NChw8c<E = F32, N = 1, C = 16, H = 2, W = 3> = E[N, C, H, W] [3, 2, 1, 0] [(8,1,1)];
    /// Activations of convolutions, for AVX-512.
    "nChw16c" NChw16c<E = F32, N = 1, C = 32, H = 2, W = 3> = E[N, C, H, W] [3, 2, 1, 0] [(16,1,1)];
    /// Activations of 3-D convolutions, for AVX-512.
    "nCdhw16c" NCdhw16c<E = F32, N = 1, C = 32, D = 2, H = 1, W = 3> = E[N, C, D, H, W] [4, 3, 2, 1, 0] [(16,1,1,1)];
    /// F32 weights of convolutions, for AVX-512.
    "OIhw16i16o" OIhw16i16o<E = F32, O = 32, I = 16, H = 1, W = 1> = E[O, I, H, W] [3, 2, 1, 0] [(16,16,1,1)(16,1,1,1)];
    /// Bf16 weights of convolutions, for AVX-512 with BF16.
    "OIhw8i16o2i" OIhw8i16o2i<E = BF16, O = 32, I = 16, H = 1, W = 1> = E[O, I, H, W] [3, 2, 1, 0] [(16,16,1,1)(16,2,1,1)];
    /// S8 weights of convolutions, for AVX-512 with VNNI.
    "OIhw4i16o4i" OIhw4i16o4i<E = S8, O = 32, I = 16, H = 1, W = 1> = E[O, I, H, W] [3, 2, 1, 0] [(16,16,1,1)(16,4,1,1)];
    /// Bf16 weights of convolutions, for AMX.
    "OIhw16i16o2i" OIhw16i16o2i<E = BF16, O = 16, I = 32, H = 1, W = 1> = E[O, I, H, W] [3, 2, 1, 0] [(16,32,1,1)(16,2,1,1)];
    /// S8 weights of convolutions, for AMX.
    "OIhw16i16o4i" OIhw16i16o4i<E = S8, O = 16, I = 64, H = 1, W = 1> = E[O, I, H, W] [3, 2, 1, 0] [(16,64,1,1)(16,4,1,1)];
    /// F32 weights of matrix products, for AVX-512.
    "BA16a64b" BA16a64b<E = F32, K = 32, N = 64> = E[K, N] [0, 1] [(64,16)(64,1)];
    /// Bf16 weights of matrix products, for AMX.
    "BA16a64b2a" BA16a64b2a<E = BF16, K = 64, N = 64> = E[K, N] [0, 1] [(64,32)(64,2)];
    /// S8 weights of matrix products, for AMX.
    "BA16a64b4a" BA16a64b4a<E = S8, K = 128, N = 64> = E[K, N] [0, 1] [(64,64)(64,4)];
    /// F32 weights of convolutions, for Arm NEON (Arm Compute Library's `OHWIo4`).
    "Ohwi4o" Ohwi4o<E = F32, O = 8, I = 3, H = 1, W = 2> = E[O, I, H, W] [1, 3, 2, 0] [(4,1,1,1)];
    /// F32 weights of convolutions, for Arm SVE (Arm Compute Library's `OHWIo8`).
    "Ohwi8o" Ohwi8o<E = F32, O = 16, I = 3, H = 1, W = 2> = E[O, I, H, W] [1, 3, 2, 0] [(8,1,1,1)];
    /// Bf16 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i2`).
    "OhwI8o2i" OhwI8o2i<E = BF16, O = 16, I = 4, H = 1, W = 2> = E[O, I, H, W] [1, 3, 2, 0] [(8,1,1,2)];
    /// Bf16 and s8 weights of convolutions, for Arm (Arm Compute Library's `OHWIo8i4`).
    "OhwI8o4i" OhwI8o4i<E = S8, O = 16, I = 8, H = 1, W = 2> = E[O, I, H, W] [1, 3, 2, 0] [(8,1,1,4)];
    /// Bf16 and s8 weights of matrix products, for Arm.
    "BA8b4a" BA8b4a<E = BF16, K = 8, N = 16> = E[K, N] [0, 1] [(8,4)];
}
