//! Copies to slices, element by element: what is written, and that nothing else is.

use layout::types::StoredIn;
use layout::{AnyLayout, Padding, WithDims, layout};
use layout_tests::naive::indices;
use layout_tests::random::Random;

/// A range of a size in an array: often on borders of tiles, at the end, or all of it.
fn place(random: &mut Random, size: usize, dim: usize) -> usize {
    let start = random.below(dim - size + 1);
    match random.below(4) {
        0 => start / 8 * 8,
        1 => start / 128 * 128,
        2 => dim - size,
        _ => start,
    }
}

fn ranges<const R: usize>(start: [usize; R], size: [usize; R]) -> [std::ops::Range<usize>; R] {
    std::array::from_fn(|dim| start[dim]..start[dim] + size[dim])
}

/// Copies random parts of one array to random parts of another one.
fn check<A, B, const R: usize>(a: WithDims<A>, b: WithDims<B>)
where
    A: AnyLayout<Index = [usize; R]>,
    B: AnyLayout<Index = [usize; R], Element = A::Element>,
    u16: StoredIn<A> + StoredIn<B>,
{
    let random = &mut Random::new(R as u64);
    let mut src = (0..a.padded_elements()).map(|slot| slot as u16).collect::<Vec<_>>();
    let most: [usize; R] = std::array::from_fn(|dim| a.dims()[dim].min(b.dims()[dim]));
    // Miri takes a few small ones.
    let [rounds, kinds] = if cfg!(miri) { [3, 1] } else { [60, 4] };
    for round in 0..rounds {
        let size: [usize; R] = std::array::from_fn(|dim| match 4 - kinds + random.below(kinds) {
            0 => most[dim],
            3 => random.below(most[dim].min(9) + 1),
            _ => random.below(most[dim] + 1),
        });
        let [from, to] = [a.dims(), b.dims()]
            .map(|dims| std::array::from_fn(|d| place(random, size[d], dims[d])));
        let canary = |slot: usize| !(slot as u16).wrapping_mul(7);
        let mut dst = (0..b.padded_elements()).map(canary).collect::<Vec<_>>();
        let mut expected = dst.clone();
        for index in indices(size) {
            let [read, written] =
                [from, to].map(|start: [usize; R]| std::array::from_fn(|d| start[d] + index[d]));
            expected[b.offset(written)] = src[a.offset(read)];
        }
        let what = format!("{a:?} {from:?} to {b:?} {to:?}: {size:?}");
        let [from, to] = [ranges(from, size), ranges(to, size)];

        let mut written = dst.clone();
        let mut view = b.view_mut(&mut written).unwrap();
        let slice = &mut view.slice_mut(to.clone()).unwrap();
        let view = a.view(&src).unwrap();
        view.slice(from.clone()).unwrap().copy_to(slice, Padding::Fill(1)).unwrap();
        assert!(written == expected, "{what}");
        let mut mapped = dst.clone();
        let mut view_mut = b.view_mut(&mut mapped).unwrap();
        let start = from.each_ref().map(|range| range.start);
        let part = view.slice(from.clone()).unwrap();
        let same = |index: [usize; R], element| {
            let read = std::array::from_fn(|d| start[d] + index[d]);
            assert_eq!(element, src[a.offset(read)], "{what}");
            element
        };
        part.map_to(&mut view_mut.slice_mut(to.clone()).unwrap(), Padding::Leave, same).unwrap();
        assert!(mapped == expected, "by a function: {what}");
        if size == a.dims() {
            let mut written = dst.clone();
            let mut to_write = b.view_mut(&mut written).unwrap();
            view.copy_to(&mut to_write.slice_mut(to.clone()).unwrap(), Padding::Zero).unwrap();
            assert!(written == expected, "a view: {what}");
        }

        // Halves, which other threads may use at the same time.
        let dim = round % R;
        let at = random.below(size[dim] + 1);
        let mut to_read = a.view_mut(&mut src).unwrap();
        let all = to_read.slice_mut(from).unwrap();
        let mut to_write = b.view_mut(&mut dst).unwrap();
        let halves = to_write.slice_mut(to).unwrap().into_halves(dim, at).unwrap();
        if round % 2 == 0 {
            let parts = all.into_halves(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(parts) {
                part.copy_to(&mut half, Padding::Leave).unwrap();
            }
        } else {
            let parts = all.split_at(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(parts) {
                part.copy_to(&mut half, Padding::Leave).unwrap();
            }
        }
        assert!(dst == expected, "halves at {at} of {dim}: {what}");
    }
}

#[test]
fn slices_to_slices() {
    macro_rules! pairs {
        ($([$($from:ty),*] $dims:expr => $to:ty, $larger:expr;)*) => {$($(
            check(
                <$from>::with_dims($dims).unwrap(),
                <$to>::with_dims($larger).unwrap(),
            );
        )*)*};
    }
    type Rows = layout!(U16[?,?]);
    type Panels = layout!(U16[?,?]{0,1:T(4,1)});
    type Words = layout!(U16[?,?]{1,0:T(8,128)(2,1)});
    type Swizzled = layout!(U16[64,64], swizzle = 128B);
    pairs! {
        [Rows, Words] [40, 270] => Rows, [41, 280];
        [Rows, Panels, Words] [40, 270] => Panels, [41, 280];
        [Rows, Panels, Words] [40, 270] => Words, [41, 280];
        [Rows, Panels] [23, 140] => layout!(U16[<=40,300]{1,0:PAD(43,309)T(8,128)L(20000)}), [30, 300];
        [Rows, Words] [30, 60] => Swizzled, [64, 64];
        [Swizzled] [64, 64] => Panels, [70, 65];
        [layout!(U16[300])] [300] => layout!(U16[?]), [310];
        [layout!(U16[5,7,33]), layout!(U16[?,7,33]{1,2,0}), layout!(U16[5,7,33]{2,0,1:T(4,8)})] [5, 7, 33] => layout!(U16[6,8,?]), [6, 8, 40];
        [layout!(U16[5,7,33]), layout!(U16[?,7,33]{1,2,0})] [5, 7, 33] => layout!(U16[6,8,?]{1,2,0:T(4,8)}), [6, 8, 40];
        [layout!(U16[5,?,3,9]{3,0,2,1})] [5, 7, 3, 9] => layout!(U16[6,8,4,?]{3,1,2,0:T(16)}), [6, 8, 4, 12];
        [layout!(U16[4,5,6]{0,2,1:T(*,7)})] [4, 5, 6] => layout!(U16[?,9,8]{1,2,0:T(4,2)}), [6, 9, 8];
        [layout!(U16[?,9,8]{1,2,0:T(4,2)})] [6, 9, 8] => layout!(U16[4,5,6]{0,2,1:T(*,7)}), [4, 5, 6];
    }
}

/// Copies that use vectors, streams and several threads.
#[test]
#[cfg_attr(miri, ignore = "they are large")]
fn large_slices() {
    type Rows = layout!(U16[?,?]);
    type Columns = layout!(U16[?,?]{0,1});
    type Tiles = layout!(U16[?,?]{1,0:T(8,128)});
    macro_rules! copies {
        ($($from:ty => $to:ty;)*) => {$(
            let a = <$from>::with_dims([900, 1300]).unwrap();
            let b = <$to>::with_dims([1000, 1500]).unwrap();
            let from = a.from_fn(|[i, j]| (i * 1301 + j) as u16);
            for (first, start, size) in [
                ([0, 0], [96, 128], [900, 1300]),
                ([0, 127], [8, 256], [801, 999]),
                ([3, 5], [3, 7], [777, 1001]),
            ] {
                let mut to = b.filled(7_u16);
                let part = from.slice(ranges(first, size)).unwrap();
                let whole = part.to::<$to>().unwrap();
                let wrong = part.indexed_iter().find(|(index, element)| whole[*index] != **element);
                assert_eq!(wrong, None, "{a:?} {first:?} to {:?}", whole.layout());
                part.copy_to(&mut to.slice_mut(ranges(start, size)).unwrap(), Padding::Zero).unwrap();
                let expected = b.from_fn(|[i, j]| {
                    let index = [i.wrapping_sub(start[0]), j.wrapping_sub(start[1])];
                    part.get(index).copied().unwrap_or(7)
                });
                assert!(to.indexed_iter().eq(expected.indexed_iter()), "{a:?} to {b:?} {start:?} {size:?}");
                let paddings = b.paddings().flatten().all(|slot| to.as_slice()[slot] == 7);
                assert!(paddings, "{a:?} to {b:?} {start:?} {size:?}");
            }
        )*};
    }
    copies! { Rows => Columns; Rows => Tiles; Columns => Tiles; Tiles => Rows; }
}

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
