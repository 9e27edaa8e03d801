//! Whether the library agrees with the naive model on everything about a layout.

use layout::__private::core::{
    Counts, FIRST_COORDINATE, FIRST_COUNT, NATIVE, OFFSET, ONE, OffsetProgram, Registers, Walk,
    execute,
};
use layout::ArrayShape;
use layout::shape::analysis::PadReshapeTranspose;
use layout::shape::{Digits, Size};

use crate::lists::array;
use crate::naive::{Naive, flatten, unflatten};
use crate::{slices, terms, unknown};

/// Of layouts all of whose sizes are known.
const NO_COUNTS: &Counts = &[0; _];

/// Compares every element and every slot.
///
/// # Panics
/// At the first difference.
pub fn check(naive: &Naive) {
    let text = naive.text("f32");
    let shape = array(&text);
    assert_eq!(shape.to_string(), text);

    let memory = naive.memory();
    let elements = naive.dims.iter().product::<Size>();
    assert_eq!(shape.elements(), Some(elements), "{text}");
    let slots = if elements == 0 { 0 } else { memory.len() as Size };
    assert_eq!(shape.padded_elements(), Some(slots), "{text}");
    assert_eq!(shape.bytes(), Some(4 * slots), "{text}");
    if elements == 0 {
        // No memory, whatever would pad it.
        assert_eq!(shape.xla_bytes(), Some(0), "{text}");
        assert_eq!(shape.digits().unwrap().index(0), None, "{text}");
        let grid = shape.grid();
        assert!(grid.is_err() || grid.is_ok_and(|grid| grid.count[0].factor == 0), "{text}");
        assert_eq!(shape.slice_bytes(&[]), Ok(0..0), "{text}");
        slices::check_wrong(&shape, &naive.dims);
        return;
    }
    let physical = shape.physical_dims().unwrap();
    let size = physical.iter().product::<Size>();
    assert_eq!(size.next_multiple_of(naive.tail_alignment.max(1)), slots, "{text}");
    let last = PadReshapeTranspose::of(&shape).last();
    assert!(last.is_none_or(|step| *step.result == *physical), "{text}");

    // Each slot holds the element that the library says, and each element its slot.
    let digits = shape.digits().expect("the sizes are known");
    let in_memory = memory.iter().zip(0..).filter_map(|(number, slot)| Some(((*number)?, slot)));
    let one_by_one = digits.indices().map(|(index, slot)| (flatten(&index, &naive.dims), slot));
    assert!(one_by_one.eq(in_memory), "{text}");
    let steps = OffsetProgram::new(&digits);
    let mut found: Size = 0;
    for (slot, number) in memory.iter().enumerate() {
        let slot = slot as Size;
        let index = digits.index(slot);
        let expected = number.map(|number| unflatten(number, &naive.dims));
        assert_eq!(index.as_deref(), expected.as_deref(), "{text} slot {slot}");
        assert_eq!(digits.index_in::<32>(slot, false), index, "{text} slot {slot}");
        if let Some(index) = &expected {
            assert_eq!(digits.offset_unchecked(index), slot, "{text} {index:?}");
            let linear = digits.swizzle().apply(slot);
            assert_eq!(run::<NATIVE>(&steps, index), linear, "{text} {index:?} by the program");
            assert_eq!(run::<32>(&steps, index), linear, "{text} {index:?} in 32 bits");
            found += 1;
        }
    }
    assert_eq!(found, elements, "{text}");
    grid(&shape, naive, &memory);
    slices::check(naive, &memory);
    slices::check_wrong(&shape, &naive.dims);
    terms::check(&shape, &naive.dims, &memory, &text);
    unknown::check(naive, &memory);
    let walk = Walk::new(&digits, naive.minor_to_major.first().copied().unwrap_or(0));
    structure(&digits, &walk, naive, &text);
    let along = walk.dim();
    assert_eq!(walked(&digits, &walk), runs(&memory, &naive.dims, along), "{text} along {along}");
    assert_eq!(digits.index(memory.len() as Size), None, "{text}");
    if let Some(slot) = memory.iter().rposition(Option::is_some) {
        let index = unflatten(memory[slot].unwrap(), &naive.dims);
        assert_eq!(digits.offset(&index), Some(slot as Size), "{text}");
    }
    for dim in 0..naive.dims.len() {
        let mut outside = vec![0; naive.dims.len()];
        outside[dim] = naive.dims[dim];
        assert_eq!(digits.offset(&outside), None, "{text} {outside:?}");
    }
}

