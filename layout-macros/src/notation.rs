//! Layouts in the notations of other systems: `onednn = nChw16c`.

use layout_core::__private::Written;
use layout_core::ArrayShape;
use layout_notation::notation::{NotThisLayout, Notation};
use proc_macro2::{TokenStream, TokenTree};

use crate::literal::text_of;
use crate::report;
use crate::tokens::Flat;

/// A layout in another notation, and its token.
pub(crate) struct NotationText {
    notation: Notation,
    text: String,
    at: TokenTree,
}

impl NotationText {
    /// The text after the name of a notation; `None` if `name` is not the name of a notation.
    pub(crate) fn new(
        name: &str,
        value: Option<&TokenTree>,
        sign: &TokenTree,
    ) -> Result<Option<NotationText>, TokenStream> {
        let Some(notation) = Notation::from_name(name) else { return Ok(None) };
        let text = match value {
            Some(TokenTree::Ident(text)) => Some(text.to_string()),
            Some(TokenTree::Literal(literal)) => text_of(literal),
            _ => None,
        };
        match (text, value) {
            (Some(text), Some(at)) => Ok(Some(NotationText { notation, text, at: at.clone() })),
            _ => {
                let message = format!("expected a layout in the notation of `{name}`");
                let help = format!("write `{name} = {}`, or a text in quotes", notation.example());
                Err(report::at(&message, &help, value.unwrap_or(sign)))
            }
        }
    }

    pub(crate) fn is_notation(name: &str) -> bool {
        Notation::from_name(name).is_some()
    }

    /// The names of all notations.
    pub(crate) fn notations() -> String {
        Notation::ALL.iter().map(|of| format!("`{}`", of.name())).collect::<Vec<_>>().join(", ")
    }

    /// The name of the notation.
    pub(crate) fn notation(&self) -> &str {
        self.notation.name()
    }

    /// The array as the text lays it out.
    pub(crate) fn lay_out(
        &self,
        array: &ArrayShape,
        written: &Written,
        flat: &Flat,
    ) -> Result<ArrayShape, TokenStream> {
        let NotationText { notation, text, at } = self;
        let at_text = Flat::new(TokenStream::from(at.clone())).ends(0..usize::MAX);
        let read = notation.read(text);
        let read = read.map_err(|error| report::text(&error.to_string(), at_text))?;
        read.layout(array).map_err(|error| {
            let dim = match error {
                NotThisLayout::Size { dim, .. } | NotThisLayout::Blocks { dim, .. } => Some(dim),
                NotThisLayout::UnknownSize(error) => Some(error.dim),
                _ => None,
            };
            let at = dim.map_or(at_text, |dim| flat.ends(written.dims[dim].range()));
            if dim.is_some_and(|dim| written.expressions[dim].is_some()) {
                let message = format!(
                    "`{text}` is a layout for one size, and `layout!` does not know this one"
                );
                return report::one(&message, &"write the size as a number", at);
            }
            let help = format!(
                "change the text or the dimensions: in `{}` this is not a layout of `{array}`",
                notation.name()
            );
            report::one(&error, &help, at)
        })
    }
}
