//! Arrays of which dimensions are moved, dropped or new.

use crate::base::MAX_DIMS;
use crate::fault::{Fault, FaultKind, Place};
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
    /// The array with these dimensions, in their new order of numbers: some of its own, and new ones. `PAD`'s widths and
    /// `SC`'s indices stay with their dimensions, and so does the order in memory, in which the new dimensions stand at place
    /// `place` from minor to major, the last one the most minor. Tiles cover the new most minor dimensions.
    ///
    /// # Errors
    /// If there are more than [`MAX_DIMS`] dimensions, if one is named that the array does not have, or one twice; if padding
    /// makes the result too large; if `PAD` is given and a new size is `?`.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::shape::Dim::Static;
    /// use layout::shape::Origin::{New, Old};
    ///
    /// let shape: ArrayShape = "bf16[20,30]{0,1:T(8,128)(2,1)}".parse()?;
    /// let with_major = shape.with_dimensions(&[New(Static(4)), Old(0), Old(1)], 2)?;
    /// assert_eq!(with_major.to_string(), "bf16[4,20,30]{1,2,0:T(8,128)(2,1)}");
    /// assert_eq!(with_major.with_dimensions(&[Old(1), Old(2)], 0)?, shape);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("DeleteDimension", "DeleteDimensions", "FilterDimensions"))]
    #[doc(alias("DropDegenerateDimensions", "InsertDimensionAtIndex", "InsertDimensionsAtIndex"))]
    #[doc(alias("AppendMajorDimension", "AppendMinorDimension", "PrependMajorDimension"))]
    #[inline]
    pub const fn with_dimensions(
        &self,
        dims: &[Origin],
        place: usize,
    ) -> Result<ArrayShape, Fault> {
        if dims.len() > MAX_DIMS {
            return FaultKind::TOO_MANY_DIMS.at(Place::Dims);
        }
        let mut named = [false; MAX_DIMS];
        each!(for i in 0..dims.len() {
            if let Origin::Old(dim) = dims[i] {
                if dim >= self.rank() || named[dim] {
                    return FaultKind::NoDim { dim, rank: self.rank() }.at(Place::Shape);
                }
                named[dim] = true;
            }
        });
        self.remapped(dims, place).checked()
    }

    #[inline]
    pub(crate) const fn remapped(&self, dims: &[Origin], order: usize) -> ArrayFields {
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
                each!(for dim in (0..dims.len()).rev() {
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
    #[inline]
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
