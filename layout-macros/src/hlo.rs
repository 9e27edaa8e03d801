//! `hlo! { mod name = "program.hlo"; }`: the layouts of a program's parameters and results.

use std::path::Path;

use layout_core::Shape;
use layout_hlo::{ErrorKind, Module};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::expand;
use crate::input::{self, Reader, Unexpected};
use crate::literal::{literal_of, text_of};
use crate::name;
use crate::report;
use crate::tokens::Ends;
use crate::tree::Tree;

const HELP: &str = "write `mod name = \"program.hlo\";`, after attributes and visibility if any";

/// A module for each program.
pub(crate) fn expand(krate: &TokenStream, tokens: TokenStream) -> TokenStream {
    if tokens.is_empty() {
        return report::anywhere("an HLO file is missing", HELP);
    }
    input::items(tokens, HELP, |reader| item(krate, reader))
}

fn item(krate: &TokenStream, reader: &mut Reader) -> Result<TokenStream, Unexpected> {
    let attributes = reader.attributes()?;
    let visibility = reader.visibility();
    reader.word("mod")?;
    let name = reader.name()?;
    let read = match path(reader) {
        Ok((literal, path)) => {
            read(krate, &path).map_err(|text| report::text(&text, Ends::at(literal.span())))
        }
        Err(unexpected) => {
            reader.skip_past(';');
            Err(unexpected.report(HELP))
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
fn path(reader: &mut Reader) -> Result<(Literal, String), Unexpected> {
    reader.sign('=')?;
    let literal = reader.peek().and_then(literal_of);
    let Some((literal, path)) = literal.and_then(|at| text_of(&at).map(|path| (at, path))) else {
        return Err(reader.unexpected("expected a path in quotes"));
    };
    reader.next();
    reader.sign(';')?;
    Ok((literal, path))
}

/// The contents of a module of which no name is known. The compiler misses no name in a module with a `compile_error!`.
fn unknown(error: &TokenStream) -> TokenStream {
    quote! {
        pub mod params { #error }
        pub use self::params as results;
    }
}

/// The module's documentation and its contents. An error is a whole message.
fn read(krate: &TokenStream, path: &str) -> Result<(String, TokenStream), String> {
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
    let parameters = list(krate, "P", &layout.parameter_shapes(), &names);
    let results = list(krate, "R", &layout.result_shapes(), &[]);
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
/// module `p0`, `p1` and so on with the aliases of its parts.
fn list(
    krate: &TokenStream,
    letter: &str,
    shapes: &[Shape],
    names: &[Option<(Ident, String)>],
) -> TokenStream {
    let mut out = TokenStream::new();
    for (number, shape) in shapes.iter().enumerate() {
        let alias = format_ident!("{letter}{number}");
        let tree = Tree::from(shape);
        let (ty, summary) = (expand::known(krate, &tree), expand::documentation(&tree));
        out.extend(quote! {
            #[doc = #summary]
            pub type #alias = #ty;
        });
        if let Some(Some((name, written))) = names.get(number) {
            let summary = format!("[`{alias}`], by its name `{written}`: {summary}");
            out.extend(quote! {
                #[doc = #summary]
                pub type #name = #alias;
            });
        }
        if let Shape::Tuple(parts) = shape {
            let parts = list(krate, letter, parts, &[]);
            let module = format_ident!("{}{number}", letter.to_lowercase());
            let summary = format!("The parts of `{alias}`.");
            out.extend(quote! {
                #[doc = #summary]
                pub mod #module { #parts }
            });
        }
    }
    out
}
