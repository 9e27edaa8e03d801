//! Views, buffers and slices of few layouts, one of each kind: what they have in common, and how they are cut and shared.

use std::ops::Range;

use layout::types::SameArray;
use layout::{AnyLayout, Buffer, WithDims, layout};
use layout_tests::pairs::ranges;
use layout_tests::random::Random;
use rayon::prelude::*;

use crate::expected::{Expected, Offsets};
use crate::plain::{Numbers, Parts, Writes, index, lengths, numbers, stretches};
use crate::tiled::{self, Block};

/// Calls a function with layouts of the corpus and sizes, and another one with those that have rows, of which so many lie
/// in turns.
macro_rules! few {
    (@slots $in_rows:ident $a:ident) => {};
    (@$stride:literal $in_rows:ident $a:ident) => { $in_rows($a, $stride); };
    (@all $any:ident $in_rows:ident $(($($layout:tt)*) $stride:tt $([$($dim:literal),*])*;)*) => {$({
        type A = layout::layout!($($layout)*);
        for dims in [$([$($dim),*]),*] {
            let a = A::with_dims(dims).unwrap();
            $any(a);
            few! { @$stride $in_rows a }
        }
    })*};
    // Those of which a copy is compiled, which takes long.
    ($any:ident) => {
        few! {
            @all $any nothing
            (U32[]{:T(128)}) slots [];
            (U32[5,7]{1,0:PAD(6,9)T(4,2)L(100)}) slots [5, 7];
            (U32[0,5]{1,0:T(2,2)}) slots [0, 5];
            (U32[?,<=300]{1,0:T(8,128)}) slots [20, 290] [9, 0];
            (U32[20,300]{1,0:T(8,128)(2,1)}) slots [20, 300];
            (U32[4,5,6]{0,2,1:T(*,7)}) slots [4, 5, 6];
        }
    };
    ($any:ident, $in_rows:ident) => {
        few! {
            @all $any $in_rows
            (U32[]{:T(128)}) 1 [];
            (U32[7]) 1 [7];
            (U32[3,5]{0,1}) 1 [3, 5];
            (U32[5,7]{1,0:PAD(6,9)T(4,2)L(100)}) 1 [5, 7];
            (U32[4,3,9]{2,0,1:T(2,4)}) 1 [4, 3, 9];
            (U32[2,2,2,3,2,5]{5,3,4,0,2,1:T(2,2)}) 1 [2, 2, 2, 3, 2, 5];
            (U32[0,5]{1,0:T(2,2)}) 1 [0, 5];
            (U32[?,?]{0,1}) 1 [3, 4] [1, 1] [0, 2];
            (U32[?,<=300]{1,0:T(8,128)}) 1 [20, 290] [9, 0];
            (U32[?,0]{1,0:T(8,128)(2,1)}) 2 [0, 0] [3, 0];
            (U32[20,300]{1,0:T(8,128)(2,1)}) 2 [20, 300];
            (U32[<=40,?]{0,1:T(8,128)(2,1)}) 2 [33, 140] [40, 7];
            (U32[2,33,130]{1,2,0:T(32,128)(4,1)}) 4 [2, 33, 130];
            (U32[4,5,6]{0,2,1:T(*,7)}) slots [4, 5, 6];
            (U32[?,?]{1,0:T(2,4)(2,2,1)}) slots [5, 9];
            (U32[2,?,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)}) slots [2, 3, 4, 5, 4];
        }
    };
}

pub(crate) use few;

macro_rules! tests {
    ($($name:ident: $($check:ident),*;)*) => {$(
        #[test]
        fn $name() {
            few! { $($check),* }
        }
    )*};
}

tests! {
    the_same_names_everywhere: memories, nothing;
    layouts_as_values: as_values, nothing;
    buffers_from_their_elements: conversions;
    slices_of_views: slices, rows_of_slices;
    offsets_in_32_bits: in_32_bits, nothing;
}

fn nothing<L: AnyLayout>(_: WithDims<L>, _: usize) {}

/// A layout that is a type as a value, and back; a value has all that the bound of a dimension says.
fn as_values<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let mut data = numbers(a.padded_elements());
    let view = a.view(&data).unwrap();
    let value = view.into_dyn();
    assert_eq!(value.layout().shape(), &a.shape());
    if value.dims() != a.dims().as_ref() {
        return;
    }
    Expected::of(&a).assert_reads(&value);
    assert_eq!(value.as_view().into_typed::<L>().unwrap().as_slice(), view.as_slice());
    let mut value = a.view_mut(&mut data).unwrap().into_dyn();
    value.reborrow().into_typed::<L>().unwrap().fill(7);
    assert!(value.indexed_iter().all(|(_, element)| *element == 7), "{a:?}");
}

