//! The map of rooms in docs/architecture.md against the imports of the code: a room imports what its row says, all of it
//! above the room in its table, and no files import one another in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use layout_tests::files;

#[test]
fn rooms_import_what_the_map_says() {
    let page = files::text("docs/architecture.md");
    let mut crates = 0;
    // Of a table that says "all of these" the rooms are few.
    let has_rooms = |section: &&str| {
        section.contains("| room | holds | imports |") && !section.contains("| all of these |")
    };
    for section in page.split("\n### `").skip(1).filter(has_rooms) {
        let (folder, _) = section.split_once('`').unwrap();
        let rows = rows(section);
        crates += 1;
        let mut imported = BTreeMap::<_, BTreeSet<_>>::new();
        let files = imports(folder);
        for (file, imports) in &files {
            let rooms =
                imports.iter().map(|other| room(other)).filter(|other| *other != room(file));
            imported.entry(room(file)).or_default().extend(rooms);
        }
        let mut wrong = Vec::new();
        for (at, (name, said)) in rows.iter().enumerate() {
            let found = imported.remove(name.as_str()).unwrap_or_default();
            let is_above = |room: &&str| rows[..at].iter().any(|(above, _)| above == room);
            wrong.extend(
                found
                    .iter()
                    .filter(|room| !is_above(room))
                    .map(|room| format!("`{name}` imports `{room}`, which is not above it")),
            );
            if !found.iter().eq(said.iter().collect::<BTreeSet<_>>()) {
                wrong.push(format!("`{name}` imports {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "docs/architecture.md, {folder}:\n{}", wrong.join("\n"));
        imported.remove("lib");
        assert!(
            imported.is_empty(),
            "{folder}: rooms that docs/architecture.md does not have: {imported:?}"
        );
    }
    assert_eq!(crates, 7);
}

/// The folders of all crates.
fn sources() -> Vec<String> {
    let folders = ["layout", "layout-macros", "crates", "bindings", "web"];
    let paths = folders.iter().flat_map(files::below).filter(|path| path.ends_with("src"));
    let sources = paths.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert!(sources.len() > 15, "{sources:?}");
    sources
}

/// Files side by side, at most: more of them are two rooms.
const MOST_FILES: usize = 15;

#[test]
fn no_folder_is_crowded() {
    for folder in sources() {
        let mut counts = BTreeMap::<_, usize>::new();
        for file in imports(&folder).into_keys() {
            *counts.entry(file.parent().unwrap().to_owned()).or_default() += 1;
        }
        counts.retain(|_, count| *count > MOST_FILES);
        assert!(
            counts.is_empty(),
            "{folder}: folders with more than {MOST_FILES} files: {counts:?}"
        );
    }
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    for folder in sources() {
        let mut left = imports(&folder);
        // The root lists what there is.
        left.remove(Path::new("lib.rs"));
        left.remove(Path::new("main.rs"));
        loop {
            let before = left.len();
            let files = left.keys().cloned().collect::<BTreeSet<_>>();
            let imported = left.values().flatten().cloned().collect::<BTreeSet<_>>();
            left.retain(|file, imports| imported.contains(file) && !imports.is_disjoint(&files));
            if left.len() == before {
                break;
            }
        }
        assert!(left.is_empty(), "{folder}: files in circles, and between two: {left:#?}");
    }
}

/// The rows of the table of rooms in a section: a name, and what it imports.
fn rows(section: &str) -> Vec<(String, Vec<String>)> {
    let table = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let names = |cell: &str| {
        let names = cell.split('`').skip(1).step_by(2);
        names.map(|name| name.trim_end_matches('/').to_owned()).collect::<Vec<_>>()
    };
    table
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let (before, imports) = line.trim_end_matches('|').rsplit_once(" | ").unwrap();
            (names(before).remove(0), names(imports))
        })
        .collect()
}

/// The first folder of a file, or its name.
fn room(file: &Path) -> &str {
    let first = file.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs")
}

/// The files that each file of a folder imports from.
fn imports(folder: &str) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let files = files::texts(folder, "rs");
    let own = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
    let names = files.iter().map(|(path, _)| own(path)).collect::<BTreeSet<_>>();
    let of = |(path, text): (PathBuf, String)| {
        let (file, mut imports) = (own(&path), BTreeSet::new());
        for path in paths(&text, &module(&file)) {
            imports.extend(file_of(&path, &names));
        }
        imports.remove(&file);
        (file, imports)
    };
    files.into_iter().map(of).collect()
}

/// The module of a file, as the names on its path.
fn module(file: &Path) -> Vec<String> {
    let module = file.with_extension("");
    let names = module.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "lib" && name != "main").collect()
}

/// The file of the longest beginning of a path that is a module.
fn file_of(path: &[String], files: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let ends = (1..=path.len()).rev();
    ends.map(|end| path[..end].iter().collect::<PathBuf>().with_extension("rs"))
        .find(|file| files.contains(file))
        // What is named at the root comes from there.
        .or_else(|| files.get(Path::new("lib.rs")).cloned().filter(|_| !path.is_empty()))
}

/// Every path of a file that begins with `crate` or `super`, from the root on, with the lists of `use` taken apart.
fn paths(text: &str, module: &[String]) -> Vec<Vec<String>> {
    // What stands in a module of tests has the file itself as `super`.
    let code = text
        .lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    let mut paths = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            // `$crate` is the path of a macro's user.
            if before.is_some_and(|c| is_name(c) || c == '$' || c == ':') {
                continue;
            }
            let mut base = Vec::new();
            let mut rest = &code[at..];
            if let Some(after) = rest.strip_prefix("crate::") {
                rest = after;
            } else {
                base = module.to_vec();
                while let Some(after) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = after;
                }
            }
            branches(rest, &base, &mut paths);
        }
    }
    paths
}

/// The paths that `a::{b, c::d}` stands for, after `base`.
fn branches(text: &str, base: &[String], paths: &mut Vec<Vec<String>>) {
    let head = text.find(|c| !is_name(c) && c != ':').unwrap_or(text.len());
    let (head, rest) = text.split_at(head);
    let is_list = rest.starts_with('{') && (head.is_empty() || head.ends_with("::"));
    let list = if is_list { rest[1..].split_once('}').expect("the list ends").0 } else { "" };
    assert!(!list.contains('{'), "lists in lists are not read: {text}");
    for item in list.split(',') {
        let path = [head, item.trim()].concat();
        let names = path.split("::").map(|name| name.trim_end_matches(|c| !is_name(c)).to_owned());
        let names = names.filter(|name| !name.is_empty());
        paths.push(base.iter().cloned().chain(names).collect());
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
