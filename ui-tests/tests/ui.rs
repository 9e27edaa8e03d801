//! Mistakes that `cargo check` finds.

#[test]
fn check() {
    trybuild::TestCases::new().compile_fail("cases/check/*.rs");
}
