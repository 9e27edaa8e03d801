//! The laws of every layout of the corpus: arithmetic, walks, views, tiles and rows.

use layout::__private::core::native;
use layout::shape::Size;
use layout::{Buffer, Layout, View, ViewMut, WithDims, layout};
use layout_tests::naive::{flatten, sizes};
use layout_tests::{agree, corpus, corpus_with_dims};

use crate::expected::{Expected, Offsets};
use crate::plain::{Numbers, index, lengths, numbers, walk};
use crate::tiled;

fn arithmetic<L: Numbers<R>, const R: usize>(a: WithDims<L>) -> Expected {
    let expected = Expected::of(&a);
    let count = expected.row_major.len();
    let found = (a.padded_elements(), a.elements(), a.unpadded_bytes());
    assert_eq!(found, (expected.slots.len(), count, 4 * count), "{a:?}");
    assert_eq!(Some(a.bytes() as Size), a.shape().bytes(), "{a:?}");
    expected.assert_offsets(&Offsets {
        index: &|slot| a.index(slot).map(Vec::from),
        is_padding: &|slot| a.is_padding(slot),
        offset: &|coordinates| a.offset(index(coordinates)),
        checked: &|coordinates| a.checked_offset(index(coordinates)),
    });
    let (in_memory, row_major) = (walk(&mut a.indices()), walk(&mut a.indices_row_major()));
    expected.assert_walks(in_memory, row_major, &mut a.paddings());
    if let Some(strides) = a.strides() {
        expected.assert_strides(&strides);
    }
    expected
}

fn views<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let count = a.padded_elements();
    let mut data = numbers(count);
    let view = a.view(&data).unwrap();
    assert_eq!((view.layout(), view.as_slice()), (a, &data[..]), "{a:?}");
    expected.assert_reads(&view);
    data.extend([7; 3]);
    expected.assert_writes(&mut a.view_mut(&mut data).unwrap());
    assert_eq!(data, [numbers(count), vec![7; 3]].concat(), "{a:?}");
    if let Some(short) = count.checked_sub(1) {
        let error = a.view(&data[..short]).unwrap_err();
        assert_eq!(lengths(error), (count, short), "{a:?}");
        assert!(a.view_mut(&mut data[..short]).is_err(), "{a:?}");
    }
}

/// Tiles as blocks of memory.
fn tiles<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let grid = a.shape().grid().expect("tiles are blocks");
    let size = grid.size[..R].iter().map(|size| native(*size)).collect::<Vec<_>>();
    let mut data = numbers(a.padded_elements());
    expected.assert_tiles(&a.view(&data).unwrap(), &size, &a.tile_counts());
    // Without memory: the same places, and which slots.
    let view = a.view(&data).unwrap();
    assert_eq!(a.tiles().len(), view.tiles().len(), "{a:?}");
    for (tile, of_view) in a.tiles().zip(view.tiles()) {
        let found = (tile.origin(), tile.extent(), tile.is_full());
        assert_eq!(found, (of_view.origin(), of_view.extent(), of_view.is_full()), "{a:?}");
        assert_eq!(&data[tile.range()], of_view.as_slice(), "{a:?} {tile:?}");
    }
    expected.assert_tiles_mut(&mut a.view_mut(&mut data).unwrap(), &a.tile_counts());
    assert_eq!(data, numbers(a.padded_elements()), "{a:?}");
}

/// Rows evenly spaced in memory.
pub(crate) fn evenly_spaced<L: Numbers<R>, const R: usize>(a: WithDims<L>, stride: usize) {
    let expected = Expected::of(&a);
    let mut data = numbers(a.padded_elements());
    let rows = tiled::rows(&mut a.view(&data).unwrap().rows());
    expected.assert_rows(&rows, stride);
    tiled::number_rows(&mut a.view_mut(&mut data).unwrap().rows_mut());
    let mut numbered = numbers(data.len());
    for (number, row) in rows.iter().enumerate() {
        for slot in &row.slots {
            numbered[*slot as usize] = u32::MAX - number as u32;
        }
    }
    assert_eq!(data, numbered, "{a:?}");
}

/// Rows of tiles: together every element once, in the order of memory, each where its index says.
fn rows_of_tiles<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let mut data = numbers(a.padded_elements());
    let mut found = Vec::new();
    for tile in a.view(&data).unwrap().tiles() {
        for (first, row) in tile.rows() {
            for (i, &slot) in row.iter().enumerate() {
                let mut index = first.to_vec();
                if let Some(minor) = expected.minor {
                    index[minor] += i;
                }
                found.push((index, slot as usize));
            }
        }
    }
    assert_eq!(found, expected.in_memory, "{a:?}");
    for mut tile in a.view_mut(&mut data).unwrap().tiles_mut() {
        for (_, row) in tile.rows_mut() {
            row.fill(u32::MAX);
        }
    }
    expected.assert_memory(&data, &|_| u32::MAX, &|slot| slot as u32);
}

