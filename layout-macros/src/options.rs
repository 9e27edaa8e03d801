//! The options of `layout!`: `tpu = V5e, SHAPE, max_expansion = 2` and `SHAPE, swizzle = 128B`.

use std::fmt::Display;

use layout_core::__private::Written;
use layout_core::tpu::Tpu;
use layout_core::{ArrayShape, FaultKind, Shape, Swizzle};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};

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

/// A swizzle, and its tokens.
pub(crate) struct SwizzleOption {
    pub value: Swizzle,
    tokens: Vec<TokenTree>,
}

/// A limit, and its literal.
pub(crate) struct Limit {
    pub value: f64,
    pub literal: Literal,
}

/// An option: its name, an example, where it stands, and what reads its value. The value's tokens may be missing; the sign `=`
/// stands before them.
struct OptionKind {
    name: &'static str,
    example: &'static str,
    is_before_the_shape: bool,
    is_given: fn(&Options) -> bool,
    read: fn(&mut Options, &[TokenTree], &TokenTree) -> Result<(), TokenStream>,
}

const KINDS: [OptionKind; 3] = [
    OptionKind {
        name: "tpu",
        example: "tpu = V5e",
        is_before_the_shape: true,
        is_given: |options| options.tpu.is_some(),
        read: |options, value, sign| {
            options.tpu = Some(generation(value, sign)?);
            Ok(())
        },
    },
    OptionKind {
        name: "max_expansion",
        example: "max_expansion = 2",
        is_before_the_shape: false,
        is_given: |options| options.max_expansion.is_some(),
        read: |options, value, sign| {
            options.max_expansion = Some(limit(value, sign)?);
            Ok(())
        },
    },
    OptionKind {
        name: "swizzle",
        example: "swizzle = 128B",
        is_before_the_shape: false,
        is_given: |options| options.swizzle.is_some(),
        read: |options, value, sign| {
            options.swizzle = Some(swizzle(value, sign)?);
            Ok(())
        },
    },
];

impl Options {
    /// Separates the options from the shape, or returns the errors.
    pub(crate) fn new(tokens: TokenStream) -> Result<Options, TokenStream> {
        let mut options = Options::default();
        let trees = flat(tokens);
        let mut rest = &trees[..];
        if is_option(rest) {
            let comma = rest.iter().position(is_comma);
            options.read(&rest[..comma.unwrap_or(rest.len())], true)?;
            let Some(comma) = comma.filter(|comma| comma + 1 < rest.len()) else {
                let written = rest[2..].first().map(ToString::to_string).unwrap_or_default();
                let help = format!("write `{} = {written}, f32[300,1000]`", rest[0]);
                let last = &rest[rest.len() - 1];
                return Err(report::at("expected `,` and a shape after the option", &help, last));
            };
            rest = &rest[comma + 1..];
        }
        // A swizzle has commas of its own: an option ends where another one begins.
        let end = |trees: &[TokenTree]| {
            (0..trees.len()).find(|&at| is_comma(&trees[at]) && is_option(&trees[at + 1..]))
        };
        let shape = end(rest).unwrap_or(rest.len());
        if is_option(&rest[..shape]) {
            options.read(&rest[..shape], true)?;
        }
        options.shape = rest[..shape].iter().cloned().collect();
        rest = &rest[shape..];
        while let Some((_, option)) = rest.split_first() {
            let length = end(option).unwrap_or(option.len());
            options.read(&option[..length], false)?;
            rest = &option[length..];
        }
        Ok(options)
    }

    /// Reads `name = value`.
    fn read(&mut self, option: &[TokenTree], is_before_the_shape: bool) -> Result<(), TokenStream> {
        let (name, sign, value) = (option[0].to_string(), &option[1], &option[2..]);
        let kind = KINDS.iter().find(|kind| kind.name == name);
        if let Some(kind) = kind
            && kind.is_before_the_shape == is_before_the_shape
            && !(kind.is_given)(self)
        {
            return (kind.read)(self, value, sign);
        }
        let message = match kind {
            Some(_) => format!("`{name}` is not allowed here"),
            None => format!("unknown option `{name}`"),
        };
        let examples = |is_before| {
            let kinds = KINDS.iter().filter(|kind| kind.is_before_the_shape == is_before);
            kinds.map(|kind| format!("`{}`", kind.example)).collect::<Vec<_>>().join(" or ")
        };
        let help = format!(
            "write {} before the shape, and {} after it, each at most once",
            examples(true),
            examples(false)
        );
        Err(report::at(&message, &help, &option[0]))
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
        if let Some(tpu) = self.tpu {
            *array = default_layout(array, tpu, written, flat)?;
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

fn default_layout(
    array: &ArrayShape,
    tpu: Tpu,
    written: &Written,
    flat: &Flat,
) -> Result<ArrayShape, TokenStream> {
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

impl SwizzleOption {
    fn error(&self, message: &dyn Display, help: &dyn Display) -> TokenStream {
        let flat = Flat::new(self.tokens.iter().cloned().collect());
        report::one(message, help, flat.ends(0..usize::MAX))
    }
}

fn swizzle(trees: &[TokenTree], sign: &TokenTree) -> Result<SwizzleOption, TokenStream> {
    let tokens = if trees.is_empty() { vec![sign.clone()] } else { trees.to_vec() };
    let text = trees.iter().map(ToString::to_string).collect::<String>();
    let swizzled = SwizzleOption { value: Swizzle::NONE, tokens };
    match Swizzle::parse(&text) {
        Ok(value) => Ok(SwizzleOption { value, ..swizzled }),
        Err(fault) => Err(swizzled.error(&fault.message(), &fault.help())),
    }
}

/// Whether an option stands here.
fn is_option(trees: &[TokenTree]) -> bool {
    matches!(trees, [TokenTree::Ident(_), TokenTree::Punct(sign), ..] if sign.as_char() == '=')
}

fn is_comma(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ',')
}

fn generation(trees: &[TokenTree], sign: &TokenTree) -> Result<Tpu, TokenStream> {
    let names = Tpu::ALL.iter().map(|tpu| format!("`{tpu:?}`")).collect::<Vec<_>>().join(", ");
    let help = format!("write one of {names}");
    match trees {
        [TokenTree::Ident(name)] => match Tpu::from_name(&name.to_string()) {
            Some(tpu) => Ok(tpu),
            None => {
                let at = TokenTree::from(name.clone());
                Err(report::at(&format!("unknown TPU generation `{name}`"), &help, &at))
            }
        },
        [TokenTree::Ident(_), more, ..] => {
            let message = "expected `,` and a shape after the option";
            let help = format!("write `tpu = {}, f32[300,1000]`", trees[0]);
            Err(report::at(message, &help, more))
        }
        other => {
            let at = other.first().unwrap_or(sign);
            Err(report::at("expected a TPU generation", &help, at))
        }
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
