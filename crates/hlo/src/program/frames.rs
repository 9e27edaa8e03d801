//! The lines of Python that made an operation: the tables of a module, and what an operation's metadata says.

use alloc::vec::Vec;
use core::fmt;

use crate::reading::attributes::Attributes;
use layout_core::Visible;

/// A line of a user's program, and the function that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The path of the file, as the program was traced.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The function's qualified name: `Model.<locals>.loss`. Empty if the text does not say it.
    pub function: &'a str,
}

/// Whether a file is one of an installed package, not the user's.
fn is_library(file: &str) -> bool {
    let places = ["site-packages", "dist-packages", "/lib/python3", "<frozen ", "jax/_src/"];
    places.iter().any(|place| file.contains(place))
}

/// `model.py:31 loss`: the file without its folder, and the function without what it stands in.
impl fmt::Display for Frame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let function = self.function.rsplit('.').next().unwrap_or_default();
        write!(f, "{}:{}", Visible(file), self.line)?;
        if function.is_empty() { Ok(()) } else { write!(f, " {}", Visible(function)) }
    }
}

/// The names of the tables, in their order.
pub(crate) const TABLES: [&str; 4] = ["FileNames", "FunctionNames", "FileLocations", "StackFrames"];

/// The tables of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames<'a> {
    files: Vec<&'a str>,
    functions: Vec<&'a str>,
    /// File, function and line.
    locations: Vec<[u32; 3]>,
    /// Location, the next frame outward, and the first one from here outward that is the user's; 0 where there is none.
    frames: Vec<[u32; 3]>,
}

impl<'a> Frames<'a> {
    /// Reads rows, each with the name of its table.
    pub(crate) fn new(rows: &[(&str, &'a str)]) -> Frames<'a> {
        let [files, functions, locations, frames] = TABLES;
        let mut new = Frames::default();
        for &(table, row) in rows {
            let field =
                |name| Attributes(row).find(name).and_then(|it| it.parse().ok()).unwrap_or(0);
            if table == files {
                new.files.push(row.trim_matches('"'));
            } else if table == functions {
                new.functions.push(row.trim_matches('"'));
            } else if table == locations {
                new.locations.push(["file_name_id", "function_name_id", "line"].map(field));
            } else if table == frames {
                new.frames.push(["file_location_id", "parent_frame_id", ""].map(field));
            }
        }
        new.link();
        new
    }

    /// Makes numbers of the printed parents, so that no frame is looked for through a whole stack, which may be as deep as the
    /// table is long.
    fn link(&mut self) {
        let are_library = self.files.iter().map(|file| is_library(file)).collect::<Vec<_>>();
        // XLA prints the parent of a frame one too high: the first frame is its own parent.
        let is_high = self.frames.first().is_some_and(|first| first[1] > 0);
        for (i, id) in (1..).take(self.frames.len()).enumerate() {
            let [location, parent, _] = self.frames[i];
            let outer = parent - u32::from(is_high && parent > 0);
            let outer = if outer < id { outer } else { 0 };
            let around = get(&self.frames, outer).copied().unwrap_or_default();
            self.frames[i] = match get(&self.locations, location) {
                // It is as if the next one stood here.
                None => around,
                Some([file, ..]) if get(&are_library, *file) == Some(&true) => {
                    [location, outer, around[2]]
                }
                Some(_) => [location, outer, id],
            };
        }
    }

    fn frame(&self, id: u32) -> Option<Frame<'a>> {
        let &[file, function, line] = get(&self.locations, get(&self.frames, id)?[0])?;
        let name = |names: &[&'a str], id| get(names, id).copied().unwrap_or_default();
        Some(Frame {
            file: name(&self.files, file),
            line,
            function: name(&self.functions, function),
        })
    }

    /// The frames of an operation. None if its metadata has none.
    pub(crate) fn stack(&'a self, attributes: Attributes<'a>) -> Stack<'a> {
        let metadata = attributes.inside("metadata");
        let number = |name| metadata.find(name).and_then(|it| it.parse::<u32>().ok());
        let next = number("stack_frame_id").unwrap_or(0);
        if self.frame(next).is_some() {
            return Stack { tables: Some(self), next, line: None };
        }
        // Texts before XLA had tables.
        let line = metadata.find("source_file").zip(number("source_line"));
        line.map(|(file, line)| Frame { file, line, function: "" }).into()
    }
}

/// Frames, the innermost first. They stand in the tables once, however many operations have them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stack<'a> {
    tables: Option<&'a Frames<'a>>,
    next: u32,
    line: Option<Frame<'a>>,
}

impl<'a> From<Option<Frame<'a>>> for Stack<'a> {
    fn from(line: Option<Frame<'a>>) -> Stack<'a> {
        Stack { line, ..Stack::default() }
    }
}

impl<'a> Iterator for Stack<'a> {
    type Item = Frame<'a>;

    fn next(&mut self) -> Option<Frame<'a>> {
        let Some(tables) = self.tables else { return self.line.take() };
        let frame = tables.frame(self.next)?;
        self.next = get(&tables.frames, self.next)?[1];
        Some(frame)
    }
}

impl<'a> Stack<'a> {
    /// The innermost line that is the user's, or else the innermost one.
    pub(crate) fn user_frame(mut self) -> Option<Frame<'a>> {
        let own = self.tables.and_then(|it| it.frame(get(&it.frames, self.next)?[2]));
        own.or_else(|| self.next())
    }
}

fn get<T>(table: &[T], id: u32) -> Option<&T> {
    table.get((id as usize).checked_sub(1)?)
}
