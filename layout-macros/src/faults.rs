//! What the macros say of wrong texts, and what they underline: `tests/data/macro_faults.txt` has the calls with their
//! errors, and of the shapes of `tests/data/faults.txt` the macro says what the parser says.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p tiled-layout-macros` writes the errors of the calls anew.

use std::fs;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;

use crate::{expand, items, order};

/// The cases of a file, which empty lines separate.
fn cases(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").map(str::trim_end)
}

/// The call that a case begins with.
fn call(case: &str) -> &str {
    case.lines().next().expect("a case has lines")
}

/// The errors of a call, as the compiler shows them.
fn errors_of_call(text: &str) -> String {
    let trees = text.parse::<TokenStream>().expect("a call has tokens").into_iter();
    let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(input)] =
        &trees.collect::<Vec<_>>()[..]
    else {
        panic!("{text} is not a call of a macro")
    };
    let (krate, input) = (quote!(layout), input.stream());
    let out = match name.to_string().as_str() {
        "layout" if items::are_items(&input) => items::expand(&krate, input),
        "layout" => expand::shape(&krate, input),
        "tiles" => expand::tiles(&krate, input),
        "order" => order::expand(input),
        other => panic!("{text}: there is no macro `{other}`"),
    };
    errors(text, out)
}

/// The errors in what a macro expands to, in the form of the parser's.
fn errors(text: &str, out: TokenStream) -> String {
    let mut found = Vec::new();
    collect(out, &mut found);
    let blocks = found.into_iter().map(|(message, first, last)| {
        let range = first.byte_range().start..last.byte_range().end;
        // The call as a whole has no place in the text.
        let range = if range.is_empty() { 0..text.len() } else { range };
        let before = text[..range.start].chars().count();
        let marked = text[range].chars().count().max(1);
        let (message, help) = match message.rsplit_once("\nhelp: ") {
            Some((message, help)) => (message, format!("\n  = help: {help}")),
            None => (message.as_str(), String::new()),
        };
        format!("{message}\n  | {text}\n  | {:before$}{:^<marked$}{help}", "", "")
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// The message of each `compile_error!`, and the spans that it is underlined from and to.
fn collect(out: TokenStream, found: &mut Vec<(String, Span, Span)>) {
    let mut trees = out.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(name) if name == "compile_error" => {
                let Some(TokenTree::Group(argument)) = trees.nth(1) else {
                    panic!("a call of `compile_error!`")
                };
                let text = syn::parse2::<syn::LitStr>(argument.stream()).expect("one text");
                found.push((text.value(), name.span(), argument.span_close()));
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}

fn read(name: &str) -> (String, String) {
    let path = format!("{}/../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).expect("the data can be read");
    (path, text)
}

#[test]
fn calls_with_a_fault() {
    let (path, text) = read("macro_faults.txt");
    let found = |case| {
        let call = call(case);
        format!("{call}\n{}", errors_of_call(call)).trim_end().to_owned()
    };
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let found = cases(&text).map(found).collect::<Vec<_>>();
        fs::write(path, found.join("\n\n") + "\n").expect("the data can be written");
        return;
    }
    for case in cases(&text) {
        assert_eq!(found(case), case);
    }
}

#[test]
fn shapes_with_a_fault() {
    let ((_, shapes), (_, calls)) = (read("faults.txt"), read("macro_faults.txt"));
    let (mut same, mut no_tokens, mut others) = (0, Vec::new(), Vec::new());
    for case in cases(&shapes) {
        let shape = case.lines().find_map(|line| line.strip_prefix("  | "));
        let shape = shape.expect("an error shows its text");
        let Ok(tokens) = shape.parse::<TokenStream>() else {
            no_tokens.push(shape);
            continue;
        };
        let found = errors(shape, expand::shape(&quote!(layout), tokens));
        if found == case {
            same += 1;
            continue;
        }
        // What the macro reads otherwise, since Rust has other tokens, is among the calls.
        let own = format!("layout!({shape})");
        let is_call = cases(&calls).any(|case| call(case) == own);
        if !is_call {
            others.push(own);
        }
    }
    assert!(
        others.is_empty(),
        "not as the parser says, and not among the calls:\n{}",
        others.join("\n\n")
    );
    assert!(same > 200 && no_tokens.len() < 16, "{same} alike; {no_tokens:?} are not tokens");
}
