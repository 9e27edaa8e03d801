//! Why an array is not in a format, or a name is not one of a format.

use core::fmt;

use super::row::FIXED;
use super::{NotALayout, PackedFormat};
use layout_core::limits::Size;
use layout_core::{ElementType, Fault};
use layout_gpu::fragment::FragmentError;
use layout_notation::digit_order::NotThisLayout;

/// Why a name is not a format's, or an array has no layout in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackedFormatError {
    /// No format has the name.
    Unknown {
        /// One with a similar name.
        nearest: Option<PackedFormat>,
    },
    /// No block format has the name.
    UnknownBlock,
    /// The format is known, but no layout says it.
    NotALayout(NotALayout),
    /// The format has another number of dimensions.
    Rank {
        /// Name of the format.
        format: &'static str,
        /// Its dimensions, by names or by the sizes of the smallest array: `K,N`.
        dims: &'static str,
        /// Dimensions of the array.
        rank: usize,
    },
    /// The format does not hold elements of this type.
    Element {
        /// The format.
        format: PackedFormat,
        /// The type.
        element: ElementType,
    },
    /// A size is not a multiple of what the format takes.
    Size {
        /// Name of the format.
        format: &'static str,
        /// The format's name of the dimension, if it has names.
        name: &'static str,
        /// Number of the dimension of the array.
        dim: usize,
        /// Its size, if it is known.
        size: Option<Size>,
        /// What it should be a multiple of.
        multiple: Size,
    },
    /// The format has fixed sizes, and the array others.
    FixedSize {
        /// The format.
        format: PackedFormat,
    },
    /// The order of the threads is not a layout.
    Order(NotThisLayout),
    /// The threads do not hold the array.
    Fragment(FragmentError),
    /// The array exceeds a limit.
    Shape(Fault),
}

impl fmt::Display for PackedFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PackedFormatError::Unknown { nearest: Some(nearest) } => {
                write!(f, "no packed format has this name: did you mean `{nearest}`?")
            }
            PackedFormatError::Unknown { nearest: None } => {
                f.write_str("no packed format has this name: `layout formats` lists them")
            }
            PackedFormatError::UnknownBlock => {
                f.write_str("no block format has this name: `layout formats` lists them")
            }
            PackedFormatError::NotALayout(format) => format.fmt(f),
            PackedFormatError::Rank { format, dims, rank } => {
                let own = dims.split(',').count();
                write!(
                    f,
                    "`{format}` is an array of {own} {}, `[{dims}]`, but this one has {rank}",
                    if own == 1 { "dimension" } else { "dimensions" }
                )
            }
            PackedFormatError::Element { format, element } => {
                write!(
                    f,
                    "`{format}` does not hold elements of type `{}`: write ",
                    element.name()
                )?;
                let mut types = format.element_types().flatten();
                let count = types.clone().count();
                for (i, element) in types.by_ref().enumerate() {
                    let between = match i {
                        0 => "",
                        _ if i + 1 == count => " or ",
                        _ => ", ",
                    };
                    write!(f, "{between}`{}`", element.name())?;
                }
                Ok(())
            }
            PackedFormatError::Size { format, name, dim, size, multiple } => {
                write!(f, "`{format}` takes multiples of {multiple}")?;
                if !name.is_empty() {
                    write!(f, " for `{name}`")?;
                }
                let Some(size) = size else {
                    return write!(f, ", but the size of dimension {dim} is unknown");
                };
                write!(f, ", but dimension {dim} has size {size}")?;
                match size.max(1).checked_next_multiple_of(multiple) {
                    Some(padded) => write!(f, ": pad it to {padded}"),
                    None => Ok(()),
                }
            }
            PackedFormatError::FixedSize { format } => {
                write!(f, "`{format}` has fixed sizes: write ")?;
                for (i, form) in format.row().forms.iter().enumerate() {
                    f.write_str(if i == 0 { "`" } else { ", `" })?;
                    let shape = form.shape();
                    write!(f, "{}[", shape.element_type().name())?;
                    let names = format.dim_names().split(',');
                    let sizes = shape.dims().iter().zip(form.multiples);
                    for (dim, ((size, multiple), name)) in sizes.zip(names).enumerate() {
                        f.write_str(if dim == 0 { "" } else { "," })?;
                        match size.size() {
                            Some(size) if *multiple == FIXED => write!(f, "{size}")?,
                            _ => f.write_str(name)?,
                        }
                    }
                    f.write_str("]`")?;
                }
                Ok(())
            }
            PackedFormatError::Order(error) => error.fmt(f),
            PackedFormatError::Fragment(error) => error.fmt(f),
            PackedFormatError::Shape(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for PackedFormatError {}
