//! Arrays whose layouts are known at run time: how they are read, written, cut and copied.

use layout::__private::core::native;
use layout::dynamic::{DynLayout, DynView};
use layout::{Padding, Plan};

use super::case::{BEFORE, Case};
use crate::bits::get;
use crate::lists::array;
use crate::naive::{Naive, flatten, sizes, unflatten_native};
use crate::pairs::ranges;
use crate::random::Random;

const PADDING: u32 = u32::MAX;

/// A layout, and what stands in its memory: the row-major number of each element.
struct Numbered {
    layout: DynLayout,
    dims: Vec<usize>,
    memory: Vec<u32>,
}

impl Numbered {
    fn new(naive: &Naive) -> Numbered {
        // An array without elements has no memory.
        let memory = if naive.dims.contains(&0) { Vec::new() } else { naive.memory() };
        let memory = memory.into_iter();
        Numbered {
            layout: DynLayout::new(&array(&naive.text("u32"))).unwrap(),
            dims: naive.dims.iter().map(|size| native(*size)).collect(),
            memory: memory.map(|element| element.map_or(PADDING, |number| number as u32)).collect(),
        }
    }

    fn view(&self) -> DynView<'_, u32> {
        self.layout.view(&self.memory).unwrap()
    }

    fn number(&self, index: &[usize]) -> u32 {
        flatten(&sizes(index), &sizes(&self.dims)) as u32
    }

    fn elements(&self) -> u32 {
        self.dims.iter().product::<usize>() as u32
    }

    /// By index, in row-major order and in the order of memory.
    fn check_reads(&self) {
        let (view, layout) = (self.view(), &self.layout);
        assert_eq!(
            (&*view.dims(), layout.padded_elements()),
            (&*self.dims, self.memory.len()),
            "{layout}"
        );
        for (slot, number) in self.memory.iter().enumerate() {
            let index =
                (*number != PADDING).then(|| unflatten_native(*number as usize, &self.dims));
            assert_eq!(layout.index(slot).map(|index| index.to_vec()), index, "{layout} {slot}");
            if let Some(index) = index {
                assert_eq!((layout.offset(&index), view[&index]), (slot, *number), "{layout}");
            }
        }
        assert_eq!(layout.index(self.memory.len()), None);
        assert!(view.indexed_iter().map(|(_, number)| *number).eq(0..self.elements()), "{layout}");
        assert!(
            view.indexed_iter().all(|(index, number)| self.number(&index) == *number),
            "{layout}"
        );
        assert_eq!(view.to_row_major(), (0..self.elements()).collect::<Vec<_>>(), "{layout}");
        let in_memory = self.memory.iter().enumerate().filter(|(_, number)| **number != PADDING);
        let in_memory = in_memory.map(|(slot, number)| (slot, *number)).collect::<Vec<_>>();
        let runs = view.runs().flat_map(|(run, elements)| run.range().zip(elements.to_vec()));
        assert_eq!(runs.collect::<Vec<_>>(), in_memory, "{layout}");
        let indices = layout.indices().map(|(index, slot)| (slot, self.number(&index)));
        assert_eq!(indices.collect::<Vec<_>>(), in_memory, "{layout}");
        for (run, elements) in view.runs() {
            // Of one dimension all, of the others one coordinate.
            let first = unflatten_native(elements[0] as usize, &self.dims);
            let last = unflatten_native(elements[elements.len() - 1] as usize, &self.dims);
            let gone = first.iter().zip(&last).map(|(first, last)| last.abs_diff(*first));
            assert_eq!(run.index, first, "{layout}");
            assert_eq!(gone.sum::<usize>(), run.length - 1, "{layout} {run:?}");
        }
        if let Ok(rows) = view.rows() {
            let mut found = Vec::new();
            for row in rows {
                assert_eq!(
                    (row.len(), row[0]),
                    (row.indexed_iter().len(), self.number(&row.index()))
                );
                assert_eq!(row.get(row.len()), None);
                found.extend(row.indexed_iter().map(|(_, number)| *number));
            }
            found.sort_unstable();
            assert!(found.into_iter().eq(0..self.elements()), "{layout}");
        }
        if let Ok(tiles) = view.tiles() {
            let tiles = tiles.collect::<Vec<_>>();
            let slots = tiles.iter().flat_map(|tile| tile.as_slice().to_vec()).collect::<Vec<_>>();
            // `L` adds slots that are of no tile.
            assert_eq!(slots, self.memory[..slots.len()], "{layout}");
            assert!(self.memory[slots.len()..].iter().all(|slot| *slot == PADDING), "{layout}");
            for tile in &tiles {
                let mut held = tile.as_slice().iter().filter(|number| **number != PADDING);
                assert!(held.all(|number| {
                    let index = unflatten_native(*number as usize, &self.dims);
                    let origin = tile.origin();
                    let local = index.iter().zip(&*origin).map(|(at, origin)| at - origin);
                    local.zip(&*tile.extent()).all(|(at, extent)| at < *extent)
                }));
            }
        }
    }

    /// A part of the array.
    fn check_slice(&self, random: &mut Random) {
        let (view, layout) = (self.view(), &self.layout);
        let ranges = ranges(random, &self.dims);
        let inside = |number: u32| {
            let index = unflatten_native(number as usize, &self.dims);
            index.iter().zip(&ranges).all(|(at, range)| range.contains(at))
        };
        let expected = (0..self.elements()).filter(|number| inside(*number)).collect::<Vec<_>>();
        let slice = view.slice(&*ranges).unwrap();
        assert_eq!(slice.to_row_major(), expected, "{layout} {ranges:?}");
        for (index, number) in slice.indexed_iter() {
            let place = index.iter().zip(&ranges).map(|(at, range)| at + range.start);
            assert_eq!(self.number(&place.collect::<Vec<_>>()), *number, "{layout} {ranges:?}");
            assert_eq!(slice[index], *number);
        }
        let outside = ranges.iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
        assert!(outside.is_empty() || slice.get(&outside).is_none());
        let sorted = |mut found: Vec<u32>| {
            found.sort_unstable();
            found
        };
        let found = slice.runs().flat_map(|(run, elements)| {
            assert_eq!(slice.get(&run.index), elements.first(), "{layout} {ranges:?}");
            elements.to_vec()
        });
        assert_eq!(sorted(found.collect()), expected, "{layout} {ranges:?}");
        if let Ok(rows) = slice.rows() {
            let found = rows.flat_map(|row| {
                row.into_iter().map(|(index, number)| {
                    assert_eq!(slice[index], *number, "{layout} {ranges:?}");
                    *number
                })
            });
            assert_eq!(sorted(found.collect()), expected, "{layout} {ranges:?}");
        }
        let mut buffer = layout.from_vec(self.memory.clone()).unwrap();
        let mut part = buffer.slice_mut(&*ranges).unwrap();
        part.runs_mut().flat_map(|(_, run)| run).for_each(|number| *number += 1_000_000);
        let written = self.memory.iter().map(|number| match *number {
            PADDING => PADDING,
            number => number + if inside(number) { 1_000_000 } else { 0 },
        });
        assert!(buffer.as_slice().iter().copied().eq(written), "{layout} {ranges:?}");
    }

    fn check_writes(&self) {
        let layout = &self.layout;
        let written = |of: &dyn Fn(u32) -> u32| {
            let all = self.memory.iter();
            all.map(|number| if *number == PADDING { 7 } else { of(*number) }).collect::<Vec<_>>()
        };
        let mut buffer = layout.filled(7).unwrap();
        assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(64));
        for number in 0..self.elements() {
            buffer[unflatten_native(number as usize, &self.dims)] = number;
        }
        assert_eq!(buffer.as_slice(), written(&|number| number), "{layout}");
        for (run, elements) in buffer.runs_mut() {
            elements.iter_mut().for_each(|number| *number += run.index.len() as u32);
        }
        let rank = self.dims.len() as u32;
        assert_eq!(buffer.clone().into_vec(), written(&|number| number + rank), "{layout}");
        if let Ok(rows) = buffer.rows_mut() {
            rows.flatten().for_each(|(_, number)| *number -= rank);
            assert_eq!(buffer.as_slice(), written(&|number| number), "{layout}");
        }
        buffer.fill(9);
        assert_eq!(buffer.as_slice(), written(&|_| 9), "{layout}");
        let has_tiles = buffer.tiles_mut().map(|tiles| {
            tiles.for_each(|mut tile| tile.as_mut_slice().fill(1));
        });
        if has_tiles.is_ok() {
            assert!(buffer.indexed_iter().all(|(_, number)| *number == 1), "{layout}");
        }
        let from_fn = layout.from_fn(|index| self.number(index)).unwrap();
        assert_eq!(from_fn, self.view(), "{layout}");
        assert!(layout.from_row_major(&vec![0; self.elements() as usize + 1]).is_err());
    }
}

