//! Copies between layouts against `memcpy`, against a copy with streaming stores and against others, all
//! in turn in one run:
//!
//! ```sh
//! cargo bench --manifest-path tests/peers/Cargo.toml --bench relayout
//! ```
//!
//! Texts after `--` run the lines, or the sections, that have one of them in their name. `--markdown FILE`
//! and `--svg FILE` write the tables and the picture; `--write FILE.md` puts the tables between the comments
//! of that file and the picture beside it, as `copies.svg`. Files are relative to the repository.
//! `--features rayon` adds lines for two threads, `--features hptt` another peer.

mod by_hand;
mod copies;
mod functions;
mod lines;
#[cfg(feature = "rayon")]
mod threads;

use std::path::{Path, PathBuf};
use std::{fs, io};

use tiled_layout_peers::report::Report;

fn main() -> io::Result<()> {
    let mut only = Vec::new();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // From cargo.
            "--bench" => {}
            "--markdown" | "--svg" | "--write" => {
                let file = arguments.next().ok_or_else(|| io::Error::other("a file follows"))?;
                files.push((argument, from_repository(&file)));
            }
            _ if argument.starts_with('-') => return Err(io::Error::other(argument)),
            _ => only.push(argument),
        }
    }
    if !only.is_empty() && files.iter().any(|(option, _)| option == "--write") {
        return Err(io::Error::other("`--write` takes no names of lines: it replaces all tables"));
    }
    let mut report = Report::new(only);
    one_thread(|| {
        copies::run(&mut report);
        functions::small(&mut report);
        by_hand::run(&mut report);
        functions::run(&mut report);
    });
    #[cfg(feature = "rayon")]
    threads::run(&mut report);
    for (option, file) in files {
        match option.as_str() {
            "--markdown" => fs::write(file, report.markdown())?,
            "--svg" => fs::write(file, report.svg())?,
            _ => {
                fs::write(file.with_file_name("copies.svg"), report.svg())?;
                report.write(&file)?;
            }
        }
    }
    Ok(())
}

/// Cargo runs a benchmark in the folder of its package, two below the repository.
fn from_repository(file: &str) -> PathBuf {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join("../..").join(file),
        None => PathBuf::from(file),
    }
}

/// Not all functions of the library can be told to leave other threads alone.
fn one_thread(run: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    let run = || threads::pool(1).install(run);
    run();
}
