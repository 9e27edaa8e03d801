//! Wrong texts: each error at its place, byte for byte.

use layout_tests::data;
use layout_tests::notations::ALL;

#[test]
fn errors_at_their_places() {
    data::assert_cases("notation_faults.txt", |case| {
        let (name, text) = case.split_once(": ").expect("a notation and a text");
        let notation = ALL.iter().find(|notation| notation.name.to_lowercase() == name);
        let read = (notation.unwrap_or_else(|| panic!("there is no notation {name}")).read)(text);
        read.err().unwrap_or_else(|| panic!("{text:?} is read")).to_string()
    });
}
