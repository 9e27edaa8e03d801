//! Slices of views against loops over elements.

use layout::__private::core::{Position, Region, Walk};
use layout::ArrayShape;
use layout::Size;
use layout::shape::limits::MAX_DIMS;
use layout::walks::SliceError;
use layout::{Layout, Padding, View, ViewMut, element, layout};
use layout_tests::naive::{sizes, unflatten_native};
use layout_tests::pairs;
use layout_tests::random::Random;

/// Ranges of an array, some without elements, many on multiples of a power of two.
fn ranges(random: &mut Random, dims: &[usize]) -> Vec<[usize; 2]> {
    let cut = |random: &mut Random, dim: usize| {
        let at = random.below(dim + 1);
        match random.below(3) {
            0 => at,
            1 => dim.min(at / 4 * 4),
            _ => dim.min(at.next_multiple_of(*random.pick(&[8, 128]))),
        }
    };
    let range = |&dim: &usize| {
        let (a, b) = (cut(random, dim), cut(random, dim));
        match random.below(4) {
            0 => [0, dim],
            1 => [a.min(b), dim],
            _ => [a.min(b), a.max(b)],
        }
    };
    dims.iter().map(range).collect()
}

/// Every index of ranges, in row-major order.
fn indices(ranges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let dims = ranges.iter().map(|[start, limit]| limit - start).collect::<Vec<_>>();
    let count = dims.iter().product();
    let index = |number| {
        unflatten_native(number, &dims).iter().zip(ranges).map(|(i, [s, _])| i + s).collect()
    };
    (0..count).map(index).collect()
}

/// The runs of a walk.
fn all(first: Position, next: impl Fn(Position) -> Position) -> impl Iterator<Item = Position> {
    std::iter::successors(Some(first), move |&position| Some(next(position)))
        .take_while(|position| position.length > 0)
}

#[test]
fn walks_over_random_layouts() {
    let random = &mut Random::new(11);
    let (mut lies_alike, mut lies_otherwise) = (0, 0);
    for _ in 0..6000 {
        let rank = random.below(5);
        let dims =
            (0..rank).map(|_| 1 + random.below([1, 300, 40, 12, 7][rank])).collect::<Vec<_>>();
        let is_wild = random.below(3) == 0;
        let naive = pairs::layout(random, &sizes(&dims), is_wild);
        if naive.size_within(1 << 12).is_none() {
            continue;
        }
        let text = naive.text("u32");
        let shape = text.parse::<ArrayShape>().unwrap();
        let digits = shape.digits().unwrap();
        let walk = Walk::new(&digits, shape.minor_to_major().first().copied().unwrap_or(0));
        let ranges = ranges(random, &dims);
        let mut region = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        for (dim, [start, limit]) in ranges.iter().enumerate() {
            (region.start[dim], region.limit[dim]) = (*start as Size, *limit as Size);
        }

        let runs = all(walk.start_within(&region), |position| walk.next_within(position, &region))
            .map(|position| walk.clip(position, &region))
            .collect::<Vec<_>>();
        let is_empty = ranges.iter().any(|[start, limit]| start == limit);
        let expected = all(walk.start(), |position| walk.next(position))
            .map(|position| walk.clip(position, &region))
            .filter(|position| position.length > 0 && !is_empty)
            .collect::<Vec<_>>();
        assert_eq!(runs, expected, "{text} {ranges:?}");
        let mut elements = indices(&ranges).iter().map(|index| sizes(index)).collect::<Vec<_>>();
        elements.sort_by_key(|index| digits.offset_unchecked(index));
        let of_runs = runs.iter().flat_map(|run| {
            (0..run.length).map(|step| {
                let mut index = run.index[..rank].to_vec();
                if rank > 0 {
                    index[walk.dim()] += step;
                }
                assert_eq!(digits.offset_unchecked(&index), run.offset + step, "{text} {ranges:?}");
                index
            })
        });
        assert!(of_runs.eq(elements.iter().cloned()), "{text} {ranges:?}");

        let is_alike = elements.iter().all(|index| {
            let start = ranges.iter().map(|[start, _]| *start as Size).collect::<Vec<_>>();
            let local = index.iter().zip(&start).map(|(i, start)| i - start).collect::<Vec<_>>();
            digits.offset_unchecked(index)
                == digits.offset_unchecked(&start) + digits.offset_unchecked(&local)
        });
        match digits.base(&region) {
            Some(_) if is_empty => {}
            Some(base) => {
                let start = ranges.iter().map(|[start, _]| *start as Size).collect::<Vec<_>>();
                assert_eq!(base, digits.offset_unchecked(&start), "{text} {ranges:?}");
                assert!(is_alike, "{text} {ranges:?}");
                lies_alike += 1;
            }
            // Of digits of sums it is said only where it is seen from the sums' own.
            None => {
                assert!(!is_alike || digits.straight().is_none(), "{text} {ranges:?}");
                lies_otherwise += 1;
            }
        }
    }
    assert!(lies_alike > 200 && lies_otherwise > 200, "{lies_alike} {lies_otherwise}");
}

