//! Sizes for dimensions that are known only at run time.

use crate::analysis::size::most_elements;
use crate::base::Size;
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::{ArrayShape, Dim};

impl ArrayShape {
    /// The shape with each `?` replaced by a size. `dims` lists the sizes of all dimensions, dimension 0
    /// first. A bounded dimension (`<=N`) stays bounded, since its layout depends only on its bound.
    ///
    /// # Errors
    /// If a size differs from that of a static dimension or exceeds a bound, or if the shape is not valid
    /// with these sizes.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[?,<=8,5]{2,1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.padded_elements(), None);
    /// let known = shape.with_dims(&[3, 7, 5]).unwrap();
    /// assert_eq!(known.to_string(), "f32[3,<=8,5]{2,1,0:T(2,2)}");
    /// assert_eq!(known.padded_elements(), Some(144));
    /// let error = shape.with_dims(&[3, 7, 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "dimension 2 has size 5, but was given 6");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn with_dims(&self, dims: &[Size]) -> Result<ArrayShape, Fault> {
        if dims.len() != self.rank() {
            let (given, rank) = (dims.len(), self.rank());
            return FaultKind::SizeCount { given, rank }.at(Place::Shape);
        }
        let mut fields = *self.fields();
        each!(for dim in 0..dims.len() {
            let given = dims[dim];
            match fields.dims[dim] {
                Dim::Static(size) if given != size => {
                    return FaultKind::OtherSize { dim, size, given }.at(Place::Shape);
                }
                Dim::Bounded(bound) if given > bound => {
                    return FaultKind::AboveBound { dim, bound, given }.at(Place::Shape);
                }
                Dim::Unbounded => fields.dims[dim] = Dim::Static(given),
                _ => {}
            }
        });
        if !self.is_unbounded() {
            return Ok(*self);
        }
        fields.checked()
    }

    /// The most slots before `L` with which sizes, none of them 0, are right where counts and bytes are at most `most`. Tiles
    /// pad, so that no count before is larger. 0 where more is asked of sizes than what they count.
    #[doc(hidden)]
    pub const fn most_slots(&self, most: Size) -> Size {
        let fields = self.fields();
        if !fields.splits.is_empty() || !fields.swizzle.is_none() && fields.tail_alignment > 1 {
            return 0;
        }
        let limit = most_elements(fields.element_bits(), most);
        limit - limit % fields.tail_alignment
    }
}
