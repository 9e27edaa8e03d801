//! A chain of errors, printed with every `source`, says each thing once.

use layout_tests::amount::times;
use layout_tests::notations;
use std::error::Error;

use layout::ArrayShape;
use layout_notation::notation::{Cute, NotExpressible, Notation};

use crate::{Case, cases};
use layout_tests::lists::floats;

fn says_each_thing_once(error: &dyn Error) {
    let mut said = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let message = source.to_string();
        assert!(!said.contains(&message), "{said}\ncaused by {message}");
        said += &message;
        next = source.source();
    }
}

/// Errors of writing a layout, and of giving an array a layout that was written for another one.
fn of_case(case: &Case) -> usize {
    let shape = &case.shape;
    let other = floats(&case.naive.dims.iter().map(|dim| dim + 1).collect::<Vec<_>>());
    let wider = floats(&[3, 4, 5, 6]);
    let mut count = 0;
    let mut check = |error: Option<Box<dyn Error>>| {
        count += usize::from(error.is_some());
        error.iter().for_each(|error| says_each_thing_once(&**error));
    };
    for notation in notations::all() {
        match notation.of(shape) {
            Err(error) => check(Some(Box::new(error))),
            Ok(said) => {
                let said = notation.read(&said).unwrap_or_else(|error| panic!("{error}"));
                check(said.layout(&other).err().map(|error| error.into()));
                check(said.layout(&wider).err().map(|error| error.into()));
            }
        }
    }
    for notation in Notation::ALL.iter().copied() {
        match notation.read(notation.example()) {
            Err(error) => panic!("{error}"),
            Ok(read) => check(read.layout(shape).err().map(|error| error.into())),
        }
        check(notation.read("").err().map(|error| error.into()));
    }
    count
}

#[test]
fn chains() {
    let (mut number, mut count) = (0, 0);
    cases(&mut |case: Case| {
        number += 1;
        if number % 50 == 0 {
            count += of_case(&case);
        }
    });
    assert!(count > times(5000), "{count}");

    let unknown: ArrayShape = "f32[3,?]{1,0:T(2,2)}".parse().unwrap();
    let error: NotExpressible = Cute::of(&unknown).unwrap_err();
    says_each_thing_once(&error);
}