/// Numbers of 32 bits: each layout by itself.
pub(super) fn views(case: &Case, random: &mut Random) {
    for naive in &case.pair.layouts {
        // Each element is looked at in many ways.
        if naive.size_within(1000).is_none() {
            continue;
        }
        let numbered = Numbered::new(naive);
        numbered.check_reads();
        numbered.check_slice(random);
        numbered.check_writes();
    }
}

/// Numbers of 32 bits: copies of values, and from row-major order.
pub(super) fn elements(case: &Case, random: &mut Random) {
    let [a, b] = case.pair.layouts.each_ref().map(Numbered::new);
    let with_zeros = |of: &Numbered| {
        let all = of.memory.iter().map(|number| if *number == PADDING { 0 } else { *number });
        all.collect::<Vec<_>>()
    };
    let mut moved = b.layout.filled(3).unwrap();
    a.view().copy_to(&mut moved, Padding::Zero).unwrap();
    assert_eq!(moved.as_slice(), with_zeros(&b), "copy_to");
    assert_eq!(moved.to_row_major(), (0..b.elements()).collect::<Vec<_>>(), "to_row_major");
    let rows = b.layout.from_row_major(&moved.to_row_major()).unwrap();
    assert_eq!(rows.into_vec(), with_zeros(&b), "from_row_major");
    let mut there = b.layout.filled(3).unwrap();
    a.view().copy_to(&mut there, PADDING).unwrap();
    assert_eq!(there.as_slice(), b.memory, "copy_to");
    assert_eq!(there, a.view());
    let plan = Plan::new(a.layout.shape(), b.layout.shape()).unwrap();
    let mut there = b.layout.filled(PADDING).unwrap();
    let plan = super::paths::with_settings(&plan, random).0;
    plan.run(a.view().as_slice(), there.as_mut_slice(), Padding::Leave).unwrap();
    assert_eq!(there.as_slice(), b.memory, "run");
}

