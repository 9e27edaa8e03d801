//! Operands of instructions, layouts of devices and packed weights, by the formulas of their documents.

use std::collections::BTreeSet;

use layout::ArrayShape;
use layout_formats::packed_format::PackedFormat;
use layout_tests::naive::flatten;
use layout_tests::{formula, lists, table};

use super::memory;

/// Compares every formula, and says which formats have one.
pub(crate) fn compared() -> BTreeSet<&'static str> {
    let mut compared = BTreeSet::new();
    kleidiai_by_arm(&mut compared);
    for table::Row { question, columns, .. } in table::rows("formulas") {
        let [name, array, formulas @ ..] = &columns[..] else { panic!("{columns:?}") };
        let (array, slots) = match array.split_once(" of ") {
            Some((array, slots)) => (lists::array(array), slots.strip_suffix(" slots")),
            None => (lists::array(array), None),
        };
        let slots = slots.map_or(array.elements(), |slots| slots.parse().ok()).unwrap();
        let lanes = PackedFormat::find(name).unwrap().lanes().filter(|_| question == "lanes");
        let values = slots / lanes.unwrap_or(slots);
        let index = |slot: usize| {
            let operand = |text: &str| match text {
                "slot" => slot,
                "lane" => slot / values,
                "i" => slot % values,
                number => number.parse().unwrap(),
            };
            formulas.iter().map(|formula| formula::evaluate(formula, &operand)).collect()
        };
        let indices = (0..slots).map(index).collect::<Vec<Vec<_>>>();
        let format = memory_is(name, &array, &indices);
        compared.insert(format.name());
        for (slot, index) in indices.iter().enumerate().filter(|_| lanes.is_some()) {
            let (lane, value) = (slot / values, slot % values);
            assert_eq!(format.lane_and_value_of(&array, index), Some((lane, value)), "{name}");
        }
        assert_eq!(lanes.is_some(), question == "lanes", "{name}");
    }
    compared
}

/// Whether each slot has the element of an index. Slots whose index is past the array are padding.
fn memory_is(name: &str, array: &ArrayShape, indices: &[Vec<usize>]) -> PackedFormat {
    let format = PackedFormat::find(name).unwrap();
    let shape = format.layout(array).unwrap_or_else(|error| panic!("{name}: {error}"));
    let dims = lists::dims(array);
    let number = |index: &Vec<usize>| {
        let is_inside =
            index.len() == dims.len() && index.iter().zip(&dims).all(|(i, dim)| i < dim);
        is_inside.then(|| flatten(index, &dims))
    };
    assert_eq!(memory(&shape), indices.iter().map(number).collect::<Vec<_>>(), "{name}: {shape}");
    format
}

/// KleidiAI's packing of right-hand sides, its names being `p<nr>x<kr>`: K is padded to a multiple of 32. Of each `nr`
/// rows, `kr` bytes of the first row come first, then `kr` bytes of the next one; `kr` is divided by `sr`. A byte of
/// 4-bit weights has the elements k and k + 16 of 32.
fn kleidiai_by_arm(compared: &mut BTreeSet<&'static str>) {
    for row in table::of("kleidiai", "packed rows") {
        let [nr, kr, sr] = [1, 2, 3].map(|at| row[at].parse::<usize>().unwrap());
        let (name, is_packed) = (row[0].as_str(), row[4] == "u4");
        let per_byte = if is_packed { 2 } else { 1 };
        for (n, k) in [(nr, 32), (nr * 2, 96), (nr + 1, 64), (2 * nr - 1, 40)] {
            let columns = usize::next_multiple_of(k, 32);
            let slots = usize::next_multiple_of(n, nr) * columns;
            let array = format!("{}[{n},{k}]", row[4]);
            let index = |slot| {
                let (group, slot) = (slot / (nr * columns), slot % (nr * columns));
                let (byte, nibble) = (slot / per_byte, slot % per_byte);
                let (piece, at) = (byte / (kr / sr), byte % (kr / sr));
                let byte_of_row = piece / nr * (kr / sr) + at;
                let k = match per_byte {
                    1 => byte_of_row,
                    _ => byte_of_row / 16 * 32 + nibble * 16 + byte_of_row % 16,
                };
                vec![group * nr + piece % nr, k]
            };
            let indices = (0..slots).map(index).collect::<Vec<_>>();
            compared.insert(memory_is(name, &lists::array(&array), &indices).name());
        }
    }
}
