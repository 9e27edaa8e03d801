//! Each public function has a use that a reader finds: in an example, on a page, in another crate or in a benchmark. One
//! that only tests name gets an example, because a user would ask for it, or goes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use layout_tests::files;

/// The crates whose functions users call.
const CRATES: [&str; 7] = [
    "layout",
    "crates/core",
    "crates/gpu",
    "crates/formats",
    "crates/hlo",
    "crates/mesh",
    "crates/picture",
];

/// Where a use counts.
const USES: [&str; 9] = [
    "layout",
    "layout-macros",
    "crates",
    "bindings",
    "web/src",
    "docs",
    "README.md",
    "tests/adopt",
    "tests/gpu",
];

#[test]
fn every_public_function_has_a_use() {
    let mut used = BTreeSet::new();
    for (path, ending) in USES.iter().flat_map(|path| ["rs", "md"].map(|ending| (path, ending))) {
        for (_, text) in texts(path, ending) {
            used.extend(text.lines().flat_map(names_used).map(str::to_owned));
        }
    }
    let mut missing = Vec::new();
    for folder in CRATES {
        for (path, text) in texts(&format!("{folder}/src"), "rs") {
            let defined = text.lines().filter(|line| line.trim_start().starts_with("pub "));
            let names = defined.filter_map(|line| line.split_once("fn ")).map(|(_, name)| name);
            let names = names.map(|name| name.split(|c| !is_of_name(c)).next().unwrap_or(name));
            // A macro's `$name` has none.
            let unused = names.filter(|name| !name.is_empty() && !used.contains(*name));
            missing.extend(unused.map(|name| format!("`{name}` in {}", path.display())));
        }
    }
    assert!(missing.is_empty(), "no example, page or crate names:\n{}", missing.join("\n"));
}

/// The names that a line uses: all but the one that it defines, and links of documentation.
fn names_used(line: &str) -> impl Iterator<Item = &str> {
    let line = match line.split_once("fn ") {
        Some((_, defined)) if !line.trim_start().starts_with("//") => {
            defined.trim_start_matches(is_of_name)
        }
        _ if line.contains("](") && line.trim_start().starts_with("//") => "",
        _ => line,
    };
    line.split(|c| !is_of_name(c)).filter(|name| !name.is_empty())
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Texts of files; tests below the path do not count.
fn texts(path: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut texts = files::texts(path, ending);
    let below = |of: &Path| of.strip_prefix(path).unwrap().iter().any(|name| name == "tests");
    texts.retain(|(of, _)| !below(of));
    texts
}
