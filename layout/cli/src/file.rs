//! Files that are read.

use std::io::{self, Read as _};
use std::path::Path;

use layout_core::Visible;

use crate::output::Refusal;

/// How messages call a file; `-` is the standard input.
pub(crate) fn name(file: &Path) -> String {
    if is_stdin(file) {
        return "<stdin>".to_owned();
    }
    Visible(&file.display().to_string()).to_string()
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// The text of a file, without the mark of UTF-8 that programs on Windows put at the start.
pub(crate) fn read(file: &Path) -> Result<String, Refusal> {
    let text = if is_stdin(file) {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let mut text = text.map_err(|error| Refusal(format!("{}: {error}", name(file))))?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}
