//! Random accesses of random layouts, against a count by hand.

use std::collections::{BTreeMap, BTreeSet};

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::{Size, Swizzle, SwizzleUnit};
use layout_gpu::banks::Access;
use layout_tests::lists::array;
use layout_tests::naive::{Naive, flatten, unflatten};
use layout_tests::random::Random;

/// A layout, with what stands in each slot of memory.
struct Placed {
    shape: ArrayShape,
    dims: Vec<Size>,
    bits: Size,
    /// In each slot the row-major number of its element.
    memory: Vec<Option<Size>>,
    minor: usize,
}

impl Placed {
    fn random(random: &mut Random) -> Placed {
        let rank = random.below(3) + 1;
        let most = [64, 24, 10][rank - 1];
        let dims = (0..rank).map(|_| random.below_size(most) + 1).collect::<Vec<_>>();
        let order = random.order(rank);
        let mut naive = Naive::new(&dims, &order, &[]);
        if random.below(3) == 0 {
            naive.padded = Some(dims.iter().map(|size| size + random.below_size(5)).collect());
        }
        if random.below(3) == 0 {
            let tile = [Some(1 << random.below(4)), Some(1 << random.below(4))];
            naive.tiles = vec![tile[..rank.min(2)].to_vec()];
        }
        let bits = *random.pick(&[4, 8, 16, 32, 64]);
        let element = if bits == 4 { "u4".to_owned() } else { format!("u{bits}") };
        let swizzle = random_swizzle(random);
        naive.tail_alignment = if swizzle.is_some() { 256 } else { 1 + random.below_size(9) };
        let mut text = naive.text(&element);
        if bits == 4 {
            let close = text.rfind('}').unwrap();
            text.insert_str(close, if text.contains(':') { "E(4)" } else { ":E(4)" });
        }
        let plain = array(&text);
        let swizzled = swizzle.and_then(|swizzle| plain.with_swizzle(swizzle).ok());
        let shape = swizzled.unwrap_or(plain);
        let memory = Naive::of(&shape, &dims).memory();
        Placed { shape, dims, bits, memory, minor: order[0] }
    }

    /// An access with the addresses of its lanes: none if it is not valid.
    fn access(&self, random: &mut Random) -> (Access, Option<[Option<Size>; 32]>, usize) {
        let least = native(self.bits / 8).max(1);
        let wider = [1, 2, 4, 8, 16].into_iter().filter(|bytes| *bytes >= least);
        let bytes = *random.pick(&wider.collect::<Vec<_>>());
        let elements = bytes as Size * 8 / self.bits;
        let count = self.dims.iter().product::<Size>();
        let (start, stride) = (random.below_size(count), random.below_size(40));
        let is_random = random.below(2) == 0;
        let mask = [u32::MAX, random.below_size(1 << 32) as u32][random.below(2)];
        let base = random.below_size(4) * 1024;
        // Unaligned now and then.
        let unit = if random.below(8) == 0 { 1 } else { elements };
        let numbers: [Size; 32] = std::array::from_fn(|lane| {
            let step = if is_random { random.below_size(count) } else { lane as Size * stride };
            let mut index = unflatten((start + step) % count, &self.dims);
            index[self.minor] -= index[self.minor] % unit;
            flatten(&index, &self.dims)
        });
        let lanes = numbers.map(|number| {
            let index = unflatten(number, &self.dims);
            std::array::from_fn::<_, 3, _>(|dim| index.get(dim).copied().unwrap_or(0))
        });
        let lane = |lane: usize| mask >> lane & 1 == 1;
        let access = match self.dims.len() {
            1 => Access::new(&std::array::from_fn(|i| lane(i).then_some([lanes[i][0]])), bytes),
            2 => Access::new(
                &std::array::from_fn(|i| lane(i).then_some([lanes[i][0], lanes[i][1]])),
                bytes,
            ),
            _ => Access::new(&lanes.map(Some), bytes),
        };
        let access = access.unwrap().only(mask).at(base);
        let mut addresses = [None; 32];
        for (i, address) in addresses.iter_mut().enumerate().filter(|(i, _)| lane(*i)) {
            let Some(at) = self.address(numbers[i], elements) else {
                return (access, None, bytes);
            };
            if !(base + at).is_multiple_of(bytes as Size) {
                return (access, None, bytes);
            }
            *address = Some(base + at);
        }
        (access, Some(addresses), bytes)
    }

    /// Where so many elements are from this one on, if they follow one another and begin at a byte.
    fn address(&self, number: Size, elements: Size) -> Option<Size> {
        let first = self.memory.iter().position(|slot| *slot == Some(number)).unwrap();
        let mut index = unflatten(number, &self.dims);
        for element in 0..elements {
            let is_inside = index[self.minor] < self.dims[self.minor];
            let expected = is_inside.then(|| flatten(&index, &self.dims));
            if *self.memory.get(first + native(element))? != expected {
                return None;
            }
            index[self.minor] += 1;
        }
        let bit = first as Size * self.bits;
        bit.is_multiple_of(8).then_some(bit / 8)
    }
}

fn random_swizzle(random: &mut Random) -> Option<Swizzle> {
    let unit = *random.pick(&[SwizzleUnit::Elements, SwizzleUnit::Bytes]);
    let bits = random.below(3) + 1;
    let base = random.below(4) as u8;
    let shift = (bits + random.below(2)) as i8 * [1, -1][random.below(2)];
    Swizzle::new(unit, bits as u8, base, shift).ok().filter(|_| random.below(3) > 0)
}

/// Wavefronts, and phases that have a lane, by the bytes that are touched.
fn count_by_hand(addresses: &[Option<Size>; 32], bytes: usize) -> (usize, usize) {
    let lanes = 32.min(128 / bytes);
    let (mut wavefronts, mut phases) = (0, 0);
    for phase in addresses.chunks(lanes) {
        let mut banks = BTreeMap::<Size, BTreeSet<Size>>::new();
        for address in phase.iter().flatten() {
            for byte in *address..*address + bytes as Size {
                banks.entry(byte % 128 / 4).or_default().insert(byte / 128);
            }
        }
        wavefronts += banks.values().map(BTreeSet::len).max().unwrap_or(0);
        phases += usize::from(!banks.is_empty());
    }
    (wavefronts, phases)
}

#[test]
fn random_accesses_have_the_wavefronts_of_a_count_by_hand() {
    let mut random = Random::new(26);
    let (mut valid, mut swizzled, mut refused, mut narrow) = (0, 0, 0, 0);
    while valid < 100_000 {
        let placed = Placed::random(&mut random);
        for _ in 0..100 {
            let (access, expected, bytes) = placed.access(&mut random);
            let found = access.addresses(&placed.shape);
            let Some(addresses) = expected else {
                assert!(found.is_err(), "{}: {found:?}", placed.shape);
                refused += 1;
                continue;
            };
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", placed.shape));
            assert_eq!(*found.addresses(), addresses, "{}", placed.shape);
            let counted = count_by_hand(&addresses, bytes);
            assert_eq!((found.wavefronts(), found.ideal()), counted, "{addresses:?}");
            assert_eq!(found.meeting().is_some(), counted.0 > counted.1, "{addresses:?}");
            valid += 1;
            swizzled += usize::from(!placed.shape.swizzle().is_none());
            narrow += usize::from(bytes < 4);
        }
    }
    assert!(swizzled > 10_000 && refused > 10_000 && narrow > 10_000);
}
