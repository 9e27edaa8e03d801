//! Arrays of which dimensions are moved, dropped or new.

use crate::base::limits::MAX_DIMS;
use crate::shape::{ArrayFields, ArrayShape, Dim, Splits};

/// Where a dimension of an edited array comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// A dimension of the array.
    Old(usize),
    /// A dimension that the array did not have.
    New(Dim),
}

impl ArrayShape {
    /// The array with these dimensions: `PAD`'s widths and `SC`'s indices stay with theirs, and so does the order in
    /// memory, in which new dimensions stand at place `order` from minor to major.
    pub const fn remapped(&self, dims: &[Origin], order: usize) -> ArrayFields {
        let old = self.fields();
        let mut fields = ArrayFields {
            rank: dims.len() as u8,
            dims: [Dim::Static(0); MAX_DIMS],
            padded_dims: [0; MAX_DIMS],
            minor_to_major: [0; MAX_DIMS],
            splits: Splits::NONE,
            ..*old
        };
        let mut names = [None; MAX_DIMS];
        each!(for dim in 0..dims.len() {
            (fields.dims[dim], fields.padded_dims[dim]) = match dims[dim] {
                Origin::Old(from) => {
                    names[from] = Some(dim);
                    (old.dims[from], old.padded_dims[from])
                }
                Origin::New(size) => match size.size() {
                    Some(width) if old.has_padding => (size, width),
                    _ => (size, 0),
                },
            };
        });
        let mut places = 0;
        each!(for place in 0..=self.rank() {
            if place == order {
                each!(for dim in 0..dims.len() {
                    if matches!(dims[dim], Origin::New(_)) {
                        fields.minor_to_major[places] = dim;
                        places += 1;
                    }
                });
            }
            if place < self.rank()
                && let Some(dim) = names[old.minor_to_major[place]]
            {
                fields.minor_to_major[places] = dim;
                places += 1;
            }
        });
        fields.take_splits(self, &names);
        fields
    }
}

impl ArrayFields {
    /// Takes the splits of an array, in which a dimension has another name, or `None` if it is gone.
    pub(crate) const fn take_splits(
        &mut self,
        array: &ArrayShape,
        names: &[Option<usize>; MAX_DIMS],
    ) {
        let (rank, splits) = (self.rank(), array.splits());
        self.splits = Splits::NONE;
        each!(for split in 0..splits.len() {
            let dim = array.ordered_dim(array.rank() - 1 - splits.dim(split));
            each!(for place in 0..rank {
                if matches!(names[dim], Some(name) if name == self.minor_to_major[place]) {
                    self.splits.begin(rank - 1 - place);
                    each!(for &index in splits.indices(split) {
                        self.splits.push(index);
                    });
                }
            });
        });
    }
}
