//! `code!`: the text of a layout's functions as a constant.

use layout_core::__private::Text;

use super::{CodeError, CodeText, Language};

/// A layout's functions for kernels as text, a `&'static str`.
///
/// `code!(A, Wgsl, "weights")` is the text in a [`Language`](crate::code::Language), which its name says in any case:
/// `weights_offset` and the other functions of [`code`](mod@crate::code). Without a name they begin with `layout`. A
/// trailing `index_bits = 64` gives the C family indices of 64 bits. `A` is a type of the crate `layout`, and cannot be a generic parameter.
///
/// # Errors
/// A language that is not one of these, a name that is not one in the language, and a layout that is too large for the
/// indices, are compile errors.
///
/// # Examples
/// ```
/// use layout::layout;
/// use layout_gpu::code;
///
/// type Weights = layout!(BF16[300,500]{1,0:T(8,128)(2,1)});
/// const SHADER: &str = code!(Weights, Wgsl, "weights");
/// assert!(SHADER.contains("fn weights_offset(i0: u32, i1: u32) -> u32 {"));
///
/// let kernel = code!(Weights, Cuda, "weights", index_bits = 64);
/// assert!(kernel.contains("inline unsigned long long weights_offset("));
/// ```
/// ```compile_fail
/// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
/// let shader = layout_gpu::code!(A, Wgsl, "struct");
/// ```
#[macro_export]
macro_rules! code {
    ($layout:ty, $language:ident $(, index_bits = $bits:expr)? $(,)?) => {
        $crate::code!($layout, $language, "layout" $(, index_bits = $bits)?)
    };
    ($layout:ty, $language:ident, $name:expr $(, index_bits = $bits:expr)? $(,)?) => {{
        const __LAYOUT_CODE: &$crate::code::CodeText<'static> = &$crate::code::__written(
            $crate::code::Code::of(
                <$layout>::SHAPE,
                $crate::code::__language(::core::stringify!($language)),
            )
            .name($name)
            $(.index_bits($bits))?
            .text(),
        );
        const __LAYOUT_BYTES: &[::core::primitive::u8; __LAYOUT_CODE.len()] = &__LAYOUT_CODE.bytes();
        const __LAYOUT_TEXT: &::core::primitive::str = $crate::code::__text(__LAYOUT_BYTES);
        __LAYOUT_TEXT
    }};
}

/// The language of a name; stops the build if there is none.
#[doc(hidden)]
#[track_caller]
pub const fn __language(name: &str) -> Language {
    if let Some(language) = Language::from_name(name) {
        return language;
    }
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
    panic!("{}", text.as_str())
}

/// What is written; stops the build if the language cannot say it.
#[doc(hidden)]
#[track_caller]
pub const fn __written(text: Result<CodeText<'static>, CodeError>) -> CodeText<'static> {
    match text {
        Ok(text) => text,
        Err(error) => panic!("{}", error.line().as_str()),
    }
}

#[doc(hidden)]
#[must_use]
pub const fn __text(bytes: &'static [u8]) -> &'static str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the text is ASCII"),
    }
}
