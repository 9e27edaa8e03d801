//! Paths of the repository in its pages: what they name is there.

use std::path::Path;

use layout_tests::files;

/// Words that look like paths and are not of the repository: a room in general, and what a script writes.
const OTHERS: [&str; 4] = ["room.rs", "room/", "target/debian", "target/gpu/sass.md"];

/// Endings of files.
const ENDINGS: [&str; 12] =
    ["c", "cpp", "cu", "h", "jsonl", "md", "mjs", "py", "rs", "sh", "svg", "toml"];

/// Every path between backquotes is the end of a path that exists, and every link that is not a URL leads to a file.
#[test]
fn paths_in_the_pages_exist() {
    let (root, paths) = (files::root(), files::below(""));
    let (mut count, mut missing) = (0, Vec::new());
    for (page, text) in files::texts("", "md") {
        let text = without_code(&text);
        for word in text.split('`').skip(1).step_by(2).filter(|word| is_path(word, root)) {
            count += 1;
            if !OTHERS.contains(&word) && !paths.iter().any(|path| path.ends_with(word)) {
                missing.push(format!("{}: `{word}`", page.display()));
            }
        }
        // A page that is a link to another one is read where that one lies.
        let real = root.join(&page).canonicalize().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let is_file = !link.is_empty() && !link.contains(':') && !link.contains(' ');
            count += 1;
            if is_file && !real.with_file_name(link).exists() {
                missing.push(format!("{}: ({link})", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "these are not in the repository:\n{}", missing.join("\n"));
    assert!(count > 300, "{count} paths");
}

/// Documentation leads to other crates by words alone: a link there is dead where the crate's documentation is not built before.
#[test]
fn links_stay_in_their_crates() {
    let mut links = Vec::new();
    for (path, text) in files::texts("", "rs") {
        let documented = text.lines().filter(|line| line.trim_start().starts_with("//"));
        let linked =
            documented.filter(|line| line.contains("](layout::") || line.contains("](layout_"));
        links.extend(linked.map(|line| format!("{}: {line}", path.display())));
    }
    assert!(links.is_empty(), "{}", links.join("\n"));
}

/// Each program has its own names of arguments, which `layout_files::Error::worded` puts into a text: no text has those of one.
#[test]
fn texts_of_files_name_no_arguments_of_the_command() {
    let sources = files::texts("crates/files/src", "rs");
    assert!(sources.len() > 20);
    let lines = sources.iter().flat_map(|(_, text)| text.lines());
    for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
        assert!(!line.contains("`--") && !line.contains("`layout "), "{line}");
    }
}

/// Whether a word is written as a path: it ends as a file or a folder does, or begins with a folder of the root.
fn is_path(word: &str, root: &Path) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    if !word.chars().all(is_plain) || word.starts_with('/') {
        return false;
    }
    let is_file = word.rsplit_once('.').is_some_and(|(name, end)| {
        ENDINGS.contains(&end) && name.chars().any(|c| c.is_alphanumeric())
    });
    let first = word.split_once('/').map(|(first, _)| first);
    is_file || first.is_some_and(|first| word.ends_with('/') || root.join(first).is_dir())
}

/// A page without its blocks of code.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}