/// Every way to read and to write the elements, under the same names.
fn memories<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let expected = Expected::of(&a);
    let mut data = numbers(a.padded_elements());
    let mut view = a.view_mut(&mut data).unwrap();
    assert_eq!((view.layout(), view.as_view().layout()), (a, a));
    expected.assert_reads(&view.as_view());
    expected.assert_writes(&mut view);
    expected.assert_writes(&mut view.reborrow());
    let shared = view.as_view();
    let slice = shared.slice([..; R]).unwrap();
    assert_eq!(slice.layout(), a);
    expected.assert_reads(&slice);
    let mut slice = view.slice_mut([..; R]).unwrap();
    assert_eq!(slice.layout(), a);
    expected.assert_writes(&mut slice);
    expected.assert_writes(&mut slice.reborrow());
    let mut buffer = a.from_vec(data).unwrap();
    assert_eq!(buffer.layout(), a);
    expected.assert_writes(&mut buffer);
    // What was written to is each element, and nothing else.
    assert_eq!(buffer.into_vec(), numbers(a.padded_elements()), "{a:?}");
    let mut buffer = a.filled(7);
    for (coordinates, slot) in &expected.in_memory {
        buffer[index(coordinates)] = *slot as u32;
    }
    assert_eq!(buffer.as_slice().len(), expected.slots.len(), "{a:?}");
    expected.assert_memory(buffer.clone().as_slice(), &|slot| slot as u32, &|_| 7);
}

/// A buffer from its elements, and back.
fn conversions<L: Numbers<R> + SameArray<L>, const R: usize>(a: WithDims<L>) {
    let elements = (1..=a.elements() as u32).collect::<Vec<_>>();
    let buffer = a.from_row_major(&elements).unwrap();
    assert_eq!(buffer.to_row_major(), elements, "{a:?}");
    let padding = Expected::of(&a).paddings();
    assert!(padding.iter().all(|slot| buffer.as_slice()[*slot] == 0), "{a:?}");
    let mut next = 0;
    let by_index = a.from_fn(|index| {
        next += 1;
        assert!(a.checked_offset(index).is_some());
        next
    });
    assert_eq!((&by_index, by_index.as_slice()), (&buffer, buffer.as_slice()), "{a:?}");
    for length in [elements.len() + 1, elements.len().saturating_sub(1)] {
        let result = a.from_row_major(&vec![0; length]);
        assert_eq!(result.is_ok(), length == elements.len(), "{a:?}");
    }

    let memory = buffer.as_slice().to_vec();
    for alignment in [1, 64, 4096] {
        let mut aligned = a.filled_aligned(0, alignment);
        aligned.as_mut_slice().copy_from_slice(&memory);
        assert!(aligned == buffer && aligned.clone() == buffer, "{a:?}");
        assert_eq!(aligned.into_vec(), memory, "{a:?}");
    }
    let at = memory.as_ptr();
    let taken = a.from_vec(memory.clone()).unwrap();
    assert_eq!((&taken, &taken.clone()), (&buffer, &buffer), "{a:?}");
    let taken = a.from_vec(memory).unwrap().into_vec();
    assert_eq!((taken.as_ptr(), &taken[..]), (at, buffer.as_slice()), "{a:?}");
    let error = a.from_vec(vec![0; taken.len() + 1]).unwrap_err();
    assert_eq!(lengths(error), (taken.len(), taken.len() + 1), "{a:?}");

    let json = serde_json::to_string(&buffer).unwrap();
    let back = serde_json::from_str::<Buffer<L, u32>>(&json).unwrap();
    assert_eq!((&back, back.as_slice()), (&buffer, buffer.as_slice()), "{a:?} {json}");
}

/// Every way to look at and to write slices of a layout.
fn slices<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let random = &mut Random::new(R as u64);
    let expected = Expected::of(&a);
    for _ in 0..30 {
        let ranges = ranges(random, &expected.dims);
        let cut = expected.part(&ranges);
        let array: [_; R] = ranges.try_into().expect("a range for each dimension");
        let mut data = numbers(a.padded_elements());
        let view = a.view(&data).unwrap();
        assert_parts(&cut, &view, &array, random);
        if cut.row_major.is_empty() {
            assert_eq!(view.slice(array.clone()).unwrap().base_offset(), Some(0), "{}", cut.text);
        }
        let mut view = a.view_mut(&mut data).unwrap();
        cut.assert_writes(&mut view.slice_mut(array.clone()).unwrap());
        view.slice_mut(array.clone()).unwrap().fill(u32::MAX);
        cut.assert_memory(&data, &|_| u32::MAX, &|slot| slot as u32);
        for dim in 0..R {
            let at = random.below(cut.dims[dim] + 1);
            let mut memory = vec![0; a.padded_elements()];
            let mut view = a.view_mut(&mut memory).unwrap();
            let whole = view.slice_mut(array.clone()).unwrap();
            let [mut first, mut second] = whole.into_halves(dim, at).unwrap();
            write_halves(&mut first, &mut second);
            for (number, mut part) in second.into_axis(dim).unwrap().enumerate() {
                write_line(&mut part.reborrow(), number);
            }
            assert_halves(&cut, dim, at, &memory);
        }
    }
}

