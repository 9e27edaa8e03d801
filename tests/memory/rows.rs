//! Rows of views and slices, against the offsets of single elements.

use std::collections::HashSet;

use layout::__private::core::{Position, Region, Walk, native};
use layout::shape::limits::MAX_DIMS;
use layout::{AnyLayout, ArrayShape, Buffer, Size, StoredIn, WithDims, layout};
use layout_tests::naive::sizes;
use layout_tests::pairs;
use layout_tests::random::Random;

/// The rows of a view: every element once, evenly spaced along one dimension, in the order of memory, and nothing else.
pub(crate) fn rows<L, const R: usize>(layout: WithDims<L>, stride: usize)
where
    L: AnyLayout<Index = [usize; R]>,
    u32: StoredIn<L>,
{
    let minor = layout.shape().minor_to_major().first().copied();
    let along = |mut index: [usize; R], at: usize| {
        // The row of a scalar has one element.
        match minor {
            Some(minor) => index[minor] += at,
            None if at > 0 => return None,
            None => {}
        }
        layout.checked_offset(index)
    };
    let mut buffer = layout.filled(0);
    for (slot, x) in buffer.as_mut_slice().iter_mut().enumerate() {
        *x = slot as u32;
    }
    let mut found = HashSet::new();
    let mut before = None;
    for row in buffer.as_view().rows() {
        let (index, offset, length) = (row.index(), row.offset(), row.len());
        assert!(before < Some(offset), "{layout:?} {index:?}: in the order of memory");
        before = Some(offset);
        assert_eq!((row.iter().len(), row.get(length)), (length, None), "{layout:?} {index:?}");
        for (at, x) in row.iter().enumerate() {
            assert_eq!(along(index, at), Some(*x as usize), "{layout:?} {index:?} + {at}");
            assert_eq!((row[at], *x as usize), (*x, offset + at * stride), "{layout:?} {index:?}");
            assert!(found.insert(*x as usize), "{layout:?} {index:?} + {at}: found before");
        }
        let goes_on = along(index, length) == Some(offset + length * stride);
        assert!(!goes_on || stride > 1, "{layout:?} {index:?} is longer");
    }
    assert_eq!(found.len(), layout.elements(), "{layout:?}");

    // All at once, each with a number of its own; padding stays what it is.
    let mut view = buffer.as_view_mut();
    let mut rows = view.rows_mut().collect::<Vec<_>>();
    for (number, row) in rows.iter_mut().enumerate() {
        row.iter_mut().for_each(|x| *x = u32::MAX - number as u32);
    }
    for (number, row) in rows.iter_mut().enumerate() {
        let expected = u32::MAX - number as u32;
        assert!(row.iter().all(|&x| x == expected), "{layout:?}: rows share no slot");
        row[0] += 0;
        assert_eq!((row.get_mut(0).copied(), row.as_row()[0]), (Some(expected), expected));
    }
    for (slot, x) in buffer.as_slice().iter().enumerate() {
        assert_eq!(*x as usize == slot, !found.contains(&slot), "{layout:?} slot {slot}");
    }
    let random = &mut Random::new(21);
    for _ in 0..8 {
        slice(&mut buffer, random);
    }
}

/// The rows of a random slice: of its elements, each once.
fn slice<L, const R: usize>(buffer: &mut Buffer<L, u32>, random: &mut Random)
where
    L: AnyLayout<Index = [usize; R]>,
    u32: StoredIn<L>,
{
    let layout = buffer.layout();
    let ranges = layout.dims().map(|size| {
        let limit = random.below(size + 1);
        random.below(limit + 1)..limit
    });
    buffer.as_mut_slice().fill(0);
    let mut view = buffer.as_view_mut();
    let mut slice = view.slice_mut(ranges.clone()).expect("the ranges are in bounds");
    for mut row in slice.rows_mut() {
        row.iter_mut().for_each(|x| *x += 1);
    }
    let elements = slice.dims().iter().product::<usize>();
    assert_eq!(slice.rows().map(|row| row.len()).sum::<usize>(), elements, "{layout:?} {ranges:?}");
    assert!(slice.rows().all(|row| row.iter().all(|&x| x == 1)), "{layout:?} {ranges:?}");
    assert!(slice.rows().all(|row| slice[row.index()] == row[0]), "{layout:?} {ranges:?}");
    let shared = buffer.as_view().slice(ranges.clone()).expect("the ranges are in bounds");
    assert!(shared.rows().all(|row| std::ptr::eq(&shared[row.index()], &row[0])));
    for (slot, x) in buffer.as_slice().iter().enumerate() {
        let index = layout.index(slot);
        let is_inside = index.is_some_and(|index| {
            ranges.iter().zip(index).all(|(range, coordinate)| range.contains(&coordinate))
        });
        assert_eq!(*x, u32::from(is_inside), "{layout:?} {ranges:?} slot {slot}");
    }
}

