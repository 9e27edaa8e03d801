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

/// Texts that are wrong, huge, or easy to get wrong.
const HOSTILE: &[&str] = &[
    "",
    "\0",
    "é[",
    "\u{feff}f32[3]",
    "\u{202e}f32[3]",
    "<img src=x onerror=1>",
    "😀 f32[3]",
    "f32[😀]",
    "f32[3,5]{1,0:T(2,*)}",
    "(f32[2], f32[3])",
    "f32[9999999999999999999]",
    "cute:",
    "einops:(h 0) w -> h w 0 f32[12,16]",
    "jax:",
    "mosaic:",
    "marlin u4[0,0]",
    "f16[64,64], swizzle = ",
    "f16[64,64], swizzle = 128B, swizzle = 128B",
    "cute:(9223372036854775807,9223372036854775807):(1,1) f32[4,6]",
    "cute:((2,2),(2,3)):((2,12),(1,4)) f32[4,6]",
    "jax:Layout(major_to_minor=(0, 1), tiling=((8, 128),)) f32[16,256]",
    "pack:inner_dims_pos = [0, 1] inner_tiles = [4, 4] f32[8,12]",
    "f16[64,64], swizzle = 128B",
    "f32[1048576,1048576], swizzle = 128B",
    "f32[1048576,1073741824]{0,1}, swizzle = 128B",
    "f32[3,3,3,3,3,3,3,3,3,3,3,3]",
    "bf16[7,3,1000,3,5,9,11,13]{7,6,5,4,3,2,1,0:T(8,128)(2,1)}",
    "f32[1000000,1000000]{0,1:T(*,8,128)}",
    "f32[1024,1024,1024]{0,1,2:T(1000,*,7)(13,*)(5)}",
    "f32[99991,99989]{1,0:T(97,89)(7,3)(5,2)(2,1)}",
];

const VIEWS: &[&str] = &[
    "{}",
    "null",
    "[]",
    r#"{"label":"both","width":0}"#,
    r#"{"label":"none","width":2000}"#,
    r#"{"label":"index","width":360,"axes":[0,1]}"#,
    r#"{"axes":[1,0],"at":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"label":"offset"}"#,
    r#"{"axes":[0,0]}"#,
    r#"{"axes":[99,18446744073709551615],"at":[null]}"#,
    r#"{"axes":[2],"at":[-1,1.5]}"#,
    r#"{"axes":"01","at":[18446744073709551615,18446744073709551615]}"#,
    r#"{"label":7,"width":18446744073709551615}"#,
    r#"{"width":"wide"}"#,
];

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
    for (text, index, why) in [
        (
            "f32[3,5]{1,0:T(2,2)}",
            &[2, 3][..],
            "[2,3] is in tile (1,1), at (0,1) of it: 4 tiles · 4 + 1 = 17",
        ),
        ("f32[3,5]", &[2, 3], "[2,3]: 2·5 + 3 = 13"),
        ("f32[3,5]{0,1}", &[2, 3], "[2,3]: 3·3 + 2 = 11"),
        ("f32[3,5]{1,0:PAD(3,8)}", &[2, 3], "[2,3]: 2·8 + 3 = 19"),
        ("f32[]", &[], "[]: 0 = 0"),
        (
            "f32[3,5]{0,1:T(2,2)}",
            &[2, 3],
            "[2,3] (from major to minor 3,2) is in tile (1,1), at (1,0) of it: 3 tiles · 4 + 2 = 14",
        ),
        (
            "bf16[300,500]{1,0:T(8,128)(2,1)}",
            &[3, 5],
            "[3,5] is in 8×128 tile (0,0), at (3,5) of it, and there in 2×1 tile (1,5), at (1,0) of it: \
             0 tiles · 1024 + 133 tiles · 2 + 1 = 267",
        ),
        (
            "f32[4,3,5]{2,1,0:T(2,2)}",
            &[1, 2, 3],
            "[1,2,3] is in tile (1,1,1), at (0,1) of it: 10 tiles · 4 + 1 = 41",
        ),
        (
            "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
            &[1, 6, 7, 10, 9],
            "[1,6,7,10,9] (combined 111,109) is in tile (55,36), at (1,1) of it: 2071 tiles · 6 + 4 = 12430",
        ),
        (
            "f32[5]{0:T(2,4)}",
            &[4],
            "[4] (counted as 0,4) is in tile (0,1), at (0,0) of it: 1 tile · 8 + 0 = 8",
        ),
        (
            "f16[64,64], swizzle = 128B",
            &[1, 0],
            "[1,0]: 1·64 + 0 = 64, which the swizzle moves to 72",
        ),
        // The second tile takes the first ones apart.
        (
            "f32[4,4]{1,0:T(2,2)(2,2,2)}",
            &[3, 1],
            "[3,1] is at (1,0,0,0,0,1,1) of [2,1,1,1,2,2,2], after all steps: 1·8 + 0·4 + 1·2 + 1 = 11",
        ),
    ] {
        let shape = parse_any::array(text).unwrap();
        let offset = shape.digits().unwrap().offset(index).unwrap();
        assert_eq!(asked(text, || web::element(text, &offset.to_string()))["why"], why);
    }
}

#[test]
fn a_layout_is_read_aloud() {
    for (text, read) in [
        (
            "f32[3,5]{1,0:T(2,2)}",
            "f32[3,5]: 3 × 5 elements of 4 bytes; {1,0}: dimension 1 varies fastest; T(2,2): stored tile by tile, each 2×2",
        ),
        ("pred[]", "pred[]: 1 element of 1 byte"),
        (
            "u4[7]{0:L(8)E(4)S(1)}",
            "u4[7]: 7 elements of 4 bits; L(8): a multiple of 8 elements in memory; E(4): 4 bits of memory for each element; \
             S(1): in memory space 1",
        ),
        (
            "bf16[2,300,500]{1,2,0:T(8,128)(2,1)}",
            "bf16[2,300,500]: 2 × 300 × 500 elements of 2 bytes; {1,2,0}: dimension 1 varies fastest, dimension 0 slowest; \
             T(8,128): stored tile by tile, each 8×128 along dimensions 2 and 1; (2,1): each of these tile by tile in turn, each 2×1",
        ),
        (
            "f32[2,7,8]{2,1,0:T(*,2)}",
            "f32[2,7,8]: 2 × 7 × 8 elements of 4 bytes; {2,1,0}: dimension 2 varies fastest, dimension 0 slowest; \
             T(*,2): stored tile by tile, each 2 elements; `*` combines a dimension with the next more minor one",
        ),
        (
            "f16[64,64]{1,0:PAD(64,72)}, swizzle = 128B",
            "f16[64,64]: 64 × 64 elements of 2 bytes; {1,0}: dimension 1 varies fastest; \
             PAD(64,72): padded to 64 × 72 before anything else; \
             swizzle = 128B: bits of each offset are then XORed with higher ones, so that a column meets different banks",
        ),
    ] {
        let found = asked(text, || web::layout(text, "{}"));
        let parts = found["reading"].as_array().unwrap_or_else(|| panic!("{found}")).iter();
        let parts = parts
            .map(|part| format!("{}: {}", part[0].as_str().unwrap(), part[1].as_str().unwrap()));
        assert_eq!(parts.collect::<Vec<_>>().join("; "), read);
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
    for (number, text) in texts.iter().enumerate() {
        layout_and_steps(text, VIEWS[number % VIEWS.len()]);
        ALL[number % ALL.len()](text);
    }
    for text in HOSTILE {
        VIEWS.iter().for_each(|view| layout_and_steps(text, view));
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
