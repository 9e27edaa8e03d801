//! Formats whose memory was taken from the systems that define them: `tests/data/packed`.

use std::fmt::Write as _;

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::Size;
use layout_tests::lists;
use layout_tests::naive::offsets;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// A format at one size.
#[derive(Debug, Deserialize)]
pub(crate) struct Packed {
    /// What its users write.
    pub format: String,
    /// Other names of the same format.
    #[serde(default)]
    pub also: Vec<String>,
    pub dims: Vec<Size>,
    #[serde(flatten)]
    pub memory: Option<Memory>,
    /// What the system says where it refuses the format.
    pub error: Option<String>,
}

/// What the system put into memory.
#[derive(Debug, Deserialize)]
pub(crate) struct Memory {
    pub slots: Size,
    /// The first half of the hash, as [`hash`] makes it.
    pub sha256: String,
}

impl Packed {
    pub(crate) fn array(&self) -> ArrayShape {
        array(&self.dims)
    }

    /// Compares all of memory.
    pub(crate) fn check(&self, layout: &ArrayShape) {
        let expected = self.memory.as_ref().unwrap();
        assert_eq!(layout.padded_elements(), Some(expected.slots), "{} {layout}", self.format);
        let mut memory = vec![None; native(expected.slots)];
        for (number, slot) in offsets(layout).into_iter().enumerate() {
            assert_eq!(memory[native(slot)].replace(number as Size), None, "{layout}");
        }
        assert_eq!(hash(&memory)[..16], expected.sha256, "{} {layout}", self.format);
    }
}

/// An array without tiles.
pub(crate) fn array(dims: &[Size]) -> ArrayShape {
    lists::array(&format!("f32[{}]", lists::list(dims)))
}

/// Hash of memory as little-endian 64-bit numbers: of an element its row-major number, counted from 1, of padding 0.
pub(crate) fn hash(memory: &[Option<Size>]) -> String {
    let mut sha256 = Sha256::new();
    for number in memory {
        sha256.update(number.map_or(0, |number| number as i64 + 1).to_le_bytes());
    }
    sha256.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
