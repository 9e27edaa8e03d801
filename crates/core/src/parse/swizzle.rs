//! `128B`, `bytes<3,4,3>`.

use crate::fault::{Fault, FaultKind, Place};
use crate::parse::cursor::Cursor;
use crate::parse::integer::Field;
use crate::parse::source::Input;
use crate::shape::{Swizzle, SwizzleUnit};

impl Swizzle {
    /// The swizzle of a name or a text: `128B`, `bytes<3,4,3>`, `elements<3,3,3>`. Case and spaces do not matter.
    ///
    /// # Errors
    /// If it is neither, or if no swizzle has these numbers.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::Swizzle;
    ///
    /// assert_eq!(Swizzle::parse("64B"), Ok(Swizzle::MODE_64B));
    /// assert_eq!(Swizzle::parse("bytes<2, 4, 3>"), Ok(Swizzle::MODE_64B));
    /// let error = Swizzle::parse("bytes<3,4,2>").unwrap_err();
    /// assert!(error.to_string().starts_with("the swizzle exchanges 3 bits, which overlap"));
    /// ```
    pub const fn parse(text: &str) -> Result<Swizzle, Fault> {
        let mut cursor = Cursor::new(Input::Text(text));
        let name = cursor.token.text;
        cursor.bump();
        if cursor.is_end() {
            each!(for (mode, swizzle) in &Swizzle::MODES {
                if mode.eq_ignore_ascii_case(name) {
                    return Ok(*swizzle);
                }
            });
        }
        match (SwizzleUnit::from_name(name), cursor.swizzle_numbers()) {
            (Some(unit), Some([bits @ 0..=i8::MAX, base @ 0..=i8::MAX, shift])) => {
                Swizzle::new(unit, bits as u8, base as u8, shift)
            }
            _ => FaultKind::SwizzleText.at(Place::Swizzle),
        }
    }
}

impl Cursor<'_> {
    /// `<3,4,-3>` up to the end; `None` if something else stands there, or a number above 127.
    const fn swizzle_numbers(&mut self) -> Option<[i8; 3]> {
        const FIELD: Field = Field::plain("", "");
        let mut numbers = [0; 3];
        each!(for entry in 0..numbers.len() {
            if !self.take(if entry == 0 { "<" } else { "," }) {
                return None;
            }
            // A sign with a space after it is a token of its own, as `stringify!` writes it.
            let is_signed = self.take("-");
            let number = some!(self.integer(&FIELD)).signed();
            if number.unsigned_abs() > i8::MAX as u64 || is_signed && number < 0 {
                return None;
            }
            numbers[entry] = if is_signed { -number as i8 } else { number as i8 };
            self.bump();
        });
        if self.take(">") && self.is_end() { Some(numbers) } else { None }
    }
}

impl core::str::FromStr for Swizzle {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Swizzle, Fault> {
        Swizzle::parse(text)
    }
}
