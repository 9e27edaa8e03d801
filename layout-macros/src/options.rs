//! The options of `layout!`: `tpu = V5e, SHAPE, max_expansion = 2` and `SHAPE, swizzle = 128B`.

use layout_core::__private::Written;
use layout_core::tpu::Tpu;
use layout_core::{ArrayShape, FaultKind, Shape, Swizzle};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Token};

use crate::input::until;
use crate::report;
use crate::tokens::Flat;
use crate::tree::Tree;

/// A shape and its options.
#[derive(Default)]
pub(crate) struct Options {
    /// The TPU generation whose default layout arrays get.
    tpu: Option<Tpu>,
    pub shape: TokenStream,
    /// The largest ratio of padded to unpadded bytes.
    pub max_expansion: Option<Limit>,
    pub swizzle: Option<SwizzleOption>,
}

/// A swizzle, and where it stands.
pub(crate) struct SwizzleOption {
    pub value: Swizzle,
    ends: TokenStream,
}

/// A limit, and its literal.
pub(crate) struct Limit {
    pub value: f64,
    pub literal: Literal,
}

impl Options {
    /// Separates the options from the shape.
    pub(crate) fn new(tokens: TokenStream) -> syn::Result<Options> {
        let read = |input: ParseStream<'_>| {
            let mut options = Options::default();
            while input.peek(Ident::peek_any) && input.peek2(Token![=]) {
                let option = options.read(input, true)?;
                let comma = input.parse::<Option<Token![,]>>()?;
                if input.is_empty() {
                    let help = format!("write `{option}, f32[300,1000]`");
                    let last = quote!(#option #comma).into_iter().last();
                    return Err(report::one(&NO_SHAPE, &help, last));
                }
            }
            options.shape = until(input, is_at_option)?;
            while input.parse::<Option<Token![,]>>()?.is_some() {
                options.read(input, false)?;
            }
            Ok(options)
        };
        read.parse2(tokens)
    }

