//! Arrays of layouts that are known at run time, against the naive model.

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::__private::core::native;
use layout::dynamic::{DynArray, DynError, DynLayout, DynView};
use layout::{Padding, Relayout, Size};
use layout_tests::amount::times;
use layout_tests::lists::array;
use layout_tests::naive::{Naive, flatten, sizes, unflatten_native};
use layout_tests::pairs::swizzled_pair;
use layout_tests::random::Random;

use crate::few::ranges;

const PADDING: u32 = u32::MAX;

/// A layout, and what stands in its memory: the row-major number of each element.
struct Case {
    layout: DynLayout,
    dims: Vec<usize>,
    memory: Vec<u32>,
}

impl Case {
    fn new(naive: &Naive) -> Case {
        // An array without elements has no memory.
        let memory = if naive.dims.contains(&0) { Vec::new() } else { naive.memory() };
        let memory = memory.into_iter();
        Case {
            layout: DynLayout::new(&array(&naive.text("u32"))).unwrap(),
            dims: naive.dims.iter().map(|size| native(*size)).collect(),
            memory: memory.map(|element| element.map_or(PADDING, |number| number as u32)).collect(),
        }
    }

    fn view(&self) -> DynView<'_, u32> {
        self.layout.view(&self.memory).unwrap()
    }

    fn number(&self, index: &[usize]) -> u32 {
        flatten(&sizes(index), &sizes(&self.dims)) as u32
    }

    fn elements(&self) -> u32 {
        self.dims.iter().product::<usize>() as u32
    }

    /// By index, in row-major order and in the order of memory.
    fn check_reads(&self) {
        let (view, layout) = (self.view(), &self.layout);
        assert_eq!(
            (view.dims(), layout.padded_elements()),
            (&*self.dims, self.memory.len()),
            "{layout}"
        );
        for (slot, number) in self.memory.iter().enumerate() {
            let index =
                (*number != PADDING).then(|| unflatten_native(*number as usize, &self.dims));
            assert_eq!(layout.index(slot).map(|index| index.to_vec()), index, "{layout} {slot}");
            if let Some(index) = index {
                assert_eq!(
                    (layout.offset(&index), view[&index]),
                    (Some(slot), *number),
                    "{layout}"
                );
            }
        }
        assert_eq!(layout.index(self.memory.len()), None);
        assert!(view.iter().map(|(_, number)| *number).eq(0..self.elements()), "{layout}");
        assert!(view.iter().all(|(index, number)| self.number(&index) == *number), "{layout}");
        assert_eq!(view.to_vec(), (0..self.elements()).collect::<Vec<_>>(), "{layout}");
        let in_memory = self.memory.iter().enumerate().filter(|(_, number)| **number != PADDING);
        let in_memory = in_memory.map(|(slot, number)| (slot, *number)).collect::<Vec<_>>();
        let runs = view.runs().flat_map(|(run, elements)| run.range().zip(elements.to_vec()));
        assert_eq!(runs.collect::<Vec<_>>(), in_memory, "{layout}");
        let indices = layout.indices().map(|(index, slot)| (slot, self.number(&index)));
        assert_eq!(indices.collect::<Vec<_>>(), in_memory, "{layout}");
        for (run, elements) in view.runs() {
            // Of one dimension all, of the others one coordinate.
            let first = unflatten_native(elements[0] as usize, &self.dims);
            let last = unflatten_native(elements[elements.len() - 1] as usize, &self.dims);
            let gone = first.iter().zip(&last).map(|(first, last)| last.abs_diff(*first));
            assert_eq!(run.index, first, "{layout}");
            assert_eq!(gone.sum::<usize>(), run.length - 1, "{layout} {run:?}");
        }
        if let Ok(rows) = view.rows() {
            let mut found = Vec::new();
            for row in rows {
                assert_eq!((row.len(), row[0]), (row.iter().len(), self.number(&row.index())));
                assert_eq!(row.get(row.len()), None);
                found.extend(row.iter().copied());
            }
            found.sort_unstable();
            assert!(found.into_iter().eq(0..self.elements()), "{layout}");
        }
        if let Ok(tiles) = view.tiles() {
            let tiles = tiles.collect::<Vec<_>>();
            let slots = tiles.iter().flat_map(|tile| tile.as_slice().to_vec()).collect::<Vec<_>>();
            // `L` adds slots that are of no tile.
            assert_eq!(slots, self.memory[..slots.len()], "{layout}");
            assert!(self.memory[slots.len()..].iter().all(|slot| *slot == PADDING), "{layout}");
            for tile in &tiles {
                let mut held = tile.as_slice().iter().filter(|number| **number != PADDING);
                assert!(held.all(|number| {
                    let index = unflatten_native(*number as usize, &self.dims);
                    let origin = tile.origin();
                    let local = index.iter().zip(&*origin).map(|(at, origin)| at - origin);
                    local.zip(&*tile.extent()).all(|(at, extent)| at < *extent)
                }));
            }
        }
    }

    /// A part of the array.
    fn check_slice(&self, random: &mut Random) {
        let (view, layout) = (self.view(), &self.layout);
        let ranges = ranges(random, &self.dims);
        let inside = |number: u32| {
            let index = unflatten_native(number as usize, &self.dims);
            index.iter().zip(&ranges).all(|(at, range)| range.contains(at))
        };
        let expected = (0..self.elements()).filter(|number| inside(*number)).collect::<Vec<_>>();
        let slice = view.slice(&*ranges).unwrap();
        assert_eq!(slice.to_vec(), expected, "{layout} {ranges:?}");
        for (index, number) in slice.iter() {
            let place = index.iter().zip(&ranges).map(|(at, range)| at + range.start);
            assert_eq!(self.number(&place.collect::<Vec<_>>()), *number, "{layout} {ranges:?}");
            assert_eq!(slice[index], *number);
        }
        let outside = ranges.iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
        assert!(outside.is_empty() || slice.get(&outside).is_none());
        let sorted = |mut found: Vec<u32>| {
            found.sort_unstable();
            found
        };
        let found = slice.runs().flat_map(|(run, elements)| {
            assert_eq!(slice.get(&run.index), elements.first(), "{layout} {ranges:?}");
            elements.to_vec()
        });
        assert_eq!(sorted(found.collect()), expected, "{layout} {ranges:?}");
        if let Ok(rows) = slice.rows() {
            let found = rows.flat_map(|row| {
                assert_eq!(slice[row.index()], row[0], "{layout} {ranges:?}");
                row.iter().copied().collect::<Vec<_>>()
            });
            assert_eq!(sorted(found.collect()), expected, "{layout} {ranges:?}");
        }
        let mut buffer = layout.from_vec(self.memory.clone()).unwrap();
        let mut part = buffer.slice_mut(&*ranges).unwrap();
        part.runs_mut().flat_map(|(_, run)| run).for_each(|number| *number += 1_000_000);
        let written = self.memory.iter().map(|number| match *number {
            PADDING => PADDING,
            number => number + if inside(number) { 1_000_000 } else { 0 },
        });
        assert!(buffer.as_slice().iter().copied().eq(written), "{layout} {ranges:?}");
    }

    fn check_writes(&self) {
        let layout = &self.layout;
        let written = |of: &dyn Fn(u32) -> u32| {
            let all = self.memory.iter();
            all.map(|number| if *number == PADDING { 7 } else { of(*number) }).collect::<Vec<_>>()
        };
        let mut buffer = layout.filled(7).unwrap();
        assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(64));
        for number in 0..self.elements() {
            buffer[unflatten_native(number as usize, &self.dims)] = number;
        }
        assert_eq!(buffer.as_slice(), written(&|number| number), "{layout}");
        for (run, elements) in buffer.runs_mut() {
            elements.iter_mut().for_each(|number| *number += run.index.len() as u32);
        }
        let rank = self.dims.len() as u32;
        assert_eq!(buffer.clone().into_vec(), written(&|number| number + rank), "{layout}");
        if buffer.for_each_row_mut(|mut row| row.iter_mut().for_each(|x| *x -= rank)).is_ok() {
            assert_eq!(buffer.as_slice(), written(&|number| number), "{layout}");
        }
        buffer.fill(9);
        assert_eq!(buffer.as_slice(), written(&|_| 9), "{layout}");
        let has_tiles = buffer.tiles_mut().map(|tiles| {
            tiles.for_each(|mut tile| tile.as_mut_slice().fill(1));
        });
        if has_tiles.is_ok() {
            assert!(buffer.iter().all(|(_, number)| *number == 1), "{layout}");
        }
        let from_fn = layout.from_fn(|index| self.number(index)).unwrap();
        assert_eq!(from_fn, self.view(), "{layout}");
        assert!(layout.from_row_major(&vec![0; self.elements() as usize + 1]).is_err());
    }
}

