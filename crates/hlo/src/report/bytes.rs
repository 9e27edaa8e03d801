//! Bytes for a person.

use core::fmt;

/// A number of bytes, which displays with a unit and three digits: `6.79 GiB`.
///
/// # Examples
/// ```
/// use layout_hlo::Bytes;
///
/// let texts = [0, 1023, 1536, 7_291_652_608].map(|bytes| Bytes(bytes).to_string());
/// assert_eq!(texts, ["0 B", "1023 B", "1.50 KiB", "6.79 GiB"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut units = [" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"].iter();
        let mut unit = " B";
        while value >= 1023.5 {
            value /= 1024.0;
            unit = units.next().unwrap_or(&" ZiB");
        }
        let digits = match value {
            _ if unit == " B" => 0,
            value if value < 9.995 => 2,
            value if value < 99.95 => 1,
            _ => 0,
        };
        f.pad(&alloc::format!("{value:.digits$}{unit}"))
    }
}
