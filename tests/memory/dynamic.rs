//! Arrays of layouts that are known at run time.

use layout::__private::core::native;
use layout::dynamic::{DynBuffer, DynLayout, DynView};
use layout_tests::amount::times;
use layout_tests::lists::array;
use layout_tests::naive::{flatten, sizes};
use layout_tests::pairs::{any_pair, ranges};
use layout_tests::random::Random;
use static_assertions::assert_impl_all;

use crate::expected::{Expected, Offsets};
use crate::few::assert_parts;
use crate::plain::{Stretch, numbers, walk};
use crate::tiled;

assert_impl_all!(DynBuffer<i32>: Send, Sync);
assert_impl_all!(DynView<'static, i32>: Send, Sync);

/// Each layout of random pairs, with the number of its slot in each slot.
#[test]
fn random_layouts() {
    for seed in 0..times(2_500) as u64 {
        let random = &mut Random::new(seed);
        for naive in any_pair(random).layouts {
            // Each element is looked at in many ways.
            if naive.size_within(1000).is_some() {
                let expected = Expected::of_naive(&naive);
                let layout = DynLayout::new(&array(&expected.text)).unwrap();
                reads(&expected, &layout, random);
                writes(&expected, &layout, random);
            }
        }
    }
}

fn reads(expected: &Expected, layout: &DynLayout, random: &mut Random) {
    let data = numbers(expected.slots.len());
    let view = layout.view(&data).unwrap();
    expected.assert_reads(&view);
    let index = |slot| layout.index(slot).map(|index| index.to_vec());
    expected.assert_offsets(&Offsets {
        index: &index,
        is_padding: &|slot| slot < data.len() && index(slot).is_none(),
        offset: &|index| layout.offset(index),
        checked: &|index| layout.checked_offset(index),
    });
    assert_eq!(walk(&mut layout.indices()).0, expected.in_memory, "{layout}");
    let ranges = ranges(random, &expected.dims);
    let cut = expected.part(&ranges);
    assert_parts(&cut, &view, &ranges, random);
    let slice = view.slice(&*ranges).unwrap();
    if let (Ok(mut rows), Ok(mut of_cut)) = (view.rows(), slice.rows()) {
        assert_rows(expected, tiled::rows(&mut rows));
        assert_rows(&cut, tiled::rows(&mut of_cut));
    }
    if let (Ok(grid), Ok(counts)) = (layout.shape().grid(), layout.tile_counts()) {
        let size = grid.size[..counts.len()].iter().map(|size| native(*size)).collect::<Vec<_>>();
        expected.assert_tiles(&view, &size, &counts);
    }
}

/// Rows of the elements, however long.
fn assert_rows(expected: &Expected, rows: Vec<Stretch>) {
    let mut found = Vec::new();
    for Stretch { mut index, slots, .. } in rows {
        for slot in slots {
            found.push(slot as usize);
            assert_eq!(expected.slot(&index), found.last().copied(), "{} {index:?}", expected.text);
            if let Some(minor) = expected.minor {
                index[minor] += 1;
            }
        }
    }
    found.sort_unstable();
    assert!(found.iter().eq(expected.in_memory.iter().map(|(_, slot)| slot)), "{}", expected.text);
}

fn writes(expected: &Expected, layout: &DynLayout, random: &mut Random) {
    let data = numbers(expected.slots.len());
    let mut buffer = layout.from_vec(data.clone()).unwrap();
    expected.assert_writes(&mut buffer);
    let ranges = ranges(random, &expected.dims);
    expected.part(&ranges).assert_writes(&mut buffer.slice_mut(&*ranges).unwrap());
    assert_eq!(buffer.as_slice(), data, "{layout}");
    let mut filled = layout.filled(7).unwrap();
    assert!(filled.as_slice().as_ptr().addr().is_multiple_of(64));
    filled.fill(9);
    expected.assert_memory(&filled.clone().into_vec(), &|_| 9, &|_| 7);
    if let Ok(tiles) = filled.tiles_mut() {
        tiles.for_each(|mut tile| tile.as_mut_slice().fill(1));
        assert!(filled.indexed_iter().all(|(_, number)| *number == 1), "{layout}");
    }
    let before = buffer.rows().map(|mut rows| tiled::rows(&mut rows));
    if let (Ok(before), Ok(mut rows)) = (before, buffer.rows_mut()) {
        tiled::number_rows(&mut rows);
        for (number, slot) in
            before.iter().enumerate().flat_map(|(n, row)| row.slots.iter().map(move |at| (n, at)))
        {
            assert_eq!(buffer.as_slice()[*slot as usize], u32::MAX - number as u32, "{layout}");
        }
    }
    let number = |index: &[usize]| flatten(&sizes(index), &sizes(&expected.dims)) as u32;
    let made = layout.from_fn(number).unwrap();
    let count = layout.elements();
    assert!(made.indexed_iter().map(|(_, element)| *element).eq(0..count as u32), "{layout}");
    assert!(layout.from_row_major(&vec![0; count + 1]).is_err());
}

/// Elements that are wider than the widest number: what is above it is 0.
#[test]
fn elements_of_256_bits() {
    let layout = layout("u8[3]{0:E(256)}");
    let mut memory = vec![0xff; 96];
    let mut bytes = layout.bytes_view_mut(&mut memory).unwrap();
    bytes.fill(5);
    bytes.set(&[1], u128::MAX);
    assert_eq!(bytes.to_row_major(), [5, u128::MAX, 5]);
    let expected = [&[5][..], &[0; 31], &[0xff; 16], &[0; 16], &[5], &[0; 31]].concat();
    assert_eq!(memory, expected);
}

/// What is borrowed outlives the view that it was read through.
#[test]
fn borrowed_for_as_long_as_the_memory() {
    fn part<'a>(layout: &DynLayout, data: &'a [i32]) -> [&'a [i32]; 2] {
        let view = layout.view(data).unwrap();
        let typed = view.clone().into_typed::<layout::layout!(S32[?,3])>().unwrap();
        [view.as_slice(), typed.runs().nth(1).unwrap().1]
    }
    let data = [0, 1, 2, 3, 4, 5];
    assert_eq!(part(&layout("s32[2,3]"), &data), [&data[..], &data[3..]]);
    let slice = layout("s32[2,3]").view(&data).unwrap().slice((1.., 1..)).unwrap();
    assert_eq!(slice.to_row_major(), [4, 5]);
    let layouts = ["s32[2,3]", "s32[2,3]{0,1}", "s32[2,3]"].map(layout);
    assert_eq!(std::collections::HashSet::from(layouts).len(), 2);
}