/// Compares the grid of the outermost tiling, where there is one: every element lies in the block of
/// its tile, and the blocks are all the memory.
fn grid(shape: &ArrayShape, naive: &Naive, memory: &[Option<Size>]) {
    let Ok(grid) = shape.grid() else {
        let is_combined = || naive.tiles[0].contains(&None);
        let is_across = || naive.tiles.len() > 1;
        assert!(naive.swizzle.is_some() || is_combined() || is_across(), "{shape} has a grid");
        return;
    };
    let physical = naive.minor_to_major.iter().rev();
    let count = grid.count.map(|count| count.value(NO_COUNTS));
    let tiles = physical.clone().map(|&dim| count[dim]).product::<Size>();
    let block = grid.block.value(NO_COUNTS);
    let slots = (tiles * block).next_multiple_of(naive.tail_alignment.max(1));
    assert_eq!(slots, memory.len() as Size, "{shape}");
    for (slot, number) in memory.iter().enumerate() {
        let Some(number) = number else { continue };
        let index = unflatten(*number, &naive.dims);
        let tile = physical.clone().fold(0, |tile, &dim| {
            let at = index[dim] / grid.size[dim];
            assert!(at < count[dim], "{shape} {index:?}");
            tile * count[dim] + at
        });
        assert_eq!(slot as Size / block, tile, "{shape} {index:?}");
    }
}

/// Compares the strides and the contiguous stretch along the most minor dimension with the offsets.
fn structure(digits: &Digits, walk: &Walk, naive: &Naive, text: &str) {
    let offsets =
        naive.indices().map(|index| (digits.offset_unchecked(&index), index)).collect::<Vec<_>>();
    let unit = |dim: usize| {
        let mut index = vec![0; naive.dims.len()];
        index[dim] = 1;
        if naive.dims[dim] > 1 { digits.offset_unchecked(&index) } else { 0 }
    };
    let strides = (0..naive.dims.len()).map(unit).collect::<Vec<_>>();
    let is_affine = offsets.iter().all(|(offset, index)| {
        *offset == index.iter().zip(&strides).map(|(i, stride)| i * stride).sum::<Size>()
    });
    // Said of `strides`: above this number of elements, those of digits that carry may be missed.
    let can_carry = naive.swizzle.is_some() || naive.tiles.iter().flatten().any(Option::is_none);
    let may_miss = digits.elements() > 4096 && can_carry;
    match digits.strides() {
        Some(found) => {
            let found = found.map(|stride| stride.value(NO_COUNTS));
            assert_eq!(found[..strides.len()], strides, "{text}");
        }
        None => assert!(!is_affine || may_miss, "{text} is affine: {strides:?}"),
    }
    let Some(&minor) = naive.minor_to_major.first() else { return };
    let length = walk.contiguous(minor);
    for (offset, index) in &offsets {
        let within = index[minor] % length;
        let mut first = index.clone();
        first[minor] -= within;
        assert_eq!(
            *offset,
            digits.offset_unchecked(&first) + within,
            "{text} {index:?} in {length}"
        );
    }
    if length < naive.dims[minor] && !walk.scans_slots() {
        let mut behind = vec![0; naive.dims.len()];
        behind[minor] = length;
        assert_ne!(digits.offset_unchecked(&behind), length, "{text}: more than {length}");
    }
}

/// A run of the naive model: index, offset, length.
pub type NaiveRun = (Vec<Size>, Size, Size);

/// The runs of a memory along one dimension, found by looking at one slot after another.
pub fn runs(memory: &[Option<Size>], dims: &[Size], along: usize) -> Vec<NaiveRun> {
    let mut runs = Vec::<NaiveRun>::new();
    for (slot, number) in memory.iter().enumerate() {
        let Some(number) = number else { continue };
        let (slot, index) = (slot as Size, unflatten(*number, dims));
        if let Some((first, offset, length)) = runs.last_mut() {
            let mut next = first.clone();
            if let Some(coordinate) = next.get_mut(along) {
                *coordinate += *length;
            }
            if *offset + *length == slot && next == index {
                *length += 1;
                continue;
            }
        }
        runs.push((index, slot, 1));
    }
    runs
}

/// The runs that a walk finds.
fn walked(digits: &Digits, walk: &Walk) -> Vec<NaiveRun> {
    let mut runs = Vec::new();
    let mut position = walk.start();
    while position.length > 0 {
        runs.push((position.index[..digits.rank()].to_vec(), position.offset, position.length));
        position = walk.next(position);
    }
    runs
}

/// What the generated code computes in so many bits.
pub fn run<const BITS: u32>(steps: &OffsetProgram, index: &[Size]) -> Size {
    run_with::<BITS>(steps, index, NO_COUNTS)
}

/// The same where sizes are known at run time only.
pub(crate) fn run_with<const BITS: u32>(
    steps: &OffsetProgram,
    index: &[Size],
    counts: &Counts,
) -> Size {
    let mut registers: Registers = [0; _];
    registers[usize::from(ONE)] = 1;
    registers[usize::from(FIRST_COORDINATE)..][..index.len()].copy_from_slice(index);
    registers[usize::from(FIRST_COUNT)..][..counts.len()].copy_from_slice(counts);
    for step in &steps.steps[..steps.len] {
        execute::<BITS>(&mut registers, step.div, step.modulus, step.mul, step.at);
    }
    registers[usize::from(OFFSET)]
}