/// A part of a view and what it is cut into.
pub(crate) fn assert_parts(
    cut: &Expected,
    view: &dyn Parts,
    ranges: &[Range<usize>],
    random: &mut Random,
) {
    let slice = view.part(ranges);
    cut.assert_reads(&*slice);
    for (dim, &size) in cut.dims.iter().enumerate() {
        let at = random.below(size + 1);
        let [first, second] = slice.split(dim, at);
        cut.along(dim, 0..at).assert_reads(&*first);
        cut.along(dim, at..size).assert_reads(&*second);
        let lines = slice.axis(dim);
        assert_eq!(lines.len(), size, "{}", cut.text);
        let few = [0, at.saturating_sub(1), at, size.saturating_sub(1)];
        for at in few.into_iter().filter(|at| *at < size) {
            cut.along(dim, at..at + 1).assert_reads(&*lines[at]);
        }
        let halves = first.axis(dim).into_iter().chain(second.axis(dim));
        assert!(halves.map(|line| line.to_vec()).eq(lines.iter().map(|line| line.to_vec())));
    }
}

/// Both halves at once, element by element and run by run.
fn write_halves(first: &mut dyn Writes, second: &mut dyn Writes) {
    let elements = [first.elements_mut(), second.elements_mut()];
    for (_, x) in elements.into_iter().flatten() {
        *x += 100;
    }
    for (_, x) in first.elements_mut().into_iter().chain(second.elements_mut()) {
        *x -= 100;
    }
    let (mut of_first, mut of_second) = (first.runs_mut(), second.runs_mut());
    for number in 0..of_first.len().max(of_second.len()) {
        if let Some(run) = of_first.get_mut(number) {
            run.iter_mut().for_each(|x| *x += 1);
        }
        if let Some(run) = of_second.get_mut(number) {
            run.iter_mut().for_each(|x| *x += 2);
        }
    }
    for (index, _) in first.elements() {
        *first.indexed_mut(&index) += 10;
        assert_eq!((first.get(&index), first.get_mut(&index)), (Some(11), Some(&mut 11)));
    }
    assert_eq!(first.get_mut(&first.dims()).is_some(), first.dims().is_empty());
}

fn write_line(line: &mut dyn Writes, number: usize) {
    assert!(line.runs().iter().flat_map(|run| &run.slots).all(|&x| x == 2));
    for run in line.runs_mut() {
        run.fill(100 + number as u32);
    }
}

/// An element was written by its own half alone, padding by none.
fn assert_halves(cut: &Expected, dim: usize, at: usize, memory: &[u32]) {
    let mut expected = vec![0; memory.len()];
    for (index, slot) in &cut.in_memory {
        let along = index[dim];
        expected[*slot] = if along < at { 11 } else { 100 + (along - at) as u32 };
    }
    assert_eq!(memory, expected, "{} {dim} {at}", cut.text);
}

fn rows_of_slices<L: Numbers<R>, const R: usize>(a: WithDims<L>, stride: usize) {
    let random = &mut Random::new(21);
    let expected = Expected::of(&a);
    for _ in 0..8 {
        let ranges = ranges(random, &expected.dims);
        let cut = expected.part(&ranges);
        let array: [_; R] = ranges.try_into().expect("a range for each dimension");
        let mut data = numbers(a.padded_elements());
        let mut view = a.view_mut(&mut data).unwrap();
        let mut slice = view.slice_mut(array.clone()).unwrap();
        let rows = tiled::rows(&mut slice.rows());
        cut.assert_rows(&rows, stride);
        assert_eq!(tiled::rows(&mut slice.as_view().rows()), rows, "{}", cut.text);
        tiled::number_rows(&mut slice.rows_mut());
        for (number, row) in rows.iter().enumerate() {
            for slot in &row.slots {
                let found = std::mem::replace(&mut data[*slot as usize], *slot);
                assert_eq!(found, u32::MAX - number as u32, "{} {:?}", cut.text, row.index);
            }
        }
        assert_eq!(data, numbers(a.padded_elements()), "{}", cut.text);
    }
}

fn threads() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads can be started")
}