#[test]
fn random_layouts() {
    let mut random = Random::new(27);
    for _ in 0..times(3000) {
        let pair = swizzled_pair(&mut random, 3000);
        let [a, b] = pair.each_ref().map(Case::new);
        a.check_reads();
        a.check_slice(&mut random);
        a.check_writes();
        // Copies: typed, on bytes, and to a type's view.
        let moved = a.view().to_layout(&b.layout).unwrap();
        let expected = b.memory.iter().map(|number| if *number == PADDING { 0 } else { *number });
        assert_eq!(moved.into_vec(), expected.collect::<Vec<_>>(), "{} {}", a.layout, b.layout);
        let mut there = b.layout.filled(3).unwrap();
        a.view().relayout_to(&mut there, Padding::Fill(PADDING)).unwrap();
        assert_eq!(there.as_slice(), b.memory, "{} {}", a.layout, b.layout);
        assert_eq!(there, a.view());
        let mut bytes = b.layout.zeroed_bytes();
        let padding = Padding::Fill(u128::from(PADDING));
        a.view().as_bytes().relayout_to(&mut bytes, padding).unwrap();
        assert_eq!(bytes.as_elements::<u32>().unwrap().as_slice(), b.memory);
    }
}

/// Elements of each width as bits, against those of the naive memory.
#[test]
fn bytes_of_every_width() {
    let mut random = Random::new(28);
    for _ in 0..times(1500) {
        let [naive, _] = swizzled_pair(&mut random, 600);
        if naive.dims.contains(&0) {
            continue;
        }
        let of = [
            ("pred", 1),
            ("u2", 2),
            ("s4", 4),
            ("u8", 8),
            ("bf16", 16),
            ("f32", 32),
            ("s64", 64),
            ("c128", 128),
        ];
        let (element, bits) = *random.pick(&of);
        let shape = match naive.text(element) {
            text if bits >= 8 => array(&text),
            text if naive.dims.is_empty() && !text.contains('{') => {
                array(&format!("{text}{{:E({bits})}}"))
            }
            text if text.contains(':') => array(&text.replacen('}', &format!("E({bits})}}"), 1)),
            text => array(&text.replacen('}', &format!(":E({bits})}}"), 1)),
        };
        let layout = DynLayout::new(&shape).unwrap();
        let mask = u128::MAX >> (128 - bits);
        let value = |number: Size| {
            (number as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) & mask
        };
        let mut bytes = layout.zeroed_bytes();
        assert_eq!(bytes.as_bytes().len(), layout.bytes());
        for index in naive.indices() {
            let coordinates = index.iter().map(|at| native(*at)).collect::<Vec<_>>();
            let bits = value(flatten(&index, &naive.dims));
            bytes.set(&coordinates, bits | !mask);
        }
        // By hand: bit after bit, the lowest first.
        let mut expected = vec![0_u8; layout.bytes()];
        for (slot, number) in naive.memory().into_iter().enumerate() {
            let value = number.map_or(0, value);
            for bit in 0..bits {
                let at = slot * bits + bit;
                expected[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
            }
        }
        if cfg!(target_endian = "little") {
            assert_eq!(bytes.as_bytes(), expected, "{layout}");
        }
        let elements = naive.indices().map(|index| value(flatten(&index, &naive.dims)));
        assert!(bytes.iter().map(|(_, bits)| bits).eq(elements), "{layout}");
        let numbers = naive.memory().into_iter().flatten().map(value);
        assert!(bytes.runs().flat_map(|(_, run)| run).eq(numbers), "{layout}");
        bytes.fill(mask);
        assert!(bytes.iter().all(|(_, bits)| bits == mask), "{layout}");
        // Padding is as it was.
        let padding = naive.memory().into_iter().enumerate().filter(|(_, number)| number.is_none());
        assert!(
            padding
                .map(|(slot, _)| slot * bits)
                .all(|bit| bytes.as_bytes()[bit / 8] >> (bit % 8) & 1 == 0)
        );
        let outside = vec![usize::MAX; naive.dims.len() + 1];
        assert_eq!((bytes.get(&outside), bytes.checked_set(&outside, 1)), (None, None));
    }
}

#[test]
#[should_panic = "the index [3, 0] is out of range for s4[3,5]{1,0:T(2,2)E(4)}"]
fn bits_that_are_not_there() {
    layout("s4[3,5]{1,0:T(2,2)E(4)}").zeroed_bytes().set(&[3, 0], 1);
}

#[test]
#[should_panic = "the index [1] has length 1, but s4[3,5]{1,0:T(2,2)E(4)} has rank 2"]
fn bits_at_an_index_of_another_rank() {
    layout("s4[3,5]{1,0:T(2,2)E(4)}").zeroed_bytes().set(&[1], 1);
}

/// Elements that are wider than the widest number: what is above it is 0.
#[test]
fn elements_of_256_bits() {
    let layout = layout("u8[3]{0:E(256)}");
    let mut memory = vec![0xff; 96];
    let mut bytes = layout.bytes_view_mut(&mut memory).unwrap();
    bytes.fill(5);
    bytes.set(&[1], u128::MAX);
    assert_eq!(bytes.to_vec(), [5, u128::MAX, 5]);
    let expected = [&[5][..], &[0; 31], &[0xff; 16], &[0; 16], &[5], &[0; 31]].concat();
    assert_eq!(bytes.into_memory(), expected);
}

/// What is borrowed outlives the view that it was read through.
#[test]
fn borrowed_for_as_long_as_the_memory() {
    fn part<'a>(layout: &DynLayout, data: &'a [i32]) -> [&'a [i32]; 2] {
        let view = layout.view(data).unwrap();
        let typed = view.clone().into_typed::<layout::layout!(S32[?,3])>().unwrap();
        [view.into_memory(), typed.runs().nth(1).unwrap().1]
    }
    let data = [0, 1, 2, 3, 4, 5];
    assert_eq!(part(&layout("s32[2,3]"), &data), [&data[..], &data[3..]]);
    let slice = layout("s32[2,3]").view(&data).unwrap().into_slice((1.., 1..)).unwrap();
    assert_eq!(slice.to_vec(), [4, 5]);
    let layouts = ["s32[2,3]", "s32[2,3]{0,1}", "s32[2,3]"].map(layout);
    assert_eq!(std::collections::HashSet::from(layouts).len(), 2);
}