/// Elements of any bits.
pub(super) fn bytes(case: &Case, random: &mut Random) {
    let [from, to] = case.shapes.each_ref().map(|shape| DynLayout::new(shape).unwrap());
    let (source, padding) = (from.bytes_view(case.source()).unwrap(), case.padding(random));
    let expected = case.expected(padding);
    let mut memory = vec![BEFORE; expected.len()];
    let mut there = to.bytes_view_mut(&mut memory).unwrap();
    source.copy_to(&mut there, padding).unwrap();
    assert_eq!(there.as_bytes(), expected, "copy_to with {padding:?}");
    // By each element.
    let (values, bits) = (there.to_row_major(), case.pair.bits[1]);
    let dims = to.dims();
    for (slot, number) in case.memories[1].iter().enumerate() {
        let Some(number) = number else { continue };
        let value = get(&expected, slot, bits);
        let index = unflatten_native(native(*number), dims);
        assert_eq!((there.get(&index), values[native(*number)]), (Some(value), value), "{index:?}");
        // Bits above those of an element do not matter.
        there.set(&index, !value);
        there.set(&index, value | u128::MAX.checked_shl(bits as u32).unwrap_or(0));
    }
    assert_eq!(there.as_bytes(), expected, "set");
    let in_memory = case.memories[1].iter().flatten().map(|number| values[native(*number)]);
    assert!(there.runs().flat_map(|(_, run)| run).eq(in_memory), "runs");
    let mut zeroed = to.zeroed_bytes();
    source.copy_to(&mut zeroed, Padding::Leave).unwrap();
    assert_eq!(zeroed.to_row_major(), values, "copy_to of zeros");
    let mut filled = to.zeroed_bytes();
    filled.fill(u128::MAX);
    for (slot, number) in case.memories[1].iter().enumerate() {
        let expected = if number.is_some() { u128::MAX >> (128 - bits) } else { 0 };
        assert_eq!(get(filled.as_bytes(), slot, bits), expected, "fill: slot {slot}");
    }
}