    /// Reads `name = value`, and returns its tokens.
    fn read(
        &mut self,
        input: ParseStream<'_>,
        is_before_the_shape: bool,
    ) -> syn::Result<TokenStream> {
        let name = input.call(Ident::parse_any)?;
        let sign = input.parse::<Token![=]>()?;
        // A swizzle has commas of its own: it ends where another option begins.
        let value = until(input, if is_before_the_shape { is_at_comma } else { is_at_option })?;
        let option = quote!(#name #sign #value);
        let at = if value.is_empty() { sign.to_token_stream() } else { value };
        match (&*name.to_string(), is_before_the_shape) {
            ("tpu", true) if self.tpu.is_none() => self.tpu = Some(generation(at)?),
            ("max_expansion", false) if self.max_expansion.is_none() => {
                self.max_expansion = Some(limit(at)?);
            }
            ("swizzle", false) if self.swizzle.is_none() => self.swizzle = Some(swizzle(at)?),
            (known, _) => {
                let message = match known {
                    "tpu" | "max_expansion" | "swizzle" => format!("`{known}` is not allowed here"),
                    unknown => format!("unknown option `{unknown}`"),
                };
                return Err(report::one(&message, &HELP, name));
            }
        }
        Ok(option)
    }

    /// Gives the arrays their default layouts and checks their padding.
    pub(crate) fn apply(
        &self,
        tree: &mut Tree,
        written: &[Written],
        flat: &Flat,
    ) -> syn::Result<()> {
        let is_array = matches!(tree, Tree::Leaf(Shape::Array(_)));
        if let Some(swizzled) = &self.swizzle
            && !is_array
        {
            let help = "declare each array by itself";
            return Err(report::one(&"a swizzle is of one array", &help, &swizzled.ends));
        }
        let arrays = tree.arrays().into_iter().zip(written);
        let errors =
            arrays.filter_map(|(array, written)| self.apply_to(array, written, flat).err());
        report::all(errors).map_or(Ok(()), Err)
    }

    fn apply_to(&self, array: &mut ArrayShape, written: &Written, flat: &Flat) -> syn::Result<()> {
        if let Some(tpu) = self.tpu {
            *array = default_layout(array, tpu, written, flat)?;
        }
        if let Some(swizzled) = &self.swizzle
            && !needs_compiler(written)
        {
            *array = array
                .with_swizzle(swizzled.value)
                .map_err(|fault| report::one(&fault.message(), &fault.help(), &swizzled.ends))?;
        }
        match &self.max_expansion {
            Some(limit) if !needs_compiler(written) => {
                excess(array, limit.value, written, flat).map_or(Ok(()), Err)
            }
            _ => Ok(()),
        }
    }
}

/// Whether only the compiler knows the layout: its tiles are named, or the size of a dimension or of a tile is an expression.
pub(crate) fn needs_compiler(written: &Written) -> bool {
    let expressions = written.expressions.iter().chain(&written.tile_expressions);
    written.named_tiles.is_some() || expressions.flatten().next().is_some()
}

fn default_layout(
    array: &ArrayShape,
    tpu: Tpu,
    written: &Written,
    flat: &Flat,
) -> syn::Result<ArrayShape> {
    let default = match written.layout {
        None => array.with_default_layout(tpu),
        Some(layout) => {
            let has_tiles = !array.tiles().is_empty()
                || written.named_tiles.is_some()
                || array.element_size_in_bits().is_some();
            if has_tiles {
                let message = "`tpu` chooses the tiles and `E`, but this layout has its own";
                let help = "leave out one of the two; `{1,0}` gives only the order of dimensions";
                return Err(report::one(&message, &help, flat.ends(layout.range())));
            }
            // An order is written: only the tiles are missing.
            array.with_default_tiling(tpu)
        }
    };
    default.map_err(|error| {
        let mut message = error.message().to_string();
        let at = match error.kind() {
            FaultKind::DefaultOfUnknownSize { dim } if written.expressions[dim].is_some() => {
                let message =
                    "the default layout depends on this size, which `layout!` does not know";
                let help = "write the size as a number, or the tiles, as in `{1,0:T(8,128)}`";
                return report::one(&message, &help, flat.ends(written.dims[dim].range()));
            }
            FaultKind::DefaultOfUnknownSize { dim } => written.dims[dim].range(),
            FaultKind::NoDefaultLayout { .. } => written.whole.start..written.whole.start + 1,
            _ => {
                message.insert_str(0, "with the default tiles: ");
                written.whole.range()
            }
        };
        report::one(&message, &error.help(), flat.ends(at))
    })
}

fn excess(array: &ArrayShape, limit: f64, written: &Written, flat: &Flat) -> Option<Error> {
    if array.expansion().is_none() {
        let message = "the cost of padding depends on a size that is known only at run time (`?`)";
        let help = "leave out `max_expansion`, or write the size";
        let dim = array.dims().iter().position(|dim| dim.size().is_none())?;
        return Some(report::one(&message, &help, flat.ends(written.dims[dim].range())));
    }
    let excess = array.excess(limit)?;
    let at = match excess.dim {
        Some(dim) => written.dims[dim].range(),
        None => written.whole.range(),
    };
    Some(report::one(&excess.message.as_str(), &excess.help.as_str(), flat.ends(at)))
}

const NO_SHAPE: &str = "expected `,` and a shape after the option";

const HELP: &str = "write `tpu = V5e` before the shape, and `max_expansion = 2` or `swizzle = 128B` after it, \
    each at most once";

fn is_at_comma(input: ParseStream<'_>) -> bool {
    input.peek(Token![,])
}

/// Whether an option follows, after a comma.
fn is_at_option(input: ParseStream<'_>) -> bool {
    is_at_comma(input) && input.peek2(Ident::peek_any) && input.peek3(Token![=])
}

fn swizzle(tokens: TokenStream) -> syn::Result<SwizzleOption> {
    let flat = Flat::new(tokens);
    let text = flat.tokens().iter().map(|token| token.text).collect::<String>();
    let ends = flat.ends(0..usize::MAX);
    match Swizzle::parse(&text) {
        Ok(value) => Ok(SwizzleOption { value, ends }),
        Err(fault) => Err(report::one(&fault.message(), &fault.help(), ends)),
    }
}

fn generation(tokens: TokenStream) -> syn::Result<Tpu> {
    let names = Tpu::ALL.iter().map(|tpu| format!("`{tpu:?}`")).collect::<Vec<_>>().join(", ");
    let help = format!("write one of {names}");
    let read = |input: ParseStream<'_>| {
        let name = input.call(Ident::parse_any).map_err(|error| {
            Error::new(error.span(), format!("expected a TPU generation\nhelp: {help}"))
        })?;
        if let Ok(more) = input.parse::<TokenTree>() {
            let help = format!("write `tpu = {name}, f32[300,1000]`");
            return Err(report::one(&NO_SHAPE, &help, more));
        }
        let unknown = format!("unknown TPU generation `{name}`");
        Tpu::from_name(&name.to_string()).ok_or_else(|| report::one(&unknown, &help, name))
    };
    read.parse2(tokens)
}

fn limit(tokens: TokenStream) -> syn::Result<Limit> {
    let help =
        "write the largest ratio of padded to unpadded bytes to allow, as in `max_expansion = 2`";
    let read = |input: ParseStream<'_>| {
        let literal = input.parse::<Literal>()?;
        match literal.to_string().replace('_', "").parse::<f64>() {
            Ok(value) if value >= 1.0 && value.is_finite() => Ok(Limit { value, literal }),
            _ => Err(Error::new(literal.span(), "")),
        }
    };
    let wrong = |error: Error| {
        Error::new(error.span(), format!("expected a number, 1 or larger\nhelp: {help}"))
    };
    read.parse2(tokens).map_err(wrong)
}
