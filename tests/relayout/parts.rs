//! Boxes of arrays, and parts along each dimension: what is written, and that nothing else is.

use layout::types::StoredIn;
use layout::{AnyLayout, Padding, WithDims, layout};
use layout_tests::naive::indices;

/// Boxes are copied to boxes, read and written, with threads and without.
#[test]
fn boxes() {
    fn check<L, const R: usize>(a: WithDims<L>, sizes: &[[usize; R]])
    where
        L: AnyLayout<Index = [usize; R]>,
        u16: StoredIn<L>,
    {
        let dims = a.dims();
        let strides: [usize; R] =
            std::array::from_fn(|dim| dims[dim + 1..].iter().product::<usize>());
        let number = |index: [usize; R]| -> usize { (0..R).map(|d| index[d] * strides[d]).sum() };
        let source = a.from_fn(|index| number(index) as u16);
        for &size in sizes {
            // Where each box begins, from the grid of all indices.
            let is_first = |index: &[usize; R]| (0..R).all(|d| index[d].is_multiple_of(size[d]));
            let starts = indices(dims).filter(is_first).collect::<Vec<_>>();
            let boxes = source.boxes(size).unwrap().collect::<Vec<_>>();
            assert_eq!(boxes.len(), starts.len(), "{a:?} {size:?}");
            let mut copy = a.filled(u16::MAX);
            let mut parts = copy.boxes_mut(size).unwrap().collect::<Vec<_>>();
            for (part, start) in boxes.iter().zip(starts) {
                let extent = std::array::from_fn(|d| size[d].min(dims[d] - start[d]));
                assert_eq!((part.as_region().start(), part.dims()), (start, extent), "{a:?}");
                for (index, element) in part.indexed_iter() {
                    let index = std::array::from_fn(|d| start[d] + index[d]);
                    assert_eq!(usize::from(*element), number(index), "{a:?} {size:?}");
                }
            }
            let value = source.as_view().into_dyn();
            let of_value = value.boxes(&size).unwrap().map(|part| part.to_row_major());
            assert!(of_value.eq(boxes.iter().map(|part| part.to_row_major())), "{a:?} {size:?}");
            let middle = parts.len() / 2;
            let (first, last) = parts.split_at_mut(middle);
            std::thread::scope(|scope| {
                for (boxes, parts) in [(&boxes[..middle], first), (&boxes[middle..], last)] {
                    scope.spawn(move || {
                        for (part, to) in boxes.iter().zip(parts) {
                            part.copy_to(to, Padding::Leave).unwrap();
                        }
                    });
                }
            });
            assert!(copy.indexed_iter().eq(source.indexed_iter()), "{a:?} {size:?}");
            let mut part = copy.slice_mut(dims.map(|dim| dim / 2..dim)).unwrap();
            assert!(
                part.boxes(size).unwrap().map(|part| part.to_row_major().len()).sum::<usize>() > 0
            );
            part.reborrow().into_boxes(size).unwrap().for_each(|mut part| part.fill(1));
            assert!(part.indexed_iter().all(|(_, element)| *element == 1), "{a:?} {size:?}");
        }
        let mut empty = [1; R];
        empty[R - 1] = 0;
        let error = source.boxes(empty).err().unwrap().to_string();
        assert!(error.contains(&format!("size 0 in dimension {}", R - 1)), "{error}");
    }
    let sizes = [[4, 4], [1, 7], [8, 128], [100, 1], [usize::MAX; 2]];
    check(<layout!(U16[11,30])>::with_dims([11, 30]).unwrap(), &sizes);
    check(<layout!(U16[?,?]{0,1})>::with_dims([9, 14]).unwrap(), &sizes);
    check(<layout!(U16[?,?]{1,0:T(8,128)(2,1)})>::with_dims([17, 140]).unwrap(), &sizes);
    check(<layout!(U16[3,4,5]{0,2,1})>::with_dims([3, 4, 5]).unwrap(), &[[2, 3, 2], [1; 3]]);
}

/// Parts along the most major dimension have their slots to themselves: they are copied and mapped as whole arrays are, each into its
/// own place; parts along others share stretches.
#[test]
fn parts_along_each_dimension() {
    type Rows = layout!(U16[?,?,?]);
    fn check<B>(to: WithDims<B>)
    where
        B: AnyLayout<Index = [usize; 3], Element = <Rows as layout::types::LayoutTypes>::Element>,
        u16: StoredIn<B>,
    {
        let (dims, other) = (to.dims(), 60_000);
        let from = Rows::with_dims(dims).unwrap();
        let source = (0..from.elements() as u16).collect::<Vec<_>>();
        for dim in 0..3 {
            for half in [0, 1, dims[dim] / 2] {
                let mut memory = vec![other; to.padded_elements()];
                let (view, mut written) =
                    (from.view(&source).unwrap(), to.view_mut(&mut memory).unwrap());
                let parts = view.iter_axis(dim).unwrap().zip(written.iter_axis_mut(dim).unwrap());
                for (number, (part, mut written)) in parts.enumerate() {
                    match number % 2 {
                        0 => part.copy_to(&mut written, Padding::Leave).unwrap(),
                        _ => part.map_to(&mut written, Padding::Leave, |_, x| x).unwrap(),
                    }
                }
                let [mut low, mut high] = written.split_at_mut(dim, half).unwrap();
                let [from_low, from_high] = view.split_at(dim, half).unwrap();
                from_high.map_to(&mut high, Padding::Leave, |_, x| x + 1).unwrap();
                from_low.copy_to(&mut low, Padding::Leave).unwrap();
                for (slot, found) in memory.iter().enumerate() {
                    let expected = to.index(slot).map_or(other, |index| {
                        source[from.offset(index)] + u16::from(index[dim] >= half)
                    });
                    assert_eq!(*found, expected, "{to:?}, {dim}, {half}");
                }
            }
        }
    }
    for dims in [[3, 5, 6], [4, 8, 16], [1, 9, 2], [5, 1, 1]] {
        check(<layout!(U16[?,?,?])>::with_dims(dims).unwrap());
        check(<layout!(U16[?,?,?]{0,2,1})>::with_dims(dims).unwrap());
        check(<layout!(U16[?,?,?]{2,1,0:T(4,8)})>::with_dims(dims).unwrap());
        check(<layout!(U16[?,?,?]{1,0,2:T(2,4)(2,1)})>::with_dims(dims).unwrap());
        check(<layout!(U16[?,?,?]{2,1,0:T(2,4,4)})>::with_dims(dims).unwrap());
        check(<layout!(U16[?,?,?]{2,0,1:T(3,2)L(32)})>::with_dims(dims).unwrap());
    }
}
