//! Shapes as types.

// The macros run on the machine that compiles. A layout that a 32-bit target may not hold becomes a type that
// such a target checks again from the text (`__if_target_has!`): the numbers in the type itself would have been
// cut off without a warning.

use layout_core::__private::{Written, shape_of_tokens, tiles_of_tokens};
use layout_core::{ArrayShape, Dim, ElementType, Shape, Swizzle, TileDim, Tiles};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream};
use quote::quote;

use crate::options::{Limit, Options, needs_compiler};
use crate::report;
use crate::tokens::Flat;
use crate::tree::{Parsed, Tree};

/// The type of a shape, or errors.
pub(crate) fn shape(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    read(krate, tokens, Position::Type).map_or_else(|error| report::as_type(&error), |read| read.ty)
}

/// A shape that was read.
pub(crate) struct Read {
    pub ty: TokenStream,
    /// What is known of it: all, unless its tiles are named, or the size of a dimension or of a tile is an expression.
    pub shape: Option<Tree>,
}

/// Where a shape stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// In the position of a type: its sizes can be generic parameters, which a check in the type cannot name.
    Type,
    /// In an item, which has no generic parameters.
    Item,
}

/// What is written in Rust of an array, and only the compiler knows.
#[derive(Default)]
struct Names {
    /// The name of the tiles.
    tiles: Option<TokenStream>,
    /// The size or the bound of each dimension.
    sizes: Vec<Option<Size>>,
    /// The size of each entry of the tiles, counted through all of them.
    tile_sizes: Vec<Option<Group>>,
    /// Where the bits of an element stand.
    element_size: Option<Span>,
}

/// A size, or a bound (`<=`), as a block of Rust.
struct Size {
    block: Group,
    is_bound: bool,
}

impl Names {
    fn new(written: &Written, flat: &Flat) -> Names {
        let sizes = written.expressions.iter().zip(&written.dims).map(|(expression, dim)| {
            let expression = (*expression)?;
            let is_bound = expression.start != dim.start;
            Some(Size { block: flat.block(expression.range()), is_bound })
        });
        Names {
            tiles: written.named_tiles.map(|tiles| flat.path(tiles.range())),
            sizes: sizes.collect(),
            tile_sizes: flat.expressions(&written.tile_expressions),
            element_size: written.element_size.map(|bits| flat.span(bits.start)),
        }
    }
}

/// Reads a shape and writes its type, or an error for each fault.
pub(crate) fn read(
    krate: &TokenStream,
    tokens: TokenStream,
    position: Position,
) -> syn::Result<Read> {
    let mut options = Options::new(tokens)?;
    let flat = Flat::new(core::mem::take(&mut options.shape));
    let Parsed { tree, arrays, .. } = match shape_of_tokens(&flat.tokens(), Parsed::default()) {
        Ok(parsed) => parsed,
        Err(error) => return Err(report::faults(&error, &flat)),
    };
    let mut tree = tree.unwrap_or_else(|| unreachable!("a shape that is not read has a fault"));
    options.apply(&mut tree, &arrays, &flat)?;
    let names = arrays.iter().map(|array| Names::new(array, &flat)).collect::<Vec<_>>();
    let swizzle = options.swizzle.map_or(Swizzle::NONE, |swizzled| swizzled.value);
    let is_known = !arrays.iter().any(needs_compiler);
    let mut writer =
        Writer { krate, names: names.into_iter(), limit: options.max_expansion, swizzle, position };
    let ty = writer.tree(&tree);
    let shape = is_known.then_some(tree);
    Ok(Read { ty, shape })
}

/// The documentation of an alias: its sizes.
pub(crate) fn documentation(shape: &Tree) -> String {
    let mut text = summary(shape);
    if let Tree::Leaf(Shape::Array(array)) = shape {
        text.extend(array.remarks().map(|remark| format!(". Note: {remark}")));
    }
    text
}

fn summary(shape: &Tree) -> String {
    let Tree::Leaf(Shape::Array(array)) = shape else { return format!("`{shape}`") };
    let (Some(elements), Some(padded), Some(unpadded), Some(bytes)) =
        (array.elements(), array.padded_elements(), array.unpadded_bytes(), array.bytes())
    else {
        return format!("`{array}`: sizes known at run time");
    };
    let mut summary = format!("`{array}`: {elements} elements, {unpadded} bytes");
    if padded != elements {
        summary += &format!("; in memory {padded} elements, {bytes} bytes");
    }
    summary
}

struct Writer<'a> {
    krate: &'a TokenStream,
    /// For each array in turn what is written in Rust.
    names: std::vec::IntoIter<Names>,
    limit: Option<Limit>,
    swizzle: Swizzle,
    position: Position,
}

