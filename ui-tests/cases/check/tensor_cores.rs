//! Operands and copies that the hardware does not take.

use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor};
use layout_gpu::fragment::{Fragment, FragmentError, Instruction, Operand};
use layout_gpu::shared::{TileError, triton_nvmma_shared};
use layout_gpu::tensor_map::{TensorMap, TensorMapError};
use layout::shape::Swizzle;
use layout::{ArrayShape, layout};

// Instructions.
const _: Fragment =
    FragmentError::or_panic(Instruction::wgmma(64, 16).operand(Operand::B));

// A function of the user's own between the constant and the mistake.
const fn a(tile: &ArrayShape, k_dim: usize) -> Descriptor {
    DescriptorError::or_panic(Descriptor::wgmma(tile, Factor::A(64), k_dim))
}
const _: Descriptor = a(<layout!(F16[64,64])>::SHAPE, 1);
const _: u64 = DescriptorError::or_panic(
    a(<layout!(F16[64,64], swizzle = 128B)>::SHAPE, 1).at(100),
);

const _: TensorMap = TensorMapError::or_panic(TensorMap::new(
    <layout!(F16[4096,1024])>::SHAPE,
    <layout!(F16[64,128], swizzle = 128B)>::SHAPE,
));

const _: ArrayShape = TileError::or_panic(triton_nvmma_shared(
    <layout!(F16[64,32])>::SHAPE,
    Swizzle::MODE_128B,
    false,
));

fn main() {}
