//! `hlo! { mod name = "program.hlo"; }`: the layouts of a program's parameters and results.

use std::path::Path;

use layout_core::Shape;
use layout_hlo::{ErrorKind, Module};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, LitStr, Token, bracketed, token};

use crate::name;

/// What every part of the input has to look like.
const HELP: &str = "write `mod name = \"program.hlo\";`, after attributes and visibility if any";

/// A module for each program. The first fault ends them, except for one of a path: what follows cannot be told apart.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let Some(last) = tokens.clone().into_iter().last() else {
        let message = format!("an HLO file is missing\nhelp: {HELP}");
        return Error::new(Span::call_site(), message).into_compile_error();
    };
    let mut modules = TokenStream::new();
    let read = |input: ParseStream<'_>| {
        // `syn` knows only the whole call at the end of the input.
        let with_help = |error: Error| {
            let at = if input.is_empty() { last.span() } else { error.span() };
            Error::new(at, format!("{error}\nhelp: {HELP}"))
        };
        while !input.is_empty() {
            modules.extend(module(input, with_help)?);
        }
        Ok(())
    };
    let error = read.parse2(tokens).err();
    modules.extend(error.map(Error::into_compile_error));
    modules
}

fn module(input: ParseStream<'_>, with_help: impl Fn(Error) -> Error) -> syn::Result<TokenStream> {
    let attributes = attributes(input).map_err(&with_help)?;
    let public = input.parse::<Option<Token![pub]>>()?;
    let place = if input.peek(token::Paren) { Some(input.parse::<Group>()?) } else { None };
    input.parse::<Token![mod]>().map_err(&with_help)?;
    // The compiler itself says how to write a name that is a keyword.
    let is_name = input.peek(Ident::peek_any);
    let name = if is_name { input.call(Ident::parse_any) } else { input.parse() };
    let name = name.map_err(&with_help)?;
    let read = match path(input).map_err(with_help) {
        Ok(path) => read(&path.value(), path.span()).map_err(|text| Error::new(path.span(), text)),
        Err(error) => {
            while !input.is_empty() && input.parse::<Option<Token![;]>>()?.is_none() {
                input.parse::<TokenTree>()?;
            }
            Err(error)
        }
    };
    let (summary, body) = read.unwrap_or_else(|error| (String::new(), unknown(&error)));
    Ok(quote! {
        #attributes
        #[doc = ""]
        #[doc = #summary]
        #public #place mod #name {
            #body
        }
    })
}

/// Attributes, as tokens that the compiler reads: the types that `syn` has for them double what it costs to build.
fn attributes(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut attributes = TokenStream::new();
    while let Some(sign) = input.parse::<Option<Token![#]>>()? {
        let attribute;
        let brackets = bracketed!(attribute in input);
        sign.to_tokens(&mut attributes);
        let attribute = attribute.parse::<TokenStream>()?;
        brackets.surround(&mut attributes, |inside| inside.extend(attribute));
    }
    Ok(attributes)
}

/// `= "program.hlo";`
fn path(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![=]>()?;
    let path = input.parse::<LitStr>();
    let path = path.map_err(|error| Error::new(error.span(), "expected a path in quotes"))?;
    input.parse::<Token![;]>()?;
    Ok(path)
}

/// The contents of a module of which no name is known. The compiler misses no name in a module with a `compile_error!`.
fn unknown(error: &Error) -> TokenStream {
    let error = error.to_compile_error();
    quote! {
        pub mod params { #error }
        pub use self::params as results;
    }
}

/// The module's documentation and its contents. An error is a whole message.
fn read(path: &str, at: Span) -> Result<(String, TokenStream), String> {
    if Path::new(path).is_absolute() {
        let help = "write it relative to the folder of this crate's `Cargo.toml`";
        return Err(format!("the path is absolute\nhelp: {help}"));
    }
    let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        let help = "build with Cargo, which sets it: the path is relative to that folder";
        return Err(format!("`CARGO_MANIFEST_DIR` is not set\nhelp: {help}"));
    };
    let bytes = std::fs::read(Path::new(&folder).join(path)).map_err(|error| {
        let help = "the path is relative to the folder of this crate's `Cargo.toml`";
        format!("`{path}` cannot be read: {error}\nhelp: {help}")
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let help = "give the module as text, which starts with `HloModule`, not as a \
            serialized `HloProto`";
        format!("`{path}` is not text: byte {} is not UTF-8\nhelp: {help}", error.valid_up_to())
    })?;
    let module = Module::parse(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let wrong = format!("`{path}`, line {line}, column {column}: {}", error.message());
        match error.kind() {
            ErrorKind::Shape(_) => wrong,
            _ => format!("{wrong}\nhelp: {}", error.help()),
        }
    })?;

    let layout = module.computation_layout();
    let names = name::unique(module.parameters());
    let parameters = list("P", &layout.parameter_shapes(), &names, at);
    let results = list("R", &layout.result_shapes(), &[], at);
    let summary = format!(
        "Layouts of the parameters and results of the HLO module `{}`, from `{path}`.",
        module.name(),
    );
    let parameters_summary = format!("The parameters of `{}`, by their numbers.", module.name());
    let results_summary = format!("The results of `{}`, by their numbers.", module.name());
    let body = quote! {
        // Makes Cargo rebuild the crate when the file changes.
        const _: &[::core::primitive::u8] = ::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #path)
        );

        #[doc = #parameters_summary]
        #[allow(dead_code, non_camel_case_types, reason = "a program names them, and few are used")]
        pub mod params { #parameters }

        #[doc = #results_summary]
        #[allow(dead_code, non_camel_case_types, reason = "a program names them, and few are used")]
        pub mod results { #results }
    };
    Ok((summary, body))
}

/// An alias for each shape, called `P0`, `P1` and so on; a second one if it has a name; and for each tuple a
/// module `p0`, `p1` and so on with the aliases of its parts. `layout!` makes the types; its errors stand at the path.
fn list(
    letter: &str,
    shapes: &[Shape],
    names: &[Option<(Ident, String)>],
    at: Span,
) -> TokenStream {
    let (mut types, mut others) = (TokenStream::new(), TokenStream::new());
    for (number, shape) in shapes.iter().enumerate() {
        let alias = format_ident!("{letter}{number}");
        let text = shape.to_string();
        let tokens = text.parse().map_or_else(|_| quote!(#text), |tokens| located(tokens, at));
        types.extend(quote!(pub type #alias = #tokens;));
        if let Some(Some((name, written))) = names.get(number) {
            let summary = format!("[`{alias}`], by its name `{written}`: `{text}`");
            others.extend(quote! {
                #[doc = #summary]
                pub type #name = #alias;
            });
        }
        if let Shape::Tuple(parts) = shape {
            let parts = list(letter, parts, &[], at);
            let module = format_ident!("{}{number}", letter.to_lowercase());
            let summary = format!("The parts of `{alias}`.");
            others.extend(quote! {
                #[doc = #summary]
                pub mod #module { #parts }
            });
        }
    }
    if shapes.is_empty() {
        return TokenStream::new();
    }
    quote! {
        ::layout::layout! { #types }
        #others
    }
}

/// The tokens with this span.
fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let trees = tokens.into_iter().map(|mut tree| {
        if let TokenTree::Group(group) = &tree {
            tree = proc_macro2::Group::new(group.delimiter(), located(group.stream(), at)).into();
        }
        tree.set_span(at);
        tree
    });
    trees.collect()
}
