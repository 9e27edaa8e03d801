//! The last tile that an instruction takes, and the first that it does not; more of them in `data/tables/gpu.txt`.

use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor};
use layout_gpu::fragment::{Axis, Conversion, Fragment, Holder, Operand, Shard};
use layout_tests::lists::array as tile;

#[test]
fn addresses() {
    let a = Descriptor::wgmma(&tile("f16[64,64], swizzle = 128B"), Factor::A(64), 1).unwrap();
    assert_eq!(a.at(512), Err(DescriptorError::Alignment { address: 512, alignment: 1024 }));
    assert_eq!(a.at(2048), Ok(a.bits | 2048 >> 4));
}

/// Of the starts, those that there are.
#[test]
fn a_descriptor_printed() {
    let a = Descriptor::wgmma(&tile("f16[128,64], swizzle = 128B"), Factor::A(64), 1).unwrap();
    assert_eq!(
        format!("{a:?}"),
        "Descriptor { bits: 0x4000004000000000, major: K, alignment: 1024, leading_byte_offset: 0, \
         stride_byte_offset: 1024, block_starts: [0, 8192], step_starts: [0, 32, 64, 96], .. }"
    );
}

/// As TVM has it: in two blocks with M = 128, the second half of A is in lanes 64 to 127, as it is with `.ws`.
#[test]
fn operand_a_in_halves() {
    let a = Fragment::tcgen05(Operand::A, 128, 2, false, &[2, 64, 32]).unwrap();
    assert_eq!(Ok(a), Fragment::tcgen05(Operand::A, 64, 1, true, &[2, 64, 32]));
    for (half, row, k) in [(0, 0, 0), (0, 63, 31), (1, 0, 0), (1, 0, 9), (1, 22, 17), (1, 63, 5)] {
        let held = Holder::tensor_memory(64 * half + row, k);
        assert_eq!(a.holder(&[half, row, k]), Some(held));
        assert_eq!(a.index(held).unwrap().as_slice(), [half, row, k]);
    }
    // The halves of columns are those of D alone, and one block with M = 64 has none.
    assert!(Fragment::tcgen05(Operand::A, 128, 2, false, &[64, 2, 32]).is_err());
    assert!(Fragment::tcgen05(Operand::A, 64, 1, false, &[2, 64, 32]).is_err());
}

#[test]
fn fragments() {
    // A sum along the columns stays in the lanes.
    let upper = Fragment::datapath('F', [64, 32], true).unwrap();
    assert_eq!(upper.holder(&[17, 5]), Some(Holder::tensor_memory(49, 5)));
    assert_eq!(upper.sliced(1).unwrap().holder(&[17]), Some(Holder::tensor_memory(49, 0)));
    // Tensor memory on either side.
    let memory = Fragment::datapath('D', [128, 32], false).unwrap();
    let registers = Fragment::tcgen05_ld([32, 32], 32, [128, 32]).unwrap();
    assert!(memory.conversion(&registers).is_err() && registers.conversion(&memory).is_err());
    // One register of two, which hold the same, and the reverse.
    let lanes = [Shard { size: 32, stride: 1, axis: Axis::Lane }];
    let copies = [Shard { size: 2, stride: 1, axis: Axis::Register }];
    let first = Holder::default();
    let once = Fragment::from_shards(&[32], &lanes, &[], first, 32).unwrap();
    let twice = Fragment::from_shards(&[32], &lanes, &copies, first, 32).unwrap();
    assert_eq!((once.registers(), twice.registers()), (1, 2));
    assert_eq!(once.conversion(&once), Ok(Conversion::Same));
    assert_eq!(twice.conversion(&once), Ok(Conversion::Registers));
    assert_eq!(once.conversion(&twice), Ok(Conversion::Registers));
}
