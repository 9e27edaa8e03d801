//! `hlo! { mod name = "program.hlo"; }`: the layouts of a program's parameters and results.

use std::path::Path;

use layout_core::Shape;
use layout_hlo::{ErrorKind, Module};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::name;
use crate::reader::{HELP, Reader, Unexpected, error};

/// A module for each program. The first fault ends them, except for one of a path: what follows cannot be told apart.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut reader = Reader::new(tokens);
    if reader.is_at_end() {
        return error(&format!("an HLO file is missing\nhelp: {HELP}"), Span::call_site());
    }
    let mut modules = TokenStream::new();
    while !reader.is_at_end() {
        match module(&mut reader) {
            Ok(module) => modules.extend(module),
            Err(Unexpected(error)) => {
                modules.extend(error);
                break;
            }
        }
    }
    modules
}

fn module(reader: &mut Reader) -> Result<TokenStream, Unexpected> {
    let attributes = reader.attributes()?;
    let visibility = reader.visibility();
    reader.word("mod")?;
    let name = reader.name()?;
    let read = match path(reader) {
        Ok((path, at)) => read(&path, at).map_err(|text| error(&text, at)),
        Err(Unexpected(error)) => {
            reader.skip_past(';');
            Err(error)
        }
    };
    let (summary, body) = read.unwrap_or_else(|error| (String::new(), unknown(&error)));
    Ok(quote! {
        #attributes
        #[doc = ""]
        #[doc = #summary]
        #visibility mod #name {
            #body
        }
    })
}

/// `= "program.hlo";`
fn path(reader: &mut Reader) -> Result<(String, Span), Unexpected> {
    reader.sign('=')?;
    let path = reader.path()?;
    reader.sign(';')?;
    Ok(path)
}

/// The contents of a module of which no name is known. The compiler misses no name in a module with a `compile_error!`.
fn unknown(error: &TokenStream) -> TokenStream {
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
