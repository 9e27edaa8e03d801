//! What the page asks of the library is answered, whatever the text: by JSON whose pictures are XML and agree with the layout,
//! before a person waits, and without a panic, which would end the library in the browser.

use std::panic::{UnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use layout_core::{ArrayShape, Size};
use layout_formats::packed_format::PackedFormat;
use layout_formats::parse_any;
use layout_web as web;
use roxmltree::Document;
use serde_json::Value;

const SHAPES: &str = include_str!("../../tests/data/tpu_shapes.txt");
const SEEDS: &str = include_str!("../../fuzz/seeds.txt");
const NOTATIONS: &str = include_str!("../../fuzz/notations.txt");
/// What a browser says of a view of the picture, or someone else in its place.
const VIEWS: &str = include_str!("views.txt");

/// In an unoptimised build on a busy machine. In a browser it is a tenth.
const LONGEST: Duration = Duration::from_secs(5);

fn asked(what: &str, ask: impl FnOnce() -> String + UnwindSafe) -> Value {
    let what = what.chars().take(300).collect::<String>();
    let begun = Instant::now();
    let text = catch_unwind(ask).unwrap_or_else(|_| panic!("{what}"));
    assert!(begun.elapsed() < LONGEST, "{what}: {:?}", begun.elapsed());
    assert!(!text.contains("= help:"), "{what}: {text}");
    let answer = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
    for svg in pictures(&answer) {
        let read = Document::parse(svg).map(|_| ());
        assert_eq!(read, Ok(()), "{what}");
    }
    answer
}

fn pictures(answer: &Value) -> Vec<&str> {
    match answer {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match value {
                Value::String(svg) if key == "svg" => vec![&**svg],
                _ => pictures(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(pictures).collect(),
        _ => Vec::new(),
    }
}

/// Offsets in the pictures are those of the layout.
fn agree(what: &str, shape: &ArrayShape, answer: &Value) {
    let digits = shape.digits().unwrap();
    for document in pictures(answer).iter().map(|svg| Document::parse(svg).unwrap()) {
        for node in document.descendants() {
            let (Some(index), Some(offset)) =
                (node.attribute("data-index"), node.attribute("data-offset"))
            else {
                continue;
            };
            let index = index.split(',').filter(|part| !part.is_empty());
            let index = index.map(|part| part.parse().unwrap()).collect::<Vec<Size>>();
            assert_eq!(digits.offset(&index), Some(offset.parse().unwrap()), "{what}: {index:?}");
        }
    }
}

fn layout_and_steps(text: &str, view: &str) {
    let found = asked(&format!("layout {text} {view}"), || web::layout(text, view));
    let Some(shape) = array(text) else {
        let end = text.encode_utf16().count() as u64;
        let faults = found["faults"].as_array().unwrap_or_else(|| panic!("{text}"));
        assert!(!faults.is_empty(), "{text}");
        for at in faults.iter().filter_map(|fault| fault["at"].as_array()) {
            assert!(at[0].as_u64() <= at[1].as_u64() && at[1].as_u64() <= Some(end), "{text}");
        }
        return;
    };
    assert_eq!(found["faults"], Value::Null, "{text} {view}");
    agree(text, &shape, &found);
    let found = asked(&format!("steps {text} {view}"), || web::steps(text, view));
    agree(text, &shape, &found);
}

/// The array, if its picture can be drawn.
fn array(text: &str) -> Option<ArrayShape> {
    parse_any::array(text).ok().filter(|shape| shape.digits().is_ok())
}

fn element(text: &str) {
    let Some(shape) = array(text) else { return };
    let digits = shape.digits().unwrap();
    let slots = digits.size();
    for offset in [0, slots / 2, slots.saturating_sub(1), slots, Size::MAX] {
        let what = format!("element {text} {offset}");
        let found = asked(&what, || web::element(text, &offset.to_string()));
        let number = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
        let index = found["index"].as_array().map(|index| index.iter().map(number));
        let index = index.map(|index| index.map(|at| at as Size).collect::<Vec<_>>());
        assert_eq!(index.as_deref(), digits.index(offset).as_deref(), "{what}");
        // The numbers of the sentence make the offset, before a swizzle.
        let Some(why) = found["why"].as_str() else { continue };
        let (_, sum) = why.rsplit_once(": ").unwrap();
        let (sum, total) = sum.split_once(" = ").unwrap();
        let total = total.split(',').next().unwrap().parse::<u128>().unwrap();
        let factor = |text: &str| text.split(' ').next().unwrap().parse::<u128>().unwrap();
        let product = |term: &str| term.split('·').map(str::trim).map(factor).product::<u128>();
        assert_eq!(sum.split(" + ").map(product).sum::<u128>(), total, "{what}: {why}");
        let linear = shape.without_swizzle().digits().unwrap();
        assert_eq!(linear.index(total as Size), digits.index(offset), "{what}: {why}");
    }
}

#[test]
fn why_an_element_is_where_it_is() {
    type Row = (String, Vec<Size>, String);
    let rows = serde_json::from_str::<Vec<Row>>(include_str!("why.json")).unwrap();
    for (text, index, why) in &rows {
        let shape = parse_any::array(text).unwrap();
        let offset = shape.digits().unwrap().offset(index).unwrap();
        assert_eq!(asked(text, || web::element(text, &offset.to_string()))["why"], **why);
    }
}

#[test]
fn a_layout_is_read_aloud() {
    type Row = (String, String);
    let rows = serde_json::from_str::<Vec<Row>>(include_str!("read_aloud.json")).unwrap();
    for (text, read) in &rows {
        let found = asked(text, || web::layout(text, "{}"));
        let parts = found["reading"].as_array().unwrap_or_else(|| panic!("{found}")).iter();
        let parts = parts
            .map(|part| format!("{}: {}", part[0].as_str().unwrap(), part[1].as_str().unwrap()));
        assert_eq!(parts.collect::<Vec<_>>().join("; "), *read);
    }
}

fn code(text: &str) {
    for language in ["cuda", "wgsl", "c", "mlir", "", "<b>"] {
        asked(&format!("code {text} {language}"), || web::code(text, language));
    }
}

fn compare(text: &str) {
    for to in ["{0,1}", "f32[15]", text, ""] {
        asked(&format!("compare {text} {to}"), || web::compare(text, to, "{}"));
    }
}

fn tpu(text: &str) {
    for tpu in ["v5e", "", "v99"] {
        asked(&format!("tpus {text} {tpu}"), || web::tpus(text, tpu));
    }
    let huge = "18446744073709551615,18446744073709551615";
    for block in ["8,128", "", "0,0", "1", "-1", huge, "1,1,1,1,1,1,1,1", "60,256"] {
        asked(&format!("pallas {text} {block}"), || web::pallas(text, block, "v5e"));
    }
}

fn banks(text: &str) {
    for (access, bytes) in [
        ("0, lane", 4),
        ("lane, 0", 16),
        ("", 4),
        ("lane % 0, lane / 0", 4),
        ("lane * 18446744073709551615, 0", 4),
        ("0, lane", 0),
        ("0, lane", usize::MAX),
        ("((((", 1),
    ] {
        asked(&format!("banks {text} {access} {bytes}"), || web::banks(text, access, bytes));
    }
}

const ALL: [fn(&str); 6] =
    [element, code, tpu, banks, compare, |text| layout_and_steps(text, "{}")];
/// Those of [`ALL`] that are quick.
const QUICK: usize = 4;

#[test]
fn every_shape_is_answered() {
    for (number, text) in SHAPES.lines().enumerate() {
        ALL[number % QUICK](text);
        if number % 16 == 0 {
            ALL[QUICK..].iter().for_each(|ask| ask(text));
        }
    }
}

#[test]
fn every_text_is_answered() {
    let mut texts = SEEDS.lines().chain(NOTATIONS.lines()).map(str::to_owned).collect::<Vec<_>>();
    for notation in NOTATIONS.lines() {
        let names = ["cute", "einops", "onednn", "tvm", "jax", "pack", "mosaic", "numpy"];
        texts.extend(names.map(|name| format!("{name}:{notation} f32[2,32,4,5]")));
    }
    for format in PackedFormat::ALL {
        texts.push(format.name().to_owned());
        let example = format.examples().next().and_then(|shape| shape.without_layout().ok());
        texts.extend(example.map(|shape| format!("{} {shape}", format.name())));
    }
    for start in ["x", "(", "cute:(", "einops:(", "tvm:N9", "f32[1,", "f32[4]{0:T(2)"] {
        let more = start.chars().last().unwrap().to_string();
        texts.push(format!("{start}{}", more.repeat(10_000)));
    }
    let views = VIEWS.lines().collect::<Vec<_>>();
    for (number, text) in texts.iter().enumerate() {
        layout_and_steps(text, views[number % views.len()]);
        ALL[number % ALL.len()](text);
    }
    // Wrong, huge, or easy to get wrong.
    for text in &serde_json::from_str::<Vec<String>>(include_str!("hostile.json")).unwrap() {
        views.iter().for_each(|view| layout_and_steps(text, view));
        ALL.iter().for_each(|ask| ask(text));
    }
}

#[test]
fn every_fragment_is_answered() {
    let huge = "18446744073709551615,18446744073709551615,18446744073709551615";
    for family in ["mma", "wgmma", "mfma", "wmma", "<"] {
        for sizes in
            ["16,8,16", "64,64,16", "32,32,8", "", "0,0,0", "-1,2,3", huge, "16,8", "1,1,1"]
        {
            for bits in [0, 1, 4, 8, 16, 32, 64, 7, usize::MAX] {
                for operand in ["A", "B", "D", ""] {
                    let what = format!("fragment {family} {sizes} {bits} {operand}");
                    asked(&what, || web::fragment(family, sizes, bits, operand));
                }
            }
        }
    }
}

#[test]
fn every_program_is_answered() {
    let deep = format!("HloModule x\n\nENTRY e {{\n ROOT p = {}", "(".repeat(10_000));
    let named = "HloModule \"<b>\0\"\n\nENTRY e {\n ROOT p = f32[2] parameter(0)\n}\n";
    for text in ["", "HloModule x", "HloModule x\n}", "\0\0\0", &deep, named] {
        for device in ["", "v5e", "<b>"] {
            asked(&format!("program {text} {device}"), || web::program(text.as_bytes(), device));
        }
    }
    let found = asked("program of bytes", || web::program(b"\xff\xfeH\0", ""));
    assert_eq!(found["faults"][0]["what"], "this is not text");
}
