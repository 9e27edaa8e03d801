//! Mistakes that are found when code is generated.

// A public function names the constant that it needs (`L::HAS_GRID`) itself, although one below names it too:
// `#[track_caller]` does not reach through a `const` block, and the note names the caller of the function with
// the failing constant, one level up. Tables are the exception: in a `const` or `static` a failing constant
// takes the user's line away, so they check by a call, which is tracked.

use std::fs;
use std::path::Path;

#[test]
fn build() {
    let cases = trybuild::TestCases::new();
    // With a case that passes, trybuild builds all of them instead of checking them.
    cases.pass("cases/pass/*.rs");
    cases.compile_fail("cases/build/*.rs");
}

/// Cases whose error cannot name the user's line, and why.
const WITHOUT_A_LINE: &[(&str, &str)] = &[(
    "tables_at_run_time",
    "A table is checked in a function below the one that is called. A `const` in that one would take the line from \
     each `static` that holds a table.",
)];

/// Each error names a line of the user's, not lines of the library alone.
#[test]
fn errors_name_the_users_line() {
    let mut count = 0;
    for file in fs::read_dir("cases/build").expect("the cases are here") {
        let path = file.expect("the cases can be listed").path();
        let Some(name) = name_of_errors(&path) else { continue };
        let text = fs::read_to_string(&path).expect("the errors can be read");
        let errors = text.split("error[").skip(1).collect::<Vec<_>>();
        let is_named =
            errors.iter().all(|error| error.contains(&format!("cases/build/{name}.rs:")));
        let cannot = WITHOUT_A_LINE.iter().any(|(case, _)| *case == name);
        assert_ne!(
            is_named,
            cannot,
            "{name}: is the user's line named in each of {} errors?",
            errors.len()
        );
        assert!(!errors.is_empty(), "{name}");
        count += errors.len();
    }
    assert!(count > 40, "{count} errors");
}

/// The name of the case whose errors a file has.
fn name_of_errors(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".stderr").map(str::to_owned)
}
