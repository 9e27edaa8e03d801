//! `layout show`.

use std::io::{self, IsTerminal as _};

use layout_formats::parse_any;
use layout_picture::Picture;
use terminal_size::{Width, terminal_size_of};

use crate::arguments::Show;
use crate::file;
use crate::output::{Answer, Refusal};
use crate::shape;

pub(crate) fn show(arguments: &Show) -> Result<Answer, Refusal> {
    let shape = shape::sized_words(&arguments.shape)?;
    if let Some(name) = &arguments.notation {
        return Ok(Answer::yes(parse_any::written(name, &shape)? + "\n"));
    }
    let mut picture = Picture::new(&shape).ok_or("a dimension has no bound")?;
    if let (Some(rows), Some(columns)) = (arguments.rows, arguments.columns) {
        let axes = "rows and columns have to be two different dimensions of the array";
        picture = picture.with_axes(rows, columns).ok_or(axes)?;
    }
    if let Some(at) = &arguments.at {
        picture = picture.at(at).ok_or("the array has no element at this index")?;
    }
    picture = picture.with_label(arguments.label.unwrap_or_default());
    if let Some(file) = &arguments.svg {
        return Ok(Answer::yes(file::write_picture(file, picture.svg())?));
    }
    // `None` where the output is not a terminal.
    if let Some((Width(columns), _)) = terminal_size_of(io::stdout()) {
        picture = picture.with_columns(columns.into());
    }
    let text = if has_colours() { picture.ansi().to_string() } else { picture.to_string() };
    Ok(Answer::yes(text))
}

/// Terminals get colours, unless `NO_COLOR` is set and not empty.
fn has_colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