fn layout(text: &str) -> DynLayout {
    DynLayout::new(&array(text)).unwrap()
}

/// Each error names what it is of, and nothing was written.
#[test]
fn what_is_refused() {
    let tiled = layout("f32[3,5]{1,0:T(2,2)}");
    let says = |error: DynError, text: &str| assert_eq!(error.to_string(), text);
    says(
        DynLayout::new(&array("f32[?,5]")).unwrap_err(),
        "the size of dimension 0 is known at run time only (`?`)",
    );
    says(
        tiled.view(&[0.0_f32; 23]).unwrap_err(),
        "`f32[3,5]{1,0:T(2,2)}` needs 24 elements in memory, padding counted, and got 23",
    );
    says(
        tiled.view_mut(&mut [0_i32; 24]).unwrap_err(),
        "`i32`, of 32 bits, does not store elements of `f32[3,5]{1,0:T(2,2)}`, which are `f32` and take 32 bits in memory\n  = help: `bytes_view` and `zeroed_bytes` take elements of every type",
    );
    says(
        layout("s4[4]{0:E(4)}").zeroed::<i8>().unwrap_err(),
        "`i8`, of 8 bits, does not store elements of `s4[4]{0:E(4)}`, which are `s4` and take 4 bits in memory\n  = help: `bytes_view` and `zeroed_bytes` take elements of every type",
    );
    says(
        tiled.from_vec(vec![0.0_f32; 25]).unwrap_err(),
        "`f32[3,5]{1,0:T(2,2)}` needs 24 elements in memory, padding counted, and got 25",
    );
    says(
        tiled.from_row_major(&[0.0_f32; 24]).unwrap_err(),
        "`f32[3,5]{1,0:T(2,2)}` needs 15 elements in row-major order, and got 24",
    );
    let mut buffer = tiled.filled(1.0_f32).unwrap();
    says(
        buffer.reshape(&layout("f32[15]")).unwrap_err(),
        "memory of `f32[3,5]{1,0:T(2,2)}` is not memory of `f32[15]{0}`: [0,2] is at offset 4, but [2] of the result at offset 2",
    );
    says(
        buffer.transpose(&[1, 0], &layout("f32[5,3]{1,0:T(2,2)}")).unwrap_err(),
        "memory of `f32[3,5]{1,0:T(2,2)}` is not memory of `f32[5,3]{1,0:T(2,2)}`: [1,0] is at offset 2, but [0,1] of the result at offset 1",
    );
    buffer.transpose(&[1, 0], &layout("f32[5,3]{0,1:T(2,2)}")).unwrap();
    assert_eq!(
        (buffer.dims(), buffer.layout().to_string()),
        (&[5, 3][..], "f32[5,3]{0,1:T(2,2)}".to_owned())
    );
    says(
        buffer.relayout_to(&mut layout("f32[3,5]").zeroed().unwrap(), Padding::Zero).unwrap_err(),
        "the layouts are of different arrays, `f32[5,3]` and `f32[3,5]`: dimension 0 has size 5 in one and 3 in the other",
    );
    let plan = Relayout::new(tiled.shape(), layout("f32[3,5]").shape()).unwrap();
    says(
        plan.run_on(&buffer, &mut layout("f32[3,5]").zeroed().unwrap(), Padding::Zero).unwrap_err(),
        "the source of the copy was planned as `f32[3,5]{1,0:T(2,2)}`, and is `f32[5,3]{0,1:T(2,2)}`",
    );
    says(
        buffer.as_typed::<layout::layout!(F32[3,5])>().unwrap_err(),
        "memory of `f32[5,3]{0,1:T(2,2)}` is not memory of `f32[3,5]{1,0}`: the layouts are of different arrays, `f32[5,3]` and `f32[3,5]`: dimension 0 has size 5 in one and 3 in the other",
    );
    // A `?` takes any size, and memory is not longer than it is.
    says(
        buffer.as_typed::<layout::layout!(F32[?,6]{0,1:T(2,2)})>().unwrap_err(),
        "memory of `f32[5,3]{0,1:T(2,2)}` is not memory of `f32[5,6]{0,1:T(2,2)}`: the layouts are of different arrays, `f32[5,3]` and `f32[5,6]`: dimension 1 has size 3 in one and 6 in the other",
    );
    says(
        layout("f32[8]")
            .zeroed::<f32>()
            .unwrap()
            .as_typed::<layout::layout!(F32[8]{0:T(128)})>()
            .unwrap_err(),
        "memory of `f32[8]{0}` is not memory of `f32[8]{0:T(128)}`: the array takes 8 elements in memory, padding included, the result 128",
    );
    says(
        tiled.bytes_view(&[0; 95]).unwrap_err(),
        "`f32[3,5]{1,0:T(2,2)}` needs 96 bytes, padding counted, and got 95",
    );
    let combined = layout("f32[4,6]{1,0:T(*,4)}").zeroed::<f32>().unwrap();
    says(
        combined.tiles().map(|_| ()).unwrap_err(),
        "`f32[4,6]{1,0:T(*,4)}`: the first tile combines dimensions (`*`), so tiles are not boxes of the array: use `runs()`",
    );
    assert!(combined.tile(&[0, 0]).is_none() && combined.rows().is_err());
    says(
        combined.slice((0..2, 0..7)).unwrap_err(),
        "range 0..7 is out of bounds for dimension 1 of size 6",
    );
    says(combined.slice((0..2,)).unwrap_err(), "1 ranges were given for an array of rank 2");
    assert_eq!(
        (combined.get(&[4, 0]), combined.get(&[0]), combined.get(&[0; 17])),
        (None, None, None)
    );
    let stops = |index: &[usize]| {
        let text = catch_unwind(AssertUnwindSafe(|| combined[index])).unwrap_err();
        text.downcast::<String>().map_or_else(|_| String::new(), |text| *text)
    };
    assert_eq!(stops(&[4, 0]), "the index [4, 0] is out of range for f32[4,6]{1,0:T(*,4)}");
    assert_eq!(stops(&[1]), "the index [1] has length 1, but f32[4,6]{1,0:T(*,4)} has rank 2");
    let bytes = [0; 200];
    let at = bytes.as_ptr().addr() % 4;
    let odd = tiled.bytes_view(&bytes[1 + (4 - at) % 4..]).unwrap();
    says(
        odd.as_elements::<f32>().unwrap_err(),
        "elements need an alignment of 4 bytes, but these begin 1 past it",
    );
    // More than this machine addresses.
    let most = DynLayout::new(&array("u1[9000000000000000000]{0:E(1)}"));
    assert_eq!(most.is_ok(), usize::BITS == 64);
}

