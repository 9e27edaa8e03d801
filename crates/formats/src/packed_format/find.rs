//! Formats by their names.

use core::str::FromStr;

use super::{NOT_LAYOUTS, PackedFormat, PackedFormatError};
use layout_core::base::text::{Text, edit_distance};

/// Letters that a misspelled name may differ by: one of four, and two of eight or more.
const NEAR: usize = 2;
/// Every name is shorter.
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
    /// use layout_formats::packed_format::PackedFormat;
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
        let near = || all().filter_map(|(format, own)| Some((distance(own, name)?, format)));
        let nearest = near().min_by_key(|(distance, _)| *distance);
        // Of names that are as near as one another nobody knows which was meant.
        let is_only = |best: &(usize, PackedFormat)| {
            near().all(|other| other.0 > best.0 || other.1 == best.1)
        };
        let nearest = nearest.filter(is_only).map(|(_, format)| format);
        Err(PackedFormatError::Unknown { nearest })
    }
}

/// Finds a format by its name: see [`PackedFormat::find`].
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

/// The [`edit_distance`] of their letters, if it is small for the length of the name.
fn distance(own: &str, name: &str) -> Option<usize> {
    let count = letters(name).count();
    let most = NEAR.min(count / 4);
    if letters(own).count().abs_diff(count) > most {
        return None;
    }
    let mut texts = [Text::<LONGEST>::new(); 2];
    for (text, of) in texts.iter_mut().zip([own, name]) {
        letters(of).for_each(|letter| text.byte(letter));
    }
    let distance = edit_distance::<LONGEST>(texts[0].as_str(), texts[1].as_str());
    Some(distance).filter(|distance| *distance <= most)
}
