//! What a person reads of a program: the files in `data/programs`.

use layout_hlo::{Module, ReportOptions};
use layout_tests::{data, fuzz};

#[test]
fn reports() {
    let text = data::text("programs/step.hlo");
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    data::assert_snapshot("programs/step.txt", &memory.report(ReportOptions::default()));
    let options = ReportOptions { top: 2, frames: true, ..ReportOptions::default() };
    data::assert_snapshot("programs/step-frames.txt", &memory.report(options));
    let later = text.replace("65536,8192", "32768,8192");
    let later = Module::parse(&later).unwrap();
    let difference = memory.difference(&later.memory().unwrap(), ReportOptions::default());
    data::assert_snapshot("programs/step-difference.txt", &difference);
}

#[test]
fn pictures() {
    let text = data::text("programs/step.hlo");
    let module = Module::parse(&text).unwrap();
    let svg = module.memory().unwrap().svg(None);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("model.py:31 loss (tanh)") && svg.contains("class=\"peak\""));
    // Names are text, not elements.
    let named = text.replace("tanh\"", "<b>&\"");
    let module = Module::parse(&named).unwrap();
    let svg = module.memory().unwrap().svg(None);
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
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
    ] {
        fuzz::hlo(&named(name));
        fuzz::hlo(&named(name).replace("stack_frame_id=1", ""));
    }
}
