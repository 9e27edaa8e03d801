//! Zero cost: the instructions of an offset are no more than those of the formula by hand.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "its listings are read there"))]

use std::collections::HashMap;
use std::sync::LazyLock;

use layout_tests::build::Library;
use layout_tests::listing;
use layout_tests::random::Random;

#[path = "pairs.rs"]
#[allow(unsafe_code, dead_code, reason = "the names of functions in a listing have to be plain")]
mod pairs;

/// Profiles of the library, and the opt-levels of crates that use it. With debug assertions `z` is left
/// out: there LLVM calls what it is not told to inline.
const BUILDS: [(&str, &[&str]); 2] =
    [("dev", &["1", "2", "3", "s"]), ("release", &["1", "2", "3", "s", "z"])];

/// The listings of all builds, each with what a failure says of it and its opt-level.
static LISTINGS: LazyLock<Vec<(String, &str, Listing)>> = LazyLock::new(|| {
    let mut listings = Vec::new();
    for (profile, levels) in BUILDS {
        let library = Library::build(profile);
        for level in levels {
            let build = format!("{profile} at opt-level {level}");
            listings.push((build, *level, Listing::new(&library, level)));
        }
    }
    listings
});

/// The listings of loops that are vectorised.
fn vectorised() -> impl Iterator<Item = &'static (String, &'static str, Listing)> {
    LISTINGS.iter().filter(|(_, level, _)| ["2", "3"].contains(level))
}

/// Cases whose sizes are no powers of two, so that by hand too there is a division.
const DIVIDES: [&str; 1] = ["odd_tile"];

/// Instructions of each function of the file; labels inside functions are kept apart.
struct Listing {
    functions: HashMap<String, Vec<String>>,
    text: String,
}

impl Listing {
    fn new(library: &Library, level: &str) -> Listing {
        let level = format!("-Copt-level={level}");
        let arguments = ["--crate-type=lib", "--emit=asm", &level];
        let text = library.compiled(include_str!("pairs.rs"), &arguments, listing::read);
        Listing { functions: functions(&text), text }
    }

    fn get(&self, name: &str) -> &[String] {
        self.functions.get(name).unwrap_or_else(|| panic!("no function {name} in the listing"))
    }

    /// The innermost loop of a function that holds an operation: the shortest stretch from a label
    /// to a jump back to it.
    fn inner_loop(&self, name: &str, operation: &str) -> Vec<&str> {
        let lines = listing::function(&self.text, name).collect::<Vec<_>>();
        let instructions = |[first, last]: [usize; 2]| {
            let lines = lines[first..=last].iter().copied();
            let is_code = |line: &&str| !line.starts_with(['.', '#']) && !line.ends_with(':');
            lines.filter(is_code).collect::<Vec<_>>()
        };
        let loops = listing::loops(&lines).into_iter().map(instructions);
        let loops = loops.filter(|code| code.iter().any(|line| line.starts_with(operation)));
        let shortest = loops.min_by_key(Vec::len);
        shortest.unwrap_or_else(|| panic!("{name} has a loop with {operation}"))
    }

    /// What a pair is found guilty of.
    fn faults(&self, case: &str) -> Vec<String> {
        let by_layout = self.get(&format!("{case}_layout"));
        let by_hand = self.get(&format!("{case}_by_hand"));
        let mut faults = Vec::new();
        if by_layout.len() > by_hand.len() {
            faults.push(format!("{} instructions, by hand {}", by_layout.len(), by_hand.len()));
        }
        for instruction in by_layout {
            let operation = instruction.split_whitespace().next().unwrap_or_default();
            let divides =
                operation.contains("div") && !DIVIDES.contains(&case.trim_start_matches("u32_"));
            // x86-64 and AArch64: calls, and what a failing check ends in.
            let calls = operation.starts_with("call") || ["bl", "blr"].contains(&operation);
            if divides || calls || instruction.contains("panic") {
                faults.push(instruction.clone());
            }
        }
        faults
    }
}

/// The functions of an assembly listing. LLVM merges equal functions: `a = b`, `.set a, b`.
fn functions(text: &str) -> HashMap<String, Vec<String>> {
    let mut functions = HashMap::<String, Vec<String>>::new();
    let mut aliases = Vec::new();
    let mut current = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(label) =
            line.strip_suffix(':').filter(|label| !label.starts_with(['.', '\t', 'L']))
        {
            let name = label.trim_start_matches('_').to_owned();
            current = Some(name.clone());
            functions.insert(name, Vec::new());
        } else if let Some((name, of)) = trimmed
            .strip_prefix(".set")
            .and_then(|rest| rest.split_once(','))
            .or_else(|| line.split_once(" = ").filter(|_| !line.starts_with('\t')))
        {
            aliases.push((name.trim().to_owned(), of.trim().to_owned()));
        } else if trimmed.starts_with(".cfi_endproc") {
            current = None;
        } else if let Some(name) = &current
            && line.starts_with('\t')
            && !trimmed.starts_with(['.', '#'])
        {
            functions.get_mut(name).expect("the label is known").push(trimmed.to_owned());
        }
    }
    for (name, of) in aliases {
        if let Some(instructions) = functions.get(&of).cloned() {
            functions.insert(name, instructions);
        }
    }
    functions
}

