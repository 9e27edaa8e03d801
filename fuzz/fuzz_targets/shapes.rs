//! Texts of shapes: refused with faults that lie in them, or printed, read back and asked for everything.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| layout_tests::fuzz::extreme(text));