#[test]
fn strides_of_rows() {
    macro_rules! all {
        ($($layout:ty, $stride:expr;)*) => {$(
            assert_eq!(<$layout>::ROW_STRIDE, $stride);
            rows(<$layout>::with_dims(<$layout>::DIMS).expect("its own"), $stride);
        )*};
    }
    all! {
        layout!(U32[20,300]{1,0:T(8,128)}), 1;
        layout!(U32[1,300]{1,0:T(8,128)(2,1)}), 2;
        layout!(U32[20,300]{0,1:T(8,128)(2,1)}), 2;
        layout!(U32[33,130]{1,0:T(32,128)(4,1)}), 4;
        layout!(U32[7,9]{1,0:T(6,4)(3,1)}), 3;
        layout!(U32[20,70]{1,0:T(16,32)(16,2)}), 1;
        layout!(U32[20,70]{1,0:T(16,32)(2,8)(2,1)}), 2;
        layout!(U32[16,64]{0,1:T(64,4)}), 1;
        layout!(U32[64,1]{1,0:T(8,128)(2,1)}), 1;
    }
    let random = &mut Random::new(22);
    type A = layout!(U32[?,<=300]{1,0:T(32,128)(4,1)});
    for _ in 0..12 {
        let dims = [random.below(40), random.below(300)];
        rows(A::with_dims(dims).expect("they go with it"), 4);
    }
}

/// Rows can be used by several threads although their memory is interleaved.
#[test]
fn rows_go_to_threads() {
    type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
    let mut buffer = Buffer::<A, u16>::zeroed();
    let mut view = buffer.as_view_mut();
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for row in view.rows_mut() {
        if row.index()[0] % 2 == 0 { even.push(row) } else { odd.push(row) }
    }
    std::thread::scope(|scope| {
        scope.spawn(|| even.into_iter().for_each(|row| row.into_elements().for_each(|x| *x += 1)));
        scope.spawn(|| odd.iter_mut().for_each(|row| row.iter_mut().for_each(|x| *x += 2)));
    });
    assert!(buffer.as_view().iter().all(|([i, _], x)| *x == 1 + i as u16 % 2));
}

#[test]
fn an_element_past_the_end_of_a_row() {
    type A = layout!(U16[3,200]{1,0:T(8,128)(2,1)});
    let buffer = Buffer::<A, u16>::zeroed();
    let row = buffer.as_view().rows().last().expect("there are rows");
    let error = std::panic::catch_unwind(|| row[72]).expect_err("it has 72");
    let text = error.downcast_ref::<String>().expect("a text");
    assert_eq!(text, "element 72 is past the end of a row of 72");
}

/// The rows of random layouts, and of random regions of them, against the offsets of their elements.
#[test]
fn rows_of_random_layouts() {
    let random = &mut Random::new(23);
    let (mut strided, mut refused) = (0, 0);
    for _ in 0..6000 {
        let rank = random.below(5);
        let dims = (0..rank).map(|_| 1 + random.below([1, 300, 40, 12, 7][rank]));
        let dims = dims.collect::<Vec<_>>();
        let is_wild = random.below(3) == 0;
        let naive = pairs::layout(random, &sizes(&dims), is_wild);
        if naive.size_within(1 << 12).is_none() {
            continue;
        }
        let text = naive.text("u32");
        let shape = text.parse::<ArrayShape>().unwrap();
        let digits = shape.digits().unwrap();
        let minor = shape.minor_to_major().first().copied().unwrap_or(0);
        let Some(walk) = Walk::rows(&digits, minor) else {
            assert!(digits.straight().is_none(), "{text}");
            refused += 1;
            continue;
        };
        strided += usize::from(walk.stride() > 1);
        let mut region = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        for (dim, &size) in dims.iter().enumerate() {
            region.limit[dim] = random.below(size + 1) as Size;
            region.start[dim] = random.below(native(region.limit[dim]) + 1) as Size;
        }
        let whole = all(walk.start(), |position| walk.next(position));
        let part = all(walk.start_within(&region), |at| walk.next_within(at, &region));
        let part = part.iter().map(|&row| walk.clip(row, &region)).collect::<Vec<_>>();

        // In the order of their first elements, and in that order each element once.
        let memory = naive.memory();
        assert!(whole.windows(2).all(|pair| pair[0].offset < pair[1].offset), "{text}");
        let elements = |rows: &[Position]| {
            let mut offsets = Vec::new();
            for row in rows {
                for at in 0..row.length {
                    let mut index = row.index[..rank].to_vec();
                    if rank > 0 {
                        index[minor] += at;
                    }
                    let number =
                        index.iter().zip(&dims).fold(0, |n, (i, dim)| n * *dim as Size + i);
                    let offset = row.offset + at * walk.stride();
                    assert_eq!(memory[native(offset)], Some(number), "{text} {index:?}");
                    offsets.push((offset, index));
                }
            }
            offsets.sort();
            offsets
        };
        let of_whole = elements(&whole);
        assert_eq!(of_whole.len(), memory.iter().flatten().count(), "{text}");
        let is_inside = |index: &[Size]| {
            (0..rank).all(|dim| (region.start[dim]..region.limit[dim]).contains(&index[dim]))
        };
        let expected = of_whole.into_iter().filter(|(_, index)| is_inside(index));
        assert!(elements(&part).into_iter().eq(expected), "{text} {region:?}");
    }
    assert!(strided > 100 && refused > 100, "{strided} {refused}");
}

/// The runs of a walk.
fn all(first: Position, next: impl Fn(Position) -> Position) -> Vec<Position> {
    std::iter::successors(Some(first), move |&position| Some(next(position)))
        .take_while(|position| position.length > 0)
        .collect()
}