#[test]
fn no_more_instructions_than_by_hand() {
    for (build, _, listing) in &*LISTINGS {
        let mut cases = listing
            .functions
            .keys()
            .filter_map(|name| name.strip_suffix("_layout"))
            .filter(|case| {
                let apart = ["control", "checked_by", "inverse_by", "padding_by", "gather_by"];
                !apart.contains(&case.trim_start_matches("u32_"))
            })
            .collect::<Vec<_>>();
        cases.sort_unstable();
        assert_eq!(cases.len(), 46, "{cases:?}");
        for case in cases {
            let faults = listing.faults(case);
            assert!(
                faults.is_empty(),
                "{case}, {build}: {faults:#?}\n{:#?}\nby hand: {:#?}",
                listing.get(&format!("{case}_layout")),
                listing.get(&format!("{case}_by_hand")),
            );
        }

        // The control shows that the comparison can fail, and in each of its ways.
        let faults = listing.faults("control");
        assert!(faults.iter().any(|fault| fault.contains("by hand")), "{build}: {faults:?}");
        assert!(faults.iter().any(|fault| fault.contains("call")), "{build}: {faults:?}");

        let constant = listing.get("constant_index");
        let offset = (300 / 8 * 8 + 700 / 128) * 1024 + 300 / 2 % 4 * 256 + 700 % 128 * 2;
        assert!(
            constant.len() <= 2 && constant[0].contains(&offset.to_string()),
            "{build}: {constant:?}"
        );
    }
}

#[test]
fn a_loop_over_the_dimensions_keeps_no_check() {
    for (build, _, listing) in LISTINGS.iter().filter(|(_, level, _)| *level != "1") {
        let code = listing.get("loop_over_dims").join("\n");
        assert!(!code.contains("call"), "{build}:\n{code}");
        let checked = listing.get("control_layout").join("\n");
        assert!(checked.contains("call"), "the control has a check:\n{checked}");
    }
}

/// The inner loops over tiles and runs, and those of a function of elements, are those of a nest by hand: vectorised, and with no
/// more instructions.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_same_inner_loop_as_by_hand() {
    for (build, _, listing) in vectorised() {
        for (by_layout, by_hand, operation) in [
            ("scale_by_tiles", "scale_nest", "mulps"),
            ("scale_by_runs", "scale_slice", "mulps"),
            ("scale_unknown_by_tiles", "scale_nest", "mulps"),
            ("sum_by_tiles", "sum_nest", "addps"),
            ("sum_by_runs", "sum_slice", "addps"),
            ("split_by_map", "split_slice", "mulps"),
            ("dequantize_by_map", "dequantize_nest", "mulps"),
            ("gather_by_tiles", "gather_slice", "mulps"),
        ] {
            let [of_layout, of_hand] =
                [by_layout, by_hand].map(|name| listing.inner_loop(name, operation));
            let [in_layout, in_hand] = [&of_layout, &of_hand]
                .map(|code| code.iter().filter(|line| line.starts_with(operation)).count());
            // For an element: a loop over runs of one length is unrolled further.
            assert!(
                of_layout.len() * in_hand <= of_hand.len() * in_layout,
                "{by_layout}, {build}: {of_layout:#?}\nby hand: {of_hand:#?}"
            );
            assert!(in_layout >= in_hand, "{by_layout}, {build}: {of_layout:#?}");
            for instruction in &of_layout {
                let bad = ["call", "div", "idiv"].iter().any(|bad| instruction.starts_with(bad));
                assert!(!bad, "{by_layout}, {build}: {instruction}");
            }
        }
    }
}

/// A failing check costs nothing while it does not fail, and a loop over offsets of 32 bits loads by gathers.
#[test]
#[cfg(target_arch = "x86_64")]
fn offsets_in_a_loop() {
    for (build, _, listing) in vectorised() {
        for (case, operation) in [("checked", "cmp"), ("u32_gather", "vgather")] {
            let [by_layout, by_hand] = ["layout", "hand"]
                .map(|name| listing.inner_loop(&format!("{case}_by_{name}"), operation));
            let is_no_longer = by_layout.len() <= by_hand.len();
            assert!(is_no_longer, "{build}: {by_layout:#?}\nby hand: {by_hand:#?}");
        }
    }
}

/// The inverse of a layout without `*` is straight code too.
#[test]
fn the_inverse_is_as_by_hand() {
    for (build, level, listing) in &*LISTINGS {
        for width in ["", "u32_"] {
            let [by_layout, by_hand] =
                ["layout", "hand"].map(|name| listing.get(&format!("{width}inverse_by_{name}")));
            // At opt-level 1 LLVM does not thread the jump of the `None` in the middle.
            assert!(
                *level == "1" || by_layout.len() <= by_hand.len(),
                "{build}: {by_layout:#?}\nby hand: {by_hand:#?}"
            );
            for instruction in by_layout.iter().chain(listing.get("padding_by_layout")) {
                let bad =
                    ["call", "bl", "div", "idiv"].iter().any(|bad| instruction.starts_with(bad));
                assert!(!bad, "{build}: {instruction}");
            }
        }
    }
}

#[test]
fn the_formulas_are_right() {
    let mut random = Random::new(1);
    pairs::compare(|dim| random.below(dim));
}
