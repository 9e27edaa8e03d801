//! Texts as they are copied from programs and logs: the part that says an array or a layout.

use super::ParseAnyError;

/// A line of HLO in a macro in quotes has three.
const MOST_WRAPPINGS: usize = 4;

/// The part of a text that says an array or a layout: without quotes, without `layout!(…)` around it, of a line of HLO the shape.
pub(super) fn said(text: &str) -> &str {
    let mut said = text.trim();
    for _ in 0..MOST_WRAPPINGS {
        let inner = unquoted(said).or_else(|| in_macro(said)).or_else(|| shape_of_line(said));
        said = inner.map_or(said, str::trim);
    }
    said
}

/// What stands in quotes.
fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim_end_matches([',', ';']);
    let quote = text.chars().next().filter(|quote| "\"'`".contains(*quote))?;
    text[1..].strip_suffix(quote)
}

/// What `layout!` is given.
fn in_macro(text: &str) -> Option<&str> {
    let (_, input) = text.split_once("layout!")?;
    let input = input.trim_start().strip_prefix(['(', '[', '{'])?;
    Some(&input[..end_of(input, |_| false)])
}

/// The shape of `ROOT %p = f32[3,5]{1,0} parameter(0)`, or of `Shape: f32[3,5]{1,0}` in the text of a program that ran out of memory.
fn shape_of_line(text: &str) -> Option<&str> {
    if let Some(shape) = text.strip_prefix("Shape:") {
        return Some(shape);
    }
    let (name, instruction) = text.split_once(" = ")?;
    let name = name.strip_prefix("ROOT ").unwrap_or(name).trim();
    let is_word = |c: u8| c.is_ascii_alphanumeric() || b"_.-".contains(&c);
    let is_name = !name.is_empty() && name.trim_start_matches('%').bytes().all(is_word);
    let instruction = instruction.trim_start();
    let shape = &instruction[..end_of(instruction, |c| c == ',' || c.is_whitespace())];
    (is_name && (super::is_shape(shape) || shape.starts_with('('))).then_some(shape)
}

/// Where a text ends: at a bracket that closes none of its own, or outside of brackets at a character that ends it.
fn end_of(text: &str, is_end: impl Fn(char) -> bool) -> usize {
    let mut depth = 0usize;
    let ends = |(_, c): &(usize, char)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return true,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && is_end(*c)
    };
    text.char_indices().find(ends).map_or(text.len(), |(at, _)| at)
}

/// An error for texts of other systems that are known and not read.
pub(super) fn not_read(text: &str) -> Result<(), ParseAnyError> {
    const SYSTEMS: &[(&str, &str, &str)] = &[
        (
            "#ttg.",
            "Triton's encodings",
            "they say which lane holds an element: `layout_gpu::fragment` reads linear layouts, and `layout_gpu::shared` has the tiles of shared memory",
        ),
        (
            "#tpu.vpad<",
            "Mosaic's layouts of vector registers",
            "they say where an array lies in registers; that of a reference in memory is read: `#tpu.tiled<(8,128),[2,1]>`",
        ),
        (
            "onednn_verbose,",
            "whole lines of ONEDNN_VERBOSE",
            "give one descriptor of it and the sizes of its array: `onednn:src:f32::blocked:acdb::f0 f32[2,40,5,7]`",
        ),
    ];
    match SYSTEMS.iter().find(|(head, ..)| text.starts_with(head)) {
        Some((_, what, help)) => {
            Err(super::refused_with(format_args!("{what} are not read"), help))
        }
        None => Ok(()),
    }
}
