//! The options of `layout!`: `tpu = V5e, SHAPE, max_expansion = 2`, `onednn = nChw16c, SHAPE` and `SHAPE, swizzle = 128B`.

use std::fmt::Display;

use layout_core::__private::Written;
use layout_core::tpu::Tpu;
use layout_core::{ArrayShape, FaultKind, Shape, Swizzle};
use proc_macro2::{Delimiter, Literal, Punct, TokenStream, TokenTree};

#[cfg(feature = "notation")]
use crate::notation::NotationText;
use crate::report;
use crate::tokens::Flat;
use crate::tree::Tree;

/// A shape and its options.
pub(crate) struct Options {
    /// What says the layouts of the arrays, if not the shape.
    layout: Option<Chosen>,
    pub shape: TokenStream,
    /// The largest ratio of padded to unpadded bytes.
    pub max_expansion: Option<Limit>,
    pub swizzle: Option<Swizzled>,
}

/// A swizzle, and its tokens.
pub(crate) struct Swizzled {
    pub value: Swizzle,
    tokens: Vec<TokenTree>,
}

/// A layout that an option before the shape chooses.
enum Chosen {
    /// The default of a TPU generation.
    Tpu(Tpu),
    #[cfg(feature = "notation")]
    Notation(NotationText),
}

/// A limit, and its literal.
pub(crate) struct Limit {
    pub value: f64,
    pub literal: Literal,
}

impl Options {
    /// Separates the options from the shape, or returns the errors.
    pub(crate) fn new(tokens: TokenStream) -> Result<Options, TokenStream> {
        let mut options =
            Options { layout: None, shape: TokenStream::new(), max_expansion: None, swizzle: None };
        let mut trees = flat(tokens);
        if let [TokenTree::Ident(name), TokenTree::Punct(sign), ..] = &trees[..]
            && sign.as_char() == '='
            && let Some(chosen) = chosen(&name.to_string(), trees.get(2), sign)?
        {
            let is_comma = trees.get(3).is_some_and(is_comma);
            if !is_comma || trees.len() == 4 {
                let at = trees.get(3).unwrap_or(&trees[2]);
                let help = format!("write `{name} = {}, f32[300,1000]`", trees[2]);
                return Err(report::at("expected `,` and a shape after the option", &help, at));
            }
            options.layout = Some(chosen);
            trees.drain(..4);
        }
        // From the last one on. A swizzle has commas of its own.
        while let Some(at) = (0..trees.len()).rev().find(|&at| is_option(&trees[at..])) {
            let (sign, value) = (&trees[at + 2], &trees[at + 3..]);
            match trees[at + 1].to_string().as_str() {
                "max_expansion" if options.max_expansion.is_none() => {
                    options.max_expansion = Some(limit(value, sign)?);
                }
                "swizzle" if options.swizzle.is_none() => {
                    options.swizzle = Some(swizzle(value, sign)?);
                }
                _ => no_option(&trees[at + 1..])?,
            }
            trees.truncate(at);
        }
        // What is left is the shape.
        no_option(&trees)?;
        options.shape = trees.into_iter().collect();
        Ok(options)
    }

    /// Gives the arrays their default layouts and checks their padding. Returns the errors.
    pub(crate) fn apply(&self, tree: &mut Tree, written: &[Written], flat: &Flat) -> TokenStream {
        let mut errors = TokenStream::new();
        let is_array = matches!(tree, Tree::Leaf(Shape::Array(_)));
        if let Some(swizzled) = &self.swizzle
            && !is_array
        {
            let message = "a swizzle is of one array";
            errors.extend(swizzled.error(&message, &"declare each array by itself"));
            return errors;
        }
        for (array, written) in tree.arrays().into_iter().zip(written) {
            errors.extend(self.apply_to(array, written, flat).err());
        }
        errors
    }

