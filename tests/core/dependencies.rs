//! The table of dependencies in docs/architecture.md against the manifests.

use std::collections::{BTreeMap, BTreeSet};

use layout_tests::files;

/// Who asks for a dependency, as the table says it.
const KINDS: [&str; 3] = ["", "if asked for", "for its tests"];

/// The dependencies of a crate, each with its kind.
type Dependencies = BTreeSet<(String, &'static str)>;

#[test]
fn the_table_of_dependencies() {
    let said = said(&files::text("docs/architecture.md"));
    assert!(said.len() > 10, "{said:?}");

    // Members of the workspace, and others that the table has.
    let manifest = files::text("Cargo.toml");
    let is_own = |name: &str| !manifest.contains(&format!("\n{name} = {{ version = "));
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).unwrap();
    let members = members.split('"').skip(1).step_by(2);
    let folders = members.chain(said.keys().map(String::as_str)).collect::<BTreeSet<_>>();
    let mut wrong = Vec::new();
    for folder in folders {
        let found = found(&files::text(format!("{folder}/Cargo.toml")), is_own);
        if found != said.get(folder).cloned().unwrap_or_default() {
            wrong.push(format!("{folder}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "docs/architecture.md, Dependencies:\n{}", wrong.join("\n"));
}

/// The rows, by the folder of the crate.
fn said(page: &str) -> BTreeMap<String, Dependencies> {
    let (_, table) = page.split_once("| crate | depends on | for |").expect("the table is there");
    let mut of_crates = BTreeMap::<_, Dependencies>::new();
    let mut folder = "";
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells = row.split('|').map(str::trim).collect::<Vec<_>>();
        folder = if cells[1].is_empty() { folder } else { cells[1].trim_matches('`') };
        let kind = KINDS.into_iter().rfind(|kind| cells[2].ends_with(kind)).expect("a kind");
        let names = cells[2].split('`').skip(1).step_by(2);
        of_crates.entry(folder.to_owned()).or_default().extend(names.map(|n| (n.to_owned(), kind)));
    }
    of_crates
}

/// What a manifest asks of others than the packages beside it, which are the workspace's own. A name with and without tests
/// is there once.
fn found(manifest: &str, is_own: impl Fn(&str) -> bool) -> Dependencies {
    let mut kinds = BTreeMap::<&str, &str>::new();
    let mut section = "";
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if section.ends_with("dependencies")
            && let Some((name, from)) = line.split_once(" = ")
            && !from.contains("path = ")
            && !(from.contains("workspace = true") && is_own(name))
        {
            let is_asked_for = from.contains("optional = true");
            let of_tests = section.ends_with("dev-dependencies");
            let kind = KINDS[if of_tests { 2 } else { usize::from(is_asked_for) }];
            kinds.entry(name).or_insert(kind);
        }
    }
    kinds.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect()
}
