//! Conversions between fragments: registers, shuffles and shared memory, by brute force.

use std::collections::{BTreeMap, BTreeSet};

use layout::ArrayShape;
use layout::shape::Size;
use layout_gpu::fragment::{
    Axis, Conversion, Direction, Fragment, Holder, Instruction, Operand, Shard, SharedAccess, Warps,
};
use layout_tests::naive::{every_index, flatten};
use layout_tests::random::Random;

use super::assert_round_trips;

/// A block of operands for a warp, registers by lanes: what shuffles do to it.
fn shuffled(from: &Fragment, to: &Fragment, count: Size) {
    let held = |holder: Holder| from.index(holder).map(|index| index.to_vec());
    let mut moved = vec![0; count];
    for warp in 0..to.warps() {
        let mut taken = BTreeMap::new();
        for (number, moved) in moved.iter_mut().enumerate() {
            // The register that each lane gives.
            let mut given = BTreeMap::new();
            let mut moves = 0;
            for lane in 0..to.lanes() {
                let Some(shuffle) = from.shuffle(to, number, warp, lane) else { continue };
                let own = given.entry(shuffle.source_lane).or_insert(shuffle.source_register);
                assert_eq!(*own, shuffle.source_register, "shuffle {number} of {from:?} to {to:?}");
                let source = Holder::register(warp, shuffle.source_lane, shuffle.source_register);
                let twice = taken.insert((lane, shuffle.register), held(source).unwrap());
                assert_eq!(twice, None);
                moves += usize::from(shuffle.source_lane != lane);
            }
            *moved += moves;
        }
        for lane in 0..to.lanes() {
            for register in 0..to.registers() {
                let Some(index) = to.index(Holder::register(warp, lane, register)) else {
                    continue;
                };
                let index = index.to_vec();
                match taken.get(&(lane, register)) {
                    Some(taken) => assert_eq!(*taken, index),
                    // What no shuffle brings, the lane has itself, before or after them.
                    None => {
                        let mut own = (0..from.registers())
                            .map(|own| held(Holder::register(warp, lane, own)));
                        let mut new = (0..to.registers()).filter_map(|new| taken.get(&(lane, new)));
                        assert!(
                            own.any(|own| own.as_ref() == Some(&index))
                                || new.any(|new| *new == index),
                            "{index:?} for register {register} of lane {lane}: {from:?} to {to:?}"
                        );
                    }
                }
            }
        }
        assert_eq!(from.shuffle(to, count, warp, 0), None);
    }
    assert!(moved.iter().all(|moves| *moves > 0), "{moved:?}");
}

/// A bound from below: what a lane takes from others, each element once, and what lanes that hold the same give together.
fn least_shuffles(sources: &[(Holder, Vec<Holder>)]) -> Size {
    let mut takes = BTreeMap::<_, BTreeSet<_>>::new();
    let mut gives = BTreeMap::<_, BTreeSet<_>>::new();
    for (to, from) in sources {
        let near = from.iter().filter(|from| from.warp == to.warp);
        let lanes = near.map(|from| from.lane).collect::<BTreeSet<_>>();
        if !lanes.contains(&to.lane) {
            let element = (from[0].warp, from[0].lane, from[0].register);
            takes.entry((to.warp, to.lane)).or_default().insert(element);
            gives.entry((to.warp, lanes)).or_default().insert(element);
        }
    }
    let takes = takes.values().map(BTreeSet::len).max().unwrap();
    let gives = gives.iter().map(|((_, lanes), elements)| elements.len().div_ceil(lanes.len()));
    takes.max(gives.max().unwrap())
}

