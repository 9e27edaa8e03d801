//! Operands of NVIDIA's tensor cores.

use super::named;

named! {
    /// Operand A of `mma.m16n8k4`, tf32 and f64.
    "mma.m16n8k4.A" MmaM16n8k4A<E = F32> = E[16, 4] [0, 1] [(8)(4,2,1)];
    /// Operand B of `mma.m16n8k4`, tf32 and f64.
    "mma.m16n8k4.B" MmaM16n8k4B<E = F32> = E[8, 4] [1, 0] [];
    /// Operand A of `mma.m16n8k8`, elements of 16 bits.
    "mma.m16n8k8.A" MmaM16n8k8A<E = F16> = E[16, 8] [1, 0] [(8,8)(2,1,1,2)];
    /// Operand A of `mma.m16n8k8`, elements of 32 bits.
    "mma.m16n8k8.A" MmaM16n8k8A32<E = F32> = E[16, 8] [1, 0] [(16,4)(8,4)(2,2,1,1,1)];
    /// Operand B of `mma.m16n8k8`, elements of 16 bits.
    "mma.m16n8k8.B" MmaM16n8k8B<E = F16> = E[8, 8] [1, 0] [];
    /// Operand B of `mma.m16n8k8`, elements of 32 bits.
    "mma.m16n8k8.B" MmaM16n8k8B32<E = F32> = E[8, 8] [1, 0] [(4)(2,1)];
    /// Operand A of `mma.m16n8k16`, elements of 16 bits.
    "mma.m16n8k16.A" MmaM16n8k16A<E = F16> = E[16, 16] [1, 0] [(16,8)(8,8)(2,2,1,1,2)];
    /// Operand A of `mma.m16n8k16`, elements of 8 bits.
    "mma.m16n8k16.A" MmaM16n8k16A8<E = S8> = E[16, 16] [1, 0] [(8,16)(2,1,1,4)];
    /// Operand A of `mma.m16n8k16`, elements of 64 bits.
    "mma.m16n8k16.A" MmaM16n8k16A64<E = F64> = E[16, 16] [1, 0] [(16,4)(8,4)(4,2,1,1,1)];
    /// Operand B of `mma.m16n8k16`, elements of 16 bits.
    "mma.m16n8k16.B" MmaM16n8k16B<E = F16> = E[8, 16] [1, 0] [(8)(2,2)];
    /// Operand B of `mma.m16n8k16`, elements of 8 bits.
    "mma.m16n8k16.B" MmaM16n8k16B8<E = S8> = E[8, 16] [1, 0] [];
    /// Operand B of `mma.m16n8k16`, elements of 64 bits.
    "mma.m16n8k16.B" MmaM16n8k16B64<E = F64> = E[8, 16] [1, 0] [(4)(4,1)];
    /// Operand A of `mma.m16n8k32`, elements of 8 bits.
    "mma.m16n8k32.A" MmaM16n8k32A<E = S8> = E[16, 32] [1, 0] [(16,16)(8,16)(2,2,1,1,4)];
    /// Operand A of `mma.m16n8k32`, elements of 4 bits.
    "mma.m16n8k32.A" MmaM16n8k32A4<> = U4[16, 32] [1, 0] [(8,32)(2,1,1,8)] E(4);
    /// Operand B of `mma.m16n8k32`, elements of 8 bits.
    "mma.m16n8k32.B" MmaM16n8k32B<E = S8> = E[8, 32] [1, 0] [(16)(2,4)];
    /// Operand B of `mma.m16n8k32`, elements of 4 bits.
    "mma.m16n8k32.B" MmaM16n8k32B4<> = U4[8, 32] [1, 0] [] E(4);
    /// Operand A of `mma.m16n8k64`, of 4 bits.
    "mma.m16n8k64.A" MmaM16n8k64A<> = U4[16, 64] [1, 0] [(16,32)(8,32)(2,2,1,1,8)] E(4);
    /// Operand B of `mma.m16n8k64`, of 4 bits.
    "mma.m16n8k64.B" MmaM16n8k64B<> = U4[8, 64] [1, 0] [(32)(2,8)] E(4);
    /// Operands C and D of every `mma.m16n8`.
    "mma.m16n8.C" MmaM16n8C<E = F32> = E[16, 8] [1, 0] [(8,8)(2,1,1,2)];
    /// An 8×8 matrix in registers after `ldmatrix.x1`.
    "ldmatrix.x1" LdmatrixX1<E = F16> = E[1, 8, 8] [0, 2, 1] [];
    /// Two 8×8 matrices in registers after `ldmatrix.x2`.
    "ldmatrix.x2" LdmatrixX2<E = F16> = E[2, 8, 8] [0, 2, 1] [(2,1)];
    /// Four 8×8 matrices in registers after `ldmatrix.x4`.
    "ldmatrix.x4" LdmatrixX4<E = F16> = E[4, 8, 8] [0, 2, 1] [(2,1)];
    /// Four 8×8 matrices in registers after `ldmatrix.x4.trans`, which transposes them.
    "ldmatrix.x4.trans" LdmatrixX4Trans<E = F16> = E[4, 8, 8] [0, 1, 2] [(2,1)];
    /// Operand A of `wgmma` in registers: four operands A of `mma`, one for each warp, elements of 16 bits.
    "wgmma.A" WgmmaA<E = F16> = E[64, 16] [1, 0] [(16,8)(8,8)(2,2,1,1,2)];
    /// Operand A of `wgmma` in registers: four operands A of `mma`, one for each warp, elements of 8 bits.
    "wgmma.A" WgmmaA8<E = S8> = E[64, 32] [1, 0] [(16,16)(8,16)(2,2,1,1,4)];
    /// Operand A of `wgmma` in registers: four operands A of `mma`, one for each warp, elements of 32 bits.
    "wgmma.A" WgmmaA32<E = F32> = E[64, 8] [1, 0] [(16,4)(8,4)(2,2,1,1,1)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 8.
    "wgmma.D" WgmmaD8<E = F32> = E[64, 8] [1, 0] [(8,8)(2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 16.
    "wgmma.D" WgmmaD16<E = F32> = E[64, 16] [1, 0] [(16,8)(8,8)(2,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 24.
    "wgmma.D" WgmmaD24<E = F32> = E[64, 24] [1, 0] [(16,8)(8,8)(3,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 32.
    "wgmma.D" WgmmaD32<E = F32> = E[64, 32] [1, 0] [(16,8)(8,8)(4,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 48.
    "wgmma.D" WgmmaD48<E = F32> = E[64, 48] [1, 0] [(16,8)(8,8)(6,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 64.
    "wgmma.D" WgmmaD64<E = F32> = E[64, 64] [1, 0] [(16,8)(8,8)(8,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 96.
    "wgmma.D" WgmmaD96<E = F32> = E[64, 96] [1, 0] [(16,8)(8,8)(12,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 128.
    "wgmma.D" WgmmaD128<E = F32> = E[64, 128] [1, 0] [(16,8)(8,8)(16,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 192.
    "wgmma.D" WgmmaD192<E = F32> = E[64, 192] [1, 0] [(16,8)(8,8)(24,2,1,1,2)];
    /// Operand D of `wgmma.m64nN`: its tiles depend on N, N = 256.
    "wgmma.D" WgmmaD256<E = F32> = E[64, 256] [1, 0] [(16,8)(8,8)(32,2,1,1,2)];
}
