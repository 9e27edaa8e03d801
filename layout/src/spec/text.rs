//! Text that a `const` puts together, kept no longer than it is.

use layout_core::__private::Text;

/// Room for any text.
pub(crate) type TextBuffer = Text<{ layout_core::__private::MAX_TEXT }>;

/// Something that writes its text in a `const`.
pub(crate) trait Writer {
    const TEXT: TextBuffer;
}

/// The text. Of the arrays below only the one that is borrowed ends up in the program.
pub(crate) const fn text<W: Writer>() -> &'static str {
    struct Cut<W, const N: usize>(core::marker::PhantomData<W>);

    impl<W: Writer, const N: usize> Cut<W, N> {
        const TEXT: &'static Text<N> = &W::TEXT.cut();
    }

    match const { W::TEXT.len() } {
        0..=32 => Cut::<W, 32>::TEXT.as_str(),
        33..=64 => Cut::<W, 64>::TEXT.as_str(),
        65..=128 => Cut::<W, 128>::TEXT.as_str(),
        129..=256 => Cut::<W, 256>::TEXT.as_str(),
        _ => Cut::<W, { layout_core::__private::MAX_TEXT }>::TEXT.as_str(),
    }
}