/// Compares the conversions between all fragments of an array with what each holder needs: how many are of each kind. Through
/// shared memory go those between warps, and those whose digits do not divide one another.
fn compare(dims: &[Size], fragments: &[Fragment], divide: bool) -> [usize; 4] {
    let mut kinds = [0; 4];
    for from in fragments {
        for to in fragments {
            let held = |index: Vec<Size>| from.holders(&index).collect::<Vec<_>>();
            let needed = every_index(dims).flat_map(|index| {
                let holders = to.holders(&index).collect::<Vec<_>>();
                holders.into_iter().map(move |holder| (holder, held(index.clone())))
            });
            let sources = needed.collect::<Vec<_>>();
            let all = |is_near: &dyn Fn(&Holder, &Holder) -> bool| {
                sources.iter().all(|(to, from)| from.iter().any(|from| is_near(to, from)))
            };
            let expected = if all(&|to, from| to == from) && from.registers() == to.registers() {
                0
            } else if all(&|to, from| (to.warp, to.lane) == (from.warp, from.lane)) {
                1
            } else if all(&|to, from| to.warp == from.warp) {
                2
            } else {
                3
            };
            let kind = match from.conversion(to).unwrap() {
                Conversion::Same => 0,
                Conversion::Registers => 1,
                Conversion::Shuffles(count) => {
                    shuffled(from, to, count);
                    let least = least_shuffles(&sources);
                    assert!(count >= least, "{count} < {least}");
                    if from.copies() * to.copies() == 1 {
                        assert_eq!(count, least, "{from:?} to {to:?}");
                    }
                    let most = 2 * least * from.copies() * to.copies();
                    assert!(count <= most, "{count} > {least}: {from:?} to {to:?}");
                    2
                }
                _ => 3,
            };
            assert!(kind == expected || !divide && kind == 3, "{from:?} to {to:?}");
            kinds[kind] += 1;
        }
    }
    kinds
}

#[test]
fn conversions() {
    let mma = Instruction::mma([16, 8, 16], 16);
    let bytes = Instruction::mma([16, 8, 32], 8);
    let rdna3 = Instruction::wmma(1, 16, false);
    let rdna4 = Instruction::wmma(2, 16, false);
    let dims = [16, 32];
    let mfma = Instruction::mfma([16, 16, 16], false);
    let blocked = |sizes: [Size; 2], threads: [Size; 2], warps: [Size; 2], order| {
        Fragment::blocked(&dims, &sizes, &threads, &warps, order).unwrap()
    };
    let mut fragments = vec![];
    for order in [&[1, 0], &[0, 1]] {
        for (sizes, threads) in [
            ([1, 4], [8, 4]),
            ([1, 1], [1, 32]),
            ([4, 2], [4, 8]),
            ([2, 8], [16, 2]),
            ([8, 8], [8, 4]),
        ] {
            for warps in [[1, 1], [2, 1]] {
                fragments.push(blocked(sizes, threads, warps, order));
            }
        }
    }
    for warps in [[1, 1], [2, 1], [1, 2]] {
        for operand in [Operand::A, Operand::B, Operand::D] {
            for instruction in [mma, bytes] {
                fragments.push(instruction.fragment(operand, &dims, Warps::Grid(&warps)).unwrap());
            }
        }
    }
    for operand in [Operand::A, Operand::B, Operand::D] {
        for instruction in [rdna3, rdna4] {
            fragments.push(instruction.fragment(operand, &dims, Warps::ONE).unwrap());
        }
    }
    // Waves of 64 lanes.
    for transposed in [false, true] {
        fragments.push(
            Instruction::mfma([16, 16, 16], transposed)
                .fragment(Operand::D, &dims, Warps::ONE)
                .unwrap(),
        );
    }
    fragments.push(mfma.fragment(Operand::A, &dims, Warps::ONE).unwrap());
    fragments.push(mfma.with_k_width(8).fragment(Operand::A, &dims, Warps::ONE).unwrap());
    fragments.push(blocked([1, 4], [8, 8], [1, 1], &[1, 0]));
    let kinds = compare(&dims, &fragments, true);
    assert!(kinds.iter().all(|count| *count >= 20), "{kinds:?}");
    let other = mma.operand(Operand::D).unwrap();
    assert!(fragments[0].conversion(&other).is_err());
    assert!(fragments[0].conversion(&fragments[0].sliced(0).unwrap()).is_err());
    let memory = Fragment::tensor_memory([64, 32], 1, [64, 64]).unwrap();
    assert!(memory.conversion(&memory).is_err());
    // Digits that do not divide one another.
    let [threes, fours] =
        [3, 4].map(|width| Fragment::blocked(&[12], &[width], &[12 / width], &[1], &[0]).unwrap());
    assert_eq!(threes.conversion(&fours), Ok(Conversion::SharedMemory));
}

