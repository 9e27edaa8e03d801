//! Arrays whose layouts are known at run time: how they are copied.

use layout::__private::core::native;
use layout::Padding;
use layout::dynamic::DynLayout;

use super::case::{BEFORE, Case};
use super::paths::with_settings;
use crate::bits::get;
use crate::naive::unflatten_native;
use crate::random::Random;

const PADDING: u32 = u32::MAX;

/// Numbers of 32 bits: copies of values, and from row-major order.
pub(super) fn elements(case: &Case, random: &mut Random) {
    let [a, b] = case.shapes.each_ref().map(|shape| DynLayout::new(shape).unwrap());
    // What stands in the memory of a side: the row-major number of each element, and padding.
    let numbers = |side: usize, padding| {
        let numbers = case.memories[side].iter();
        numbers.map(|number| number.map_or(padding, |number| number as u32)).collect::<Vec<_>>()
    };
    let (source, in_order) = (numbers(0, PADDING), (0..a.elements() as u32).collect::<Vec<_>>());
    let view = a.view(&source).unwrap();
    let mut moved = b.filled(3).unwrap();
    view.copy_to(&mut moved, Padding::Zero).unwrap();
    assert_eq!(moved.as_slice(), numbers(1, 0), "copy_to");
    assert_eq!(moved.to_row_major(), in_order, "to_row_major");
    let rows = b.from_row_major(&in_order).unwrap();
    assert_eq!(rows.into_vec(), numbers(1, 0), "from_row_major");
    let mut there = b.filled(3).unwrap();
    view.copy_to(&mut there, PADDING).unwrap();
    assert_eq!(there.as_slice(), numbers(1, PADDING), "copy_to");
    assert_eq!(there, view);
    let mut there = b.filled(PADDING).unwrap();
    let plan = with_settings(&case.plan, random).0;
    plan.run(&source, there.as_mut_slice(), Padding::Leave).unwrap();
    assert_eq!(there.as_slice(), numbers(1, PADDING), "run");
}

/// Elements of any bits.
pub(super) fn bytes(case: &Case, random: &mut Random) {
    let [from, to] = case.shapes.each_ref().map(|shape| DynLayout::new(shape).unwrap());
    let (source, padding) = (from.bytes_view(&case.source).unwrap(), case.padding(random));
    let expected = case.expected(padding);
    let mut memory = vec![BEFORE; expected.len()];
    let mut there = to.bytes_view_mut(&mut memory).unwrap();
    source.copy_to(&mut there, padding).unwrap();
    assert_eq!(there.as_bytes(), expected, "copy_to with {padding:?}");
    // By each element.
    let (values, bits) = (there.to_row_major(), case.pair.bits[1]);
    let dims = to.dims();
    // Of large arrays some.
    let step = 1 + case.memories[1].len() / 5000;
    for (slot, number) in case.memories[1].iter().enumerate().step_by(step) {
        let Some(number) = number else { continue };
        let value = get(&expected, slot, bits);
        let index = unflatten_native(native(*number), dims);
        assert_eq!((there.get(&index), values[native(*number)]), (Some(value), value), "{index:?}");
        // Bits above those of an element do not matter.
        there.set(&index, !value);
        there.set(&index, value | u128::MAX.checked_shl(bits as u32).unwrap_or(0));
    }
    assert_eq!(there.as_bytes(), expected, "set");
    let in_memory = case.memories[1].iter().flatten().map(|number| values[native(*number)]);
    assert!(there.runs().flat_map(|(_, run)| run).eq(in_memory), "runs");
    let mut zeroed = to.zeroed_bytes();
    source.copy_to(&mut zeroed, Padding::Leave).unwrap();
    assert_eq!(zeroed.to_row_major(), values, "copy_to of zeros");
    let mut filled = to.zeroed_bytes();
    filled.fill(u128::MAX);
    for (slot, number) in case.memories[1].iter().enumerate() {
        let expected = if number.is_some() { u128::MAX >> (128 - bits) } else { 0 };
        assert_eq!(get(filled.as_bytes(), slot, bits), expected, "fill: slot {slot}");
    }
}
