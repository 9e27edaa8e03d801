//! Operands and copies that the hardware does not take.

use layout::gpu::descriptor::{Descriptor, DescriptorError, Factor};
use layout::gpu::fragment::{Fragment, FragmentError, Instruction, Operand};
use layout::gpu::shared::{TileError, triton_nvmma_shared};
use layout::gpu::tensor_map::{TensorMap, TensorMapError};
use layout::{ArrayShape, Swizzle, layout};

// Instructions.
const _: Fragment = FragmentError::or_panic(
    Instruction::mma([16, 8, 4], 16).operand(Operand::A),
);
const _: Fragment =
    FragmentError::or_panic(Instruction::wgmma(64, 16).operand(Operand::B));

// Operands in shared memory.
const fn a(tile: &ArrayShape, k_dim: usize) -> Descriptor {
    DescriptorError::or_panic(Descriptor::wgmma(tile, Factor::A(64), k_dim))
}
const _: Descriptor = a(<layout!(F16[64,64])>::SHAPE, 1);
const _: Descriptor = a(<layout!(F32[32,64], swizzle = 128B)>::SHAPE, 0);
const _: Descriptor = a(<layout!(F64[64,16], swizzle = 128B)>::SHAPE, 1);
const _: Descriptor = a(<layout!(F16[64,64], swizzle = elements<2,3,4>)>::SHAPE, 1);
const _: Descriptor = a(<layout!(F16[60,64]{1,0:L(512)}, swizzle = 128B)>::SHAPE, 1);
const _: u64 = DescriptorError::or_panic(
    a(<layout!(F16[64,64], swizzle = 128B)>::SHAPE, 1).at(100),
);

// Copies by TMA.
const fn map(global: &ArrayShape, tile: &ArrayShape) -> TensorMap {
    TensorMapError::or_panic(TensorMap::new(global, tile))
}
type Weights = layout!(F16[4096,1024]);
const _: TensorMap = map(Weights::SHAPE, <layout!(F16[512,64], swizzle = 128B)>::SHAPE);
const _: TensorMap = map(Weights::SHAPE, <layout!(F16[64,128], swizzle = 128B)>::SHAPE);
const _: TensorMap = map(Weights::SHAPE, <layout!(F16[64,12])>::SHAPE);
const _: TensorMap = map(Weights::SHAPE, <layout!(F16[64,64]{0,1})>::SHAPE);
const _: TensorMap = map(<layout!(F16[64,100])>::SHAPE, <layout!(F16[64,64])>::SHAPE);
const _: TensorMap =
    map(<layout!(F16[2,2,2,2,2,64])>::SHAPE, <layout!(F16[2,2,2,2,2,64])>::SHAPE);

// Tiles by the names of other systems.
const _: ArrayShape =
    TileError::or_panic(triton_nvmma_shared(
    <layout!(F16[64,32])>::SHAPE,
    Swizzle::MODE_128B,
    false,
));

fn main() {}