/// The arrays of `ndarray`, whose rank is known at run time too.
#[test]
fn arrays_of_ndarray() {
    let array =
        ndarray::Array3::from_shape_fn([2, 3, 5], |(i, j, k)| (100 * i + 10 * j + k) as i32);
    let tiled = layout("s32[2,3,5]{1,2,0:T(2,2)}");
    let mut turned = array.view();
    turned.swap_axes(0, 2);
    let buffer = tiled.from_ndarray(&array).unwrap();
    assert_eq!((buffer[[1, 2, 3]], buffer.to_ndarray()), (123, array.clone().into_dyn()));
    let other = layout("s32[5,3,2]{0,1,2}").from_ndarray(&turned).unwrap();
    assert_eq!(other.as_ndarray().unwrap(), turned.into_dyn());
    assert_eq!(
        tiled.from_ndarray(&turned).unwrap_err().to_string(),
        "`s32[2,3,5]{1,2,0:T(2,2)}` is not the layout of an array of sizes [5, 3, 2]"
    );
    assert_eq!(
        buffer.as_ndarray().unwrap_err().to_string(),
        "`s32[2,3,5]{1,2,0:T(2,2)}` has no strides, so that `ndarray` cannot view it: `to_ndarray` copies"
    );
    let mut rows = layout("s32[0,3]").zeroed::<i32>().unwrap();
    assert!(rows.as_ndarray().unwrap().is_empty() && rows.as_ndarray_mut().unwrap().is_empty());
    let mut rows = layout("s32[2,1]").zeroed::<i32>().unwrap();
    rows.as_ndarray_mut().unwrap()[[1, 0]] = 4;
    assert_eq!(rows[[1, 0]], 4);
}

