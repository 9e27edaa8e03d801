//! XLA's parser and validator against this one. Each class of differences is listed here, and
//! with its reason in `docs/xla.md`.

use std::collections::BTreeMap;

use layout::Shape;
use layout_tests::data::{self, Verdict};

/// Why the library does not do what XLA does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// Accepted: upper case, which XLA rejects.
    UpperCase,
    /// Accepted: `*`, which XLA's validator rejects.
    Combined,
    /// Accepted: `-1`, at which XLA aborts.
    MinusOne,
    /// Rejected: a parenthesis or a size is missing, or a comma trails.
    Unclosed,
    /// Rejected: a number that XLA wraps.
    Wrapped,
}

/// The difference that a text shows, by its looks alone.
fn expected(verdict: &Verdict) -> Option<Difference> {
    let text = &verdict.text;
    let is_combined = |text: &str| {
        // Only a star that another size follows has something to combine with.
        let text = text.replace("/*c*/", "").replace([' ', '\t'], "");
        text.contains("*,") && !text.contains("*)")
    };
    match (verdict.parse.as_str(), verdict.validate.as_deref()) {
        ("REJECT", _) => {
            let letters = text.split('[').next().unwrap();
            let lower = text.replacen(letters, &letters.to_lowercase(), 1);
            let upper = letters.chars().any(|c| c.is_ascii_uppercase()) && !text.starts_with('(');
            (upper && xla_accepts(&lower)).then_some(Difference::UpperCase)
        }
        ("CRASH", _) => text.contains("(-1,").then_some(Difference::MinusOne),
        ("ACCEPT", Some("INVALID")) => {
            let is_valid_without = xla_accepts(&text.replace("*,", "1,"));
            (is_combined(text) && is_valid_without).then_some(Difference::Combined)
        }
        ("ACCEPT", Some("VALID")) => {
            let parentheses = text.matches('(').count() != text.matches(')').count();
            if parentheses || text.contains(",}") {
                return Some(Difference::Unclosed);
            }
            text.contains("S(-9223372036854775808)").then_some(Difference::Wrapped)
        }
        other => panic!("unknown verdict {other:?}"),
    }
}

/// Whether a text with the difference undone is one that XLA and the library agree on.
fn xla_accepts(text: &str) -> bool {
    text.parse::<Shape>().is_ok()
}

#[test]
fn every_verdict() {
    let verdicts = data::verdicts();
    assert_eq!(verdicts.len(), 2526);
    let mut counts = BTreeMap::new();
    for verdict in &verdicts {
        let text = &verdict.text;
        let shape = text.parse::<Shape>();
        let is_valid = verdict.parse == "ACCEPT" && verdict.validate.as_deref() == Some("VALID");
        let difference = expected(verdict);
        if let Some(difference) = difference {
            *counts.entry(difference).or_insert(0) += 1;
        }
        match (is_valid, difference) {
            (true, None) => {
                let shape = shape.unwrap_or_else(|error| panic!("XLA accepts {text:?}:\n{error}"));
                assert_eq!(Some(shape.to_string()), verdict.print, "{text:?}");
            }
            (false, None) | (true, Some(_)) => assert!(shape.is_err(), "{text:?} {difference:?}"),
            (false, Some(_)) => assert!(shape.is_ok(), "{text:?} {difference:?}"),
        }
    }
    // Every class occurs, and none is wider than it was when it was looked through by hand.
    let counts = counts.into_iter().collect::<Vec<_>>();
    assert_eq!(
        counts,
        [
            (Difference::UpperCase, 5),
            (Difference::Combined, 47),
            (Difference::MinusOne, 4),
            (Difference::Unclosed, 16),
            (Difference::Wrapped, 1),
        ]
    );
}
