//! Inserting and deleting dimensions.
//!
//! All edits treat a layout in the same way: tiles, `L`, `E`, `S`, `M` and `FILL` stay as they are; `PAD`'s
//! widths and `SC`'s indices stay with their dimensions. Tiles cover the most minor dimensions of the result,
//! so elements may move: [`reshape_is_bitcast`](crate::bitcast::reshape_is_bitcast) says whether they do.

pub(crate) mod compare;
pub(crate) mod index;
pub(crate) mod make;
pub(crate) mod order;
pub mod permutation;
pub(crate) mod permute;
pub(crate) mod reshape;
#[cfg(feature = "alloc")]
pub(crate) mod subshape;
pub(crate) mod with_dims;

use core::fmt;

use crate::base::text::{Text, part};
use crate::fault::FaultKind;
use crate::fault::error::Fault;
use crate::fault::place::Place;
use crate::limits::MAX_DIMS;
use crate::shape::array::{ArrayShape, Fields};
use crate::shape::dim::Dim;
use crate::shape::splits::Splits;

/// Why a shape cannot be edited as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The number of a dimension, or the place for a new one, is out of range.
    Dim {
        /// The number that was given.
        dim: usize,
        /// Dimensions of the array.
        rank: usize,
    },
    /// The list is not a permutation of the dimensions.
    Permutation {
        /// Dimensions of the array.
        rank: usize,
    },
    /// The shapes differ in structure: in where tuples and buffers are, or in the number of their parts.
    Structure,
    /// The result is not a valid shape: a size exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE), or a limit is exceeded.
    Shape(Fault),
}

impl EditError {
    #[doc(hidden)]
    pub const fn line(&self) -> Text<640> {
        let mut text = Text::new();
        match *self {
            EditError::Dim { dim, rank } => {
                say!(text, "dimension ", dim, " is out of range for an array of rank ", rank);
            }
            EditError::Permutation { rank } => {
                say!(
                    text,
                    "the list is not a permutation of the dimensions of an array of rank ",
                    rank
                );
            }
            EditError::Structure => text.str("the shapes differ in their tuples or buffers"),
            EditError::Shape(fault) => return fault.line(),
        }
        text
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line().as_str())
    }
}

impl core::error::Error for EditError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            EditError::Shape(fault) => Some(fault),
            _ => None,
        }
    }
}

/// Where a dimension of an edited array comes from.
#[derive(Clone, Copy)]
pub(crate) enum Origin {
    /// A dimension of the array.
    Old(usize),
    New(Dim),
}

