//! The codes of ggml's blocks.

use super::named;

named! {
    /// 4-bit codes of `Q4_0` blocks: a byte has elements i and i + 16 of 32.
    "q4_0" Q4_0<N = 1, K = 32> = U4[N, K] of (1, 32) [1, 0] [(16)(2,1)] E(4);
    /// 4-bit codes of `Q4_1` blocks.
    "q4_1" Q4_1<N = 1, K = 32> = U4[N, K] of (1, 32) [1, 0] [(16)(2,1)] E(4);
    /// 4-bit codes of `IQ4_NL` blocks.
    "iq4_nl" Iq4Nl<N = 1, K = 32> = U4[N, K] of (1, 32) [1, 0] [(16)(2,1)] E(4);
    /// 4-bit codes of `IQ4_XS` super-blocks of 256.
    "iq4_xs" Iq4Xs<N = 1, K = 256> = U4[N, K] of (1, 256) [1, 0] [(16)(2,1)] E(4);
    /// 4-bit floats of `MXFP4` blocks of 32.
    "mxfp4" Mxfp4<N = 1, K = 32> = F4E2M1FN[N, K] of (1, 32) [1, 0] [(16)(2,1)] E(4);
    /// 4-bit floats of `NVFP4` blocks of 64, in groups of 16.
    "nvfp4" Nvfp4<N = 1, K = 64> = F4E2M1FN[N, K] of (1, 64) [1, 0] [(64)(8)(2,1)] E(4);
    /// 4-bit codes of `Q4_K` super-blocks of 256.
    "q4_k" Q4K<N = 1, K = 256> = U4[N, K] of (1, 256) [1, 0] [(256)(32)(2,1)] E(4);
    /// 2-bit codes of `Q2_K` super-blocks of 256.
    "q2_k" Q2K<N = 1, K = 256> = U2[N, K] of (1, 256) [1, 0] [(256)(32)(4,1)] E(2);
    /// Ternary digits in 2 bits, of `TQ2_0` super-blocks of 256.
    "tq2_0" Tq2_0<N = 1, K = 256> = U2[N, K] of (1, 256) [1, 0] [(256)(32)(4,1)] E(2);
    /// 8-bit codes of `Q8_0` blocks of 32.
    "q8_0" Q8_0<E = S8, N = 1, K = 64> = E[N, K] of (1, 32) [1, 0] [(32)];
    /// Codes of `Q4_0`, repacked: 4 rows together, 4 bytes of each in turn.
    "q4_0_4_4" Q4_0_4_4<N = 4, K = 32> = U4[N, K] of (4, 32) [1, 0] [(16)(4,2,4)(2,1)] E(4);
    /// Codes of `Q4_0`, repacked: 4 rows together, 8 bytes of each in turn.
    "q4_0_4_8" Q4_0_4_8<N = 4, K = 32> = U4[N, K] of (4, 32) [1, 0] [(16)(4,2,8)(2,1)] E(4);
    /// Codes of `Q4_0`, repacked: 8 rows together, 8 bytes of each in turn.
    "q4_0_8_8" Q4_0_8_8<N = 8, K = 32> = U4[N, K] of (8, 32) [1, 0] [(16)(8,2,8)(2,1)] E(4);
    /// Codes of `Q4_0`, repacked: 16 rows together, one byte of each in turn.
    "q4_0_16_1" Q4_0_16_1<N = 16, K = 32> = U4[N, K] of (16, 32) [1, 0] [(16)(16,2,1)] E(4);
    /// Codes of `IQ4_NL`, repacked: 4 rows together, 4 bytes of each in turn.
    "iq4_nl_4_4" Iq4Nl4_4<N = 4, K = 32> = U4[N, K] of (4, 32) [1, 0] [(16)(4,2,4)(2,1)] E(4);
    /// Codes of `IQ4_NL`, repacked: 8 rows together, 8 bytes of each in turn.
    "iq4_nl_8_8" Iq4Nl8_8<N = 8, K = 32> = U4[N, K] of (8, 32) [1, 0] [(16)(8,2,8)(2,1)] E(4);
    /// Codes of `IQ4_NL`, repacked: 16 rows together, one byte of each in turn.
    "iq4_nl_16_1" Iq4Nl16_1<N = 16, K = 32> = U4[N, K] of (16, 32) [1, 0] [(16)(16,2,1)] E(4);
    /// Codes of `MXFP4`, repacked: 4 rows together, 4 bytes of each in turn.
    "mxfp4_4_4" Mxfp4_4_4<N = 4, K = 32> = F4E2M1FN[N, K] of (4, 32) [1, 0] [(16)(4,2,4)(2,1)] E(4);
    /// Codes of `MXFP4`, repacked: 8 rows together, 8 bytes of each in turn.
    "mxfp4_8_8" Mxfp4_8_8<N = 8, K = 32> = F4E2M1FN[N, K] of (8, 32) [1, 0] [(16)(8,2,8)(2,1)] E(4);
    /// Codes of `Q8_0`, repacked: 4 rows together, 4 bytes of each in turn.
    "q8_0_4_4" Q8_0_4_4<E = S8, N = 4, K = 32> = E[N, K] of (4, 32) [1, 0] [(4,32)(4,4)];
    /// Codes of `Q8_0`, repacked: 4 rows together, 8 bytes of each in turn.
    "q8_0_4_8" Q8_0_4_8<E = S8, N = 4, K = 32> = E[N, K] of (4, 32) [1, 0] [(4,32)(4,8)];
    /// Codes of `Q8_0`, repacked: 16 rows together, 1 byte of each in turn.
    "q8_0_16_1" Q8_0_16_1<E = S8, N = 16, K = 32> = E[N, K] of (16, 32) [1, 0] [(16,32)(16,1)];
    /// Codes of `Q4_K`, repacked: 8 rows together, 4 bytes of each in turn.
    "q4_k_8_4" Q4K8_4<N = 8, K = 256> = U4[N, K] of (8, 256) [1, 0] [(8,256)(32)(8,2,4)(2,1)] E(4);
    /// Codes of `Q4_K`, repacked: 8 rows together, 8 bytes of each in turn.
    "q4_k_8_8" Q4K8_8<N = 8, K = 256> = U4[N, K] of (8, 256) [1, 0] [(8,256)(32)(8,2,8)(2,1)] E(4);
    /// Codes of `Q2_K`, repacked: 8 rows together, 8 bytes of each in turn.
    "q2_k_8_8" Q2K8_8<N = 8, K = 256> = U2[N, K] of (8, 256) [1, 0] [(8,256)(32)(8,4,8)(4,1)] E(2);
    /// Bits of `Q1_0`, repacked: 4 rows together, 4 bits of each in turn.
    "q1_0_4_4" Q1_0_4_4<N = 4, K = 128> = U1[N, K] of (4, 128) [1, 0] [(4,128)(4,4)] E(1);
    /// Bits of `Q1_0`, repacked: 4 rows together, 8 bits of each in turn.
    "q1_0_4_8" Q1_0_4_8<N = 4, K = 128> = U1[N, K] of (4, 128) [1, 0] [(4,128)(4,8)] E(1);
}
