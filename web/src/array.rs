//! One layout: its picture, its numbers, its names elsewhere, and its functions as code.

use layout_core::analysis::{ContiguousRun, Formula};
use layout_core::tpu::cheaper_layouts;
use layout_core::{ArrayShape, Size};
use layout_formats::packed_format::PackedFormat;
use layout_formats::parse_any;
use layout_gpu::code::{Code, Language};
use layout_notation::notation::Notation;
use layout_picture::{Label, Picture};
use serde_json::{Value, json};

use crate::reading::{joined, reading};
use crate::refusal::{Refusal, answer, array};

/// A layout, drawn as `view` says: JSON of `label`, `width`, `axes` and `at`, each of which may be missing.
pub fn layout(text: &str, view: &str) -> String {
    answer(array(text).and_then(|shape| {
        let picture = picture(&shape, view)?;
        Ok(json!({
            "text": shape.to_string(),
            "dims": shape.dims().iter().map(|dim| dim.size()).collect::<Vec<_>>(),
            "axes": picture.axes(),
            "svg": picture.svg(),
            "reading": reading(&shape),
            "facts": facts(&shape),
            "formula": formula(&shape),
            "said": elsewhere(&shape),
            "macro": in_macro(&shape),
        }))
    }))
}

/// The steps of tiling, each with its picture.
pub fn steps(text: &str, view: &str) -> String {
    answer(array(text).and_then(|shape| {
        let steps = picture(&shape, view)?.steps().into_iter();
        let steps = steps.map(|it| json!({"name": it.name, "says": it.says, "svg": it.svg}));
        let formula = formula(&shape);
        Ok(json!({"text": shape.to_string(), "steps": steps.collect::<Vec<_>>(), "formula": formula}))
    }))
}

/// The functions of a layout in the language of a kernel.
pub fn code(text: &str, language: &str) -> String {
    answer(array(text).and_then(|shape| {
        let language = Language::from_name(language).ok_or("there is no such language")?;
        Ok(json!({"code": Code::of(&shape, language).text()?.to_string()}))
    }))
}

/// A picture as a person asks for it. What does not fit the array is left out.
pub(crate) fn picture(shape: &ArrayShape, view: &str) -> Result<Picture, Refusal> {
    let view = serde_json::from_str::<Value>(view)?;
    let new = || Picture::new(shape).ok_or("a dimension has no bound");
    let mut picture = new()?;
    if let Some([rows, columns]) = numbers(&view["axes"]).as_deref() {
        picture = picture.with_axes(*rows, *columns).map_or_else(new, Ok)?;
    }
    // The slice that is shown; what the text before this one had is too much, or too large.
    let given = numbers(&view["at"]).unwrap_or_default();
    let at = shape.dims().iter().enumerate().map(|(dim, size)| {
        let most = size.size().unwrap_or(0).saturating_sub(1);
        given.get(dim).copied().unwrap_or(0).min(most)
    });
    if shape.elements() != Some(0) {
        picture = picture.at(&at.collect::<Vec<_>>()).ok_or("the picture has no such slice")?;
    }
    if let Some(label) = view["label"].as_str().and_then(Label::from_name) {
        picture = picture.with_label(label);
    }
    if let Some(width) = view["width"].as_u64() {
        picture = picture.with_width(width as usize);
    }
    Ok(picture)
}

fn numbers<T: TryFrom<u64>>(value: &Value) -> Option<Vec<T>> {
    value.as_array()?.iter().map(|number| T::try_from(number.as_u64()?).ok()).collect()
}

/// What is worth knowing, the names at the left.
fn facts(shape: &ArrayShape) -> Vec<[String; 2]> {
    let [elements, slots, bare, bytes] =
        [shape.elements(), shape.padded_elements(), shape.unpadded_bytes(), shape.bytes()]
            .map(|number| number.unwrap_or(0));
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut facts = vec![
        row("elements", format!("{} ({} bytes)", grouped(elements), grouped(bare))),
        row("with padding", format!("{} ({} bytes)", grouped(slots), grouped(bytes))),
        row("padded ÷ unpadded", format!("{:.2} ×", shape.expansion().unwrap_or(1.0))),
    ];
    if let Some(ContiguousRun { length: length @ 2.., dim, .. }) = ContiguousRun::of(shape) {
        facts.push(row("contiguous", format!("runs of {length} elements along dimension {dim}")));
    }
    // Without elements an array is in every order.
    for format in PackedFormat::of(shape).take(if elements == 0 { 0 } else { 3 }) {
        facts.push(row("known as", format!("{format}: {}", format.description())));
    }
    let mut all_cheaper = cheaper_layouts(shape).into_iter().flatten().collect::<Vec<_>>();
    all_cheaper.sort_by_key(ArrayShape::bytes);
    for cheaper in all_cheaper {
        let bytes = grouped(cheaper.bytes().unwrap_or(0));
        let is_tpu = cheaper.tiles().to_string().contains(",128)");
        let how = match cheaper.minor_to_major() == shape.minor_to_major() {
            true if is_tpu => {
                "fewer rows in the first tile, as TPUs have where the array has few rows"
            }
            true => "fewer rows in the first tile",
            false => "another order of dimensions",
        };
        facts.push(row("cheaper", format!("{cheaper}, {bytes} bytes: {how}")));
    }
    facts
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: Size) -> String {
    let digits = number.to_string();
    let apart = |(at, digit): (usize, char)| {
        let space = if at > 0 && (digits.len() - at).is_multiple_of(3) { "\u{202f}" } else { "" };
        format!("{space}{digit}")
    };
    digits.chars().enumerate().map(apart).collect()
}

/// The formula of an offset, a line for each sum.
fn formula(shape: &ArrayShape) -> String {
    let formula = Formula::of(shape);
    let sums = formula.sums().iter().enumerate().map(|(i, sum)| format!("s{i} = {sum}\n"));
    let index = (0..shape.rank()).map(|dim| format!("i{dim}")).collect::<Vec<_>>();
    format!("{}offset of [{}] = {formula}", sums.collect::<String>(), joined(&index, ","))
}

/// The layout in each notation that expresses it, as the page reads it too; numpy's is printed only.
fn elsewhere(shape: &ArrayShape) -> Vec<[String; 2]> {
    let bare = shape.without_layout().map_or(String::new(), |bare| bare.to_string());
    let array = bare.split('{').next().unwrap_or_default();
    let names = Notation::ALL.iter().map(ToString::to_string).chain(["numpy".to_owned()]);
    let said = names.filter_map(|name| {
        let text = parse_any::written(&name, shape).ok()?;
        let text = if name == "numpy" { text } else { format!("{name}:{text} {array}") };
        Some([name, text])
    });
    said.collect()
}

/// The shape as the macro takes it.
pub(crate) fn in_macro(shape: &ArrayShape) -> String {
    let text = shape.to_string();
    let (element, rest) = text.split_once('[').unwrap_or((&text, ""));
    format!("layout!({}[{rest})", element.to_ascii_uppercase())
}
