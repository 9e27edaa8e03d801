//! Two layouts: what moves between them, and what copies.

use layout_copy::bitcast::{check_reshape_is_bitcast, check_transpose_is_bitcast, same_bytes};
use layout_core::{ArrayShape, Size};
use layout_notation::notation::Numpy;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::array::{grouped, in_macro, picture};
use crate::refusal::{Refusal, answer, array, layout_of};

/// Elements that are looked at one by one.
const MOST_ELEMENTS: Size = 1 << 18;

/// Two layouts; `to` may be one alone, as in `{0,1}`.
#[wasm_bindgen]
pub fn compare(from: &str, to: &str, view: &str) -> String {
    answer(array(from).and_then(|a| {
        let b = layout_of(to, &a)?;
        let pictures = [&a, &b].map(|shape| picture(shape, view).map(|it| it.svg()));
        let [svg_a, svg_b] = pictures;
        Ok(json!({
            "from": {"text": a.to_string(), "svg": svg_a?},
            "to": {"text": b.to_string(), "svg": svg_b?},
            "facts": facts(&a, &b)?,
            "code": code(&a, &b),
        }))
    }))
}

fn facts(a: &ArrayShape, b: &ArrayShape) -> Result<Vec<[String; 2]>, Refusal> {
    let mut facts = Vec::new();
    let mut verdict = |name: String, found: Result<(), String>| {
        let why =
            found.err().map_or("free: no byte moves".to_owned(), |why| format!("a copy: {why}"));
        facts.push([name, why]);
    };
    let sizes = |shape: &ArrayShape| shape.dims().iter().map(|dim| dim.size()).collect::<Vec<_>>();
    if sizes(a) == sizes(b) {
        verdict("as it is".to_owned(), same_bytes(a, b).map_err(|error| error.to_string()));
        facts.extend(moves(a, b)?);
        return Ok(facts);
    }
    let reshape = check_reshape_is_bitcast(a, b).map_err(|error| error.to_string());
    verdict("as a reshape".to_owned(), reshape);
    if let Some(order) = permutation(&sizes(a), &sizes(b)) {
        let found = check_transpose_is_bitcast(a, b, &order).map_err(|error| error.to_string());
        verdict(format!("as a transpose by {order:?}"), found);
    }
    Ok(facts)
}

/// An order of the dimensions of `a` that gives those of `b`.
fn permutation(a: &[Option<Size>], b: &[Option<Size>]) -> Option<Vec<usize>> {
    let mut order = Vec::new();
    for size in b {
        order.push((0..a.len()).find(|dim| a[*dim] == *size && !order.contains(dim))?);
    }
    (order.len() == a.len()).then_some(order)
}

/// How many elements move, and how many stay beside one another.
fn moves(a: &ArrayShape, b: &ArrayShape) -> Result<Vec<[String; 2]>, Refusal> {
    let (from, to) = (a.digits()?, b.digits()?);
    let (mut moved, mut seen, mut longest, mut run) = (0, 0, 0, 0);
    let mut last = None;
    for offset in 0..from.size().min(MOST_ELEMENTS) {
        let place = from.index(offset).map(|index| to.offset_unchecked(&index));
        let goes_on = place.is_some() && place == last;
        run = if goes_on { run + 1 } else { Size::from(place.is_some()) };
        longest = longest.max(run);
        last = place.map(|place| place + 1);
        seen += Size::from(place.is_some());
        moved += Size::from(place.is_some_and(|place| place != offset));
    }
    let part = if from.size() > MOST_ELEMENTS { ", of those looked at" } else { "" };
    let run_bytes = (longest * a.element_bits()).div_ceil(8);
    Ok(vec![
        ["moves".to_owned(), format!("{} of {} elements{part}", grouped(moved), grouped(seen))],
        [
            "stays together".to_owned(),
            format!("{} elements, {run_bytes} bytes{part}", grouped(longest)),
        ],
    ])
}

/// What copies from one to the other, where somebody can.
fn code(a: &ArrayShape, b: &ArrayShape) -> Vec<[String; 2]> {
    let [from, to] = [a, b].map(in_macro);
    let rust = format!(
        "type A = {from};\ntype B = {to};\nlayout::copy::<A, B, _>(&a, &mut b, layout::Padding::Zero)?;"
    );
    let command = format!("layout convert in.npy out.npy --from '{a}' --to '{b}'");
    let mut code = vec![["Rust".to_owned(), rust], ["command".to_owned(), command]];
    if let (Ok(from), Ok(to)) = (Numpy::of(a), Numpy::of(b)) {
        let numpy = format!("x = {}\nout = {to}", from.inverse());
        code.push(["NumPy".to_owned(), numpy]);
    }
    code
}
