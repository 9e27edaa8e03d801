//! Formats by their names.

use core::str::FromStr;

use super::{NOT_LAYOUTS, PackedFormat, PackedFormatError};

/// Letters that a misspelled name may differ by.
const NEAR: usize = 2;
/// No name is longer.
const LONGEST: usize = 64;

impl PackedFormat {
    /// The format of a name, or of one of its aliases. Case does not matter, nor do spaces and punctuation: `Q4_0_4_8`
    /// is `q4-0-4x8` but for the `x`.
    ///
    /// # Errors
    /// If there is none. A name that is known, but no order of elements, is an error that says what it is instead.
    ///
    /// # Examples
    /// ```
    /// use layout::packed_format::PackedFormat;
    ///
    /// assert_eq!(PackedFormat::find("Fractal NZ").unwrap().name(), "FRACTAL_NZ");
    /// let error = PackedFormat::find("marln").unwrap_err();
    /// assert_eq!(error.to_string(), "no packed format has this name: did you mean `marlin`?");
    /// let error = PackedFormat::find("q6_k").unwrap_err();
    /// assert!(error.to_string().starts_with("`q6_k` is not one layout: its codes are split into bit planes"));
    /// ```
    pub fn find(name: &str) -> Result<PackedFormat, PackedFormatError> {
        let names = |format: &PackedFormat| {
            core::iter::once(format.name()).chain(format.aliases().iter().copied())
        };
        let all =
            || Self::ALL.iter().flat_map(|format| names(format).map(move |own| (*format, own)));
        if let Some((format, _)) = all().find(|(_, own)| same(own, name)) {
            return Ok(format);
        }
        if let Some(found) = NOT_LAYOUTS.iter().find(|one| one.names().any(|own| same(own, name))) {
            return Err(PackedFormatError::NotALayout(*found));
        }
        let near = all().filter_map(|(format, own)| Some((distance(own, name)?, format)));
        let nearest = near.min_by_key(|(distance, format)| (*distance, format.number));
        Err(PackedFormatError::Unknown { nearest: nearest.map(|(_, format)| format) })
    }
}

/// As [`PackedFormat::find`].
impl FromStr for PackedFormat {
    type Err = PackedFormatError;

    fn from_str(name: &str) -> Result<PackedFormat, PackedFormatError> {
        PackedFormat::find(name)
    }
}

/// Letters and digits of a name, in lower case.
fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase())
}

/// Whether a name is one of ours: case does not matter, nor do spaces and punctuation.
pub(super) fn same(own: &str, name: &str) -> bool {
    // A name with other letters than these is none of ours.
    name.is_ascii() && letters(own).eq(letters(name))
}

/// Letters to change, to leave out and to add, if they are few for the length of the name.
fn distance(own: &str, name: &str) -> Option<usize> {
    let count = letters(name).count();
    if !(3..LONGEST).contains(&count) || letters(own).count() >= LONGEST {
        return None;
    }
    // Levenshtein's: a row for each letter of the one, a column for each letter of the other.
    let mut row = [0; LONGEST + 1];
    for (column, distance) in row.iter_mut().enumerate() {
        *distance = column;
    }
    for (i, a) in letters(own).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in letters(name).enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    let most = NEAR.min(count / 3);
    Some(row[count]).filter(|distance| *distance <= most)
}
