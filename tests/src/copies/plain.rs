//! Elements of Rust's types, also of sizes and of kinds that no plan moves as numbers, and memory that holds nothing yet.

use layout::__private::copies::PaddingPlan;
use layout::__private::{Memory, Plain, copy, fill};
use layout::Padding;
use layout::shape::Size;

use super::case::Case;
use super::paths::{all_settings, with_settings};
use crate::bits::{get, value};
use crate::random::Random;

macro_rules! elements {
    ($($stored:ty: $value:expr;)*) => {
        /// Numbers are told apart as far as the size allows.
        pub(super) fn stored(case: &Case, random: &mut Random) {
            let all: &[fn(&Case, &mut Random)] =
                &[$(|case, random| of::<$stored>(case, random, $value)),*];
            random.pick(all)(case, random);
        }
    };
}

elements! {
    u8: |n| (n % 251) as u8;
    u16: |n| (n % 65_521) as u16;
    f32: |n| n as f32;
    i64: |n| n as i64 * -77_777_777;
    [f64; 2]: |n| [n as f64, -(n as f64)];
    [u8; 3]: |n| [n as u8, (n >> 8) as u8, (n >> 16) as u8];
    (u8, u32): |n| (n as u8, n as u32);
}

fn of<T: Copy + PartialEq + 'static>(case: &Case, random: &mut Random, value: fn(Size) -> T) {
    let [from, to] = &case.memories;
    let [a, b] = case.shapes.each_ref().map(|shape| shape.digits().expect("sizes are known"));
    let (guard, padding) = (value(9_999_999), value(7_777_777));
    let source = from.iter().map(|number| number.map_or(guard, value)).collect::<Vec<_>>();
    let (lead, length) = (random.below(99), to.len());
    let mut dst = vec![guard; lead + length + 100];
    let is_filled = random.below(2) == 0;
    let slots = &mut dst[lead..][..length];
    if is_filled {
        fill(PaddingPlan::new(&b.view(), length as Size).as_ref(), length, slots, padding);
    }
    let settings = random.pick(all_settings());
    copy([&a, &b], [0; 2], Memory::of(Plain::of_type(), &source, slots), size_of::<T>(), settings);
    let before = std::iter::repeat_n(guard, lead);
    let held = to.iter().map(|number| match number {
        Some(number) => value(*number),
        None if is_filled => padding,
        None => guard,
    });
    let expected = before.chain(held).chain([guard; 100]);
    let at = dst.iter().zip(expected).position(|(found, expected)| *found != expected);
    assert_eq!(at, None, "elements of {} bytes, {lead} before, {settings:?}", size_of::<T>());
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
    let found = plan.run_bytes(case.source(), to, padding).unwrap();
    assert_eq!(found.len(), expected.len());
    let differs = (0..case.memories[1].len())
        .find(|slot| get(found, *slot, bits) != get(&expected, *slot, bits));
    assert_eq!(differs, None, "memory that held nothing, {lead} before, {settings:?}");
    let found = found.to_vec();
    let mut vec = Vec::new();
    plan.run_bytes(case.source(), &mut vec, padding).unwrap();
    assert!(vec == found, "a new vector, {settings:?}");
}