/// What a type says by itself of a layout whose sizes are known.
fn of_type<L: Layout<R> + Numbers<R>, const R: usize>(expected: &Expected) {
    let text = L::TEXT;
    let mut runs = Vec::new();
    for run in L::runs() {
        runs.push((sizes(&run.index), run.offset as Size, run.length as Size));
    }
    let dims = sizes(&L::DIMS);
    let number = |index: &Vec<usize>| flatten(&sizes(index), &dims);
    let memory = expected.slots.iter().map(|index| index.as_ref().map(number)).collect::<Vec<_>>();
    assert_eq!(runs, agree::runs(&memory, &dims, L::RUN_DIM), "{text}");
    let (least, most) = L::runs().size_hint();
    match most {
        Some(_) => assert!(walk(&mut L::runs().map(|run| (run.index, ()))).1, "{text}"),
        // They are found slot by slot.
        None => assert!((1..=runs.len()).contains(&least), "{text}"),
    }
    let (in_memory, row_major) = (walk(&mut L::indices()), walk(&mut L::indices_row_major()));
    expected.assert_walks(in_memory, row_major, &mut L::paddings());
    for (coordinates, slot) in &expected.row_major {
        assert_eq!(L::offset(index(coordinates)), *slot, "{text} {coordinates:?}");
    }
    assert_eq!(L::strides().is_some(), L::IS_AFFINE, "{text}");
    if let Some(strides) = L::strides() {
        expected.assert_strides(&strides);
    }

    let count = L::PADDED_ELEMENTS;
    let mut data = vec![5; count];
    if let Some(short) = count.checked_sub(1) {
        let error = View::<L, u32>::new(&data[..short]).unwrap_err();
        assert_eq!(lengths(error), (count, short), "{text}");
        assert!(ViewMut::<L, u32>::new(&mut data[..short]).is_err(), "{text}");
    }
    assert_eq!(ViewMut::<L, u32>::new(&mut data).unwrap().as_slice().len(), count, "{text}");
    assert_eq!(View::<L, u32>::new(&data).unwrap().as_slice(), data, "{text}");
    assert_eq!(Buffer::<L, u32>::zeroed().as_slice(), vec![0; count], "{text}");
    for alignment in [1, 4, 64, 4096] {
        let buffer = Buffer::<L, u32>::filled_aligned(7, alignment);
        for slots in [buffer.as_slice(), buffer.clone().as_slice()] {
            assert!(slots.as_ptr().addr().is_multiple_of(alignment), "{text}");
            assert_eq!(slots, vec![7; count], "{text}");
        }
    }
}

/// The laws of a layout with sizes, by its group in the corpus.
macro_rules! laws {
    (slots $a:expr) => {{
        let expected = arithmetic($a);
        views($a, &expected);
        expected
    }};
    (blocks $a:expr) => {{
        let expected = laws!(slots $a);
        tiles($a, &expected);
        expected
    }};
    (pairs $a:expr) => {{
        evenly_spaced($a, 2);
        laws!(blocks $a)
    }};
    (fours $a:expr) => {{
        evenly_spaced($a, 4);
        laws!(blocks $a)
    }};
    (rows $a:expr) => {{
        evenly_spaced($a, 1);
        let expected = laws!(blocks $a);
        rows_of_tiles($a, &expected);
        expected
    }};
}

mod known {
    use super::*;

    macro_rules! tests {
        ($($group:ident { $(($($layout:tt)*))* })*) => {$(
            #[test]
            fn $group() {
                $({
                    type A = layout!($($layout)*);
                    let expected = laws!($group A::with_dims(A::DIMS).unwrap());
                    of_type::<A, _>(&expected);
                })*
            }
        )*};
    }

    corpus!(tests);
}

mod with_dims {
    use super::*;

    macro_rules! tests {
        ($($group:ident { $(($($layout:tt)*) $([$($dim:literal),*])*;)* })*) => {$(
            #[test]
            fn $group() {
                $({
                    type A = layout!($($layout)*);
                    for dims in [$([$($dim),*]),*] {
                        laws!($group A::with_dims(dims).unwrap());
                    }
                })*
            }
        )*};
    }

    corpus_with_dims!(tests);
}