/// Threads share a layout, and write tiles and runs of one buffer.
#[test]
fn threads() {
    let layout = layout("u16[100,300]{1,0:T(8,128)(2,1)}");
    let mut buffer = layout.zeroed::<u16>().unwrap();
    let mut tiles = buffer.tiles_mut().unwrap().collect::<Vec<_>>();
    std::thread::scope(|scope| {
        for half in tiles.chunks_mut(20) {
            scope.spawn(|| {
                half.iter_mut().for_each(|tile| {
                    let row = tile.origin()[0] as u16;
                    tile.as_mut_slice().fill(row);
                })
            });
        }
    });
    let number = std::thread::scope(|scope| scope.spawn(|| buffer[[97, 250]]).join().unwrap());
    assert_eq!(number, 96);
}

/// Printed and compared as views of types are.
#[test]
fn printed() {
    let tiled = layout("s32[2,3]{1,0:T(2,2)}");
    let buffer = tiled.from_row_major(&[0, 1, 2, 3, 4, 5]).unwrap();
    assert_eq!(format!("{buffer:?}"), "DynArray(s32[2,3]{1,0:T(2,2)} [0, 1, 2, 3, 4, 5])");
    assert_eq!(
        format!("{:?}", buffer.slice((1.., ..2)).unwrap()),
        "DynSlice(s32[2,3]{1,0:T(2,2)} [1, 0]+[1, 2] [3, 4])"
    );
    assert_eq!(format!("{tiled:?}"), "DynLayout(s32[2,3]{1,0:T(2,2)})");
    let typed = buffer.as_typed::<layout::layout!(S32[2,3]{1,0:T(2,2)})>().unwrap();
    assert_eq!(typed.to_dyn(), buffer);
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&buffer);
    shared(&DynArray::as_view(&buffer));
}
