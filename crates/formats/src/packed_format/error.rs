//! Why an array is not in a format, or a name is not one of a format.

use super::row::FIXED;
use super::{NotALayout, PackedFormat};
use layout_core::base::text::Piece::{Counted as counted, Quoted as quoted};
use layout_core::base::text::{Line, Text, substr};
use layout_core::limits::Size;
use layout_core::{ElementType, Fault};
use layout_gpu::fragment::FragmentError;
use layout_notation::digit_order::NotThisLayout;

errors! {
    /// Why a name is not a format's, or an array has no layout in a format.
    pub enum PackedFormatError {
        /// No format has the name. `nearest` has a similar one.
        Unknown { nearest: Option<PackedFormat> } => "no packed format has this name: ", &match nearest {
            Some(nearest) => phrase!("did you mean ", quoted(nearest.name()), "?"),
            None => phrase!("`layout formats` lists them"),
        };
        /// No block format has the name.
        UnknownBlock => "no block format has this name: `layout formats` lists them";
        /// The format is known, but no layout says it.
        NotALayout(format: NotALayout) => &format.line();
        /// The format has another number of dimensions. `dims` are its own, by names or by the sizes of the smallest array:
        /// `K,N`. It takes the array with dimensions of size 1 before its own if `lacks_ones`.
        Rank { format: &'static str, dims: &'static str, rank: usize, lacks_ones: bool } => quoted(format), " is an array of ",
            counted(names(dims), "dimension"), ", `[", dims, "]`, but this one has ", rank, if lacks_ones { ": write 1 for each that is missing" } else { "" };
        /// The format does not hold elements of this type.
        Element { format: PackedFormat, element: ElementType } => quoted(format.name()), " does not hold elements of type ",
            quoted(element.name()), ": write ", &element_types(format);
        /// A size, where it is known, is not a multiple of what the format takes. `name` is the format's name of the dimension,
        /// if it has names.
        Size { format: &'static str, name: &'static str, dim: usize, size: Option<Size>, multiple: Size } => quoted(format),
            " takes multiples of ", multiple, &match name.is_empty() {
                true => Text::new(),
                false => phrase!(" for ", quoted(name)),
            }, &match size {
                None => phrase!(", but the size of dimension ", dim, " is unknown"),
                Some(size) => phrase!(", but dimension ", dim, " has size ", size, &padded(size, multiple)),
            };
        /// The format has fixed sizes, and the array others.
        FixedSize { format: PackedFormat } => quoted(format.name()), " has fixed sizes: write ", &fixed_sizes(format);
        /// The order of the threads is not a layout.
        Order(error: NotThisLayout) => &error.line();
        /// The threads do not hold the array.
        Fragment(error: FragmentError) => &error.line();
        /// The array exceeds a limit.
        Shape(fault: Fault) => &fault.line();
    }
}

/// How many names a list has.
pub(super) const fn names(list: &str) -> usize {
    let mut count = 1;
    each!(for &byte in list.as_bytes() {
        count += (byte == b',') as usize;
    });
    count
}

const fn padded(size: Size, multiple: Size) -> Text<40> {
    let least = if size == 0 { 1 } else { size };
    match least.checked_next_multiple_of(multiple) {
        Some(padded) => text!(": pad it to ", padded),
        None => Text::new(),
    }
}

const fn element_types(format: PackedFormat) -> Line {
    let (mut text, mut left) = (Text::new(), 0);
    each!(for form in format.row().forms {
        left += form.elements.len();
    });
    each!(for form in format.row().forms {
        each!(for element in form.elements {
            let or = if left == 1 { " or " } else { ", " };
            say!(text, if text.is_empty() { "" } else { or }, quoted(element.name()));
            left -= 1;
        });
    });
    text
}

/// The forms of a format: names stand for sizes that are not fixed.
const fn fixed_sizes(format: PackedFormat) -> Line {
    let mut text = Text::new();
    each!(for form in format.row().forms {
        let (shape, names) = (form.shape(), format.dim_names());
        say!(text, if text.is_empty() { "`" } else { ", `" }, shape.element_type().name(), "[");
        let (mut start, mut dim) = (0, 0);
        each!(for end in 0..=names.len() {
            if end == names.len() || names.as_bytes()[end] == b',' {
                text.str(if dim == 0 { "" } else { "," });
                match shape.dims()[dim].size() {
                    Some(size) if form.multiples[dim] == FIXED => say!(text, size),
                    _ => text.str(substr(names, start, end)),
                }
                (start, dim) = (end + 1, dim + 1);
            }
        });
        text.str("]`");
    });
    text
}
