//! The seeds of the fuzzer, and a little of its work, in every run of the tests.

use layout_tests::amount::times;
use layout_tests::random::Random;
use layout_tests::{extreme, fuzz};

#[test]
fn seeds() {
    let seeds = include_str!("seeds.txt").lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(seeds.len() > 40);
    for seed in &seeds {
        fuzz::extreme(seed);
    }
    let mut random = Random::new(7);
    for _ in 0..times(20_000) {
        fuzz::parser(&fuzz::mutate(&mut random, &seeds));
    }
    for _ in 0..times(1_000) {
        fuzz::extreme(&extreme::text(&mut random));
    }
    let notations = include_str!("notations.txt").lines().map(str::to_owned).collect::<Vec<_>>();
    for seed in &notations {
        fuzz::notations(seed);
    }
    for _ in 0..times(3_000) {
        fuzz::notations(&fuzz::mutate_notation(&mut random, &notations));
    }
    let names = fuzz::format_names();
    for name in &names {
        fuzz::names(name);
    }
    for _ in 0..times(5_000) {
        fuzz::names(&fuzz::mutate_name(&mut random, &names));
    }
    let programs = fuzz::programs();
    for _ in 0..times(20_000) {
        fuzz::hlo(&fuzz::mutate_hlo(&mut random, &programs));
    }
    for _ in 0..times(500) {
        fuzz::arithmetic(&mut random);
    }
}
