//! What a person reads of a program: the files in `data/programs`.

use layout::hlo::{Module, ReportOptions};
use layout_tests::data;

#[test]
fn reports() {
    let text = data::text("programs/step.hlo");
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    data::assert_snapshot("programs/step.txt", &memory.report(ReportOptions::default()));
    let options = ReportOptions { top: 2, frames: true };
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
    let svg = module.memory().unwrap().svg();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("model.py:31 loss (tanh)") && svg.contains("class=\"peak\""));
    // Names are text, not elements.
    let named = text.replace("tanh\"", "<b>&\"");
    let module = Module::parse(&named).unwrap();
    let svg = module.memory().unwrap().svg();
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
}
