//! Whether the library agrees with the naive model on everything about a layout.

use layout::spec::__private::{FIRST_COORDINATE, FIRST_RESULT, MAX_REGISTERS, Steps};
use layout::spec::{ArrayShape, Digits};

use crate::naive::{Naive, unflatten};

/// Compares every element and every slot.
///
/// # Panics
/// At the first difference.
pub fn check(naive: &Naive) {
    let text = naive.text("f32");
    let shape: ArrayShape = text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"));
    assert_eq!(shape.to_string(), text);

    let memory = naive.memory();
    let elements = naive.dims.iter().product::<usize>();
    assert_eq!(shape.elements(), Some(elements), "{text}");
    let slots = if elements == 0 { 0 } else { memory.len() };
    assert_eq!(shape.padded_elements(), Some(slots), "{text}");
    assert_eq!(shape.bytes(), Some(4 * slots), "{text}");
    let physical = shape.physical_dims().unwrap();
    let size = physical.iter().product::<usize>();
    assert_eq!(size.next_multiple_of(naive.tail_alignment.max(1)), slots, "{text}");
    let last = shape.pad_reshape_transpose().last();
    assert!(last.is_none_or(|step| *step.result == *physical), "{text}");

    // Each slot holds the element that the library says, and each element its slot.
    let digits = Digits::new(&shape).expect("the sizes are known");
    let steps = Steps::new(&digits);
    let mut found = 0;
    for (slot, number) in memory.iter().enumerate() {
        let index = digits.index(slot);
        let expected = number.map(|number| unflatten(number, &naive.dims));
        assert_eq!(index.as_deref(), expected.as_deref(), "{text} slot {slot}");
        if let Some(index) = &expected {
            assert_eq!(digits.offset(index), slot, "{text} {index:?}");
            assert_eq!(run(&steps, index), slot, "{text} {index:?} by the program");
            found += 1;
        }
    }
    assert_eq!(found, elements, "{text}");
    assert_eq!(shape.index(memory.len()), None, "{text}");
    if let Some(slot) = memory.iter().rposition(Option::is_some) {
        let index = unflatten(memory[slot].unwrap(), &naive.dims);
        assert_eq!(shape.offset(&index), Some(slot), "{text}");
        assert_eq!(digits.largest_offset(), slot, "{text}");
    }
    for dim in 0..naive.dims.len() {
        let mut outside = vec![0; naive.dims.len()];
        outside[dim] = naive.dims[dim];
        assert_eq!(shape.offset(&outside), None, "{text} {outside:?}");
    }
}

/// What the generated code computes.
fn run(steps: &Steps, index: &[usize]) -> usize {
    let mut registers = [0; MAX_REGISTERS];
    registers[FIRST_COORDINATE..][..index.len()].copy_from_slice(index);
    for (number, step) in steps.steps[..steps.len].iter().enumerate() {
        registers[FIRST_RESULT + number] = step.apply(registers[step.a], registers[step.b]);
    }
    if steps.len == 0 { 0 } else { registers[FIRST_RESULT + steps.len - 1] }
}