fn layout(text: &str) -> DynLayout {
    DynLayout::new(&array(text)).unwrap()
}

/// An index of another rank is of no element and of no tile.
#[test]
fn indices_of_another_rank() {
    let buffer = layout("f32[4,6]{1,0:T(2,2)}").filled(1.0_f32).unwrap();
    let slice = buffer.slice((1..3, 2..6)).unwrap();
    assert!(buffer.tile(&[1, 2]).is_some() && slice.get(&[1, 3]).is_some());
    for index in [&[][..], &[0], &[0, 0, 0], &[1, 0, 0, 0]] {
        assert!(buffer.tile(index).is_none(), "tile {index:?}");
        assert!(slice.get(index).is_none() && buffer.get(index).is_none(), "{index:?}");
    }
}

/// Of packed elements too, what is compared are the numbers.
#[test]
fn bytes_of_other_widths_are_equal() {
    let [packed, wide] = ["u4[4]{0:E(4)}", "u4[4]"].map(layout);
    let (two, four) = ([0x21, 0x43], [1, 2, 3, 4]);
    let [packed, wide] = [packed.bytes_view(&two).unwrap(), wide.bytes_view(&four).unwrap()];
    assert_eq!((packed.to_row_major(), wide.to_row_major()), (vec![1, 2, 3, 4], vec![1, 2, 3, 4]));
    assert!(packed == wide && wide == wide.clone());
    assert!(packed != layout("u4[4]").bytes_view(&[1, 2, 3, 0x14]).unwrap());
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
    assert_eq!(format!("{buffer:?}"), "Memory(DynLayout(s32[2,3]{1,0:T(2,2)}) [0, 1, 2, 3, 4, 5])");
    assert_eq!(
        format!("{:?}", buffer.slice((1.., ..2)).unwrap()),
        "Memory(s32[2,3]{1,0:T(2,2)} [1, 0]+[1, 2] [3, 4])"
    );
    assert_eq!(format!("{tiled:?}"), "DynLayout(s32[2,3]{1,0:T(2,2)})");
    let typed = buffer.as_view().into_typed::<layout::layout!(S32[2,3]{1,0:T(2,2)})>().unwrap();
    assert_eq!(typed.into_dyn(), buffer);
}
