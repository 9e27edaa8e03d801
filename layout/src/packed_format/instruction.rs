//! Operands of CPU instructions.

use super::named;

named! {
    /// Operand B of Intel AMX in a tile register: a row has 2 or 4 rows of the matrix, elements of 16 bits.
    "amx.B" AmxB<E = BF16> = E[32, 16] [1, 0] [(2,1)];
    /// Operand B of Intel AMX in a tile register: a row has 2 or 4 rows of the matrix, elements of 8 bits.
    "amx.B" AmxB8<E = S8> = E[64, 16] [1, 0] [(4,1)];
    /// Right-hand sides for Intel's dot products: 2 or 4 rows of the matrix side by side, elements of 16 bits.
    "vnni" Vnni<E = BF16, K = 4, N = 16> = E[K, N] [1, 0] [(2,1)];
    /// Right-hand sides for Intel's dot products: 2 or 4 rows of the matrix side by side, elements of 8 bits.
    "vnni" Vnni8<E = S8, K = 8, N = 16> = E[K, N] [1, 0] [(4,1)];
    /// Matrices for Arm's `SMMLA` and `UMMLA`: a vector has 2 rows of 8 bytes.
    "smmla" Smmla<E = S8, N = 4, K = 16> = E[N, K] [1, 0] [(2,8)];
    /// Matrices for Arm's `BFMMLA`: a vector has 2 rows of 4 elements.
    "bfmmla" Bfmmla<E = BF16, N = 4, K = 8> = E[N, K] [1, 0] [(2,4)];
    /// Matrices for Arm's `SDOT` and `UDOT`: a vector has 4 rows of 4 bytes.
    "sdot" Sdot<E = S8, N = 8, K = 8> = E[N, K] [1, 0] [(4,4)];
    /// 8-bit weights of KleidiAI, 4 rows of 4.
    "qsi8cxp4x4" Qsi8cxp4x4<E = S8, N = 4, K = 32> = E[N, K] [1, 0] [(4,32)(4,4)];
    /// 8-bit weights of KleidiAI, 4 rows of 8.
    "qsi8cxp4x8" Qsi8cxp4x8<E = S8, N = 4, K = 32> = E[N, K] [1, 0] [(4,32)(4,8)];
    /// 8-bit weights of KleidiAI, 8 rows of 8.
    "qsi8cxp8x8" Qsi8cxp8x8<E = S8, N = 8, K = 32> = E[N, K] [1, 0] [(8,32)(8,8)];
    /// 8-bit weights of KleidiAI, 4 rows of 16.
    "qsi8cxp4x16" Qsi8cxp4x16<E = S8, N = 4, K = 32> = E[N, K] [1, 0] [(4,32)(4,16)];
    /// 8-bit weights of KleidiAI, 12 rows of 4.
    "qsi8cxp12x4" Qsi8cxp12x4<E = S8, N = 12, K = 32> = E[N, K] [1, 0] [(12,32)(12,4)];
    /// 4-bit weights of KleidiAI, 4 rows of 8 bytes.
    "qsi4cxp4x8" Qsi4cxp4x8<N = 4, K = 32> = U4[N, K] [1, 0] [(16)(4,2,8)(2,1)] E(4);
    /// 4-bit weights of KleidiAI, 4 rows of 8 split in two.
    "qsi4cxp4x8s2" Qsi4cxp4x8s2<N = 4, K = 32> = U4[N, K] [1, 0] [(16)(4,2,4)(2,1)] E(4);
    /// 4-bit weights of KleidiAI, 4 rows of 16 split in two.
    "qsi4cxp4x16s2" Qsi4cxp4x16s2<N = 4, K = 32> = U4[N, K] [1, 0] [(16)(4,2,8)(2,1)] E(4);
    /// 4-bit weights of KleidiAI, 8 rows of 8 split in two.
    "qsi4cxp8x8s2" Qsi4cxp8x8s2<N = 8, K = 32> = U4[N, K] [1, 0] [(16)(8,2,4)(2,1)] E(4);
    /// 4-bit weights of KleidiAI, 8 rows of 16 split in two.
    "qsi4cxp8x16s2" Qsi4cxp8x16s2<N = 8, K = 32> = U4[N, K] [1, 0] [(16)(8,2,8)(2,1)] E(4);
}
