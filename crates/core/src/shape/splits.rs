//! Split configurations, `SC(0:16,32)`: where an array is cut to spread it across memories.

use crate::base::{Lists, MAX_SPLIT_INDICES, MAX_SPLITS, Size, bytes_equal};

/// The split configurations of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Splits {
    dims: [u8; MAX_SPLITS],
    indices: Lists<MAX_SPLITS, MAX_SPLIT_INDICES>,
}

impl Splits {
    /// No splits.
    pub const NONE: Splits = Splits { dims: [0; MAX_SPLITS], indices: Lists::NONE };

    /// Number of configurations.
    pub const fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether the list has no configurations.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The physical dimension that configuration `split` cuts; 0 is the most major.
    ///
    /// # Panics
    /// If `split` is out of range.
    pub const fn dim(&self, split: usize) -> usize {
        assert!(split < self.len(), "the split configuration is out of range");
        self.dims[split] as usize
    }

    /// Where configuration `split` cuts its dimension, in elements, increasing.
    ///
    /// # Panics
    /// If `split` is out of range.
    pub const fn indices(&self, split: usize) -> &[Size] {
        assert!(split < self.len(), "the split configuration is out of range");
        self.indices.get(split)
    }

    /// Number of the first index of a configuration among the indices of all.
    pub(crate) const fn start(&self, split: usize) -> usize {
        self.indices.start(split)
    }

    /// Begins another configuration. False if the list is full.
    pub const fn begin(&mut self, dim: usize) -> bool {
        let has_room = self.indices.begin();
        if has_room {
            // No array has as many dimensions as do not fit.
            self.dims[self.len() - 1] = if dim < u8::MAX as usize { dim as u8 } else { u8::MAX };
        }
        has_room
    }

    /// Appends an index to the last configuration. False if the list is full.
    pub const fn push(&mut self, index: Size) -> bool {
        self.indices.push(index)
    }

    pub(crate) const fn is_same(&self, other: &Splits) -> bool {
        bytes_equal(&self.dims, &other.dims) && self.indices.is_same(&other.indices)
    }
}

impl core::fmt::Debug for Splits {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map()
            .entries((0..self.len()).map(|split| (self.dim(split), self.indices(split))))
            .finish()
    }
}
