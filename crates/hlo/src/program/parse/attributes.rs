//! Attributes of modules, computations and instructions, and the values that are passed over.

use crate::program::parse::{MAX_DEPTH, Parser};
use crate::reading::cursor::Read;
use crate::reading::error::ErrorKind;
use crate::reading::lex;
use crate::reading::occurrence::{Occurrence, Role};
use layout_core::ElementType;

/// Attributes that name computations, or have them in braces.
const CALLED: [&str; 10] = [
    "to_apply",
    "calls",
    "condition",
    "body",
    "branch_computations",
    "true_computation",
    "false_computation",
    "called_computations",
    "select",
    "scatter",
];

impl<'a, F: FnMut(&Occurrence<'a>)> Parser<'a, F> {
    /// `, a=b, c={..}`: the attributes that may follow. Returns their text.
    pub(super) fn attributes(&mut self, is_header: bool) -> Read<&'a str> {
        let start = self.text.at;
        let mut end = start;
        loop {
            self.text.space();
            if !self.text.take(b',') {
                self.text.at = end;
                return Ok(self.text.slice(start..end));
            }
            self.text.space();
            let name = self.text.word();
            self.text.space();
            if name.is_empty() || self.text.here() != b'=' {
                return Err(self.text.expected("an attribute, as in `index=0`"));
            }
            self.text.at += 1;
            self.text.space();
            match name {
                "entry_computation_layout" if is_header => self.entry_layout()?,
                name if !is_header && CALLED.contains(&name) => self.called(name)?,
                _ => drop(self.value()?),
            }
            end = self.text.at;
        }
    }

    /// `{(f32[2]{0})->f32[]}`
    fn entry_layout(&mut self) -> Read<()> {
        let start = self.text.at;
        self.text.expect(b'{', "`{`")?;
        self.text.space();
        self.signature(false).map_err(|error| match error.kind {
            ErrorKind::Expected { .. } => self.text.error_at(start, ErrorKind::EntryLayout),
            _ => error,
        })?;
        self.text.space();
        self.text.expect(b'}', "`}`")
    }

    /// The computations that an attribute names, or has in braces: one, or a list.
    fn called(&mut self, attribute: &'a str) -> Read<()> {
        if self.text.here() != b'{' || self.text.is_body(self.text.at) {
            return self.called_one(attribute);
        }
        self.text.at += 1;
        self.text.space();
        let mut is_first = true;
        while !self.text.take(b'}') {
            if !is_first {
                self.text.expect(b',', "`,` or `}`")?;
                self.text.space();
            }
            self.called_one(attribute)?;
            self.text.space();
            is_first = false;
        }
        Ok(())
    }

    fn called_one(&mut self, attribute: &'a str) -> Read<()> {
        let start = self.text.at;
        let computation = if self.text.here() == b'{' {
            if self.depth == MAX_DEPTH {
                return Err(self.text.error(ErrorKind::TooDeep));
            }
            self.depth += 1;
            let number = self.body("")?;
            self.depth -= 1;
            number
        } else {
            let name = self.text.name("the name of a computation")?;
            self.builder.computation(name).map_err(|kind| self.text.error_at(start, kind))?
        };
        self.builder.called(attribute, computation);
        Ok(())
    }

    /// The value of an attribute. Shapes in it are found.
    pub(super) fn value(&mut self) -> Read<&'a str> {
        let start = self.text.at;
        self.balanced(start, 0)?;
        if self.text.at == start {
            return Err(self.text.expected("a value"));
        }
        Ok(self.text.slice(start..self.text.at))
    }

    /// Passes over text of balanced brackets, of which `open` are open: to the end of the value or of the brackets.
    pub(super) fn balanced(&mut self, start: usize, open: usize) -> Read<()> {
        let mut depth = open;
        let mut shape_end = None;
        loop {
            match self.text.here() {
                b'"' => self.text.string()?,
                b'\'' if !lex::is_word(self.text.before()) => self.text.string()?,
                b'[' | b'(' if open == 0 && self.attribute_shape(start)? => {
                    shape_end = Some(self.text.at)
                }
                b'{' | b'[' | b'(' => {
                    depth += 1;
                    self.text.at += 1;
                }
                b'}' | b']' | b')' if depth > 0 => {
                    depth -= 1;
                    self.text.at += 1;
                    if depth == 0 && open > 0 {
                        return Ok(());
                    }
                }
                b'}' | b']' | b')' | b',' if depth == 0 => return Ok(()),
                0 if self.text.rest().is_empty() => {
                    return if depth == 0 {
                        Ok(())
                    } else {
                        Err(self.text.error(ErrorKind::Unclosed))
                    };
                }
                b'/' | b' ' | b'\n' | b'\r' | b'\t' => {
                    let end = self.text.at;
                    self.text.space();
                    if self.text.at == end {
                        self.text.refuse_comment()?;
                        self.text.at += 1;
                    } else if depth == 0
                        && !matches!(self.text.here(), b'{' | b'[' | b'(')
                        && !(shape_end == Some(end) && self.text.is_number())
                    {
                        // A word belongs to what follows.
                        self.text.at = end;
                        return Ok(());
                    }
                }
                _ => self.text.at += 1,
            }
        }
    }

    /// Finds the shape that a bracket in a value belongs to: after an element type, or a tuple of arrays.
    fn attribute_shape(&mut self, value: usize) -> Read<bool> {
        let bytes = self.text.bytes();
        let start = match self.text.here() {
            b'[' => lex::word_start(bytes, self.text.at).max(value),
            _ if self.text.before() == b'b' && self.text.at > value => self.text.at - 1,
            _ => self.text.at,
        };
        let word = self.text.slice(start..self.text.at);
        let is_type =
            matches!(word, "" | "b" | "token" | "opaque") || ElementType::from_name(word).is_some();
        if !is_type || self.text.here() == b'[' && word.len() < 2 {
            return Ok(false);
        }
        let Some(extent) = lex::shape(bytes, start).filter(|extent| extent.has_array) else {
            return Ok(false);
        };
        self.found(start..extent.end, Role::Attribute)?;
        self.text.at = extent.end;
        Ok(true)
    }
}
