//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the repository.
///
/// # Panics
/// If the tests are not in it.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of it")
}

/// The path, and all files and folders below it, but those of git, of Cargo and of node. They begin at the root.
///
/// # Panics
/// If a folder cannot be read.
pub fn below(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let mut all = vec![path.to_owned()];
    if root().join(path).is_dir() {
        let entries = fs::read_dir(root().join(path)).expect("the folder can be read");
        let names = entries.map(|entry| entry.expect("the folder can be read").file_name());
        let is_other = |name: &str| matches!(name, "target" | ".git" | "node_modules");
        for name in names.filter(|name| !name.to_str().is_some_and(is_other)) {
            all.extend(below(path.join(name)));
        }
    }
    all
}

/// The files at or below a path that have an ending, with their texts.
///
/// # Panics
/// If one cannot be read.
pub fn texts(path: impl AsRef<Path>, ending: &str) -> Vec<(PathBuf, String)> {
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|own| own == ending);
    let paths = below(path).into_iter().filter(has_ending);
    paths.map(|path| (path.clone(), text(&path))).collect()
}

/// The text of a file.
///
/// # Panics
/// If it cannot be read.
pub fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
