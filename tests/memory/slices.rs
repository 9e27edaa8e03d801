//! Slices of views: what `few` does not ask of every kind of layout.

use layout::{View, ViewMut, layout};

use crate::plain::numbers;

#[test]
fn sizes_known_at_run_time() {
    type A = layout!(U32[?,<=300]{1,0:T(8,128)});
    let a = A::with_dims([20, 290]).unwrap();
    let mut data = numbers(a.padded_elements());
    let view = a.view(&data).unwrap();
    let tiles = view.slice((8.., 128..)).unwrap();
    assert_eq!(tiles.base_offset(), Some(a.offset([8, 128])));
    assert_eq!(tiles.tiles().unwrap().count(), 4);
    assert!(tiles.to_row_major() == tiles.to::<layout!(U32[12,162])>().unwrap().as_slice());

    let slice = view.slice((3..17, 100..)).unwrap();
    let larger = slice.as_region();
    let b = A::with_dims([16, 290]).unwrap();
    let other = b.view(&data).unwrap();
    assert!(std::panic::catch_unwind(|| other.region(larger)).is_err());
    let mut view = b.view_mut(&mut data).unwrap();
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| view.region_mut(larger).dims()));
    assert!(result.is_err());
}

/// Runs of a slice go along `RUN_DIM` for all sizes, also where that dimension has one element.
#[test]
fn runs_of_slices_go_along_one_dimension() {
    macro_rules! along {
        ($($layout:ty: $($dims:expr),*;)*) => {$($({
            let a = <$layout>::with_dims($dims).unwrap();
            let data = numbers(a.padded_elements());
            let view = a.view(&data).unwrap();
            let slice = view.slice((.., ..)).unwrap();
            let mut count = 0;
            for (run, elements) in slice.runs() {
                for (at, element) in elements.iter().enumerate() {
                    let mut index = run.index;
                    index[<$layout>::RUN_DIM] += at;
                    assert_eq!(view.get(index), Some(element), "{a:?} {run:?}");
                    count += 1;
                }
            }
            assert_eq!(count, a.elements(), "{a:?}");
        })*)*};
    }
    along! {
        layout!(U32[?,?]): [5, 1], [1, 5], [1, 1], [3, 4];
        layout!(U32[?,?]{0,1}): [5, 1], [1, 5], [3, 4];
        layout!(U32[?,4]{1,0:T(2,1)}): [1, 4], [5, 4];
        layout!(U32[4,?]{0,1:T(2,2)(2,1)}): [4, 1], [4, 5];
    }
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
    // Tiles of `PAD`'s padding alone are not of a slice.
    type Padded = layout!(U32[5,7]{1,0:PAD(6,17)T(4,2)L(200)});
    let data = numbers(Padded::PADDED_ELEMENTS);
    let view = View::<Padded, u32>::new(&data).unwrap();
    let of_slice = view.slice((.., ..)).unwrap();
    let of_slice = of_slice.tiles().unwrap().map(|tile| (tile.origin(), tile.as_slice()));
    let has_elements = view.tiles().filter(|tile| !tile.extent().contains(&0));
    assert!(of_slice.eq(has_elements.map(|tile| (tile.origin(), tile.as_slice()))));
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
