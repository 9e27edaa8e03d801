//! Wrong texts: each error at its place, byte for byte.

use layout_tests::data;
use layout_tests::notations::named;

#[test]
fn errors_at_their_places() {
    data::assert_cases("notation_faults.txt", |case| {
        let (name, text) = case.split_once(": ").expect("a notation and a text");
        let read = named(name).read(text);
        read.err().unwrap_or_else(|| panic!("{text:?} is read")).to_string()
    });
}
