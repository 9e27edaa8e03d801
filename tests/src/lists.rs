//! Arrays from texts, lists of numbers as texts, and orders.

use std::fmt::Debug;
use std::str::FromStr;

use layout::shape::Size;
use layout::{ArrayShape, Shape};

/// The array of a text.
///
/// # Panics
/// If it is not one.
pub fn array(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

/// An array of these sizes, without tiles.
pub fn floats(dims: &[Size]) -> ArrayShape {
    array(&format!("f32[{}]", list(dims)))
}

/// The shape of a text.
///
/// # Panics
/// If it is not one.
pub fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

/// The sizes of an array.
///
/// # Panics
/// If one is unknown.
pub fn dims(shape: &ArrayShape) -> Vec<Size> {
    shape.dims().iter().map(|dim| dim.size().expect("the size is known")).collect()
}

/// Numbers with commas between them.
pub fn list(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The numbers of a text with commas between them.
///
/// # Panics
/// If it has anything else.
pub fn numbers<T: FromStr<Err: Debug>>(text: &str) -> Vec<T> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts
        .map(|part| part.trim().parse().unwrap_or_else(|error| panic!("{text}: {error:?}")))
        .collect()
}

/// The orders of so many items, the ascending one first.
pub fn permutations(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let shorter = permutations(last);
    let with_first = |first: usize| {
        let after = move |&at: &usize| if at < first { at } else { at + 1 };
        shorter
            .iter()
            .map(move |order| [first].into_iter().chain(order.iter().map(after)).collect())
    };
    (0..count).flat_map(with_first).collect()
}
