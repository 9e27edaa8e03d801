//! One mistake in a text gives one error; what has two, `data/faults.txt` shows.

use std::collections::BTreeSet;

use layout::Shape;
use layout_tests::table;

/// What a person types by mistake.
const SLIPS: [&str; 20] = [
    "x", "X", "*", "-1", ",", ":", "(", ")", "[", "]", "{", "}", "<", ">", "T", "0", "7", "=", "?",
    ".",
];

/// One token is left out, written twice, exchanged with the next, replaced or preceded by another. A few of the texts read as if they
/// had several mistakes, such as `f32[,,5]`.
#[test]
fn a_slip_gives_one_fault() {
    let mut texts = BTreeSet::new();
    for text in &table::texts("layouts", "without a fault") {
        assert!(text.parse::<Shape>().is_ok(), "{text}");
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            let (before, after) = (tokens[..at].concat(), tokens[at + 1..].concat());
            texts.insert(format!("{before}{after}"));
            texts.insert(format!("{before}{token}{token}{after}"));
            if let Some((next, after)) = tokens[at + 1..].split_first() {
                texts.insert(format!("{before}{next}{token}{}", after.concat()));
            }
            for slip in SLIPS {
                texts.insert(format!("{before}{slip}{after}"));
                texts.insert(format!("{before}{slip}{token}{after}"));
            }
        }
    }
    let faults = texts.iter().filter_map(|text| Some((text, text.parse::<Shape>().err()?)));
    let several = faults
        .filter(|(_, error)| error.faults().len() > 1)
        .map(|(text, _)| text)
        .collect::<Vec<_>>();
    let (slips, several_of_slips) = (texts.len(), several.len());
    println!("{several_of_slips} of {slips} texts have several faults: {several:#?}");
    assert!(slips > 7000 && several_of_slips * 75 < slips, "{several_of_slips} of {slips}");
}

/// Words, numbers and single letters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (token, after) = rest.split_at(word.max(first.len_utf8()));
        tokens.push(token);
        rest = after;
    }
    tokens
}
