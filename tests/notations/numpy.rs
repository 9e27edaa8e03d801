//! The expression for numpy, evaluated by as much of numpy as it needs. `check.py` gives it to numpy.

use layout::__private::core::native;
use layout::shape::Size;
use layout_notation::notation::Numpy;
use layout_tests::amount::times;
use layout_tests::naive::Data;

use crate::{Case, cases};

/// The numbers in parentheses at the start, and what is behind them.
fn numbers(text: &str) -> (Vec<Size>, &str) {
    if let Some(rest) = text.strip_prefix("(())") {
        return (Vec::new(), rest);
    }
    let (inside, rest) = text.strip_prefix('(').unwrap().split_once(')').unwrap();
    (inside.split(", ").map(|number| number.parse().unwrap()).collect(), rest)
}

/// Evaluates the expression at the start, in which a name stands for an array, and returns what is
/// behind it.
fn evaluate<'a>(text: &'a str, name: &str, x: &Data) -> (Data, &'a str) {
    let (mut array, mut text) = match text.strip_prefix("np.pad(") {
        None => (x.clone(), text.strip_prefix(name).unwrap()),
        Some(text) => {
            let (array, text) = evaluate(text, name, x);
            let mut text = text.strip_prefix(", ").unwrap();
            let mut dims = array.dims.clone();
            if let Some(mut list) = text.strip_prefix('(').filter(|list| list.starts_with('(')) {
                let mut count = 0;
                while !list.starts_with(')') {
                    let (widths, rest) = numbers(list);
                    assert_eq!((widths.len(), widths[0]), (2, 0));
                    dims[count] += widths[1];
                    count += 1;
                    list = rest.strip_prefix(", ").or(rest.strip_prefix(",")).unwrap_or(rest);
                }
                assert_eq!(count, dims.len());
                text = &list[1..];
            } else {
                let (widths, rest) = numbers(text);
                assert_eq!((widths.len(), widths[0], dims.len()), (2, 0, 1));
                dims[0] += widths[1];
                text = rest;
            }
            let padded = array.resized(&dims);
            (padded, text.strip_prefix(')').unwrap())
        }
    };
    loop {
        if let Some(rest) = text.strip_prefix(".reshape(-1)") {
            array.dims = vec![array.slots.len() as Size];
            text = rest;
        } else if let Some(rest) = text.strip_prefix(".reshape") {
            let (dims, rest) = numbers(rest);
            assert_eq!(dims.iter().product::<Size>(), array.slots.len() as Size);
            array.dims = dims;
            text = rest;
        } else if let Some(rest) = text.strip_prefix(".transpose") {
            let (order, rest) = numbers(rest);
            array = array.transpose(&order.into_iter().map(native).collect::<Vec<_>>());
            text = rest;
        } else if let Some(rest) = text.strip_prefix("[:") {
            let (bounds, rest) = rest.split_once(']').unwrap();
            let bounds = bounds.split(", :").map(|bound| bound.parse().unwrap());
            let bounds = bounds.collect::<Vec<Size>>();
            assert!(bounds.iter().zip(&array.dims).all(|(bound, dim)| bound <= dim));
            assert_eq!(bounds.len(), array.dims.len());
            array = array.resized(&bounds);
            text = rest;
        } else {
            return (array, text);
        }
    }
}

#[test]
fn evaluates_to_the_memory_and_back() {
    let mut count = 0;
    cases(&mut |case: Case| {
        let text = Numpy::of(&case.shape).unwrap().to_string();
        let x = Data::numbered(&case.naive.dims);
        let (memory, rest) = evaluate(&text, "x", &x);
        assert_eq!(rest, "", "{text}");
        assert_eq!(memory.dims.len(), 1, "{text}");
        assert_eq!(memory.slots, case.memory, "{} {text}", case.shape);

        let text = Numpy::of(&case.shape).unwrap().inverse().to_string();
        let (back, rest) = evaluate(&text, "memory", &memory);
        assert_eq!((rest, &back.dims), ("", &x.dims), "{text}");
        assert_eq!(back.slots, x.slots, "{} {text}", case.shape);
        count += 1;
    });
    assert!(count > times(10_000), "{count}");
}
