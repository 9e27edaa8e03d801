//! `layout explore`.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::arguments::Explore;
use crate::file;
use crate::output::{Answer, Refusal};

#[cfg(has_page)]
const PAGE: Option<&str> = Some(include_str!("../../page/index.html"));
#[cfg(not(has_page))]
const PAGE: Option<&str> = None;

/// Where the page has the text that it shows if its link has none.
const TEXT: &str = "<meta name=\"layout\" content=\"";

pub(crate) fn explore(arguments: &Explore) -> Result<Answer, Refusal> {
    let page = PAGE.ok_or_else(|| {
        Refusal::new(
            "this command was built without the page",
            "in a clone, `cargo run -p tiled-layout-web` writes it; then build the command again",
        )
    })?;
    if let [name] = &arguments.text[..]
        && is_program(Path::new(name))
    {
        return Err(Refusal::new(
            format!("{} is a compiled program", file::name(Path::new(name))),
            "drop the file on the page, which `layout explore` opens",
        ));
    }
    let page = page.replacen(TEXT, &format!("{TEXT}{}", escaped(&arguments.text.join(" "))), 1);
    if let Some(out) = &arguments.out {
        return Ok(Answer::yes(file::write_picture(out, page)?));
    }
    let place =
        write_new(&page).map_err(|error| format!("{}: {error}", std::env::temp_dir().display()))?;
    let shown = place.display();
    open(&place).map_err(|why| {
        Refusal::new(
            format!("no browser opened: {why}"),
            format!("open this page yourself: {shown}"),
        )
    })?;
    Ok(Answer::yes(format!("{shown}\n")))
}

fn is_program(file: &Path) -> bool {
    let mut start = [0; 9];
    File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"HloModule"
}

/// The text as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Writes the page into a file that was not there: others may write into the folder too.
fn write_new(page: &str) -> std::io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    let mut number = std::process::id();
    loop {
        let place = folder.join(format!("layout-{number}.html"));
        match File::create_new(&place) {
            Ok(mut file) => return file.write_all(page.as_bytes()).map(|()| place),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Opens a file in the browser. What opens it may run for as long as the browser: only what fails at once is told.
fn open(file: &Path) -> Result<(), String> {
    let (program, first): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    for _ in 0..40 {
        match opener.try_wait() {
            Ok(Some(status)) if status.success() => break,
            Ok(Some(status)) => return Err(format!("{program}: {status}")),
            _ => std::thread::sleep(Duration::from_millis(25)),
        }
    }
    Ok(())
}