/// Runs on several threads, against those on one.
fn runs_on_threads<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let mut buffer = a.from_vec(numbers(a.padded_elements())).unwrap();
    let view = buffer.as_view();
    let expected = stretches(&mut view.runs());
    // Threads give what they have in the order of memory.
    let found = threads().install(|| view.par_runs().collect::<Vec<_>>());
    assert_eq!(stretches(&mut found.into_iter()), expected, "{a:?}");
    let mut view = buffer.as_view_mut();
    let runs = view.par_runs_mut().map(|(run, elements)| {
        elements.iter_mut().for_each(|x| *x += 1);
        (run.offset, run.length)
    });
    let found = threads().install(|| runs.collect::<Vec<_>>());
    assert!(found.into_iter().eq(expected.iter().map(|run| (run.offset, run.slots.len()))));
    let added = |slot| usize::from(!a.is_padding(slot));
    let slots = (0..a.padded_elements()).map(|slot| (slot + added(slot)) as u32);
    assert_eq!(buffer.as_slice(), slots.collect::<Vec<_>>(), "{a:?}");
    // A search ends where something is found.
    let some = buffer.as_view().par_runs().find_any(|(run, _)| run.offset > 0).is_some();
    assert_eq!(some, expected.iter().any(|run| run.offset > 0), "{a:?}");
}

/// Tiles on several threads.
fn tiles_on_threads<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let mut buffer = a.from_vec(numbers(a.padded_elements())).unwrap();
    let expected = tiled::Tiled::tiles(&buffer);
    let view = buffer.as_view();
    let tiles = view.par_tiles();
    assert_eq!(tiles.len(), expected.len(), "{a:?}");
    let mut found = Vec::new();
    for tile in threads().install(|| tiles.collect::<Vec<_>>()) {
        found.push(Block::of(&tile, tile.as_slice()));
    }
    assert_eq!(found, expected, "{a:?}");
    let mut view = buffer.as_view_mut();
    threads().install(|| {
        view.par_tiles_mut()
            .for_each(|tile| tile.into_mut_slice().iter_mut().for_each(|x| *x *= 2));
    });
    let mut start = 0;
    for tile in tiled::TiledMut::tiles_mut(&mut view) {
        let slots = tile.iter().map(|x| *x as usize);
        assert!(slots.eq((start..start + tile.len()).map(|slot| 2 * slot)), "{a:?} {start}");
        start += tile.len();
    }
}

/// Runs in blocks, runs that touch, single slots, long runs between padding, and no elements.
#[test]
fn runs_and_tiles_on_threads() {
    runs_on_threads(<layout!(U32[50000])>::with_dims([50000]).unwrap());
    runs_on_threads(<layout!(U32[20,30,40]{2,1,0:T(*,2,8)})>::with_dims([20, 30, 40]).unwrap());
    runs_on_threads(<layout!(U32[33,44]{1,0:T(3,4)(5)})>::with_dims([33, 44]).unwrap());
    let a = <layout!(U32[5,3000]{1,0:PAD(9,6000)L(100000)})>::with_dims([5, 3000]).unwrap();
    runs_on_threads(a);
    for dims in [[500, 300], [0, 5]] {
        let a = <layout!(U32[?,<=300]{1,0:T(8,128)})>::with_dims(dims).unwrap();
        runs_on_threads(a);
        tiles_on_threads(a);
    }
    let a = <layout!(U32[2,33,130]{1,2,0:T(32,128)(4,1)})>::with_dims([2, 33, 130]).unwrap();
    tiles_on_threads(a);
}

/// Every element and every slot, in 32 bits as in those of the target.
fn in_32_bits<L: Numbers<R>, const R: usize>(a: WithDims<L>) {
    let narrow = a.to_u32().unwrap();
    assert_eq!(narrow.padded_elements() as usize, a.padded_elements(), "{a:?}");
    assert_eq!(narrow.dims(), a.dims().map(|size| size as u32), "{a:?}");
    let of = |coordinates: &[usize]| index::<[usize; R]>(coordinates).map(|i| i as u32);
    let checked = |coordinates: &[usize]| narrow.checked_offset(of(coordinates));
    let index = |slot| Some(narrow.index(slot as u32)?.map(|i| i as usize).to_vec());
    let is_padding = |slot| narrow.is_padding(slot as u32);
    for offset in [
        &|coordinates: &[usize]| narrow.offset(of(coordinates)) as usize,
        &|coordinates: &[usize]| narrow.offset_unchecked(of(coordinates)) as usize,
    ] as [&dyn Fn(&[usize]) -> usize; 2]
    {
        Expected::of(&a).assert_offsets(&Offsets {
            index: &index,
            is_padding: &is_padding,
            offset,
            checked: &|coordinates| checked(coordinates).map(|slot| slot as usize),
        });
    }
}
