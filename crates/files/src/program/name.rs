//! Names of tensors and parameters, word by word.

use std::cmp::Ordering;
use std::collections::HashMap;

/// Words of a name that count: more are not a name of anyone's, and all ends of all names are listed.
const MOST_WORDS: usize = 64;

/// The last words of a name: `params['layers'][0]` has `params`, `layers` and `0`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name<'a>(Vec<&'a str>);

impl<'a> Name<'a> {
    pub(super) fn new(text: &'a str) -> Name<'a> {
        let words = text.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let words = words.filter(|word| !word.is_empty()).take(MOST_WORDS);
        let mut words = words.collect::<Vec<_>>();
        words.reverse();
        Name(words)
    }
}

/// The names of tensors, by their ends.
pub(super) struct NameIndex<'a>(HashMap<&'a [&'a str], End>);

/// The names that have an end: their numbers.
#[derive(Default)]
struct End {
    /// Names that are this end.
    whole: Matches,
    /// Names that have more before it.
    longer: Matches,
}

#[derive(Clone, Copy, Default)]
enum Matches {
    #[default]
    None,
    One(usize),
    Several,
}

impl Matches {
    fn add(&mut self, number: usize) {
        *self = match self {
            Matches::None => Matches::One(number),
            _ => Matches::Several,
        };
    }
}

impl<'a> NameIndex<'a> {
    pub(super) fn new(names: &'a [Name<'a>]) -> NameIndex<'a> {
        let mut ends = HashMap::<_, End>::new();
        for (number, Name(words)) in names.iter().enumerate() {
            for start in 0..words.len() {
                let end = ends.entry(&words[start..]).or_default();
                if start == 0 { end.whole.add(number) } else { end.longer.add(number) }
            }
        }
        NameIndex(ends)
    }

    /// The number of the name that is this one, or else of the one that shares its whole end with this one: the
    /// longest such end. Two that are as long are none.
    pub(super) fn find(&self, Name(words): &Name<'_>) -> Option<usize> {
        let mut found = (0..words.len()).flat_map(|start| {
            let end = self.0.get(&words[start..]);
            // What is shared is all of one of the two.
            let found =
                end.map(|end| [end.whole, if start == 0 { end.longer } else { Matches::None }]);
            found.into_iter().flatten()
        });
        match found.find(|found| !matches!(found, Matches::None))? {
            Matches::One(number) => Some(number),
            _ => None,
        }
    }
}

/// Orders of names. Which one a program's parameters have depends on the tree of arrays that they were flattened
/// from: JAX sorts the keys of dicts as texts, and counts the entries of lists.
pub(super) const ORDERS: [fn(&Name<'_>, &Name<'_>) -> Ordering; 3] = [by_number, by_key, by_text];

/// Numbers count as numbers: `w2` before `w10`.
fn by_number(a: &Name<'_>, b: &Name<'_>) -> Ordering {
    let key = |name: &Name<'_>| name.0.iter().map(|word| number_last(word)).collect::<Vec<_>>();
    key(a).cmp(&key(b))
}

/// Words that are numbers count as numbers, other words are texts: `2` before `10`, and `w10` before `w2`.
fn by_key(a: &Name<'_>, b: &Name<'_>) -> Ordering {
    let key = |name: &Name<'_>| {
        let words = name.0.iter().map(|word| {
            let key = number_last(word);
            if key.0.is_empty() { key } else { ((*word).to_owned(), None, word.len()) }
        });
        words.collect::<Vec<_>>()
    };
    key(a).cmp(&key(b))
}

/// Words are texts: `10` before `2`.
fn by_text(a: &Name<'_>, b: &Name<'_>) -> Ordering {
    a.0.cmp(&b.0)
}

/// A word without the number at its end, this number, and the word's length.
fn number_last(word: &str) -> (String, Option<u128>, usize) {
    let text = word.trim_end_matches(|c: char| c.is_ascii_digit());
    (text.to_owned(), word[text.len()..].parse().ok(), word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_one_tensor() {
        let found = |name: &str, names: &[&str]| {
            let names = names.iter().map(|name| Name::new(name)).collect::<Vec<_>>();
            NameIndex::new(&names).find(&Name::new(name))
        };
        assert_eq!(found("params['layers'][0]['w']", &["layers.0.b", "layers.0.w"]), Some(1));
        assert_eq!(found("layers.0.w", &["w", "model/layers/0/w"]), Some(1));
        assert_eq!(found("w", &["a.w", "b.w"]), None);
        assert_eq!(found("w", &["a.w", "w"]), Some(1));
        assert_eq!(found("layers.10.w", &["0.w"]), None);
        assert_eq!(found("", &["", "w"]), None);
        assert_eq!(found("w", &["w", "a.w", "w"]), None);
        assert_eq!(found("a.b.w", &["b.w", "w", "b.w"]), None);
        assert_eq!(found("b.w", &["a.b.w", "w"]), Some(0));
        // Its ends would be 80 GB.
        let long = "a.".repeat(200_000);
        assert_eq!(found(&long, &[&long, "b"]), Some(0));
    }

    /// What the map finds is what a search of all names finds.
    #[test]
    fn names_are_found_as_by_a_search() {
        let search = |name: &Name<'_>, names: &[Name<'_>]| {
            let shared = |other: &Name<'_>| {
                let is_end = name.0.ends_with(&other.0) || other.0.ends_with(&name.0);
                let length = name.0.len().min(other.0.len());
                (is_end && length > 0).then_some((length, name == other))
            };
            let best = names.iter().filter_map(shared).max()?;
            let mut found = (0..names.len()).filter(|at| shared(&names[*at]) == Some(best));
            found.next().filter(|_| found.next().is_none())
        };
        let texts = (0..85_usize).map(|number| {
            let mut words = Vec::new();
            let mut rest = number;
            while rest > 0 {
                words.push(["a", "b", "c"][rest % 4 % 3]);
                rest /= 4;
            }
            words.join(".")
        });
        let texts = texts.collect::<Vec<_>>();
        for step in 1..40 {
            let names = texts.iter().skip(step % 7).step_by(step);
            let names = names.map(|text| Name::new(text)).collect::<Vec<_>>();
            let map = NameIndex::new(&names);
            for text in &texts {
                let name = Name::new(text);
                assert_eq!(map.find(&name), search(&name, &names), "{text} {step}");
            }
        }
    }

    #[test]
    fn orders() {
        let sorted = |number: usize| {
            let mut names = ["w10", "b", "w2", "w.10", "w.9", "10", "9"];
            names.sort_by(|a, b| ORDERS[number](&Name::new(a), &Name::new(b)));
            names
        };
        assert_eq!(sorted(0), ["9", "10", "b", "w.9", "w.10", "w2", "w10"]);
        assert_eq!(sorted(1), ["9", "10", "b", "w.9", "w.10", "w10", "w2"]);
        assert_eq!(sorted(2), ["10", "9", "b", "w.10", "w.9", "w10", "w2"]);
    }
}