impl Writer<'_> {
    fn tree(&mut self, tree: &Tree) -> TokenStream {
        match tree {
            Tree::Leaf(shape) => self.leaf(shape),
            Tree::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.tree(part));
                quote!((#(#parts,)*))
            }
        }
    }

    fn leaf(&mut self, shape: &Shape) -> TokenStream {
        let krate = self.krate;
        match shape {
            Shape::Array(array) => self.array(array),
            Shape::Token => quote!(#krate::types::Token),
            Shape::Opaque => quote!(#krate::types::Opaque),
            Shape::Buffer(array) => {
                let array = self.array(array);
                quote!(#krate::types::BufferOf<#array>)
            }
            _ => quote!(::core::compile_error!("there is no type for a shape of this kind")),
        }
    }

    fn array(&mut self, array: &ArrayShape) -> TokenStream {
        let krate = self.krate;
        let element = Ident::new(array.element_type().upper_name(), Span::call_site());
        let names = self.names.next().unwrap_or_default();
        let dims = array.dims().iter().enumerate().map(|(i, dim)| {
            match (names.sizes.get(i).and_then(Option::as_ref), dim) {
                (Some(Size { block, is_bound: true }), _) => {
                    quote!(#krate::types::AtMost<#block>)
                }
                (Some(Size { block, is_bound: false }), _) => quote!(#krate::types::C<#block>),
                (None, Dim::Static(size)) => number(krate, *size),
                (None, Dim::Bounded(bound)) => {
                    let bound = literal(*bound);
                    quote!(#krate::types::AtMost<#bound>)
                }
                (None, Dim::Unbounded) => quote!(#krate::types::Dyn),
            }
        });
        let order =
            array.minor_to_major().iter().map(|&dim| number(krate, dim as layout_core::Size));
        let properties = self.properties(array, names.element_size);
        let tiles = match &names.tiles {
            Some(name) => name.clone(),
            None => tiles_type(krate, array.tiles(), &names.tile_sizes),
        };
        let ty = quote! {
            #krate::Array::<#krate::element::#element, (#(#dims,)*), (#(#order,)*), #tiles, #properties>
        };
        let ty = if_target_has(krate, ty, array);
        let size = names.sizes.iter().flatten().map(|size| &size.block);
        let size = size.chain(names.tile_sizes.iter().flatten()).next().map(Group::span);
        let name = names.tiles.and_then(|name| name.into_iter().next());
        let at = name.map(|name| name.span()).or(size);
        let Some(at) = at else { return ty };
        // A check in the type cannot name a size that may be a generic parameter.
        let ty = match size {
            Some(_) if self.position == Position::Type => ty,
            _ => checked(krate, &ty, &quote!(check::<#tiles, #ty>()), at),
        };
        let Some(Limit { value, literal }) = &self.limit else { return ty };
        let value = Literal::f64_suffixed(*value);
        checked(krate, &ty, &quote!(check_expansion::<#ty>(#value)), literal.span())
    }

    fn properties(&self, array: &ArrayShape, element_size: Option<Span>) -> TokenStream {
        let krate = self.krate;
        let mut properties = Vec::new();
        // Types are named as the values are.
        let name = |name: String| Ident::new(&name, Span::call_site());
        if let Some(widths) = array.padded_dimensions() {
            let widths = numbers(krate, widths);
            properties.push(quote!(Pad<#widths>));
        }
        if let Some(fill) = array.fill() {
            let fill = name(format!("{fill:?}"));
            properties.push(quote!(FillWith<#krate::types::property::#fill>));
        }
        if array.tail_padding_alignment() != 1 {
            let elements = literal(array.tail_padding_alignment());
            properties.push(quote!(TailAlignment<#elements>));
        }
        if let Some(bits) = array.element_size_in_bits() {
            let bits = literal(bits);
            properties.push(match element_size.filter(|_| array.cuts_elements()) {
                // It is deprecated: only so can a macro warn, on stable Rust.
                Some(at) => locate(quote!(TooFewBits<#bits>), at),
                None => quote!(ElementSize<#bits>),
            });
        }
        if array.memory_space() != 0 {
            let space = Literal::i8_unsuffixed(array.memory_space());
            properties.push(quote!(Space<{ #space }>));
        }
        if !array.splits().is_empty() {
            let splits = array.splits();
            let splits = (0..splits.len()).map(|split| {
                let dim = number(krate, splits.dim(split) as layout_core::Size);
                let indices = numbers(krate, splits.indices(split));
                quote!(#krate::types::property::Split<#dim, #indices>)
            });
            properties.push(quote!(Splits<(#(#splits,)*)>));
        }
        if array.dynamic_metadata_prefix_bytes() != 0 {
            let bytes = literal(array.dynamic_metadata_prefix_bytes());
            properties.push(quote!(MetadataPrefix<#bytes>));
        }
        // That of the option, or one in a text of another notation.
        let swizzle = if self.swizzle.is_none() { array.swizzle() } else { self.swizzle };
        if !swizzle.is_none() {
            let [bits, base] = [swizzle.bits(), swizzle.base()].map(Literal::u8_unsuffixed);
            let shift = Literal::i8_unsuffixed(swizzle.shift());
            let name = name(format!("Swizzle{:?}", swizzle.unit()));
            properties.push(quote!(#name<#bits, #base, { #shift }>));
        }
        quote!((#(#krate::types::property::#properties,)*))
    }
}

/// A type of which only the compiler knows whether it is a layout, or how much padding it has: the tokens stand at what
/// decides it, so that an error is underlined there.
fn checked(krate: &TokenStream, ty: &TokenStream, check: &TokenStream, at: Span) -> TokenStream {
    let checked = quote!(<#ty as #krate::__private::Valid<{ #krate::__private::#check }>>::Type);
    locate(checked, at)
}

/// A type; one that not every target has asks `layout`, which knows the target. Those with the narrowest sizes have
/// 32 bits.
fn if_target_has(krate: &TokenStream, ty: TokenStream, array: &ArrayShape) -> TokenStream {
    if array.fault_within(i32::MAX as layout_core::Size).is_none() {
        return ty;
    }
    let text = array.to_string();
    quote!(#krate::__if_target_has! { #text #ty })
}

/// The tokens with the span `at`, except for those that the user wrote.
fn locate(tokens: TokenStream, at: Span) -> TokenStream {
    let trees = tokens.into_iter().map(|mut tree| {
        if let proc_macro2::TokenTree::Group(group) = &tree {
            let mut moved = proc_macro2::Group::new(group.delimiter(), locate(group.stream(), at));
            moved.set_span(group.span().located_at(at));
            return moved.into();
        }
        tree.set_span(tree.span().located_at(at));
        tree
    });
    trees.collect()
}

/// Sizes may be wider than the compiler's `usize`, if that runs on 32 bits.
fn literal(size: layout_core::Size) -> Literal {
    Literal::u64_unsuffixed(size as u64)
}

fn number(krate: &TokenStream, number: layout_core::Size) -> TokenStream {
    let number = literal(number);
    quote!(#krate::types::C<#number>)
}

fn numbers(krate: &TokenStream, numbers: &[layout_core::Size]) -> TokenStream {
    let numbers = numbers.iter().map(|&size| number(krate, size));
    quote!((#(#numbers,)*))
}

/// The type of tiles, or errors.
pub(crate) fn tiles(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    let flat = Flat::new(tokens);
    match tiles_of_tokens(&flat.tokens()) {
        Ok((tiles, expressions)) => {
            let ty = tiles_type(krate, &tiles, &flat.expressions(&expressions));
            // The smallest array that has them.
            match ArrayShape::scalar(ElementType::PRED).with_tiles(&tiles) {
                Ok(array) => if_target_has(krate, ty, &array),
                Err(_) => ty,
            }
        }
        Err(error) => report::as_type(&report::faults(&error, &flat)),
    }
}

/// Tiles, with expressions of Rust for some of their sizes, counted through all tiles.
fn tiles_type(krate: &TokenStream, tiles: &Tiles, expressions: &[Option<Group>]) -> TokenStream {
    let mut expressions = expressions.iter();
    let tiles = tiles.iter().map(|tile| {
        let dims = tile.iter().map(|dim| match (expressions.next(), dim) {
            (Some(Some(block)), _) => quote!(#krate::types::C<#block>),
            (_, TileDim::Size(size)) => number(krate, *size),
            (_, TileDim::Combined) => quote!(#krate::types::Star),
        });
        quote!((#(#dims,)*))
    });
    quote!(#krate::types::Tiles<(#(#tiles,)*)>)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks_target(tokens: TokenStream) -> bool {
        tokens.to_string().contains("__if_target_has !")
    }

    #[test]
    fn narrower_targets_are_asked_where_they_may_not_have_the_layout() {
        let shape = |tokens| asks_target(shape(&quote!(layout), tokens));
        for small in [
            quote!(F32[16384,32767]{1,0}),
            quote!(F32[?,8191]{1,0:T(8,128)}),
            quote!(S8[0,5]{1,0:PAD(9,9)T(8,128)L(1024)SC(0:3)M(2147483647)}),
            quote!(S8[2147483647]),
            quote!(S8[N, { 2 * K }]{1,0:PAD(3,5)}),
        ] {
            assert!(!shape(small.clone()), "{small}");
        }
        for large in [
            quote!(S8[2147483648]),
            quote!(S8[4294967297]{0:E(1)}),
            quote!(F32[16384,32768]{1,0}),
            quote!(F32[65536,65536]),
            quote!(F32[?,4294967297]),
            quote!(F32[0,4294967297]),
            quote!(F32[<=4294967297]),
            quote!(S8[1]{0:PAD(4294967297)}),
            quote!(S8[1]{0:T(4294967297)}),
            quote!(S8[1]{0:L(4294967297)}),
            quote!(S8[1]{0:M(4294967297)}),
            quote!(S8[?]{0:SC(0:4294967297)}),
            quote!((S8[1], b(S8[4294967297]))),
            quote!(S8[4294967297]{0:T=Packed}),
        ] {
            assert!(shape(large.clone()), "{large}");
        }
        let tiles = |tokens| asks_target(tiles(&quote!(layout), tokens));
        assert!(!tiles(quote!((*,2147483647)(1))) && tiles(quote!((8, 128)(2147483648, 1))));
    }
}
