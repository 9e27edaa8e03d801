//! Names of packed formats, and what is close to one.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| layout_tests::fuzz::names(text));
