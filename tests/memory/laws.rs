//! The laws of every layout of the corpus: arithmetic, walks, views, buffers, tiles and rows, against the digits of its
//! value, which other tests compare with the naive model.

use layout::__private::core::native;
use layout::{
    AnyLayout, ArrayShape, Buffer, Layout, Size, View, ViewMut, WithDims, element, layout,
};
use layout_tests::naive::{sizes, unflatten_native};
use layout_tests::{agree, corpus, corpus_with_dims};

/// A layout of numbers of 32 bits.
pub(crate) trait Numbers<const R: usize>:
    AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

impl<L, const R: usize> Numbers<R> for L where
    L: AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

/// What is in memory, without the type, so that comparing is compiled once.
struct Expected {
    text: String,
    dims: Vec<usize>,
    /// The element of each slot.
    slots: Vec<Option<Vec<usize>>>,
    /// The elements with their slots, in the order of memory and in row-major order.
    in_memory: Vec<(Vec<usize>, usize)>,
    row_major: Vec<(Vec<usize>, usize)>,
    padding: Vec<usize>,
    /// What a tile has of each dimension, where tiles are blocks.
    tile: Option<Vec<usize>>,
}

impl Expected {
    fn of(text: String, shape: &ArrayShape, dims: &[usize]) -> Expected {
        let digits = shape.digits().expect("all sizes are known");
        let count = native(shape.padded_elements().expect("all sizes are known"));
        let is_valid = |index: &Vec<usize>| index.iter().zip(dims).all(|(i, dim)| i < dim);
        let element = |slot| Some(digits.index(slot as Size)?.to_native().to_vec());
        let slots = (0..count).map(|slot| element(slot).filter(is_valid)).collect::<Vec<_>>();
        let with_slot = |(slot, index): (usize, &Option<Vec<usize>>)| Some((index.clone()?, slot));
        let in_memory = slots.iter().enumerate().filter_map(with_slot).collect::<Vec<_>>();
        let mut row_major = in_memory.clone();
        row_major.sort();
        let padding = (0..count).filter(|&slot| slots[slot].is_none()).collect();
        let tile = shape
            .grid()
            .ok()
            .map(|grid| grid.size[..dims.len()].iter().map(|size| native(*size)).collect());
        Expected { text, dims: dims.to_vec(), slots, in_memory, row_major, padding, tile }
    }

    /// The offset of each element is the sum of its coordinates, each times its stride.
    fn assert_strides(&self, strides: &[usize]) {
        for (index, slot) in &self.in_memory {
            let sum = index.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>();
            assert_eq!(*slot, sum, "{} {index:?}", self.text);
        }
        // Where there is no next index there is no distance to it.
        let mut pairs = self.dims.iter().zip(strides);
        assert!(pairs.all(|(dim, stride)| *dim > 1 || *stride == 0), "{}", self.text);
    }

    /// What memory holds in which each element was given a number and padding another one.
    fn assert_memory(
        &self,
        memory: &[u32],
        element: impl Fn(usize) -> u32,
        padding: impl Fn(usize) -> u32,
    ) {
        for (slot, found) in memory.iter().enumerate() {
            let is_element = self.slots.get(slot).is_some_and(Option::is_some);
            let expected = if is_element { element(slot) } else { padding(slot) };
            assert_eq!(*found, expected, "{} slot {slot}", self.text);
        }
    }

    /// A tile holds the elements of its part of the array, and no others.
    fn assert_tile(&self, start: usize, length: usize, origin: &[usize], extent: &[usize]) {
        let text = &self.text;
        let mut count = 0;
        for index in self.slots[start..start + length].iter().flatten() {
            let inside =
                |dim: usize| (origin[dim]..origin[dim] + extent[dim]).contains(&index[dim]);
            assert!((0..index.len()).all(inside), "{text} {index:?} {origin:?} {extent:?}");
            count += 1;
        }
        assert_eq!(count, extent.iter().product::<usize>(), "{text} {origin:?}");
    }
}

/// Indices one past the end of each dimension.
fn outside<const R: usize>(dims: [usize; R]) -> impl Iterator<Item = [usize; R]> {
    (0..R).map(move |dim| std::array::from_fn(|i| if i == dim { dims[dim] } else { 0 }))
}

/// Whether a walk says before each step how many are left.
fn is_exact<I>(mut walk: impl Iterator<Item = I> + Clone) -> bool {
    for left in (0..walk.clone().count()).rev() {
        if walk.size_hint() != (left + 1, Some(left + 1)) || walk.next().is_none() {
            return false;
        }
    }
    walk.size_hint() == (0, Some(0)) && walk.next().is_none() && walk.next().is_none()
}

