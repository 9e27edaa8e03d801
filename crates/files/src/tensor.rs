//! A tensor of a file.

pub(crate) mod dtype;

use std::ops::Range;

use layout_core::{ArrayShape, Dim, ElementType, Message, Size};

use crate::tensor::dtype::Dtype;

/// A tensor of a file: its name, element type, dimensions and where its bytes lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub(crate) name: String,
    pub(crate) dtype: Dtype,
    pub(crate) dims: Vec<u64>,
    pub(crate) is_column_major: bool,
    pub(crate) range: Range<usize>,
}

impl Tensor {
    /// The name; of a file that has none, such as `.npy`, the file's name without its extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The element type.
    pub const fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// Sizes of the dimensions, the slowest first.
    pub fn dims(&self) -> &[u64] {
        &self.dims
    }

    /// Bytes of the tensor in the file.
    pub fn bytes(&self) -> u64 {
        self.range.len() as u64
    }

    /// Where its bytes lie in the file.
    pub const fn range(&self) -> &Range<usize> {
        &self.range
    }

    /// The layout that the file's format says: row-major, or column-major in a `.npy` file of `fortran_order`.
    ///
    /// # Errors
    /// If layouts do not have the element type, or have fewer dimensions or bytes; the text says which.
    pub fn layout(&self) -> Result<ArrayShape, Message> {
        let Dtype::Element(element) = self.dtype else {
            return Err(self.dtype.no_layout());
        };
        let dims = self.dims.iter().map(|&size| Size::try_from(size).map(Dim::Static));
        let dims = dims.collect::<Result<Vec<_>, _>>().map_err(Message::new)?;
        let shape = ArrayShape::new(element, &dims);
        let shape = shape.and_then(|shape| shape.with_packed_elements(self.dtype.bits() < 8));
        let order = (0..self.dims.len()).collect::<Vec<_>>();
        let shape = shape.and_then(|shape| match self.is_column_major {
            true => shape.with_minor_to_major(&order),
            false => Ok(shape),
        });
        shape.map_err(Message::new)
    }

    /// This tensor as an array of bytes.
    pub(crate) fn as_bytes(&self) -> Tensor {
        let dtype = Dtype::Element(ElementType::U8);
        Tensor { dtype, dims: vec![self.bytes()], is_column_major: false, ..self.clone() }
    }
}
