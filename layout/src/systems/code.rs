//! A layout's functions for kernels, as constants.

use core::marker::PhantomData;

use layout_core::__private::Text;
use layout_core::ArrayShape;
use layout_gpu::code::{Code, CodeError, CodeText, Language};

use crate::compiled::{AnyLayout, Compiled, stop};
use crate::types::array::Array;
use crate::types::{DimList, Element, NumberList, Properties, TileSpec};

/// The functions of a layout in the language of a number.
struct Of<L, const LANGUAGE: u8>(PhantomData<L>);

impl<L: Compiled, const LANGUAGE: u8> Of<L, LANGUAGE> {
    const CODE: &'static CodeText<'static> =
        &written(Code::of(L::VALUE, language(LANGUAGE)).text());
}

const fn language(number: u8) -> Language {
    let mut i = 0;
    while Language::ALL[i] as u8 != number {
        i += 1;
    }
    Language::ALL[i]
}

/// The text in an array of `N` bytes, of which only the one that is borrowed ends up in the program.
struct Bytes<L, const LANGUAGE: u8, const N: usize>(PhantomData<L>);

impl<L: Compiled, const LANGUAGE: u8, const N: usize> Bytes<L, LANGUAGE, N> {
    const BYTES: [u8; N] = Of::<L, LANGUAGE>::CODE.bytes();
    const TEXT: &'static str = as_text(Self::BYTES.split_at(Of::<L, LANGUAGE>::CODE.len()).0);
}

/// A function of its own, so that the constant is evaluated where it is called alone.
const fn within<L: Compiled, const LANGUAGE: u8, const N: usize>() -> &'static str {
    Bytes::<L, LANGUAGE, N>::TEXT
}

/// The text. The length of an array cannot be computed from a type, so it is the next of a few.
const fn text<L: Compiled, const LANGUAGE: u8>() -> &'static str {
    match const { Of::<L, LANGUAGE>::CODE.len() } {
        0..=1024 => within::<L, LANGUAGE, 1024>(),
        1025..=2048 => within::<L, LANGUAGE, 2048>(),
        2049..=4096 => within::<L, LANGUAGE, 4096>(),
        4097..=8192 => within::<L, LANGUAGE, 8192>(),
        8193..=16384 => within::<L, LANGUAGE, 16384>(),
        16385..=65536 => within::<L, LANGUAGE, 65536>(),
        _ => stop("the text is too long for a constant of a type: `code!` writes it"),
    }
}

/// The language of a name; stops the build if there is none.
#[doc(hidden)]
#[track_caller]
pub const fn language_named(name: &str) -> Language {
    match Language::from_name(name) {
        Some(language) => language,
        None => {
            let mut text = Text::<256>::new();
            say!(text, "`", name, "` is not a language that `code!` writes: expected");
            each!(for number in 0..Language::ALL.len() {
                text.str(match number {
                    0 => " `",
                    _ if number + 1 == Language::ALL.len() => " or `",
                    _ => ", `",
                });
                say!(text, Language::ALL[number].name(), "`");
            });
            stop(text.as_str())
        }
    }
}

/// What is written; stops the build if the language cannot say it.
#[doc(hidden)]
#[track_caller]
pub const fn written(text: Result<CodeText<'static>, CodeError>) -> CodeText<'static> {
    match text {
        Ok(text) => text,
        Err(error) => stop(error.line().as_str()),
    }
}

/// The shape of a layout's type.
#[doc(hidden)]
#[must_use]
pub const fn shape<L: AnyLayout>() -> &'static ArrayShape {
    let () = L::VALID;
    L::VALUE
}

/// The text of these bytes.
#[doc(hidden)]
pub const fn as_text(bytes: &'static [u8]) -> &'static str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => stop("the text is ASCII"),
    }
}

macro_rules! languages {
    ($($(#[$documentation:meta])* $constant:ident $language:ident)*) => {
        /// The layout's functions for kernels, named `layout_offset`, `layout_index`, `layout_is_padding` and
        /// `layout_in_bounds`, for indices of 32 bits: see [`code`](mod@crate::code). [`code!`](crate::code!) gives
        /// them another name. These do not compile if the layout has more slots than 32 bits count.
        impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
            $(
                $(#[$documentation])*
                pub const $constant: &'static str = {
                    let () = <Self as Compiled>::VALID;
                    text::<Self, { Language::$language as u8 }>()
                };
            )*
        }
    };
}

languages! {
    /// The layout's functions in WGSL, from which naga makes GLSL, HLSL and SPIR-V.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[300,500]{1,0:T(8,128)});
    /// const SHADER: &str = A::WGSL;
    /// assert!(SHADER.contains("fn layout_offset(i0: u32, i1: u32) -> u32 {"));
    /// ```
    WGSL Wgsl
    /// The layout's functions in C and C++.
    C99 C99
    /// The layout's functions in CUDA C++.
    CUDA Cuda
    /// The layout's functions in HIP C++.
    HIP Hip
    /// The layout's functions in OpenCL C.
    OPENCL OpenCl
    /// The layout's functions in the Metal shading language.
    METAL Metal
    /// The layout as affine maps of MLIR: `#layout_offset`, `#layout_index`, and the set `#layout_in_bounds`.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[300,500]{1,0:T(8,128)});
    /// assert!(A::MLIR.contains("#layout_offset = affine_map<(d0, d1) -> (d0 floordiv 8 * 4096 + "));
    /// ```
    MLIR Mlir
}
