//! Mistakes that are found when code is generated.

#[test]
fn build() {
    let cases = trybuild::TestCases::new();
    // With a case that passes, trybuild builds all of them instead of checking them.
    cases.pass("cases/pass/*.rs");
    cases.compile_fail("cases/build/*.rs");
}
