//! The library's functions write what the crates' own do.

#[test]
fn every_case() {
    for function in tiled_layout_adopt::functions() {
        for case in &function.cases {
            let [theirs, ours] = (case.both)().map(|mut way| way.bytes());
            assert!(theirs == ours, "{} of {}", function.of, case.name);
        }
    }
}
