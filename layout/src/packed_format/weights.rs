//! Quantized weights.

use super::named;

named! {
    /// `qweight` of GPTQ and ExLlama: each 32-bit word has consecutive rows of one column, elements of 4 bits.
    "gptq" Gptq<K = 32, N = 4> = U4[K, N] of (8, 1) [1, 0] [(8,1)] E(4);
    /// `qweight` of GPTQ and ExLlama: each 32-bit word has consecutive rows of one column, elements of 2 bits.
    "gptq" Gptq2<K = 32, N = 4> = U2[K, N] of (16, 1) [1, 0] [(16,1)] E(2);
    /// `qweight` of GPTQ and ExLlama: each 32-bit word has consecutive rows of one column, elements of 8 bits.
    "gptq" Gptq8<E = U8, K = 16, N = 4> = E[K, N] of (4, 1) [1, 0] [(4,1)];
    /// `qzeros` of GPTQ: each 32-bit word has consecutive columns of one group, elements of 4 bits.
    "gptq_qzeros" GptqQzeros<GROUPS = 4, N = 16> = U4[GROUPS, N] of (1, 8) [1, 0] [] E(4);
    /// `qzeros` of GPTQ: each 32-bit word has consecutive columns of one group, elements of 2 bits.
    "gptq_qzeros" GptqQzeros2<GROUPS = 4, N = 16> = U2[GROUPS, N] of (1, 16) [1, 0] [] E(2);
    /// `qzeros` of GPTQ: each 32-bit word has consecutive columns of one group, elements of 8 bits.
    "gptq_qzeros" GptqQzeros8<E = U8, GROUPS = 4, N = 16> = E[GROUPS, N] of (1, 4) [1, 0] [];
    /// `qweight` of AWQ (GEMM): each 32-bit word has columns 0, 2, 4, 6, 1, 3, 5, 7.
    "awq" Awq<K = 4, N = 16> = U4[K, N] of (1, 8) [1, 0] [(2)(4,1)] E(4);
    /// `qzeros` of AWQ (GEMM), in the order of its `qweight`.
    "awq_qzeros" AwqQzeros<GROUPS = 2, N = 16> = U4[GROUPS, N] of (1, 8) [1, 0] [(2)(4,1)] E(4);
    /// `qweight` of AWQ (GEMV): rows of consecutive codes.
    "awq_gemv" AwqGemv<N = 2, K = 64> = U4[N, K] of (1, 64) [1, 0] [] E(4);
    /// `qweight` of AWQ version 2 (GEMVFast): four rows together, in 16-bit words.
    "awq_gemv_fast" AwqGemvFast<N = 4, K = 64> = U4[N, K] of (4, 64) [1, 0] [(4,64)(8)(4,1)] E(4);
    /// 4-bit weights of Marlin: the operands of `mma.m16n8k16`, in the order in which its threads load them.
    "marlin" Marlin<K = 16, N = 64> = U4[K, N] of (16, 64) [1, 0] [(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)] E(4);
    /// As `marlin`, of weights that are given as rows of outputs.
    "marlin_nk" MarlinNk<N = 64, K = 16> = U4[N, K] of (64, 16) [0, 1] [(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)] E(4);
    /// Scales of Marlin for weights in groups, of which there are at least two.
    "marlin_scales" MarlinScales<E = F16, GROUPS = 2, N = 64> = E[GROUPS, N] of (1, 64) [1, 0] [(8)(8,1)];
    /// Scales of Marlin for weights in one group.
    "marlin_scales_channel" MarlinScalesChannel<E = F16, GROUPS = 1, N = 64> = E[GROUPS, N] of (1, 32) [1, 0] [(8)(4,2)];
    /// Zero points of Marlin, elements of 4 bits.
    "marlin_zeros" MarlinZeros<GROUPS = 2, N = 64> = U4[GROUPS, N] of (1, 64) [1, 0] [(16)(4,8)(2,4,1)] E(4);
    /// Zero points of Marlin, elements of 8 bits.
    "marlin_zeros" MarlinZeros8<E = U8, GROUPS = 2, N = 64> = E[GROUPS, N] of (1, 64) [1, 0] [(16)(2,8)(2,2,2,1)];
    /// Weights of MLX, quantized to 2, 4 or 8 bits: rows of consecutive codes in 32-bit words, elements of 4 bits.
    "mlx" Mlx<N = 2, K = 32> = U4[N, K] of (1, 32) [1, 0] [] E(4);
    /// Weights of MLX, quantized to 2, 4 or 8 bits: rows of consecutive codes in 32-bit words, elements of 2 bits.
    "mlx" Mlx2<N = 2, K = 32> = U2[N, K] of (1, 32) [1, 0] [] E(2);
    /// Weights of MLX, quantized to 2, 4 or 8 bits: rows of consecutive codes in 32-bit words, elements of 8 bits.
    "mlx" Mlx8<E = U8, N = 2, K = 32> = E[N, K] of (1, 32) [1, 0] [];
}
