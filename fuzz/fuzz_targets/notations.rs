//! Texts of every other notation.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| layout_tests::fuzz::notations(text));