    fn apply_to(
        &self,
        array: &mut ArrayShape,
        written: &Written,
        flat: &Flat,
    ) -> Result<(), TokenStream> {
        if let Some(chosen) = &self.layout {
            no_own_layout(array, chosen, written, flat)?;
            *array = match chosen {
                Chosen::Tpu(tpu) => default_layout(array, *tpu, written, flat)?,
                #[cfg(feature = "notation")]
                Chosen::Notation(text) => text.lay_out(array, written, flat)?,
            };
        }
        if let Some(swizzled) = &self.swizzle
            && !needs_compiler(written)
        {
            *array = array
                .with_swizzle(swizzled.value)
                .map_err(|fault| swizzled.error(&fault.message(), &fault.help()))?;
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

/// An error if the shape itself says what the option before it chooses.
fn no_own_layout(
    array: &ArrayShape,
    chosen: &Chosen,
    written: &Written,
    flat: &Flat,
) -> Result<(), TokenStream> {
    let Some(layout) = written.layout else { return Ok(()) };
    let has_tiles = !array.tiles().is_empty()
        || written.named_tiles.is_some()
        || array.element_size_in_bits().is_some();
    let (message, help) = match chosen {
        Chosen::Tpu(_) if !has_tiles => return Ok(()),
        Chosen::Tpu(_) => (
            "`tpu` chooses the tiles and `E`, but this layout has its own".to_owned(),
            "leave out one of the two; `{1,0}` gives only the order of dimensions",
        ),
        #[cfg(feature = "notation")]
        Chosen::Notation(text) => (
            format!("`{}` says the layout, but this shape has its own", text.notation()),
            "leave out one of the two",
        ),
    };
    Err(report::one(&message, &help, flat.ends(layout.range())))
}

fn default_layout(
    array: &ArrayShape,
    tpu: Tpu,
    written: &Written,
    flat: &Flat,
) -> Result<ArrayShape, TokenStream> {
    // If an order is written, only the tiles are missing.
    let default = match written.layout {
        None => array.with_default_layout(tpu),
        Some(_) => array.with_default_tiling(tpu),
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

fn excess(array: &ArrayShape, limit: f64, written: &Written, flat: &Flat) -> Option<TokenStream> {
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

/// Without the groups that `macro_rules` puts around fragments.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut trees = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                trees.extend(flat(group.stream()));
            }
            tree => trees.push(tree),
        }
    }
    trees
}

impl Swizzled {
    fn error(&self, message: &dyn Display, help: &dyn Display) -> TokenStream {
        let flat = Flat::new(self.tokens.iter().cloned().collect());
        report::one(message, help, flat.ends(0..usize::MAX))
    }
}

fn swizzle(trees: &[TokenTree], sign: &TokenTree) -> Result<Swizzled, TokenStream> {
    let tokens = if trees.is_empty() { vec![sign.clone()] } else { trees.to_vec() };
    let text = trees.iter().map(ToString::to_string).collect::<String>();
    let swizzled = Swizzled { value: Swizzle::NONE, tokens };
    match Swizzle::parse(&text) {
        Ok(value) => Ok(Swizzled { value, ..swizzled }),
        Err(fault) => Err(swizzled.error(&fault.message(), &fault.help())),
    }
}

/// Whether a comma and an option stand here.
fn is_option(trees: &[TokenTree]) -> bool {
    matches!(
        trees,
        [comma, TokenTree::Ident(_), TokenTree::Punct(sign), ..]
            if is_comma(comma) && sign.as_char() == '='
    )
}

fn is_comma(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ',')
}

/// The notations' names, for builds that cannot ask `Notation::ALL`.
#[cfg(any(test, not(feature = "notation")))]
pub(crate) const NOTATIONS: [&str; 8] =
    ["onednn", "tvm", "einops", "cute", "pack", "mosaic", "jax", "tvm_tile"];

/// An error if there is an option here.
fn no_option(trees: &[TokenTree]) -> Result<(), TokenStream> {
    match trees {
        [TokenTree::Ident(name), TokenTree::Punct(sign), ..] if sign.as_char() == '=' => {
            let message = match name.to_string().as_str() {
                "tpu" | "max_expansion" | "swizzle" => format!("`{name}` is not allowed here"),
                #[cfg(feature = "notation")]
                name if NotationText::is_notation(name) => format!("`{name}` is not allowed here"),
                #[cfg(not(feature = "notation"))]
                name if NOTATIONS.contains(&name) => {
                    let message = format!("`{name} = ..` needs the feature `notation`");
                    return Err(report::at(&message, report::SWITCH_ON, &trees[0]));
                }
                _ => format!("unknown option `{name}`"),
            };
            #[cfg(feature = "notation")]
            let notations = NotationText::notations();
            #[cfg(not(feature = "notation"))]
            let notations = "with the feature `notation`";
            let help = format!(
                "write `tpu = V5e` or a text of another notation ({notations}) before the shape, and \
                 `max_expansion = 2` or `swizzle = 128B` after it, each at most once"
            );
            Err(report::at(&message, &help, &trees[0]))
        }
        _ => Ok(()),
    }
}

/// What an option before the shape chooses; `None` if it chooses no layout.
fn chosen(
    name: &str,
    value: Option<&TokenTree>,
    sign: &Punct,
) -> Result<Option<Chosen>, TokenStream> {
    let sign = TokenTree::from(sign.clone());
    if name == "tpu" {
        return Ok(Some(Chosen::Tpu(generation(value, &sign)?)));
    }
    #[cfg(feature = "notation")]
    let text = NotationText::new(name, value, &sign)?.map(Chosen::Notation);
    #[cfg(not(feature = "notation"))]
    let text = None;
    Ok(text)
}

fn generation(tree: Option<&TokenTree>, sign: &TokenTree) -> Result<Tpu, TokenStream> {
    let names = Tpu::ALL.iter().map(|tpu| format!("`{tpu:?}`")).collect::<Vec<_>>().join(", ");
    let help = format!("write one of {names}");
    match tree {
        Some(TokenTree::Ident(name)) => match Tpu::from_name(&name.to_string()) {
            Some(tpu) => Ok(tpu),
            None => {
                let at = TokenTree::from(name.clone());
                Err(report::at(&format!("unknown TPU generation `{name}`"), &help, &at))
            }
        },
        other => Err(report::at("expected a TPU generation", &help, other.unwrap_or(sign))),
    }
}

fn limit(trees: &[TokenTree], sign: &TokenTree) -> Result<Limit, TokenStream> {
    let help =
        "write the largest ratio of padded to unpadded bytes to allow, as in `max_expansion = 2`";
    let wrong = |at: &TokenTree| Err(report::at("expected a number, 1 or larger", help, at));
    match trees {
        [TokenTree::Literal(literal)] => {
            match literal.to_string().replace('_', "").parse::<f64>() {
                Ok(value) if value >= 1.0 && value.is_finite() => {
                    Ok(Limit { value, literal: literal.clone() })
                }
                _ => wrong(&trees[0]),
            }
        }
        [] => wrong(sign),
        [TokenTree::Literal(_), more, ..] | [more, ..] => wrong(more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "notation")]
    fn the_names_of_notations() {
        let names = NOTATIONS.map(|name| format!("`{name}`")).join(", ");
        assert_eq!(NotationText::notations(), names);
    }

    #[test]
    #[cfg(not(feature = "notation"))]
    fn a_notation_needs_its_feature() {
        for name in NOTATIONS {
            let call = format!("{name} = nChw16c, F32[2,40,5,7]").parse().expect("tokens");
            let Err(error) = Options::new(call) else { panic!("{name} is read") };
            let error = error.to_string();
            assert!(
                error.contains(&format!("`{name} = ..` needs the feature `notation`")),
                "{error}"
            );
        }
    }
}
