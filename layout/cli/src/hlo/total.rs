//! Totals of `layout hlo`.

use std::fmt;

use layout_core::{ArrayShape, Size};
use serde::{Serialize, Serializer};

use crate::output::count;

/// The bytes of several arrays. Hostile files hold arrays whose sum is more than a `u64`.
#[derive(Default, Serialize)]
pub(crate) struct Total {
    arrays: usize,
    /// Arrays with a dimension of unknown size, which no sum counts.
    #[serde(rename = "arrays_of_unknown_size")]
    unknown: usize,
    #[serde(serialize_with = "number")]
    bytes: u128,
    #[serde(serialize_with = "number")]
    unpadded_bytes: u128,
    #[serde(rename = "waste_bytes", serialize_with = "number")]
    waste: u128,
}

/// Numbers that do not fit are `null`.
pub(super) fn number<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    u64::try_from(*number).ok().serialize(serializer)
}

impl Total {
    pub(crate) fn add(&mut self, array: &ArrayShape) {
        self.arrays += 1;
        match (array.bytes(), array.unpadded_bytes()) {
            (Some(bytes), Some(unpadded)) => {
                self.bytes += bytes as u128;
                self.unpadded_bytes += unpadded as u128;
                // An `E` can take fewer bytes than the element type.
                self.waste = self.bytes.saturating_sub(self.unpadded_bytes);
            }
            _ => self.unknown += 1,
        }
    }

    /// Whether no array was counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.arrays == 0
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { arrays, unknown, bytes, unpadded_bytes, waste } = self;
        let arrays = count(*arrays as Size, "array");
        write!(f, "total of {arrays}: {bytes} bytes, {unpadded_bytes} without padding")?;
        if *bytes > 0 {
            write!(f, ", {waste} wasted ({:.1}%)", *waste as f64 / *bytes as f64 * 100.0)?;
        }
        match unknown {
            0 => Ok(()),
            _ => write!(f, "; {unknown} of unknown size not counted"),
        }
    }
}
