//! Whether the analysis with unknown sizes agrees with the naive model, once the sizes are known.

use layout::__private::core::{Counts, NATIVE, OffsetProgram, Position, Walk, native};
use layout::ArrayShape;
use layout::shape::{Digits, FaultKind, Size};

use crate::agree::run_with;
use crate::lists::array;
use crate::naive::{Naive, unflatten};
use crate::terms;

/// Compares every element of the layout, with every set of its dimensions unknown.
///
/// # Panics
/// At the first difference.
pub(crate) fn check(naive: &Naive, memory: &[Option<Size>]) {
    // Unknown dimensions have no padded width.
    if naive.padded.is_some() {
        return;
    }
    let rank = naive.dims.len();
    // All sets where there are few, else a spread of them.
    let sets = 1usize << rank;
    for set in (1..sets).step_by((sets / 16).max(1)).chain([sets - 1]) {
        check_set(naive, memory, set);
    }
}

fn check_set(naive: &Naive, memory: &[Option<Size>], set: usize) {
    let text = naive.text_with("f32", "", |dim, size| match set >> dim & 1 {
        1 => "?".to_owned(),
        _ => size.to_string(),
    });
    let shape = match text.parse::<ArrayShape>() {
        Ok(shape) => shape,
        // What is known has to be whole blocks of the swizzle.
        Err(error) => {
            assert!(matches!(error.faults()[0].kind(), FaultKind::SwizzleLeaves { .. }), "{error}");
            return;
        }
    };
    let known = shape.with_dims(&naive.dims).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(known.to_string(), naive.text("f32"));

    let digits = Digits::with_unknowns(&shape);
    let counts = digits.counts(&naive.dims);
    let size = digits.size_amount().value(&counts);
    assert_eq!(size.next_multiple_of(naive.tail_alignment.max(1)), memory.len() as Size, "{text}");

    let steps = OffsetProgram::new(&digits);
    for (slot, number) in memory.iter().enumerate() {
        let Some(number) = *number else { continue };
        let linear = digits.swizzle().apply(slot as Size);
        let index = unflatten(number, &naive.dims);
        assert_eq!(run_with::<NATIVE>(&steps, &index, &counts), linear, "{text} {index:?}");
        assert_eq!(run_with::<32>(&steps, &index, &counts), linear, "{text} {index:?}");
    }
    if digits.straight().is_some() {
        inverse(&digits, &steps, &counts, naive, memory, &text);
    }
    terms::check(&shape, &naive.dims, memory, &text);
    strides(&digits, &counts, naive, &text);
    walk(&digits, &counts, naive, memory, &text);
}

/// The inverse gives each slot's element, and for padding something that the offset refutes.
fn inverse(
    digits: &Digits,
    steps: &OffsetProgram,
    counts: &Counts,
    naive: &Naive,
    memory: &[Option<Size>],
    text: &str,
) {
    let size = native(digits.size_amount().value(counts));
    let past_the_end = if digits.ends_out_of_bounds() {
        let far = (1..).map(|k| Size::MAX / k).take(20).filter(|slot| *slot >= size as Size);
        (size as Size..size as Size + 100).chain(far).collect()
    } else {
        Vec::new()
    };
    let at = |linear: Size| memory[native(digits.swizzle().apply(linear))];
    let slots = (0..size as Size).map(|linear| (linear, at(linear)));
    for (slot, number) in slots.chain(past_the_end.into_iter().map(|slot| (slot, None))) {
        let mut index = vec![0; naive.dims.len()];
        let mut rest = slot;
        for number in (0..digits.straight().unwrap()).rev() {
            let digit = digits.inverse(number);
            rest /= digit.step.value(counts);
            let mut value = rest;
            if digit.bound.factor != 0 {
                value %= digit.bound.value(counts);
            }
            index[digit.dim] += value * digit.div;
        }
        let is_inside = index.iter().zip(&naive.dims).all(|(coordinate, dim)| coordinate < dim);
        let round_trips =
            digits.is_bijective() || run_with::<NATIVE>(steps, &index, counts) == slot;
        let found = (is_inside && round_trips).then_some(index);
        let expected = number.map(|number| unflatten(number, &naive.dims));
        assert_eq!(found, expected, "{text} slot {slot}");
    }
}

fn strides(digits: &Digits, counts: &Counts, naive: &Naive, text: &str) {
    let Some(strides) = digits.strides() else { return };
    let known = array(&naive.text("f32")).digits().unwrap();
    for index in naive.indices() {
        let pairs = index.iter().zip(&strides);
        let offset = pairs.map(|(coordinate, stride)| coordinate * stride.value(counts));
        assert_eq!(offset.sum::<Size>(), known.offset_unchecked(&index), "{text} {index:?}");
    }
}

/// The walk finds every element in the order of memory, and its runs are runs.
fn walk(digits: &Digits, counts: &Counts, naive: &Naive, memory: &[Option<Size>], text: &str) {
    let walk = Walk::new(digits, naive.minor_to_major.first().copied().unwrap_or(0));
    if walk.scans_slots() {
        return;
    }
    let left = |position: &Position| match naive.dims.get(walk.dim()) {
        Some(dim) => dim - position.index[walk.dim()],
        None => 1,
    };
    let mut elements =
        memory.iter().enumerate().filter_map(|(slot, number)| Some((slot as Size, (*number)?)));
    let mut position = Position::START;
    position.length = walk.length(left(&position));
    while position.length > 0 {
        for at in 0..position.length {
            let mut index = position.index[..naive.dims.len()].to_vec();
            if at > 0 {
                index[walk.dim()] += at;
            }
            let (slot, number) = elements.next().expect("no more runs than elements");
            assert_eq!(position.offset + at, slot, "{text}");
            assert_eq!(index, unflatten(number, &naive.dims), "{text} slot {slot}");
        }
        let has_next = (0..walk.counters()).any(|number| {
            let counter = walk.counter(number);
            let stride = counter.stride.value(counts);
            counter.count(&mut position, naive.dims[counter.dim()], stride)
        });
        position.length = if has_next { walk.length(left(&position)) } else { 0 };
    }
    assert_eq!(elements.next(), None, "{text}");
}
