//! Two layouts: what moves between them, and what copies.

use layout_copy::bitcast::{
    NotBitcast, check_reshape_is_bitcast, check_transpose_is_bitcast, same_bytes,
};
use layout_core::{ArrayShape, Size};
use layout_notation::notation::Numpy;
use layout_picture::Picture;
use serde_json::json;

use crate::array::{grouped, in_macro, picture};
use crate::reading::joined;
use crate::refusal::{Refusal, answer, array, layout_of};

/// Elements that are looked at one by one.
const MOST_ELEMENTS: Size = 1 << 16;

/// Two layouts; `to` may be one alone, as in `{0,1}`, or empty: then it is the first one's dimensions in the reverse order.
pub fn compare(from: &str, to: &str, view: &str) -> String {
    answer(array(from).and_then(|a| {
        let reversed = a.minor_to_major().iter().rev().collect::<Vec<_>>();
        let reversed = match a.rank() {
            0 => a.to_string(),
            _ => format!("{{{}}}", joined(&reversed, ",")),
        };
        let b = layout_of(if to.is_empty() { &reversed } else { to }, &a)?;
        let (from, mut to) = (picture(&a, view)?, picture(&b, view)?);
        let axes = from.axes();
        // Both show the same rows and columns.
        if let ([Some(rows), Some(columns)], true) = (axes, a.rank() == b.rank()) {
            to = to.with_axes(rows, columns).ok_or("the second has no such dimensions")?;
        }
        let side = |shape: &ArrayShape, picture: &Picture| {
            json!({"text": shape.to_string(), "svg": picture.svg()})
        };
        let ways = ways(&a, &b);
        let verdict = |way: &Way| way.why.clone().unwrap_or_else(|| "free, no copy".to_owned());
        let mut facts =
            ways.iter().map(|way| [way.name.clone(), verdict(way)]).collect::<Vec<_>>();
        let is_same_array = sizes(&a) == sizes(&b);
        if is_same_array && a.element_type() == b.element_type() {
            facts.extend(moves(&a, &b)?);
        }
        let code = ways.iter().flat_map(|way| way.code(&a, &b)).collect::<Vec<_>>();
        Ok(json!({
            "from": side(&a, &from), "to": side(&b, &to), "facts": facts, "code": code,
            "isSameArray": is_same_array, "dims": sizes(&a), "axes": axes, "reversed": reversed,
        }))
    }))
}

/// How one array becomes the other, and why that takes a copy, if it does.
struct Way {
    name: String,
    /// What does it without a copy, in Rust.
    method: String,
    /// What does it with one, in NumPy.
    numpy: String,
    why: Option<String>,
}

fn ways(a: &ArrayShape, b: &ArrayShape) -> Vec<Way> {
    // Other swizzles are compared element by element, for as long as these agree.
    let is_slow = a.swizzle() != b.swizzle() && a.elements() > Some(MOST_ELEMENTS);
    let way = |name: &str, method: &str, numpy: String, check: &dyn Fn() -> _| Way {
        name: name.to_owned(),
        method: method.to_owned(),
        numpy,
        why: if is_slow {
            Some("not known: swizzles of arrays this large are not compared".to_owned())
        } else {
            Result::err(check()).map(|why| match why {
                NotBitcast::Element { .. } | NotBitcast::Elements { .. } => {
                    format!("impossible: {why}")
                }
                _ => format!("needs a copy: {why}"),
            })
        },
    };
    let [from, to] = [a, b].map(sizes);
    let mut ways = if from == to {
        vec![way("same bytes (bitcast)", "bitcast::<B>()", String::new(), &|| same_bytes(a, b))]
    } else {
        let reshaped = format!(".reshape({})", joined(&to, ", "));
        vec![way("reshape", "reshape::<B>()", reshaped, &|| check_reshape_is_bitcast(a, b))]
    };
    if let Some(order) = permutation(a, b) {
        let numbers = joined(&order, ", ");
        let method = format!("transpose::<B, layout::permutation!({numbers})>()");
        let check = || check_transpose_is_bitcast(a, b, &order);
        let name = format!("transpose by ({numbers})");
        let way = way(&name, &method, format!(".transpose({numbers})"), &check);
        // Of one array it is another question, which is worth an answer if it is yes.
        if from != to || way.why.is_none() {
            ways.push(way);
        }
    }
    ways
}

impl Way {
    /// What does it, where somebody can.
    fn code(&self, a: &ArrayShape, b: &ArrayShape) -> Vec<[String; 2]> {
        let Way { name, method, numpy, why } = self;
        let mut code = Vec::new();
        if a.elements() != b.elements() || a.element_type() != b.element_type() {
            return code;
        }
        let is_copy = why.is_some() && numpy.is_empty();
        let name = if is_copy { "copy" } else { name };
        let mut add = |language: &str, text| code.push([format!("{name}, {language}"), text]);
        let types = format!("type A = {};\ntype B = {};", in_macro(a), in_macro(b));
        if why.is_none() {
            add("Rust", format!("{types}\nlet b = layout::View::<A>::new(&data)?.{method};"));
        } else if is_copy {
            let call = "layout::copy::<A, B, _>(&a, &mut b, layout::Padding::Zero)?;";
            add("Rust", format!("{types}\n{call}"));
            add("command", format!("layout convert in.npy out.npy --from '{a}' --to '{b}'"));
        }
        if let (Ok(from), Ok(to), Some(_)) = (Numpy::of(a), Numpy::of(b), why) {
            let text = format!("x = {}\nx = x{numpy}\nout = {to}", from.inverse());
            add("NumPy", text.replace("x = x\n", ""));
        }
        code
    }
}

fn sizes(shape: &ArrayShape) -> Vec<Size> {
    shape.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect()
}

/// An order of the dimensions of `a`, other than their own, that gives those of `b`: that of the layouts if possible, which
/// may move nothing; or else the first one of other sizes.
fn permutation(a: &ArrayShape, b: &ArrayShape) -> Option<Vec<usize>> {
    let [from, to] = [a, b].map(sizes);
    let mut order = vec![0; to.len()];
    for (of_a, of_b) in a.minor_to_major().iter().zip(b.minor_to_major()) {
        order[*of_b] = *of_a;
    }
    if from.len() != to.len() || to.iter().zip(&order).any(|(size, dim)| from[*dim] != *size) {
        order.clear();
        for size in &to {
            order.push((0..from.len()).find(|dim| from[*dim] == *size && !order.contains(dim))?);
        }
    }
    (order.len() == from.len() && !order.is_sorted()).then_some(order)
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
        ["elements that move".to_owned(), format!("{} of {}{part}", grouped(moved), grouped(seen))],
        [
            "longest run kept together".to_owned(),
            format!("{} ({run_bytes} bytes){part}", grouped(longest)),
        ],
    ])
}