fn arithmetic<L: Numbers<R>, const R: usize>(a: WithDims<L>) -> Expected {
    let shape = a.shape();
    let expected = Expected::of(format!("{a:?}"), &shape, &a.dims());
    let Expected { text, slots, in_memory, row_major, padding, .. } = &expected;
    assert_eq!(a.padded_elements(), slots.len(), "{text}");
    assert_eq!(a.elements(), in_memory.len(), "{text}");
    assert_eq!(a.bytes() as Size, shape.bytes().expect("all sizes are known"), "{text}");
    assert_eq!(a.unpadded_bytes(), 4 * in_memory.len(), "{text}");
    for (slot, index) in slots.iter().enumerate() {
        let found = a.index(slot);
        assert_eq!(found.as_ref().map(|index| &index[..]), index.as_deref(), "{text} slot {slot}");
        assert_eq!(a.is_padding(slot), found.is_none(), "{text} slot {slot}");
        if let Some(index) = found {
            assert_eq!((a.offset(index), a.checked_offset(index)), (slot, Some(slot)), "{text}");
        }
    }
    assert_eq!((a.index(slots.len()), a.is_padding(slots.len())), (None, false), "{text}");
    assert!(outside(a.dims()).all(|index| a.checked_offset(index).is_none()), "{text}");

    let at = |(index, slot): ([usize; R], usize)| (index.to_vec(), slot);
    assert!(a.indices().map(at).eq(in_memory.iter().cloned()), "{text}");
    assert!(a.indices_row_major().map(at).eq(row_major.iter().cloned()), "{text}");
    assert!(is_exact(a.indices()) && is_exact(a.indices_row_major()), "{text}");
    assert!(a.paddings().flatten().eq(padding.iter().copied()), "{text}");
    if let Some(strides) = a.strides() {
        expected.assert_strides(&strides);
    }
    expected
}

fn views<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let text = &expected.text;
    let mut data = (0..a.padded_elements() as u32).collect::<Vec<_>>();
    let view = a.view(&data).unwrap();
    assert_eq!((view.layout(), view.dims(), view.as_slice()), (a, a.dims(), &data[..]), "{text}");
    for (index, slot) in a.indices_row_major() {
        let slot = slot as u32;
        assert_eq!((view[index], view.get(index)), (slot, Some(&slot)), "{text} {index:?}");
    }
    assert!(outside(a.dims()).all(|index| view.get(index).is_none()), "{text}");
    let mut slots = Vec::new();
    for (run, elements) in view.runs() {
        assert!(elements.iter().map(|&x| x as usize).eq(run.range()), "{text}");
        slots.extend(run.range());
    }
    assert!(slots.iter().eq(expected.in_memory.iter().map(|(_, slot)| slot)), "{text}");

    data.extend([7; 3]);
    let mut view = a.view_mut(&mut data).unwrap();
    for (_, elements) in view.runs_mut() {
        elements.iter_mut().for_each(|x| *x += 1);
    }
    for (index, _) in a.indices() {
        view[index] += 1;
        *view.get_mut(index).unwrap() += 1;
    }
    let count = expected.slots.len();
    let slot_or_7 = |slot| if slot < count { slot as u32 } else { 7 };
    expected.assert_memory(&data, |slot| slot as u32 + 3, slot_or_7);
    if let Some(short) = count.checked_sub(1) {
        let error = a.view(&data[..short]).unwrap_err();
        assert_eq!((error.needed, error.given), (count, short), "{text}");
        assert!(a.view_mut(&mut data[..short]).is_err(), "{text}");
    }
    let mut buffer = a.filled(7);
    for (index, slot) in a.indices() {
        buffer[index] = slot as u32;
    }
    assert_eq!(buffer.as_slice().len(), count, "{text}");
    expected.assert_memory(buffer.clone().as_slice(), |slot| slot as u32, |_| 7);
}

/// Tiles as blocks of memory.
fn tiles<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let text = &expected.text;
    let size = expected.tile.as_deref().expect("tiles are blocks");
    let mut data = (0..a.padded_elements() as u32).collect::<Vec<_>>();
    let view = a.view(&data).unwrap();
    let counts = a.tile_counts();
    let count = counts.iter().product::<usize>();
    assert_eq!((view.tiles().len(), view.tiles().count()), (count, count), "{text}");
    let (mut start, mut length) = (0, 0);
    for tile in view.tiles() {
        let (origin, extent) = (tile.origin(), tile.extent());
        length = tile.as_slice().len();
        assert!(tile.as_slice().iter().map(|&x| x as usize).eq(start..start + length), "{text}");
        expected.assert_tile(start, length, &origin, &extent);
        start += length;
        // The same tile by its place in the grid.
        let same = view.tile(std::array::from_fn(|dim| origin[dim] / size[dim])).unwrap();
        assert_eq!((same.origin(), same.extent()), (origin, extent), "{text}");
        assert_eq!(same.as_slice(), tile.as_slice(), "{text}");
        assert_eq!(tile.is_full(), extent == size, "{text}");
    }
    // The slots that `L` adds belong to no tile.
    let slots = expected.in_memory.iter().map(|(_, slot)| *slot);
    assert!(slots.max().is_none_or(|last| last < start), "{text}");
    assert!(view.tile(counts).is_none() || R == 0, "{text}");

    let mut view = a.view_mut(&mut data).unwrap();
    for (number, mut tile) in view.tiles_mut().enumerate() {
        tile.as_mut_slice().fill(u32::MAX - number as u32);
    }
    match view.tile_mut(counts.map(|count| count.saturating_sub(1))) {
        Some(mut tile) => tile.as_mut_slice().fill(0),
        None => assert_eq!(a.elements(), 0, "{text}"),
    }
    for (slot, x) in data.iter().enumerate() {
        let expected = match (slot < start, slot + length < start) {
            (true, true) => u32::MAX - (slot / length) as u32,
            (true, false) => 0,
            (false, _) => slot as u32,
        };
        assert_eq!(*x, expected, "{text} slot {slot}");
    }
}