/// Sizes that are not powers of two.
#[test]
fn conversions_of_other_sizes() {
    let spread = |sizes: [Size; 2], lanes: [Size; 2], order: [usize; 2]| {
        Fragment::blocked(&[6, 20], &sizes, &lanes, &[1, 1], &order).unwrap()
    };
    let fragments = [
        spread([1, 10], [6, 2], [1, 0]),
        spread([1, 1], [6, 2], [1, 0]),
        spread([6, 1], [1, 20], [0, 1]),
        spread([3, 5], [2, 4], [0, 1]),
        spread([3, 1], [2, 4], [1, 0]),
        spread([2, 5], [3, 4], [1, 0]),
        spread([1, 2], [3, 10], [0, 1]),
    ];
    let kinds = compare(&[6, 20], &fragments, false);
    assert!(kinds[..2] == [fragments.len(), 0] && kinds[2] > 15 && kinds[3] > 5, "{kinds:?}");
}

/// Shards of any numbers are refused, or each holder has one element and each element its holders.
#[test]
fn random_shards() {
    let random = &mut Random::new(1);
    let mut made = 0;
    for _ in 0..200_000 {
        let mut number = |count| random.below(count);
        let dims = [[2, 3, 4, 6, 8, 12][number(6)], [1, 2, 3, 4, 6, 8, 0][number(7)]];
        let mut left: Size = dims[0] * dims[1];
        let mut ends = [1; 4];
        let mut shards = vec![];
        while left > 1 && shards.len() < 6 {
            let axis = Axis::ALL[number(4)];
            let sizes = (2..=left).filter(|size| left.is_multiple_of(*size)).collect::<Vec<_>>();
            let size = sizes[number(sizes.len())];
            let stride = ends[axis as usize] * [1, 1, 1, 2, 3][number(5)];
            ends[axis as usize] = stride * size;
            shards.push(Shard { size, stride, axis });
            left /= size;
        }
        let axis = Axis::ALL[number(4)];
        let mut copies = vec![];
        if number(3) == 0 {
            copies.push(Shard { size: number(4), stride: ends[axis as usize], axis });
        }
        let first = Holder { lane: number(3), register: number(2), ..Holder::default() };
        let lanes = [2, 4, 6, 32][number(4)];
        let Ok(fragment) = Fragment::from_shards(&dims, &shards, &copies, first, lanes) else {
            continue;
        };
        made += 1;
        assert!(fragment.lanes() <= lanes);
        // What the shards say, written out: threads past the lanes are in the next warps.
        for index in every_index(&dims) {
            let mut number = flatten(&index, &dims);
            let mut holder = first;
            let mut thread = 0;
            for shard in shards.iter().rev() {
                let at = number % shard.size * shard.stride;
                number /= shard.size;
                match shard.axis {
                    Axis::Register => holder.register += at,
                    Axis::Lane => thread += at,
                    Axis::Warp => holder.warp += at,
                    Axis::Column => holder.column += at,
                }
            }
            holder.lane += thread % lanes;
            holder.warp += thread / lanes;
            assert_eq!(
                fragment.holder(&index),
                Some(holder),
                "{dims:?} {shards:?} {first:?} {lanes}"
            );
        }
        if made % 20 == 0 {
            assert_round_trips(&fragment);
        }
    }
    assert!(made > 20_000, "{made}");
}

