//! Files that are read, and pictures that are written.

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

/// Writes a picture into a file and says so; `-` is the standard output, where it is the answer.
pub(crate) fn write_picture(file: &Path, svg: String) -> Result<String, Refusal> {
    if is_stdin(file) {
        return Ok(svg);
    }
    std::fs::write(file, svg).map_err(|error| format!("{}: {error}", name(file)))?;
    Ok(format!("{}: written\n", name(file)))
}

/// The text of a file, without the mark of UTF-8 that programs on Windows put at the start. `help` says which text is
/// expected.
pub(crate) fn read(file: &Path, help: &str) -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    let read = if is_stdin(file) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    read.map_err(|error| format!("{}: {error}", name(file)))?;
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Refusal::new(format!("{}: this is not text: byte {at} is not UTF-8", name(file)), help)
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}