/// Rows of tiles: together every element once, in the order of memory, each where its index says.
fn rows_of_tiles<L: Numbers<R>, const R: usize>(a: WithDims<L>, expected: &Expected) {
    let text = &expected.text;
    let minor = a.shape().minor_to_major().first().copied();
    let mut data = (0..a.padded_elements() as u32).collect::<Vec<_>>();
    let mut found = Vec::new();
    for tile in a.view(&data).unwrap().tiles() {
        for (first, row) in tile.rows() {
            for (i, &slot) in row.iter().enumerate() {
                let mut index = first.to_vec();
                if let Some(minor) = minor {
                    index[minor] += i;
                }
                found.push((index, slot as usize));
            }
        }
    }
    assert_eq!(found, expected.in_memory, "{text}");
    for mut tile in a.view_mut(&mut data).unwrap().tiles_mut() {
        tile.rows_mut().for_each(|(_, row)| row.fill(u32::MAX));
    }
    expected.assert_memory(&data, |_| u32::MAX, |slot| slot as u32);
}

/// What a type says by itself of a layout whose sizes are known.
fn of_type<L: Layout<R> + Numbers<R>, const R: usize>(expected: &Expected) {
    let text = L::TEXT;
    let number = |index: &Vec<usize>| {
        index.iter().zip(&L::DIMS).fold(0, |number, (i, dim)| number * *dim as Size + *i as Size)
    };
    let memory = expected.slots.iter().map(|index| index.as_ref().map(number)).collect::<Vec<_>>();
    let runs = L::runs()
        .map(|run| (sizes(&run.index), run.offset as Size, run.length as Size))
        .collect::<Vec<_>>();
    assert_eq!(runs, agree::runs(&memory, &sizes(&L::DIMS), L::RUN_DIM), "{text}");
    let (least, most) = L::runs().size_hint();
    match most {
        Some(_) => assert!(is_exact(L::runs()), "{text}"),
        // They are found slot by slot.
        None => assert!((1..=runs.len()).contains(&least), "{text}"),
    }
    let at = |(index, slot): ([usize; R], usize)| (index.to_vec(), slot);
    assert!(L::indices().map(at).eq(expected.in_memory.iter().cloned()), "{text}");
    assert!(L::indices_row_major().map(at).eq(expected.row_major.iter().cloned()), "{text}");
    for number in 0..L::ELEMENTS {
        let index = unflatten_native(number, &L::DIMS);
        let slot = L::offset(index.clone().try_into().unwrap());
        assert_eq!(expected.row_major[number], (index, slot), "{text}");
    }
    assert_eq!(L::strides().is_some(), L::IS_AFFINE, "{text}");
    if let Some(strides) = L::strides() {
        expected.assert_strides(&strides);
    }
    assert!(L::paddings().flatten().eq(expected.padding.iter().copied()), "{text}");
    let touching = L::paddings().zip(L::paddings().skip(1)).any(|(a, b)| a.end == b.start);
    assert!(!touching, "{text}: ranges of padding are as long as they can be");

    let mut data = vec![5; L::PADDED_ELEMENTS];
    if let Some(short) = L::PADDED_ELEMENTS.checked_sub(1) {
        let error = View::<L, u32>::new(&data[..short]).unwrap_err();
        assert_eq!((error.needed, error.given), (L::PADDED_ELEMENTS, short), "{text}");
        assert!(ViewMut::<L, u32>::new(&mut data[..short]).is_err(), "{text}");
    }
    assert_eq!(ViewMut::<L, u32>::new(&mut data).unwrap().as_slice().len(), L::PADDED_ELEMENTS);
    assert_eq!(View::<L, u32>::new(&data).unwrap().as_slice(), data, "{text}");
    assert_eq!(Buffer::<L, u32>::zeroed().as_slice(), vec![0; L::PADDED_ELEMENTS], "{text}");
    for alignment in [1, 4, 64, 4096] {
        let buffer = Buffer::<L, u32>::filled_aligned(7, alignment);
        assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(alignment), "{text}");
        assert!(buffer.clone().as_slice().as_ptr().addr().is_multiple_of(alignment), "{text}");
        assert!(buffer.as_slice().iter().all(|&x| x == 7), "{text}");
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
        crate::rows::rows($a, 2);
        laws!(blocks $a)
    }};
    (fours $a:expr) => {{
        crate::rows::rows($a, 4);
        laws!(blocks $a)
    }};
    (rows $a:expr) => {{
        crate::rows::rows($a, 1);
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