/// Arrays that begin at another register or lane than the first.
#[test]
fn conversions_of_moved_fragments() {
    let spread = |low, high, first| {
        let shards =
            [Shard { size: 4, stride: 1, axis: high }, Shard { size: 4, stride: 1, axis: low }];
        Fragment::from_shards(&[16], &shards, &[], first, 32).unwrap()
    };
    for (from_first, to_first) in [(0, 3), (2, 0), (5, 1)] {
        for lane in [0, 6] {
            let from = spread(Axis::Register, Axis::Lane, Holder::register(0, lane, from_first));
            let to = spread(Axis::Lane, Axis::Register, Holder::register(0, lane, to_first));
            // The first one moves nothing but what lanes have themselves.
            assert_eq!(from.conversion(&to), Ok(Conversion::Shuffles(3)));
            shuffled(&from, &to, 3);
            assert_eq!(from.shuffle(&to, 0, 0, lane + 4), None);
        }
    }
}

#[test]
fn shared_memory() {
    let mma = Instruction::mma([16, 8, 16], 16);
    let fragments = [
        mma.fragment(Operand::A, &[32, 64], Warps::Grid(&[2, 2])).unwrap(),
        mma.fragment(Operand::D, &[32, 64], Warps::Grid(&[1, 2])).unwrap(),
        Fragment::blocked(&[32, 64], &[1, 8], &[4, 8], &[2, 1], &[1, 0]).unwrap(),
        Fragment::blocked(&[32, 64], &[4, 1], &[8, 4], &[1, 1], &[0, 1]).unwrap(),
    ];
    let layouts = [
        "f16[32,64]",
        "f16[32,64]{0,1}",
        "f16[32,64], swizzle = 128B",
        "f32[32,64]{1,0:T(8,8)}",
        "s8[32,64]{1,0:T(4,3)}",
    ];
    let mut widths = BTreeSet::new();
    for layout in layouts {
        let shape: ArrayShape = layout.parse().unwrap();
        let (digits, bytes) = (shape.digits().unwrap(), shape.element_bits() / 8);
        for fragment in &fragments {
            let access = SharedAccess::new(fragment, &shape).unwrap();
            let width = access.bytes_per_lane();
            widths.insert(width);
            assert_eq!(
                access.instructions() * width / bytes,
                fragment.warps() * fragment.registers()
            );
            for direction in [Direction::Store, Direction::Load] {
                let mut moved = BTreeMap::<Size, Size>::new();
                for instruction in 0..access.instructions() {
                    let addresses: [Option<Size>; 32] = access.addresses(direction, instruction);
                    for address in addresses.iter().flatten() {
                        assert!(address.is_multiple_of(width), "{layout}");
                        for element in 0..width / bytes {
                            *moved.entry(address + element * bytes).or_default() += 1;
                        }
                    }
                }
                let times = if direction == Direction::Store { 1 } else { fragment.copies() };
                assert_eq!(moved.len(), 32 * 64);
                for index in every_index(&[32, 64]) {
                    assert_eq!(
                        moved[&(digits.offset(&index).unwrap() * bytes)],
                        times,
                        "{layout} {index:?}"
                    );
                }
            }
        }
    }
    assert_eq!(widths.into_iter().collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    // Side by side, but not aligned.
    let rows = Fragment::blocked(&[8, 8], &[1, 8], &[8, 1], &[1, 1], &[1, 0]).unwrap();
    for (layout, width) in
        [("f16[8,8]", 16), ("f16[8,8]{1,0:PAD(8,9)}", 2), ("f16[8,8]{1,0:PAD(8,12)}", 8)]
    {
        let access = SharedAccess::new(&rows, &layout.parse().unwrap()).unwrap();
        assert_eq!(access.bytes_per_lane(), width, "{layout}");
    }
    let other = |text: &str| SharedAccess::new(&fragments[0], &text.parse().unwrap()).map(|_| ());
    assert!(other("f16[32,32]").is_err() && other("f16[32]").is_err());
    assert!(other("u4[32,64]{1,0:E(4)}").is_err() && other("f16[32,?]").is_err());
}
