//! `layout hlo --advise`.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;

use layout_core::tpu::cheaper_layouts;
use layout_core::{ArrayShape, Size, Visible};
use layout_hlo::{self as hlo, Module};
use serde::Serialize;

use super::total::{Total, number};
use super::{arrays, line};

/// The shapes of a program whose padding wastes the most.
#[derive(Serialize)]
pub(super) struct Advice<'a> {
    module: &'a str,
    shapes: Vec<Savings<'a>>,
    /// Of all parameters and buffers.
    total: Total,
}

/// The arrays of one shape.
#[derive(Serialize)]
struct Savings<'a> {
    arrays: usize,
    #[serde(serialize_with = "number")]
    waste_bytes: u128,
    /// What the cheaper layout saves of them.
    #[serde(serialize_with = "number")]
    saved_bytes: u128,
    /// The name of the first one.
    name: &'a str,
    /// The line of its instruction, if it is not a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    shape: String,
    cheaper: Option<String>,
}

/// How many arrays of a shape there are; name and line of the first one.
type Uses<'a> = (usize, &'a str, Option<usize>);

pub(super) fn advise<'a>(module: &'a Module<'a>, text: &'a str, top: usize) -> Advice<'a> {
    let mut total = Total::default();
    let mut found = HashMap::<ArrayShape, Uses<'a>>::new();
    let mut add = |array: &ArrayShape, name, line| {
        total.add(array);
        if waste(array) > 0 {
            found.entry(*array).or_insert((0, name, line)).0 += 1;
        }
    };
    for (number, text) in module.computation_layout().parameters().iter().enumerate() {
        let parameter = module.parameters().get(number);
        let name = parameter.map_or("", |found| found.op_name().unwrap_or(found.name()));
        arrays(text, |_, array| add(array, name, None));
    }
    hlo::for_each_buffer(text, |found, _, array| {
        add(array, found.instruction().map_or("", |made| made.name()), Some(found.line()));
    });
    let wasted = |(shape, uses): &(ArrayShape, Uses<'a>)| waste(shape) as u128 * uses.0 as u128;
    let mut found = found.into_iter().collect::<Vec<_>>();
    found.sort_by_cached_key(|one| (Reverse(wasted(one)), one.0.to_string()));
    found.truncate(top);
    let shapes = found.into_iter().map(|one| {
        let (shape, (arrays, name, line)) = one;
        let cheaper = cheaper_layouts(&shape).into_iter().flatten().min_by_key(ArrayShape::bytes);
        let bytes = |shape: &ArrayShape| shape.bytes().unwrap_or(0);
        let saved = cheaper.map_or(0, |cheaper| bytes(&shape) - bytes(&cheaper));
        Savings {
            arrays,
            waste_bytes: wasted(&one),
            saved_bytes: saved as u128 * arrays as u128,
            name,
            line,
            shape: shape.to_string(),
            cheaper: cheaper.map(|cheaper| cheaper.to_string()),
        }
    });
    Advice { module: module.name(), shapes: shapes.collect(), total }
}

/// Bytes of padding; none of an array of unknown size.
fn waste(array: &ArrayShape) -> Size {
    let unpadded = array.unpadded_bytes().unwrap_or(Size::MAX);
    array.bytes().unwrap_or(0).saturating_sub(unpadded)
}

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEAD: [&str; 6] = ["wasted", "arrays", "saved", "first", "shape", "cheaper layout"];
        writeln!(f, "{}\n\nlargest waste, of parameters and buffers", Visible(self.module))?;
        let cells = self.shapes.iter().map(|row| {
            let place = row.line.map_or("parameter".to_owned(), |line| format!("line {line}"));
            [
                row.waste_bytes.to_string(),
                row.arrays.to_string(),
                row.saved_bytes.to_string(),
                format!("{}, {place}", Visible(row.name)),
                row.shape.clone(),
                row.cheaper.clone().unwrap_or_else(|| "none".to_owned()),
            ]
        });
        let lines = [HEAD.map(str::to_owned)].into_iter().chain(cells).collect::<Vec<_>>();
        let widths = core::array::from_fn(|column| {
            lines.iter().map(|cells| cells[column].chars().count()).max()
        });
        let mut text = String::new();
        if lines.len() > 1 {
            lines.iter().for_each(|cells| line(&mut text, cells, &widths, 3));
        }
        let saved = self.shapes.iter().map(|row| row.saved_bytes).sum::<u128>();
        writeln!(f, "{text}  {}\n  the layouts listed save {saved} bytes", self.total)
    }
}
