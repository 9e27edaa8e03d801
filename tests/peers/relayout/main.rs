//! Copies between layouts against `memcpy`, against a copy with streaming stores and against others, all
//! in turn in one run:
//!
//! ```sh
//! cargo bench --manifest-path tests/peers/Cargo.toml --bench relayout
//! ```
//!
//! Texts after `--` run the lines, or the sections, that have one of them in their name. `--write FILE.md` puts the tables
//! between the comments of that file, which is relative to the repository.
//! `--features rayon` adds lines for two threads, `--features hptt` another peer.

mod by_hand;
mod copies;
mod functions;
mod lines;
#[cfg(feature = "rayon")]
mod threads;

use std::io;
use std::path::{Path, PathBuf};

use tiled_layout_peers::report::Report;

fn main() -> io::Result<()> {
    let mut only = Vec::new();
    let mut page = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // From cargo.
            "--bench" => {}
            "--write" => {
                let file = arguments.next().ok_or_else(|| io::Error::other("a file follows"))?;
                page = Some(from_repository(&file));
            }
            _ if argument.starts_with('-') => return Err(io::Error::other(argument)),
            _ => only.push(argument),
        }
    }
    if !only.is_empty() && page.is_some() {
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
    page.map_or(Ok(()), |page| report.write(&page))
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
