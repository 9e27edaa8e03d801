//! Boxes of arrays: where they are, and what they hold.

use layout::types::StoredIn;
use layout::{AnyLayout, WithDims, layout};
use layout_tests::naive::indices;

fn check<L, const R: usize>(a: WithDims<L>, sizes: &[[usize; R]])
where
    L: AnyLayout<Index = [usize; R]>,
    u16: StoredIn<L>,
{
    let dims = a.dims();
    let mut number = 0..;
    let mut source = a.filled(0_u16);
    indices(dims).for_each(|index| source[index] = number.next().expect("a number"));
    for &size in sizes {
        // Where each box begins, from the grid of all indices.
        let is_first = |index: &[usize; R]| (0..R).all(|dim| index[dim].is_multiple_of(size[dim]));
        let mut starts = indices(dims).filter(is_first);
        let value = source.as_view().into_dyn();
        let mut of_value = value.boxes(&size).unwrap();
        for part in source.boxes(size).unwrap() {
            let start = starts.next().expect("as many boxes");
            let extent = std::array::from_fn(|dim| size[dim].min(dims[dim] - start[dim]));
            assert_eq!((part.as_region().start(), part.dims()), (start, extent), "{a:?} {size:?}");
            let at = |index: [usize; R]| source[std::array::from_fn(|dim| start[dim] + index[dim])];
            assert!(part.indexed_iter().all(|(index, element)| *element == at(index)), "{a:?}");
            assert_eq!(of_value.next().expect("a box").to_row_major(), part.to_row_major());
        }
        assert!(starts.next().is_none() && of_value.next().is_none(), "{a:?} {size:?}");
        let mut copy = source.clone();
        let part = copy.slice_mut(dims.map(|dim| dim / 2..dim)).unwrap();
        part.into_boxes(size).unwrap().for_each(|mut part| part.fill(u16::MAX));
        for (index, element) in copy.indexed_iter() {
            let is_in_part = (0..R).all(|dim| index[dim] >= dims[dim] / 2);
            let expected = if is_in_part { u16::MAX } else { source[index] };
            assert_eq!(*element, expected, "{a:?} {size:?} {index:?}");
        }
    }
    let mut empty = [1; R];
    empty[R - 1] = 0;
    let error = source.boxes(empty).err().unwrap().to_string();
    assert!(error.contains(&format!("size 0 in dimension {}", R - 1)), "{error}");
}

#[test]
fn boxes() {
    let sizes = [[4, 4], [1, 7], [8, 128], [100, 1], [usize::MAX; 2]];
    check(<layout!(U16[11,30])>::with_dims([11, 30]).unwrap(), &sizes);
    check(<layout!(U16[?,?]{0,1})>::with_dims([9, 14]).unwrap(), &sizes);
    check(<layout!(U16[?,?]{1,0:T(8,128)(2,1)})>::with_dims([17, 140]).unwrap(), &sizes);
    check(<layout!(U16[3,4,5]{0,2,1})>::with_dims([3, 4, 5]).unwrap(), &[[2, 3, 2], [1; 3]]);
}
