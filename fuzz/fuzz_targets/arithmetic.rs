//! Layouts that no compiler chooses, against the naive model.
#![no_main]

use layout_tests::{fuzz, random::Random};

libfuzzer_sys::fuzz_target!(|seed: u64| fuzz::arithmetic(&mut Random::new(seed)));
