//! What a person reads of a program: the files in `data/programs`.

use layout_hlo::{OutOfMemory, ReportOptions};
use layout_tests::{data, fuzz, table};

use crate::memory;

#[test]
fn reports() {
    let text = data::text("programs/step.hlo");
    let memory = memory(&text);
    data::assert_snapshot("programs/step.txt", &memory.report(ReportOptions::default()));
    let options = ReportOptions { top: 2, frames: true, ..ReportOptions::default() };
    data::assert_snapshot("programs/step-frames.txt", &memory.report(options));
    let later = crate::memory(&text.replace("65536,8192", "32768,8192"));
    let difference = memory.difference(&later, ReportOptions::default());
    data::assert_snapshot("programs/step-difference.txt", &difference);
}

#[test]
fn pictures() {
    let text = data::text("programs/step.hlo");
    let svg = memory(&text).svg(None);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("model.py:31 loss (tanh)") && svg.contains("class=\"peak\""));
    // Names are text, not elements.
    let svg = memory(&text.replace("tanh\"", "<b>&\"")).svg(None);
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
}

/// The labels of the axis are round, the limit has a line where it is less than twice the peak, and is in the title.
#[test]
fn lines_of_pictures() {
    let memory = memory(&data::text("programs/step.hlo"));
    let svg = memory.svg(None);
    for label in ["0 B", "1 GiB", "2 GiB", "3 GiB", "4 GiB"] {
        assert!(svg.contains(&format!("class=\"end\">{label}</text>")), "{label}");
    }
    assert_eq!(svg.matches("class=\"grid\"").count(), 5);
    assert!(!svg.contains("class=\"limit\"") && !svg.contains("into"));
    // Below the peak, above it, and far above it.
    for (limit, lines, words) in [
        (3, 1, "into 3.00 GiB, 1.13 GiB over"),
        (8, 1, "into 8.00 GiB, 3.87 GiB left"),
        (9, 0, "into 9.00 GiB, 4.87 GiB left"),
    ] {
        let svg = memory.svg(Some(limit << 30));
        assert_eq!(svg.matches("class=\"limit\"").count(), lines, "{limit}");
        assert_eq!(svg.matches(&format!(">limit {limit}.00 GiB<")).count(), lines, "{limit}");
        assert!(svg.contains(words), "{svg}");
    }
}

/// What a loop carries is in memory while its condition runs: a band that lives across it has no gap.
#[test]
fn loops_of_pictures() {
    let text = data::text("hlo_by_hand/loop.hlo");
    let svg = memory(&text).svg(None);
    assert_eq!(svg.matches("class=\"loop\"").count(), 1);
    assert!(svg.contains(">× 7</text>") && svg.contains("<title>loop × 7</title>"));
    let bands = svg.lines().filter(|line| line.contains("class=\"band\"")).collect::<Vec<_>>();
    let edge = |band: &str| {
        let steps = band.split('V').skip(1).map(|step| step.split(['H', 'Z']).next().unwrap());
        let mut edge = steps.map(|y| y.parse::<f64>().unwrap()).collect::<Vec<_>>();
        edge.pop();
        edge
    };
    // From the top down: all others, what the loop carries, the argument.
    let [all, carried, argument] = [0, 1, 2].map(|band| edge(bands[band]));
    assert_eq!((argument.len(), carried.len(), bands.len()), (1, 2, 3), "{svg}");
    assert!(all.iter().all(|y| *y <= argument[0]), "{svg}");
    let unknown = text
        .replace("constant(7)", "parameter(1)")
        .replace("n = s32[] parameter(1)", "n = s32[] get-tuple-element(c), index=0");
    assert!(memory(&unknown).svg(None).contains(">× ?</text>"));
}

/// Names that hide, reverse or forge text show as what they are.
#[test]
fn hostile_names() {
    let named = |name: &str| {
        let metadata = format!(
            "metadata={{op_name=\"{name}\" source_file=\"dir/{name}\" source_line=7 stack_frame_id=1}}"
        );
        format!(
            "HloModule m, is_scheduled=true\n\nFileNames\n1 \"{name}\"\n\nFunctionNames\n1 \"{name}\"\n\n\
             FileLocations\n1 {{file_name_id=1 function_name_id=1 line=3}}\n\n\
             StackFrames\n1 {{file_location_id=1 parent_frame_id=1}}\n\n\
             ENTRY e {{\n  p = f32[64,32]{{1,0:T(8,128)}} parameter(0), {metadata}\n  \
             q = f32[64,32]{{1,0:T(8,128)}} negate(p), {metadata}\n  \
             ROOT r = f32[64,32]{{0,1:T(8,128)}} copy(q), {metadata}\n}}\n"
        )
    };
    for name in [
        "a\u{1b}]0;x\u{7}\u{1b}[2J",
        "\u{202e}a",
        "\u{2066}a\u{fffe}\u{ffff}",
        "<b>&\\\"'",
        "\\033[2J\\n",
        "]]>",
        // More letters than the width of a column can be.
        &"x".repeat(70_000),
    ] {
        fuzz::hlo(&named(name));
        fuzz::hlo(&named(name).replace("stack_frame_id=1", ""));
    }
}

/// What allocators say where they have no memory. A table of anything is no report of memory.
#[test]
fn allocations_that_failed() {
    table::check("allocations", &mut |_, columns| {
        let text = columns[0].replace("\\n", "\n");
        let found = OutOfMemory::find(&text).map_or("none\n".to_owned(), |found| found.report(10));
        let said = found.trim_start_matches("ran out of memory for ");
        said.lines().next().expect("a line").to_owned()
    });
}
