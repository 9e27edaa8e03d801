//! What the notation says where a reader may expect something else.

use crate::analysis::pad_reshape_transpose::PadReshapeTranspose;
use crate::base::{Line, Piece};
use crate::shape::ArrayShape;

impl ArrayShape {
    /// Whether `E` gives an element fewer bits than its values have, as `E(4)` of an `f32` does. XLA accepts it.
    #[doc(hidden)]
    pub const fn cuts_elements(&self) -> bool {
        self.element_bits() < self.element_type().least_bits()
    }

    /// What the layout says that its writer may not mean, a sentence each; nothing for most layouts.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2,2)E(4)}".parse()?;
    /// let remarks: Vec<_> = shape.remarks().map(|remark| remark.to_string()).collect();
    /// assert_eq!(remarks, [
    ///     "4 bits do not hold an element of type `f32`",
    ///     "the tile has more entries than the array dimensions: the array counts as [1,3,5], most major first",
    /// ]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn remarks(&self) -> impl Iterator<Item = impl core::fmt::Display> {
        let (bits, name) = (self.element_bits(), Piece::Quoted(self.element_type().name()));
        let cut: Line = text!(bits, " bits do not hold an element of type ", name);
        // A later tile has the first one's entries beside the array's dimensions.
        let is_longer = self.tiles().iter().next().is_some_and(|tile| tile.len() > self.rank());
        let step = PadReshapeTranspose::of(self).next().filter(|_| is_longer);
        let longer = step.map(|step| -> Line {
            let dims = Piece::List(&step.combined, ",");
            text!(
                "the tile has more entries than the array dimensions: the array counts as [",
                dims,
                "], most major first"
            )
        });
        [self.cuts_elements().then_some(cut), longer].into_iter().flatten()
    }
}
