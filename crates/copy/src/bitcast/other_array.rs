//! What makes two layouts those of different arrays.

use core::fmt;

use layout_core::base::{MAX_DIMS, Piece, Text};
use layout_core::{ArrayShape, Dim, ElementType, print};

/// The arrays of two layouts that are not of one array. It displays both and their first difference.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::bitcast::same_bytes;
///
/// let (a, b): (ArrayShape, ArrayShape) = ("f32[3,5]".parse()?, "f32[3,6]{0,1}".parse()?);
/// assert_eq!(
///     same_bytes(&a, &b).unwrap_err().to_string(),
///     "the layouts are of different arrays, `f32[3,5]` and `f32[3,6]`: \
///      dimension 1 has size 5 in one and 6 in the other",
/// );
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherArray {
    element_types: [ElementType; 2],
    dims: [[Dim; MAX_DIMS]; 2],
    ranks: [usize; 2],
}

impl OtherArray {
    /// Of layouts whose arrays differ.
    #[doc(hidden)]
    pub const fn new(a: &ArrayShape, b: &ArrayShape) -> OtherArray {
        OtherArray {
            element_types: [a.element_type(), b.element_type()],
            dims: [a.fields().dims, b.fields().dims],
            ranks: [a.rank(), b.rank()],
        }
    }

    /// The element types of the two arrays.
    pub const fn element_types(&self) -> [ElementType; 2] {
        self.element_types
    }

    /// The dimensions of the two arrays.
    pub const fn dims(&self) -> [&[Dim]; 2] {
        let [a, b] = &self.dims;
        [a.split_at(self.ranks[0]).0, b.split_at(self.ranks[1]).0]
    }

    #[doc(hidden)]
    pub const fn line<const N: usize>(&self) -> Text<N> {
        let mut text = Text::new();
        let [a, b] = self.dims();
        text.str("the layouts are of different arrays, `");
        print::array(&mut text, self.element_types[0], a);
        text.str("` and `");
        print::array(&mut text, self.element_types[1], b);
        text.str("`: ");
        let is_same_type = self.element_types[0] as u32 == self.element_types[1] as u32;
        if a.len() != b.len() {
            let own = Piece::Counted(a.len(), "dimension");
            say!(text, "one has ", own, " and the other ", b.len());
        } else if let Some(dim) = first_other_dim(a, b, false) {
            sizes(&mut text, dim, a[dim], b[dim]);
        } else if !is_same_type {
            let [own, other] = [self.element_types[0].name(), self.element_types[1].name()];
            say!(text, "elements are `", own, "` in one and `", other, "` in the other");
        } else if let Some(dim) = first_other_dim(a, b, true) {
            sizes(&mut text, dim, a[dim], b[dim]);
        }
        text
    }
}

/// The first dimension whose sizes differ; where bounds count, `<=3` is not 3 either.
pub const fn first_other_dim(a: &[Dim], b: &[Dim], bounds_count: bool) -> Option<usize> {
    each!(for dim in 0..a.len() {
        if !a[dim].is_same(b[dim], bounds_count) {
            return Some(dim);
        }
    });
    None
}

const fn sizes<const N: usize>(text: &mut Text<N>, dim: usize, a: Dim, b: Dim) {
    say!(text, "dimension ", dim, " has size ");
    print::dim(text, a);
    text.str(" in one and ");
    print::dim(text, b);
    text.str(" in the other");
}

impl fmt::Display for OtherArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line::<512>().as_str())
    }
}
