//! Elements of Rust's types, also of sizes and of kinds that no plan moves as numbers, and memory that holds nothing yet.

use layout::Padding;

use super::case::Case;
use super::paths::{all_settings, with_settings};
use super::region::anywhere;
use crate::bits::{get, value};
use crate::random::Random;

/// Elements of a type, with some settings, also between strides.
fn of<T: Copy + PartialEq + 'static>(case: &Case, random: &mut Random, value: fn(u32) -> T) {
    let places = [anywhere(random), anywhere(random)];
    let settings = *random.pick(all_settings());
    match random.below(2) {
        0 => case.elements(value, &[settings], &[places]),
        _ => case.strided(random).elements(value, &[settings], &[places]),
    }
}

/// Numbers are told apart as far as the size allows.
pub(super) fn stored(case: &Case, random: &mut Random) {
    match random.below(7) {
        0 => of(case, random, |n| (n % 251) as u8),
        1 => of(case, random, |n| (n % 65_521) as u16),
        2 => of(case, random, |n| n as f32),
        3 => of(case, random, |n| i64::from(n) * -77_777_777),
        4 => of(case, random, |n| [f64::from(n), -f64::from(n)]),
        5 => of(case, random, |n| [n, n >> 8, n >> 16].map(|byte| byte as u8)),
        _ => of(case, random, |n| (n as u8, n)),
    }
}

/// Values of any bits to memory that holds nothing yet. What is past the last slot does not matter.
pub(super) fn uninit(case: &Case, random: &mut Random) {
    let bits = case.pair.bits[1];
    let padding = value(77, bits);
    let expected = case.expected(Padding::Fill(padding));
    let lead = random.below(64);
    let mut memory = Vec::with_capacity(lead + expected.len());
    let (plan, settings) = with_settings(&case.plan, random);
    let to = &mut memory.spare_capacity_mut()[lead..];
    let found = plan.run_bytes(&case.source, to, padding).unwrap();
    assert_eq!(found.len(), expected.len());
    let differs = (0..case.memories[1].len())
        .find(|slot| get(found, *slot, bits) != get(&expected, *slot, bits));
    assert_eq!(differs, None, "memory that held nothing, {lead} before, {settings:?}");
    let found = found.to_vec();
    let mut vec = Vec::new();
    plan.run_bytes(&case.source, &mut vec, padding).unwrap();
    assert!(vec == found, "a new vector, {settings:?}");
}