/// Every way to look at and to write slices of a layout.
fn slices<L, B, const R: usize>(seed: u64)
where
    L: Layout<R, Element = element::U32, Width = element::Bits<32>>,
    B: layout::AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>,
{
    let random = &mut Random::new(seed);
    let data = (0..L::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<L, u32>::new(&data).unwrap();
    for _ in 0..60 {
        let ranges = ranges(random, &L::DIMS);
        let text = format!("{} {ranges:?}", L::TEXT);
        let argument: [_; R] = std::array::from_fn(|dim| ranges[dim][0]..ranges[dim][1]);
        let slice = view.slice(argument.clone()).unwrap();
        let dims: [_; R] = std::array::from_fn(|dim| ranges[dim][1] - ranges[dim][0]);
        assert_eq!(slice.dims(), dims, "{text}");
        let elements = indices(&ranges);
        let offsets = elements.iter().map(|index| L::offset(index.clone().try_into().unwrap()));
        let offsets = offsets.collect::<Vec<_>>();
        assert!(slice.to_vec().iter().map(|&x| x as usize).eq(offsets.iter().copied()), "{text}");
        for (index, element) in slice.iter() {
            assert_eq!((slice.get(index), slice[index]), (Some(element), *element), "{text}");
        }
        for dim in 0..R {
            let mut outside = [0; R];
            outside[dim] = dims[dim];
            assert_eq!(slice.get(outside), None, "{text}");
            outside[dim] = usize::MAX;
            assert_eq!(slice.get(outside), None, "{text}");
        }
        let mut sorted = offsets.clone();
        sorted.sort_unstable();
        let of_runs = slice.runs().flat_map(|(run, elements)| {
            assert!(elements.iter().map(|&x| x as usize).eq(run.range()), "{text}");
            assert_eq!(slice.get(run.index), elements.first(), "{text}");
            run.range()
        });
        assert!(of_runs.eq(sorted), "{text}");

        // Copies, to a layout whose sizes are those of the slice.
        let copy = slice.to_layout::<B>();
        let copied = copy.as_view();
        assert!(slice.iter().all(|(index, element)| copied[index] == *element), "{text}");

        let mut memory = vec![0; L::PADDED_ELEMENTS];
        let mut written = ViewMut::<L, u32>::new(&mut memory).unwrap();
        written.slice_mut(argument.clone()).unwrap().fill(1);
        let mut expected = vec![0; L::PADDED_ELEMENTS];
        offsets.iter().for_each(|&offset| expected[offset] = 1);
        assert_eq!(memory, expected, "{text}");

        for dim in 0..R {
            let at = random.below(dims[dim] + 1);
            let parts = slice.split_at(dim, at).unwrap();
            assert_eq!(parts.map(|part| part.dims()[dim]), [at, dims[dim] - at], "{text}");
            let axis = slice.iter_axis(dim).unwrap().map(|part| part.to_vec()).collect::<Vec<_>>();
            assert_eq!(axis.len(), dims[dim], "{text}");
            let front = parts[0].iter_axis(dim).unwrap().chain(parts[1].iter_axis(dim).unwrap());
            assert!(front.map(|part| part.to_vec()).eq(axis), "{text}");

            // Both halves at once: an element is written by its own half alone, padding by none.
            let mut memory = vec![0; L::PADDED_ELEMENTS];
            let mut view = ViewMut::<L, u32>::new(&mut memory).unwrap();
            let whole = view.slice_mut(argument.clone()).unwrap();
            let [mut first, mut second] = whole.split_at_mut(dim, at).unwrap();
            let mut runs = (first.runs_mut(), second.runs_mut());
            loop {
                let (a, b) = (runs.0.next(), runs.1.next());
                if a.is_none() && b.is_none() {
                    break;
                }
                let [a, b] = [a, b].map(|run| run.map(|(_, elements)| elements));
                let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
                a.iter_mut().for_each(|x| *x += 1);
                b.iter_mut().for_each(|x| *x += 2);
            }
            drop(runs);
            for (index, _) in parts[0].iter() {
                first[index] += 10;
                assert_eq!(
                    (first.get(index).copied(), first.get_mut(index).copied()),
                    (Some(11), Some(11))
                );
            }
            assert_eq!(first.get_mut(dims), None);
            for (number, mut part) in second.into_axis(dim).unwrap().enumerate() {
                assert!(part.reborrow().runs().flat_map(|(_, x)| x).all(|&x| x == 2));
                part.runs_mut().for_each(|(_, x)| x.fill(100 + number as u32));
            }
            let mut expected = vec![0; L::PADDED_ELEMENTS];
            for (index, offset) in elements.iter().zip(&offsets) {
                let along = index[dim] - ranges[dim][0];
                expected[*offset] = if along < at { 11 } else { 100 + (along - at) as u32 };
            }
            assert_eq!(memory, expected, "{text} {dim} {at}");
        }
    }
}

#[test]
fn slices_of_views() {
    slices::<layout!(U32[5]), layout!(U32[?]), 1>(1);
    slices::<layout!(U32[]{:T(128)}), layout!(U32[]), 0>(2);
    slices::<layout!(U32[3,5]{1,0:T(2,2)}), layout!(U32[?,?]{0,1}), 2>(3);
    slices::<layout!(U32[30,50]{0,1}), layout!(U32[?,?]{1,0:T(2,2)}), 2>(4);
    slices::<layout!(U32[20,300]{1,0:T(8,128)}), layout!(U32[?,?]), 2>(5);
    slices::<layout!(U32[20,150]{0,1:T(8,128)(2,1)}), layout!(U32[?,?]{1,0:T(8,128)}), 2>(6);
    slices::<layout!(U32[4,9,10]{1,2,0:T(6,10)}), layout!(U32[?,?,?]), 3>(7);
    slices::<layout!(U32[20,150]{1,0:T(8,128)(2,1)}), layout!(U32[?,?]), 2>(12);
    slices::<layout!(U32[4,9,10]{2,1,0:T(*,8,4)}), layout!(U32[?,?,?]), 3>(8);
    slices::<layout!(U32[3,5]{0,1:PAD(4,8)L(7)}), layout!(U32[?,?]), 2>(9);
    slices::<layout!(U32[0,5]), layout!(U32[?,?]), 2>(10);
    slices::<layout!(U32[2,3,4,2,3,2]{1,3,5,0,2,4:T(2,*,2)}), layout!(U32[?,?,?,?,?,?]), 6>(11);
}

/// Slices that are copied by several threads and by vectors, with cuts on no border of tiles.
#[test]
fn large_slices() {
    type A = layout!(U16[700,1501]{1,0:T(8,128)(2,1)});
    let data = (0..A::PADDED_ELEMENTS).map(|slot| slot as u16).collect::<Vec<_>>();
    let view = View::<A, u16>::new(&data).unwrap();
    for ranges in [(3..699, 5..1490), (1..2, 0..1501), (5..690, 127..129)] {
        let slice = view.slice(ranges).unwrap();
        macro_rules! copies {
            ($($layout:ty)*) => {$(
                let copy = slice.to_layout::<$layout>();
                let copied = copy.as_view();
                let wrong = slice.iter().find(|(index, element)| copied[*index] != **element);
                assert_eq!(wrong, None, "{:?} to {:?}", slice.as_region(), copied.layout());
            )*};
        }
        copies!(layout!(U16[?,?]) layout!(U16[?,?]{0,1}) layout!(U16[?,?]{1,0:T(16,100)}));
    }
}

#[test]
fn sizes_known_at_run_time() {
    type A = layout!(U32[?,<=300]{1,0:T(8,128)});
    let a = A::with_dims([20, 290]).unwrap();
    let mut data = (0..a.padded_elements() as u32).collect::<Vec<_>>();
    let view = a.view(&data).unwrap();
    let slice = view.slice((3..17, 100..)).unwrap();
    assert_eq!(slice.dims(), [14, 190]);
    for (index, element) in slice.iter() {
        assert_eq!(*element as usize, a.offset([index[0] + 3, index[1] + 100]));
    }
    let mut offsets = slice.to_vec();
    offsets.sort_unstable();
    assert!(slice.runs().flat_map(|(_, run)| run).eq(&offsets));
    assert_eq!(view.slice((8.., 128..)).unwrap().base_offset(), Some(a.offset([8, 128])));
    let tiles = view.slice((8.., 128..)).unwrap();
    assert_eq!(tiles.tiles().unwrap().count(), 4);
    let copy = tiles.to_layout::<layout!(U32[12,162])>();
    assert!(tiles.to_vec() == copy.as_slice());

    let mut memory = vec![0; a.padded_elements()];
    a.view_mut(&mut memory).unwrap().slice_mut((3..17, 100..)).unwrap().fill(1);
    let filled = (0..memory.len()).filter(|&slot| memory[slot] == 1).map(|slot| slot as u32);
    assert!(filled.eq(offsets));

    let larger = slice.as_region();
    let b = A::with_dims([16, 290]).unwrap();
    let other = b.view(&data).unwrap();
    assert!(std::panic::catch_unwind(|| other.region(larger)).is_err());
    let mut view = b.view_mut(&mut data).unwrap();
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| view.region_mut(larger).dims()));
    assert!(result.is_err());
}