impl ArrayShape {
    /// The array without the listed dimensions. A dimension may be listed twice.
    ///
    /// # Errors
    /// If a dimension is out of range, or if padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[5,3,2,7,9]{2,0,1,4,3}".parse()?;
    /// assert_eq!(shape.delete_dimensions(&[3, 1, 2]).unwrap().to_string(), "f32[5,9]{0,1}");
    /// assert!(shape.delete_dimensions(&[5]).is_err());
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "DeleteDimension")]
    #[doc(alias = "DeleteDimensions")]
    pub const fn delete_dimensions(&self, dims: &[usize]) -> Result<ArrayShape, EditError> {
        let mut keep = [true; MAX_DIMS];
        each!(for i in 0..dims.len() {
            if dims[i] >= self.rank() {
                return Err(EditError::Dim { dim: dims[i], rank: self.rank() });
            }
            keep[dims[i]] = false;
        });
        self.keep(&keep)
    }

    /// The array with only the dimensions for whose numbers `keep` returns true.
    ///
    /// # Errors
    /// If padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[5,3,2]{2,0,1}".parse()?;
    /// let even = shape.filter_dimensions(|dim| dim % 2 == 0).unwrap();
    /// assert_eq!(even.to_string(), "f32[5,2]{1,0}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "FilterDimensions")]
    pub fn filter_dimensions(
        &self,
        mut keep: impl FnMut(usize) -> bool,
    ) -> Result<ArrayShape, EditError> {
        let mut kept = [true; MAX_DIMS];
        for (dim, kept) in kept.iter_mut().enumerate().take(self.rank()) {
            *kept = keep(dim);
        }
        self.keep(&kept)
    }

    /// The array without its dimensions of size 1; bounded dimensions count with their bounds.
    ///
    /// # Errors
    /// If padding makes the result too large.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[1,8,1,128]{3,1,2,0:T(8,128)}".parse()?;
    /// let dropped = shape.drop_degenerate_dimensions().unwrap();
    /// assert_eq!(dropped.to_string(), "f32[8,128]{1,0:T(8,128)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "DropDegenerateDimensions")]
    pub const fn drop_degenerate_dimensions(&self) -> Result<ArrayShape, EditError> {
        let mut keep = [true; MAX_DIMS];
        each!(for dim in 0..self.rank() {
            keep[dim] = !matches!(self.dim(dim).size(), Some(1));
        });
        self.keep(&keep)
    }

    /// The array with a new dimension number `at`. In memory it is just more major than the dimension that
    /// had this number; at the end of all dimensions it is the most minor. Dimensions from `at` on move up by
    /// one.
    ///
    /// # Errors
    /// If `at` exceeds the rank, if the result is too large or has too many dimensions, or if the new
    /// dimension has no bound and the layout has `PAD`.
    ///
    /// # Examples
    /// ```
    /// use layout::Dim;
    ///
    /// let shape: layout::ArrayShape = "f32[10,20,30]{0,2,1}".parse()?;
    /// let inserted = shape.insert_dimension(1, Dim::Static(40)).unwrap();
    /// assert_eq!(inserted.to_string(), "f32[10,40,20,30]{0,3,2,1}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "InsertDimensionAtIndex")]
    pub const fn insert_dimension(&self, at: usize, size: Dim) -> Result<ArrayShape, EditError> {
        self.insert_dimensions(at, &[size])
    }

    /// The array with several new dimensions, inserted at `at` one by one, the last one first.
    ///
    /// # Errors
    /// See [`insert_dimension`](Self::insert_dimension).
    ///
    /// # Examples
    /// ```
    /// use layout::Dim::Static;
    ///
    /// let shape: layout::ArrayShape = "f32[10,20,30]{0,2,1}".parse()?;
    /// let inserted = shape.insert_dimensions(1, &[Static(40), Static(50)]).unwrap();
    /// assert_eq!(inserted.to_string(), "f32[10,40,50,20,30]{0,4,3,2,1}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "InsertDimensionsAtIndex")]
    pub const fn insert_dimensions(
        &self,
        at: usize,
        sizes: &[Dim],
    ) -> Result<ArrayShape, EditError> {
        if at > self.rank() {
            return Err(EditError::Dim { dim: at, rank: self.rank() });
        }
        let mut shape = *self;
        each!(for i in (0..sizes.len()).rev() {
            let order = match shape.place(at) {
                Some(place) => place + 1,
                None => 0,
            };
            shape = match shape.inserted(at, order, sizes[i]) {
                Ok(shape) => shape,
                Err(error) => return Err(error),
            };
        });
        Ok(shape)
    }

    /// The array with a new dimension, the last and most major one.
    ///
    /// # Errors
    /// See [`insert_dimension`](Self::insert_dimension).
    #[doc(alias = "AppendMajorDimension")]
    pub const fn append_major_dimension(&self, size: Dim) -> Result<ArrayShape, EditError> {
        self.inserted(self.rank(), self.rank(), size)
    }

    /// The array with a new dimension, the last and most minor one.
    ///
    /// # Errors
    /// See [`insert_dimension`](Self::insert_dimension).
    #[doc(alias = "AppendMinorDimension")]
    pub const fn append_minor_dimension(&self, size: Dim) -> Result<ArrayShape, EditError> {
        self.inserted(self.rank(), 0, size)
    }

    /// The array with a new dimension, the first and most major one.
    ///
    /// # Errors
    /// See [`insert_dimension`](Self::insert_dimension).
    ///
    /// # Examples
    /// ```
    /// use layout::Dim::Static;
    ///
    /// let shape: layout::ArrayShape = "bf16[20,30]{0,1:T(8,128)(2,1)}".parse()?;
    /// let first = shape.prepend_major_dimension(Static(4)).unwrap();
    /// assert_eq!(first.to_string(), "bf16[4,20,30]{1,2,0:T(8,128)(2,1)}");
    /// let last = shape.append_major_dimension(Static(4)).unwrap();
    /// assert_eq!(last.to_string(), "bf16[20,30,4]{0,1,2:T(8,128)(2,1)}");
    /// let minor = shape.append_minor_dimension(Static(4)).unwrap();
    /// assert_eq!(minor.to_string(), "bf16[20,30,4]{2,0,1:T(8,128)(2,1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "PrependMajorDimension")]
    pub const fn prepend_major_dimension(&self, size: Dim) -> Result<ArrayShape, EditError> {
        self.inserted(0, self.rank(), size)
    }

    /// A dimension at number `at` and at place `order` from minor to major.
    const fn inserted(&self, at: usize, order: usize, size: Dim) -> Result<ArrayShape, EditError> {
        if self.rank() == MAX_DIMS {
            let kind = FaultKind::TooMany { what: "dimensions", limit: MAX_DIMS };
            return Err(EditError::Shape(Fault::of_value(kind, Place::Dims)));
        }
        let mut dims = [Origin::New(size); MAX_DIMS];
        each!(for dim in 0..self.rank() {
            dims[if dim < at { dim } else { dim + 1 }] = Origin::Old(dim);
        });
        edited(&self.remapped(part(&dims, 0, self.rank() + 1), order))
    }

    const fn keep(&self, keep: &[bool; MAX_DIMS]) -> Result<ArrayShape, EditError> {
        let (mut dims, mut rank) = ([Origin::Old(0); MAX_DIMS], 0);
        each!(for dim in 0..self.rank() {
            if keep[dim] {
                dims[rank] = Origin::Old(dim);
                rank += 1;
            }
        });
        edited(&self.remapped(part(&dims, 0, rank), 0))
    }

    /// The place of a dimension from minor to major.
    const fn place(&self, dim: usize) -> Option<usize> {
        each!(for place in 0..self.rank() {
            if self.ordered_dim(place) == dim {
                return Some(place);
            }
        });
        None
    }

    /// The array with these dimensions: `PAD`'s widths and `SC`'s indices stay with theirs, and so does the order in
    /// memory, in which new dimensions stand at place `order` from minor to major.
    pub(crate) const fn remapped(&self, dims: &[Origin], order: usize) -> Fields {
        let old = self.fields();
        let mut fields = Fields {
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

impl Fields {
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

/// The shape, checked.
pub(crate) const fn edited(fields: &Fields) -> Result<ArrayShape, EditError> {
    match fields.checked() {
        Ok(shape) => Ok(shape),
        Err(fault) => Err(EditError::Shape(fault)),
    }
}
