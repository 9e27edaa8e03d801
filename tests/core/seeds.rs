//! What the fuzzers start from, and what they have found: every run of the tests reads it.

use layout_tests::amount::times;
use layout_tests::random::Random;
use layout_tests::{extreme, fuzz};

#[test]
fn seeds() {
    let seeds = include_str!("../../fuzz/seeds.txt");
    assert!(seeds.lines().count() > 40);
    seeds.lines().for_each(fuzz::extreme);
    include_str!("../../fuzz/notations.txt").lines().for_each(fuzz::notations);
    fuzz::format_names().iter().for_each(|name| fuzz::names(name));
    fuzz::programs().iter().for_each(|program| fuzz::hlo(program));
    fuzz::hlo(include_str!("../../crates/cli/tests/oom_tpu.txt"));
    fuzz::hlo(include_str!("../../crates/cli/tests/oom_gpu.txt"));
    let mut random = Random::new(7);
    for _ in 0..times(1_000) {
        fuzz::extreme(&extreme::text(&mut random));
    }
    for _ in 0..times(500) {
        fuzz::arithmetic(&mut random);
    }
}
