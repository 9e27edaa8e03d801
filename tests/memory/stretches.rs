//! Parts that are one stretch of memory, as slices; parts for the threads of rayon.

use layout::{Buffer, View, ViewMut, layout};
use rayon::prelude::*;

/// Of each part of an array: a slice has its elements alone, and where none is there, elements of others or padding lie between them.
macro_rules! parts {
    ($($layout:ty: $dims:expr;)*) => {$({
        let whole = <$layout>::with_dims($dims).unwrap();
        let [rows, columns] = $dims;
        let mut data = vec![0_u32; whole.padded_elements()];
        whole.indices().enumerate().for_each(|(number, (_, slot))| data[slot] = number as u32 + 1);
        let mut copy = data.clone();
        let view = whole.view(&data).unwrap();
        let mut other = whole.view_mut(&mut copy).unwrap();
        let mut found = 0;
        for (top, bottom) in (0..rows).flat_map(|top| (top + 1..=rows).map(move |end| (top, end))) {
            for (left, right) in (0..columns).flat_map(|left| (left + 1..=columns).map(move |end| (left, end))) {
                let ranges = (top..bottom, left..right);
                let part = view.slice(ranges.clone()).unwrap();
                let mut slots: Vec<_> = (top..bottom)
                    .flat_map(|i| (left..right).map(move |j| whole.offset([i, j])))
                    .collect();
                slots.sort_unstable();
                let own: Vec<_> = slots.iter().map(|slot| data[*slot]).collect();
                let elements = |slice: &[u32]| slice.iter().copied().filter(|x| *x > 0).collect::<Vec<_>>();
                let span = &data[slots[0]..=slots[slots.len() - 1]];
                match part.as_slice() {
                    Some(slice) => assert_eq!(elements(slice), own, "{ranges:?} of {whole:?}"),
                    None => assert!(span.contains(&0) || elements(span) != own, "{ranges:?} of {whole:?}"),
                }
                found += usize::from(part.as_slice().is_some());
                let mut part = other.slice_mut(ranges.clone()).unwrap();
                let (read, written) = (part.as_slice().map(<[_]>::len), part.as_mut_slice().map(|slice| slice.len()));
                assert_eq!((read, written), (view.slice(ranges).unwrap().as_slice().map(<[_]>::len), read));
            }
        }
        assert!(found > rows * columns, "{whole:?}: {found}");
    })*};
}

#[test]
fn slices_of_parts() {
    parts! {
        layout!(U32[?,?]): [4, 6];
        layout!(U32[?,?]{0,1}): [5, 3];
        layout!(U32[?,?]{1,0:T(2,4)}): [6, 8];
        layout!(U32[?,?]{0,1:T(2,3)}): [6, 6];
        layout!(U32[?,?]{1,0:T(2,4)}): [5, 7];
    }
    let view = View::<layout!(U32[?,?])>::with_dims(&[1, 2, 3, 4, 5, 6], [2, 3]).unwrap();
    assert_eq!(view.slice((1..1, ..)).unwrap().as_slice(), Some(&[][..]));
    assert!(View::<layout!(U32[?,3])>::with_dims(&[0; 5], [2, 3]).is_err());
    assert!(View::<layout!(U32[?,3])>::with_dims(&[0; 9], [3, 2]).is_err());
    let mut slots = [0; 6];
    ViewMut::<layout!(U32[?,?]{0,1})>::with_dims(&mut slots, [2, 3]).unwrap()[[1, 0]] = 7;
    assert_eq!(slots[1], 7);
}

/// Boxes and slices along an axis go to rayon's threads by its own bridge.
#[test]
fn threads_take_boxes_and_slices() {
    type A = layout!(S32[6,20,30]{2,1,0:T(8,8)});
    let mut buffer = Buffer::<A>::from_fn(|[i, j, k]| (1000 * i + 30 * j + k) as i32);
    let images = buffer.iter_axis_mut(0).unwrap().par_bridge();
    images.for_each(|mut image| image.runs_mut().flat_map(|(_, run)| run).for_each(|x| *x += 1));
    let boxes = buffer.boxes([2, 20, 7]).unwrap().par_bridge();
    let sums =
        boxes.map(|part| part.runs().flat_map(|(_, run)| run).map(|x| i64::from(*x)).sum::<i64>());
    let expected: i64 = (0..6).map(|i| 600 * 1000 * i + 600 * 599 / 2 + 600).sum();
    assert_eq!(sums.sum::<i64>(), expected);
}
