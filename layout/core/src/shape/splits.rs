//! Split configurations, `SC(0:16,32)`: where an array is cut to spread it across memories.

use crate::base::limits::{MAX_SPLIT_INDICES, MAX_SPLITS, Size};
use crate::base::text::part;

/// The split configurations of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Splits {
    dims: [u8; MAX_SPLITS],
    ends: [u8; MAX_SPLITS],
    indices: [Size; MAX_SPLIT_INDICES],
    count: u8,
}

impl Splits {
    /// No splits.
    pub const NONE: Splits = Splits {
        dims: [0; MAX_SPLITS],
        ends: [0; MAX_SPLITS],
        indices: [0; MAX_SPLIT_INDICES],
        count: 0,
    };

    /// Number of configurations.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether the list has no configurations.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
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
        part(&self.indices, self.start(split), self.ends[split] as usize)
    }

    /// Number of the first index of a configuration among the indices of all.
    pub(crate) const fn start(&self, split: usize) -> usize {
        if split == 0 { 0 } else { self.ends[split - 1] as usize }
    }

    /// Begins another configuration. False if the list is full.
    pub const fn begin(&mut self, dim: usize) -> bool {
        if self.len() == MAX_SPLITS {
            return false;
        }
        // No array has as many dimensions as do not fit.
        self.dims[self.len()] = if dim < u8::MAX as usize { dim as u8 } else { u8::MAX };
        self.ends[self.len()] = self.start(self.len()) as u8;
        self.count += 1;
        true
    }

    /// Appends an index to the last configuration. False if the list is full.
    pub const fn push(&mut self, index: Size) -> bool {
        let indices = self.start(self.len());
        if self.count == 0 || indices == MAX_SPLIT_INDICES {
            return false;
        }
        self.indices[indices] = index;
        self.ends[self.len() - 1] += 1;
        true
    }
}

impl core::fmt::Debug for Splits {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map()
            .entries((0..self.len()).map(|split| (self.dim(split), self.indices(split))))
            .finish()
    }
}
