//! Formats whose memory was taken from the systems that define them: `tests/data/packed`.

use layout::ArrayShape;
use layout::shape::Size;
use layout_tests::data;
use layout_tests::lists::floats;
use layout_tests::naive::memory;
use serde::Deserialize;

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
    /// The first half of the hash of what [`numbered`] makes of it.
    pub sha256: String,
}

impl Packed {
    pub(crate) fn array(&self) -> ArrayShape {
        floats(&self.dims)
    }

    /// Compares all of memory.
    pub(crate) fn check(&self, layout: &ArrayShape) {
        let expected = self.memory.as_ref().unwrap();
        assert_eq!(layout.padded_elements(), Some(expected.slots), "{} {layout}", self.format);
        assert_eq!(
            data::sha256(numbered(&memory(layout)))[..16],
            expected.sha256,
            "{} {layout}",
            self.format
        );
    }
}

/// Of an element its row-major number, counted from 1, of padding 0.
pub(crate) fn numbered(memory: &[Option<Size>]) -> impl Iterator<Item = Size> + '_ {
    memory.iter().map(|number| number.map_or(0, |number| number + 1))
}
