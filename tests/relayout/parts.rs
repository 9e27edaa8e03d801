//! Copies to slices, element by element: what is written, and that nothing else is.

use layout::{AnyLayout, Padding, StoredIn, WithDims, layout};
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

/// All indices of an array of these sizes.
fn indices<const R: usize>(size: [usize; R]) -> impl Iterator<Item = [usize; R]> {
    (0..size.iter().product()).map(move |mut number: usize| {
        let mut index = [0; R];
        for dim in (0..R).rev() {
            (index[dim], number) = (number % size[dim], number / size[dim]);
        }
        index
    })
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
    for round in 0..60 {
        let size: [usize; R] = std::array::from_fn(|dim| match random.below(4) {
            0 => most[dim],
            1 => random.below(most[dim].min(9) + 1),
            _ => random.below(most[dim] + 1),
        });
        let [from, to] =
            [a.dims(), b.dims()].map(|dims| std::array::from_fn(|d| place(random, size[d], dims[d])));
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
        view.slice(from.clone()).unwrap().relayout_to(slice, Padding::Fill(1));
        assert!(written == expected, "{what}");
        if size == a.dims() {
            let mut written = dst.clone();
            let mut to_write = b.view_mut(&mut written).unwrap();
            view.relayout_to(&mut to_write.slice_mut(to.clone()).unwrap(), Padding::Zero);
            assert!(written == expected, "a view: {what}");
        }

        // Halves, which other threads may use at the same time.
        let dim = round % R;
        let at = random.below(size[dim] + 1);
        let mut to_read = a.view_mut(&mut src).unwrap();
        let all = to_read.slice_mut(from).unwrap();
        let mut to_write = b.view_mut(&mut dst).unwrap();
        let halves = to_write.slice_mut(to).unwrap().split_at_mut(dim, at).unwrap();
        if round % 2 == 0 {
            let parts = all.split_at_mut(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(parts) {
                part.relayout_to(&mut half, Padding::Leave);
            }
        } else {
            let parts = all.as_shared().split_at(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(parts) {
                part.relayout_to(&mut half, Padding::Leave);
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
        [layout!(U16[4,5,6]{0,2,1:T(*,7)})] [4, 5, 6] => layout!(U16[?,9,8]{1,2,0:T(4,2)}), [6, 9, 8];
        [layout!(U16[?,9,8]{1,2,0:T(4,2)})] [6, 9, 8] => layout!(U16[4,5,6]{0,2,1:T(*,7)}), [4, 5, 6];
    }
}

/// Copies that use vectors, streams and several threads.
#[test]
fn large_slices() {
    type Rows = layout!(U16[?,?]);
    type Columns = layout!(U16[?,?]{0,1});
    type Tiles = layout!(U16[?,?]{1,0:T(8,128)});
    macro_rules! copies {
        ($($from:ty => $to:ty;)*) => {$(
            let a = <$from>::with_dims([900, 1300]).unwrap();
            let b = <$to>::with_dims([1000, 1500]).unwrap();
            let from = a.from_fn(|[i, j]| (i * 1301 + j) as u16);
            for (start, size) in [([96, 128], [900, 1300]), ([8, 256], [801, 999]), ([3, 7], [777, 1001])] {
                let mut to = b.filled(7_u16);
                let part = from.slice((..size[0], ..size[1])).unwrap();
                part.relayout_to(&mut to.slice_mut(ranges(start, size)).unwrap(), Padding::Zero);
                let expected = b.from_fn(|[i, j]| {
                    let index = [i.wrapping_sub(start[0]), j.wrapping_sub(start[1])];
                    part.get(index).copied().unwrap_or(7)
                });
                assert!(to.iter().eq(expected.iter()), "{a:?} to {b:?} {start:?} {size:?}");
                let paddings = b.paddings().flatten().all(|slot| to.as_slice()[slot] == 7);
                assert!(paddings, "{a:?} to {b:?} {start:?} {size:?}");
            }
        )*};
    }
    copies! { Rows => Columns; Rows => Tiles; Columns => Tiles; Tiles => Rows; }
}