#[test]
fn tiles_of_slices() {
    type A = layout!(U32[20,300]{1,0:T(8,128)});
    let data = (0..A::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<A, u32>::new(&data).unwrap();
    for (rows, columns) in [(0..8, 0..128), (8..20, 128..300), (16..20, 256..300), (0..20, 0..300)]
    {
        let slice = view.slice([rows.clone(), columns.clone()]).unwrap();
        let tiles = slice.tiles().unwrap().map(|tile| tile.origin()).collect::<Vec<_>>();
        let expected = view.tiles().map(|tile| tile.origin());
        let expected = expected.filter(|[i, j]| rows.contains(i) && columns.contains(j));
        assert_eq!(tiles, expected.collect::<Vec<_>>());
    }
    // One element too few is too few: the padding behind it is another slice's too, were it this one's.
    let mut memory = data.clone();
    let mut to_write = ViewMut::<A, u32>::new(&mut memory).unwrap();
    for (rows, columns) in [
        (0..8, 0..129),
        (0..8, 0..127),
        (1..20, 0..300),
        (0..19, 0..300),
        (0..20, 0..299),
        (16..19, 256..300),
        (16..20, 256..299),
    ] {
        let ranges = [rows, columns];
        assert!(view.slice(ranges.clone()).unwrap().tiles().is_none(), "{ranges:?}");
        let mut slice = to_write.slice_mut(ranges.clone()).unwrap();
        assert!(slice.tiles_mut().is_none(), "{ranges:?}");
    }
    for (dim, at) in [(0, 19), (1, 299)] {
        let [mut most, mut last] = to_write.split_at_mut(dim, at).unwrap();
        assert!(most.tiles_mut().is_none() && last.tiles_mut().is_none(), "{dim} {at}");
    }
    assert_eq!(view.slice((3..3, ..)).unwrap().tiles().unwrap().count(), 0);
}

/// A border of tiles halves the tiles, padding included; another cut leaves none in one of the halves.
#[test]
fn tiles_of_halves() {
    type A = layout!(U32[20,300]{1,0:T(8,128)(2,1)L(1000)});
    for (dim, at) in [(0, 8), (0, 16), (1, 128), (1, 256), (0, 0), (1, 300)] {
        let mut data = vec![0; A::PADDED_ELEMENTS];
        let mut view = ViewMut::<A, u32>::new(&mut data).unwrap();
        let [mut first, mut second] = view.split_at_mut(dim, at).unwrap();
        let mut tiles = first.tiles_mut().unwrap().collect::<Vec<_>>();
        for (number, mut tile) in second.tiles_mut().unwrap().enumerate() {
            tile.as_mut_slice().fill(1000 + number as u32);
            assert!(tile.origin()[dim] >= at);
        }
        for (number, tile) in tiles.iter_mut().enumerate() {
            assert!(tile.origin()[dim] < at);
            tile.as_mut_slice().fill(1 + number as u32);
        }
        let mut numbers = [0, 999];
        let mut expected = vec![0; A::PADDED_ELEMENTS];
        let view = View::<A, u32>::new(&data).unwrap();
        let blocks = expected.chunks_mut(A::TILE_ELEMENTS);
        for (tile, block) in view.tiles().zip(blocks) {
            let half = usize::from(tile.origin()[dim] >= at);
            numbers[half] += 1;
            block.fill(numbers[half]);
        }
        assert_eq!(data, expected, "{dim} {at}");
    }
    let mut data = vec![0; A::PADDED_ELEMENTS];
    let mut view = ViewMut::<A, u32>::new(&mut data).unwrap();
    let [mut first, mut second] = view.split_at_mut(0, 12).unwrap();
    assert!(first.tiles_mut().is_none() && second.tiles_mut().is_none());
}

#[test]
#[should_panic(expected = "dimension 1 has size 5, but was given 4")]
fn a_slice_in_a_layout_of_other_sizes() {
    let view = View::<layout!(U32[3,5]), u32>::new(&[0; 15]).unwrap();
    let _ = view.slice((1.., 1..)).unwrap().to_layout::<layout!(U32[2,5])>();
}

#[test]
fn errors() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    let data = [0; A::PADDED_ELEMENTS];
    let view = View::<A, u32>::new(&data).unwrap();
    let range = |dim, size, start, limit| SliceError::Range { dim, size, start, limit };
    assert_eq!(view.slice((0..4, ..)).unwrap_err(), range(0, 3, 0, 4));
    assert_eq!(view.slice((.., 6..)).unwrap_err(), range(1, 5, 6, 5));
    assert_eq!(view.slice((..=usize::MAX, ..)).unwrap_err(), range(0, 3, 0, usize::MAX));
    assert_eq!(view.slice((3.., 5..)).unwrap().dims(), [0, 0]);
    assert_eq!(view.split_at(1, 6).unwrap_err(), range(1, 5, 0, 6));
    assert_eq!(view.split_at(2, 0).unwrap_err(), SliceError::Dim { dim: 2, rank: 2 });
    assert_eq!(
        view.iter_axis(7).err().unwrap().to_string(),
        "dimension 7 is out of range for an array of rank 2"
    );
    let slice = view.slice((1.., 1..)).unwrap();
    assert_eq!(slice.slice((..3, ..)).unwrap_err(), range(0, 2, 0, 3));
    let mut out = [0; 8];
    slice
        .relayout_to(&mut ViewMut::<layout!(U32[2,4]), u32>::new(&mut out).unwrap(), Padding::Zero);
}
