//! `128B`, `bytes<3,4,3>`.

use crate::base::text::{Text, bytes_equal, equal_ignoring_case, lower};
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::swizzle::MODES;
use crate::shape::{Swizzle, SwizzleUnit};

impl Swizzle {
    /// The swizzle of a name or a text: `128B`, `bytes<3,4,3>`, `elements<3,3,3>`. Case and spaces do not matter.
    ///
    /// # Errors
    /// If it is neither, or if no swizzle has these numbers.
    ///
    /// # Examples
    /// ```
    /// use layout::Swizzle;
    ///
    /// assert_eq!(Swizzle::parse("64B"), Ok(Swizzle::MODE_64B));
    /// assert_eq!(Swizzle::parse("bytes<2, 4, 3>"), Ok(Swizzle::MODE_64B));
    /// let error = Swizzle::parse("bytes<3,4,2>").unwrap_err();
    /// assert!(error.to_string().starts_with("3 bits overlap the bits 2 places above them"));
    /// ```
    pub const fn parse(text: &str) -> Result<Swizzle, Fault> {
        let mut word: Text<64> = Text::new();
        each!(for &byte in text.as_bytes() {
            if byte != b' ' {
                word.byte(lower(byte));
            }
        });
        let word = word.as_str().as_bytes();
        each!(for (name, swizzle) in &MODES {
            if equal_ignoring_case(name, text) {
                return Ok(*swizzle);
            }
        });
        each!(for &unit in &[SwizzleUnit::Elements, SwizzleUnit::Bytes] {
            if let Some([bits, base, shift]) = numbers_after(unit.name().as_bytes(), word) {
                if bits < 0 || base < 0 {
                    break;
                }
                return Swizzle::new(unit, bits as u8, base as u8, shift);
            }
        });
        Err(Fault::of_value(FaultKind::SwizzleText, Place::Swizzle))
    }
}

impl core::str::FromStr for Swizzle {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Swizzle, Fault> {
        Swizzle::parse(text)
    }
}

/// The three numbers of `name<1,2,-3>`; `None` if the text is another one, or if a number is above 99.
const fn numbers_after(name: &[u8], text: &[u8]) -> Option<[i8; 3]> {
    let (first, rest) = some!(text.split_at_checked(name.len()));
    if !bytes_equal(first, name) {
        return None;
    }
    let ends = [b'<', b',', b',', b'>'];
    let mut numbers = [0i8; 3];
    let (mut entry, mut digits, mut sign) = (0, 0, 1);
    each!(for &byte in rest {
        match byte {
            b'0'..=b'9' if entry > 0 && entry < ends.len() && digits < 2 => {
                numbers[entry - 1] = 10 * numbers[entry - 1] + (byte - b'0') as i8;
                digits += 1;
            }
            b'-' if entry > 0 && digits == 0 && sign == 1 => sign = -1,
            _ if entry < ends.len() && byte == ends[entry] && (entry == 0 || digits > 0) => {
                if entry > 0 {
                    numbers[entry - 1] *= sign;
                }
                (entry, digits, sign) = (entry + 1, 0, 1);
            }
            _ => return None,
        }
    });
    if entry == ends.len() { Some(numbers) } else { None }
}
