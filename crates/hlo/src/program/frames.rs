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

impl Frame<'_> {
    /// Whether the file is one of an installed package, not the user's.
    fn is_library(&self) -> bool {
        let file = self.file;
        let places = ["site-packages", "dist-packages", "/lib/python3", "<frozen ", "jax/_src/"];
        places.iter().any(|place| file.contains(place))
    }
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

/// Frames of one operation, so that memory grows with the text; those of real programs are below 100.
const DEEPEST: usize = 128;

/// The names of the tables, in their order.
pub(crate) const TABLES: [&str; 4] = ["FileNames", "FunctionNames", "FileLocations", "StackFrames"];

/// The tables of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames<'a> {
    files: Vec<&'a str>,
    functions: Vec<&'a str>,
    /// File, function and line.
    locations: Vec<[u32; 3]>,
    /// Location and printed parent.
    frames: Vec<[u32; 2]>,
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
                new.frames.push(["file_location_id", "parent_frame_id"].map(field));
            }
        }
        new
    }

    /// The frames of an operation, the innermost first. Empty if its metadata has none.
    pub(crate) fn stack(&self, attributes: Attributes<'a>) -> Vec<Frame<'a>> {
        let metadata = attributes.inside("metadata");
        let number = |name| metadata.find(name).and_then(|it| it.parse::<u32>().ok());
        let mut stack = Vec::new();
        let mut next = number("stack_frame_id").unwrap_or(0);
        // XLA prints the parent of a frame one too high: the first frame is its own parent.
        let is_high = self.frames.first().is_some_and(|first| first[1] > 0);
        while let Some(&[location, parent]) =
            get(&self.frames, next).filter(|_| stack.len() < DEEPEST)
        {
            if let Some(&[file, function, line]) = get(&self.locations, location) {
                let name = |names: &[&'a str], id| get(names, id).copied().unwrap_or_default();
                stack.push(Frame {
                    file: name(&self.files, file),
                    line,
                    function: name(&self.functions, function),
                });
            }
            let parent = parent - u32::from(is_high && parent > 0);
            if parent >= next {
                break;
            }
            next = parent;
        }
        // Texts before XLA had tables.
        if let (true, Some(file), Some(line)) =
            (stack.is_empty(), metadata.find("source_file"), number("source_line"))
        {
            stack.push(Frame { file, line, function: "" });
        }
        stack
    }
}

fn get<T>(table: &[T], id: u32) -> Option<&T> {
    table.get((id as usize).checked_sub(1)?)
}

/// The innermost line that is the user's, or else the innermost one.
pub(crate) fn user_frame<'a>(stack: &[Frame<'a>]) -> Option<Frame<'a>> {
    stack.iter().find(|frame| !frame.is_library()).or(stack.first()).copied()
}
