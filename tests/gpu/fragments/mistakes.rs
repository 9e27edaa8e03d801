//! Fragments and conversions that are none.

use layout::Size;
use layout::gpu::fragment::{
    Axis, Fragment, Holder, Instruction, Operand, Shard, ThreadDim, Warps,
};

use super::{Made, assert_round_trips};

#[test]
fn bad_input() {
    let says = |made: Made, text: &str| {
        let error = made.unwrap_err().to_string();
        // Longer ones are cut off.
        assert!(error.contains(text) && error.len() < 240, "{error}");
    };
    let rank = "a list is as long as another number of dimensions: write a number for each";
    let number = "a size or stride is 0, unknown or too large: choose another one";
    let basis = "a basis is not a power of two along one dimension";
    let cut = "a digit has to be cut where its values do not divide";
    let repeated = "several digits count the same elements of a dimension";
    let mma = Instruction::mma([16, 8, 16], 16);
    let d = |dims: &[Size]| mma.fragment(Operand::D, dims, Warps::ONE);
    let a = |warps| mma.fragment(Operand::A, &[16, 16], warps);
    says(d(&[16, 12]), "dimension 1 has size 12, which is not a multiple of 8: pad it to 16");
    says(d(&[16, 20]), "dimension 1 has size 20, which is not a multiple of 8: pad it to 24");
    says(d(&[16]), rank);
    says(d(&[16, 0]), number);
    says(d(&[Size::MAX, 8]), number);
    says(d(&[8; 17]), number);
    for warps in [Warps::Grid(&[4, 1]), Warps::Grid(&[4]), Warps::Bases(&[[1, 0]])] {
        let wgmma = Instruction::wgmma(8, 16);
        says(wgmma.fragment(Operand::D, &[64, 0], warps), number);
        says(mma.fragment(Operand::D, &[0, 8], warps), number);
    }
    says(a(Warps::Grid(&[4])), rank);
    says(a(Warps::Grid(&[0, 1])), number);
    says(a(Warps::Bases(&[[1, 1]])), basis);
    says(a(Warps::Bases(&[[3, 0]])), basis);
    says(a(Warps::Bases(&[[Size::MAX, 1]])), basis);
    assert!(a(Warps::Bases(&[[Size::MAX / 2 + 1, 0]])).is_err());
    says(Instruction::wgmma(64, 16).operand(Operand::B), "operand B from shared memory");
    for (m, n, k, bits) in [
        (16, 8, 4, 16),
        (16, 16, 16, 16),
        (8, 8, 4, 16),
        (16, 8, 16, 32),
        (16, 8, 16, 6),
        (0, 0, 0, 0),
    ] {
        let error = Instruction::mma([m, n, k], bits).operand(Operand::A).unwrap_err().to_string();
        assert!(error.starts_with("no such `mma`: it takes 16×8 by"), "{error}");
    }
    for (n, bits) in [(0, 16), (12, 16), (264, 16), (64, 4), (64, 64), (64, 0)] {
        assert!(Instruction::wgmma(n, bits).operand(Operand::A).is_err(), "{n} {bits}");
    }
    for sizes in [[16, 32, 8], [4, 4, 4], [64, 64, 4], [16, 16, 0]] {
        assert!(Instruction::mfma(sizes, false).operand(Operand::B).is_err(), "{sizes:?}");
    }
    for (generation, k) in [(0, 16), (4, 16), (1, 0), (2, 1), (2, Size::MAX)] {
        assert!(
            Instruction::wmma(generation, k, true).operand(Operand::D).is_err(),
            "{generation} {k}"
        );
    }
    says(mma.with_k_width(0).operand(Operand::A), "each lane holds 1 to 1024 elements");
    let huge = Instruction::mma([16, 8, Size::MAX], 16).with_k_width(1024);
    says(huge.operand(Operand::B), "no such `mma`");
    says(mma.with_k_width(Size::MAX).operand(Operand::B), "each lane holds 1 to 1024 elements");

    let lanes = |bases: &[[Size; 2]]| Fragment::from_bases(&[4, 4], &[(Axis::Lane, bases)]);
    says(lanes(&[[1, 1], [2, 0]]), basis);
    says(lanes(&[[1, 0], [3, 0]]), basis);
    says(lanes(&[[4, 0]]), basis);
    says(
        lanes(&[[1, 0], [0, 1], [0, 2]]),
        "no digit counts in steps of 2 along dimension 0: add a digit for it",
    );
    says(lanes(&[[1, 0], [2, 0], [0, 1], [0, 2], [0, 2]]), repeated);
    says(lanes(&[[0, 0]; 70]), "more than 48 digits");
    assert!(lanes(&[[1, 0], [2, 0], [0, 1], [0, 2]]).is_ok());

    let tv = |threads: &[(Size, Size)], values: &[(Size, Size)]| {
        Fragment::from_tv(&[16, 8], threads, values, 32)
    };
    says(tv(&[(3, 1)], &[]), "no digit counts in steps of 3 along dimension 0");
    says(tv(&[(16, 1)], &[(16, 8)]), repeated);
    says(tv(&[(6, 1)], &[(8, 3)]), cut);
    says(tv(&[(16, 1)], &[(8, 16), (2, 128)]), number);
    says(tv(&[(Size::MAX, 0), (Size::MAX, 0)], &[]), number);
    assert!(tv(&[(16, 1), (2, 16)], &[(4, 32)]).is_ok());
    let shard = |size, stride, axis| Shard { size, stride, axis };
    let shards = |shards: &[Shard]| Fragment::from_shards(&[8], shards, &[], Holder::default(), 32);
    says(
        shards(&[shard(2, 1, Axis::Lane), shard(4, 1, Axis::Lane)]),
        "digits overlap along an axis",
    );
    says(shards(&[shard(3, 1, Axis::Lane)]), "no digit counts in steps of 3");
    says(shards(&[shard(8, 0, Axis::Lane)]), number);
    says(shards(&[shard(16, 1, Axis::Lane)]), number);
    says(shards(&[shard(8, 5, Axis::Lane)]), cut);
    says(shards(&[shard(Size::MAX, Size::MAX, Axis::Lane), shard(8, 1, Axis::Lane)]), number);
    let copies = |copies: &[Shard], first| {
        Fragment::from_shards(&[8], &[shard(8, 1, Axis::Lane)], copies, first, 32)
    };
    let most = Size::MAX / 2 + 1;
    says(
        copies(
            &[shard(most / 2, 1, Axis::Register), shard(most / 2, 1, Axis::Warp)],
            Holder::default(),
        ),
        number,
    );
    says(copies(&[], Holder::register(Size::MAX, 0, 0)), number);
    assert_round_trips(
        &copies(&[shard(2, 8, Axis::Lane), shard(3, 2, Axis::Register)], Holder::register(1, 5, 2))
            .unwrap(),
    );
    let tiled = |text: &str, vector| {
        Fragment::tiled(&text.parse().unwrap(), &[], &[ThreadDim::Dim(-2)], vector, false)
    };
    says(tiled("f32[8]{0:T(3)}", -1), "the layout has padding");
    says(tiled("f32[8]{0:T(1,8)}", -1), cut);
    says(tiled("f32[8]{0:T(4)}", -2), "there is no such dimension");
    says(tiled("f32[8]{0:T(4)}", 0), "there is no such dimension");
    says(tiled("f32[8]{0:T(4)}", isize::MIN), "there is no such dimension");
    says(tiled("f32[?]{0:T(4)}", -1), number);
    says(tiled("f32[0]{0:T(4)}", -1), number);
    says(tiled("f32[7]{0:PAD(8)T(4)}", -1), "the layout has padding");
    says(tiled("f32[2,4]{1,0:T(*,8)}", -1), "a `*` in a tile");
    says(tiled("f32[8,64], swizzle = 128B", -1), "a swizzle");
    assert!(tiled("f32[8]{0:T(4)}", -1).is_ok());
    // Threads that pass the end of a warp in the middle of a stride.
    says(Fragment::from_tv(&[48], &[(24, 1), (2, 24)], &[], 32), cut);
    says(Fragment::from_tv(&[48], &[(48, 1)], &[], 32), cut);
    says(shards(&[shard(2, 48, Axis::Lane), shard(4, 1, Axis::Lane)]), cut);
    says(shards(&[shard(2, 24, Axis::Lane), shard(4, 1, Axis::Lane)]), cut);
    says(copies(&[], Holder::register(0, 25, 0)), cut);
    assert!(copies(&[], Holder::register(0, 24, 0)).is_ok());
    says(Fragment::from_tv(&[8], &[(8, 1)], &[], 0), cut);
    // Each axis is a size, but all together are not.
    let far = [shard(2, most / 4, Axis::Register), shard(2, most / 4, Axis::Warp)];
    says(copies(&far, Holder::default()), number);
    let blocked = |threads: &[Size], order: &[usize]| {
        Fragment::blocked(&[8, 8], threads, &[4, 8], &[1, 1], order)
    };
    says(blocked(&[1], &[1, 0]), rank);
    says(blocked(&[1, 1], &[1]), rank);
    says(blocked(&[1, 1], &[1, 2]), "there is no such dimension");
    says(blocked(&[1, 1], &[1, 1]), "no digit counts in steps of 1 along dimension 0");
    says(Fragment::blocked(&[12], &[8], &[1], &[1], &[0]), "pad it to 16");
    let layout = |text: &str, threads| Fragment::of_layout(&text.parse().unwrap(), threads, 32);
    says(layout("f32[3,5]", 32), cut);
    says(layout("f32[8]", 0), cut);
    says(layout("f32[3,5]{1,0:T(2,2)}", 3), "the layout has padding");
    says(layout("f32[64,64], swizzle = 128B", 32), "a swizzle");
    says(layout("f32[8,?]", 32), number);
    says(d(&[16, 8]).unwrap().sliced(2), "there is no such dimension");
    let datapaths = "datapaths A and D take 128 rows";
    for (letter, dims, upper) in [
        ('D', [64, 32], false),
        ('A', [128, 32], true),
        ('G', [32, 30], false),
        ('E', [64, 3], false),
        ('H', [64, 64], false),
    ] {
        says(Fragment::datapath(letter, dims, upper), datapaths);
    }
    says(Fragment::tensor_memory([32, 32], 1, [64, 64]), "blocks of 64 or 128 rows");
    says(Fragment::tensor_memory([128, 32], 0, [128, 64]), number);
    says(Fragment::tcgen05(Operand::B, 128, 1, false, &[128, 64]), "`tcgen05.mma` takes A as");
    for (shape, bits, dims) in [
        ([16, 64], 64, [64, 64]),
        ([32, 32], 32, [96, 64]),
        ([16, 32], 32, [128, 64]),
        ([32, 32], 0, [128, 64]),
    ] {
        says(Fragment::tcgen05_ld(shape, bits, dims), "`tcgen05.ld` takes 128 rows");
    }
}
