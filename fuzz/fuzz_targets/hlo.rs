//! Texts of HLO modules: their shapes, their memory, the report.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| layout_tests::fuzz::hlo(text));
