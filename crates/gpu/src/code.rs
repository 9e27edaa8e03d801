//! Functions of a layout in the languages of kernels: WGSL, the C family, and maps of MLIR.
//!
//! [`Code::of`] a layout takes a language; the [`Code`] takes a name and the width of an index, and makes a [`CodeText`]. The text is whole: it has no includes but C's own and needs no library. It holds
//!
//! | name | says |
//! |---|---|
//! | `layout_offset(i0, i1, ..)` | the offset of an element |
//! | `layout_index(offset)` | the element at an offset: a structure of `is_element` and the coordinates `i0`, `i1` .. |
//! | `layout_is_padding(offset)` | whether a slot of memory holds no element |
//! | `layout_in_bounds(i0, i1, ..)` | whether coordinates are those of an element |
//! | `layout_RANK`, `_DIM_0`, `_ELEMENTS`, `_PADDED_ELEMENTS`, `_ELEMENT_BITS`, `_BYTES` | the sizes |
//!
//! Where sizes are known at run time only (`?`, `<=N`) every function takes them last, one for each such dimension, and
//! `layout_elements`, `layout_padded_elements` and `layout_fits` are functions of them.
//!
//! Indices have 32 bits, which is what kernels count in, and the layout has to fit. The C family has 64 bits too.
//! MLIR has maps: `#layout_offset`, `#layout_index` and the set `#layout_in_bounds`. GLSL, HLSL and SPIR-V come from
//! WGSL, which [naga](https://docs.rs/naga) translates.
//!
//! ```
//! use layout::ArrayShape;
//! use layout_gpu::code::{Code, Language};
//!
//! let shape: ArrayShape = "f32[300,500]{1,0:T(8,128)}".parse()?;
//! let text = Code::of(&shape, Language::Wgsl).name("weights").text()?.to_string();
//! assert!(text.contains(
//!     "fn weights_offset(i0: u32, i1: u32) -> u32 {
//!     var offset = i0 / 8u * 4u + i1 / 128u;
//!     let rest = i0 % 8u * 128u + i1 % 128u;
//!     return offset * 1024u + rest;
//! }"
//! ));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod constant;
mod error;
mod header;
mod index;
mod language;
mod mlir;
mod name;
mod offset;
mod share;
mod sizes;
mod window;
mod writer;

use core::fmt;

use layout_core::limits::MAX_SIZE;
use layout_core::{ArrayShape, Digits, Size};

use crate::code::error::MOST_32;
use crate::code::window::Window;
use crate::code::writer::Writer;
#[doc(hidden)]
pub use constant::{__language, __text, __written};
pub use error::{CodeError, Name};
pub use language::Language;

/// What to write of a layout: a language, a name and the width of an index.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::code::{Code, Language};
///
/// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let text = Code::of(&shape, Language::Cuda).name("tiles").index_bits(64).text()?.to_string();
/// assert!(text.contains("unsigned long long tiles_offset(unsigned long long i0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Code<'a> {
    shape: &'a ArrayShape,
    language: Language,
    name: &'a str,
    index_bits: usize,
}

/// The text of a layout's functions: [`Display`](fmt::Display) writes it, and so it needs no heap.
#[derive(Clone, Copy)]
pub struct CodeText<'a> {
    code: Code<'a>,
    digits: Digits,
}

impl<'a> Code<'a> {
    /// The functions of a layout in a language, named `layout` and for indices of 32 bits.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_gpu::code::{Code, Language};
    ///
    /// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let text = Code::of(&shape, Language::Mlir).text()?.to_string();
    /// assert!(text.contains("#layout_offset = affine_map<(d0, d1) -> (d0 floordiv 2 * 12 + "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn of(shape: &'a ArrayShape, language: Language) -> Self {
        Code { shape, language, name: "layout", index_bits: 32 }
    }

    /// What every name begins with; `layout` if not said. It is an ASCII letter, then letters, digits and single
    /// underscores.
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = name;
        self
    }

    /// The width of coordinates and offsets in bits: 32 if not said, or 64 in the C family.
    pub const fn index_bits(mut self, bits: usize) -> Self {
        self.index_bits = bits;
        self
    }

    /// The text, once all is checked.
    ///
    /// # Errors
    /// - [`Name`](CodeError::Name) and [`ReservedName`](CodeError::ReservedName) if the name is not one in the
    ///   language.
    /// - [`IndexBits`](CodeError::IndexBits) if the language has no indices of this width.
    /// - [`TooLarge`](CodeError::TooLarge) if an index of 32 bits cannot count the slots. Where sizes are known at run
    ///   time only, this is about the least sizes; the generated `_fits` answers for the others.
    pub const fn text(self) -> Result<CodeText<'a>, CodeError> {
        let Code { shape, language, name, index_bits } = self;
        if let Err(error) = name::check(name, language) {
            return Err(error);
        }
        if index_bits != 32 && !(index_bits == 64 && language.has_64_bits()) {
            return Err(CodeError::IndexBits { bits: index_bits, language });
        }
        let digits = Digits::with_unknowns(shape);
        let most = most(language, index_bits);
        let slots = shape.padded_elements_by(&digits);
        if slots > most {
            return Err(CodeError::TooLarge { size: slots, dim: None, language });
        }
        // Of an array without elements; the others have more slots than elements along a dimension.
        each!(for dim in 0..shape.rank() {
            if let Some(size) = shape.dims()[dim].size()
                && size > most
            {
                return Err(CodeError::TooLarge { size, dim: Some(dim), language });
            }
        });
        Ok(CodeText { code: self, digits })
    }
}

const fn most(language: Language, index_bits: usize) -> Size {
    match (language, index_bits) {
        (Language::Mlir, _) | (_, 64) => MAX_SIZE,
        _ => MOST_32,
    }
}

impl CodeText<'_> {
    /// Length in bytes. The text is ASCII.
    #[allow(clippy::len_without_is_empty, reason = "no text is empty")]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.write(&mut [], 0)
    }

    /// The first `N` bytes, for a `const` of the text: `N` is [`len`](Self::len).
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [b' '; N];
        self.write(&mut bytes, 0);
        bytes
    }

    /// Writes the part of the text that begins at `start` and has room. Returns the length of the whole.
    const fn write(&self, window: &mut [u8], start: usize) -> usize {
        let Code { shape, language, name, index_bits } = self.code;
        let words = language.words(index_bits);
        let most = most(language, index_bits);
        let window = Window::new(window, start);
        let mut writer = Writer::new(window, words, name, shape, &self.digits, most);
        if matches!(language, Language::Mlir) {
            writer.mlir();
        } else {
            writer.header();
            say!(writer, words.preamble);
            writer.constants();
            writer.index_type();
            writer.offset();
            writer.index();
            writer.in_bounds();
            writer.size_functions();
            writer.is_padding();
        }
        writer.window.len()
    }
}

impl fmt::Display for CodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut window = [0; 4096];
        let mut start = 0;
        loop {
            let len = self.write(&mut window, start);
            let part = &window[..window.len().min(len - start)];
            f.write_str(core::str::from_utf8(part).map_err(|_| fmt::Error)?)?;
            start += part.len();
            if start == len {
                return Ok(());
            }
        }
    }
}

impl fmt::Debug for CodeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}
