//! Totals of `layout hlo`.

use std::fmt;

use layout_core::ArrayShape;
use serde_json::{Value, json};

/// The bytes of several arrays. Hostile files hold arrays whose sum is more than a `u64`.
#[derive(Default)]
pub(crate) struct Total {
    arrays: usize,
    /// Arrays with a dimension of unknown size, which no sum counts.
    unknown: usize,
    bytes: u128,
    unpadded_bytes: u128,
}

impl Total {
    pub(crate) fn add(&mut self, array: &ArrayShape) {
        self.arrays += 1;
        match (array.bytes(), array.unpadded_bytes()) {
            (Some(bytes), Some(unpadded)) => {
                self.bytes += bytes as u128;
                self.unpadded_bytes += unpadded as u128;
            }
            _ => self.unknown += 1,
        }
    }

    /// Whether there are no arrays.
    pub(crate) fn is_empty(&self) -> bool {
        self.arrays == 0
    }

    /// Bytes of padding.
    fn waste(&self) -> u128 {
        self.bytes.saturating_sub(self.unpadded_bytes)
    }

    /// As an object of JSON; numbers that do not fit are `null`.
    pub(crate) fn value(&self) -> Value {
        let number = |number: u128| json!(u64::try_from(number).ok());
        json!({
            "arrays": self.arrays,
            "arrays_of_unknown_size": self.unknown,
            "bytes": number(self.bytes),
            "unpadded_bytes": number(self.unpadded_bytes),
            "waste_bytes": number(self.waste()),
        })
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { arrays, unknown, bytes, unpadded_bytes } = self;
        let noun = if *arrays == 1 { "array" } else { "arrays" };
        write!(f, "total of {arrays} {noun}: {bytes} bytes, {unpadded_bytes} without padding")?;
        if *bytes > 0 {
            let waste = self.waste();
            write!(f, ", {waste} wasted ({:.1}%)", waste as f64 / *bytes as f64 * 100.0)?;
        }
        match unknown {
            0 => Ok(()),
            _ => write!(f, "; {unknown} of unknown size not counted"),
        }
    }
}
