//! How JavaScript calls the library: it writes what it gives into memory, asks, and reads the answer there.

#![allow(unsafe_code, reason = "of no_mangle: nothing else is linked that could have these names")]

use std::cell::RefCell;

use crate::{banks, code, compare, element, fragment, layout, names, pallas, program, steps, tpus};

thread_local! {
    static GIVEN: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Memory that the caller fills: first with the name of a function, then with each of its arguments, as text.
#[unsafe(no_mangle)]
pub extern "C" fn give(bytes: usize) -> *mut u8 {
    GIVEN.with_borrow_mut(|given| {
        given.push(vec![0; bytes]);
        given.last_mut().map_or(std::ptr::null_mut(), |given| given.as_mut_ptr())
    })
}

/// Calls the function whose name was given first; where its answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> *const u8 {
    let given = GIVEN.take();
    ANSWER.set(answer(&given));
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How many bytes the last answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> usize {
    ANSWER.with_borrow(String::len)
}

fn answer(given: &[Vec<u8>]) -> String {
    let bytes = |at: usize| given.get(at).map_or(&[][..], |given| given);
    let text = |at: usize| std::str::from_utf8(bytes(at)).unwrap_or_default();
    let number = |at: usize| text(at).parse().unwrap_or(0);
    match text(0) {
        "banks" => banks(text(1), text(2), number(3)),
        "code" => code(text(1), text(2)),
        "compare" => compare(text(1), text(2), text(3)),
        "element" => element(text(1), text(2)),
        "fragment" => fragment(text(1), text(2), number(3), text(4)),
        "layout" => layout(text(1), text(2)),
        "names" => names(),
        "pallas" => pallas(text(1), text(2), text(3)),
        "program" => program(bytes(1), text(2)),
        "steps" => steps(text(1), text(2)),
        "tpus" => tpus(text(1), text(2)),
        name => panic!("the page asks for {name}"),
    }
}
