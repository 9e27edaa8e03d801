//! `layout hlo`.

mod advise;
mod check_args;
mod total;

use std::fmt::Write as _;

use layout_core::{ArrayShape, Shape, Size, Visible, is_hidden};
use layout_hlo::{self as hlo, Module};
use serde::ser::{Serialize, SerializeSeq as _, Serializer};

use crate::arguments::Hlo;
use crate::file;
use crate::output::{Answer, Refusal};
use total::Total;

/// An array of the program.
#[derive(serde::Serialize)]
struct Row<'a> {
    bytes: Option<Size>,
    expansion: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    opcode: &'a str,
    /// Its number among the parameters or results, and in tuples the numbers of parts: `0.1`.
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    shape: String,
    unpadded_bytes: Option<Size>,
}

impl<'a> Row<'a> {
    fn new(place: String, name: &'a str, shape: &ArrayShape) -> Row<'a> {
        Row {
            place,
            name,
            opcode: "",
            line: None,
            bytes: shape.bytes(),
            unpadded_bytes: shape.unpadded_bytes(),
            expansion: shape.expansion(),
            shape: shape.to_string(),
        }
    }
}

/// Calls with each row of a section. They are made one at a time, since a row is larger than its text.
type Rows<'r> = &'r dyn Fn(&mut dyn FnMut(&Row<'_>));

/// A list of arrays with its total.
struct Section<'r> {
    rows: Rows<'r>,
    total: Total,
}

pub(crate) fn hlo(arguments: &Hlo) -> Result<Answer, Refusal> {
    let name = file::name(&arguments.file);
    let help = "give the text of an HLO module, which starts with `HloModule`; tensors are compared by `--check-args`";
    let text = file::read(&arguments.file, help)?;
    let module = Module::parse(&text).map_err(|error| Refusal(format!("{name}: {error}")))?;
    if let Some(tensors) = &arguments.check_args {
        return check_args::check_args(&module, tensors);
    }
    if arguments.advise {
        let advice = advise::advise(&module, &text, arguments.top);
        return Ok(Answer::yes(if arguments.json { json(&advice)? } else { advice.to_string() }));
    }
    let layout = module.computation_layout();
    let rows: Rows<'_> = &|each| {
        for (number, text) in layout.parameters().iter().enumerate() {
            let parameter = module.parameters().get(number);
            let name = parameter.map_or("", |found| found.op_name().unwrap_or(found.name()));
            arrays(text, |place, array| each(&Row::new(joined(Some(number), place), name, array)));
        }
    };
    let mut total = Total::default();
    layout.parameters().iter().for_each(|text| arrays(text, |_, array| total.add(array)));
    let parameters = Section { rows, total };
    let rows: Rows<'_> = &|each| {
        arrays(layout.result(), |place, array| {
            let place = if place.is_empty() { &[0] } else { place };
            each(&Row::new(joined(None, place), "", array));
        });
    };
    let mut total = Total::default();
    arrays(layout.result(), |_, array| total.add(array));
    let results = Section { rows, total };
    let (largest, total) = buffers(&text, arguments.top);
    let rows: Rows<'_> = &|each| largest.iter().for_each(each);
    let buffers = Section { rows, total };
    Ok(Answer::yes(if arguments.json {
        let totals =
            Totals { buffers: buffers.total, parameters: parameters.total, results: results.total };
        json(&Program {
            buffers: List(buffers.rows),
            entry: module.entry_name(),
            module: module.name(),
            parameters: List(parameters.rows),
            results: List(results.rows),
            totals,
        })?
    } else {
        let mut text = format!("{}\n", Visible(module.name()));
        table(&mut text, "parameters", &parameters);
        table(&mut text, "results", &results);
        table(&mut text, "largest buffers", &buffers);
        text
    }))
}

/// The arrays of a shape that is right.
fn arrays(text: &str, each: impl FnMut(&[usize], &ArrayShape)) {
    let _ = Shape::for_each_array(text, each);
}

fn joined(number: Option<usize>, place: &[usize]) -> String {
    let numbers = number.iter().chain(place).map(usize::to_string);
    numbers.collect::<Vec<_>>().join(".")
}

/// The arrays that instructions produce: the largest ones, the largest first, and the total of all.
fn buffers(text: &str, top: usize) -> (Vec<Row<'_>>, Total) {
    let mut total = Total::default();
    let mut largest = Largest { top, rows: Vec::new(), least: None };
    hlo::for_each_buffer(text, |found, place, array| {
        let Some(instruction) = found.instruction() else { return };
        total.add(array);
        largest.offer(array, || Row {
            opcode: instruction.opcode(),
            line: Some(found.line()),
            ..Row::new(joined(None, place), instruction.name(), array)
        });
    });
    (largest.finish(), total)
}

/// The largest arrays so far; among equals those that came first.
struct Largest<'a> {
    top: usize,
    /// At least the `top` largest, the largest first up to the first `top`.
    rows: Vec<Row<'a>>,
    /// The bytes of the last of the `top` largest, when there are that many.
    least: Option<Option<Size>>,
}

impl<'a> Largest<'a> {
    fn offer(&mut self, array: &ArrayShape, row: impl FnOnce() -> Row<'a>) {
        if self.least.is_some_and(|least| array.bytes() <= least) {
            return;
        }
        self.rows.push(row());
        // Sorting doubles of `top` costs a logarithm of it for each row.
        if self.rows.len() / 2 > self.top {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.rows.sort_by_key(|row| core::cmp::Reverse(row.bytes));
        self.rows.truncate(self.top);
        self.least =
            self.top.checked_sub(1).and_then(|last| self.rows.get(last)).map(|row| row.bytes);
    }

    fn finish(mut self) -> Vec<Row<'a>> {
        self.sort();
        self.rows
    }
}

/// Columns of a table.
const HEAD: [&str; 7] = ["bytes", "expansion", "", "name", "made by", "", "shape"];

/// How many of them are numbers.
const NUMBERS: usize = 2;

fn table(out: &mut String, title: &str, Section { rows, total }: &Section<'_>) {
    let _ = writeln!(out, "\n{title}");
    let mut widths = [0; HEAD.len()];
    rows(&mut |row| {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            *width = cell.chars().count().max(*width);
        }
    });
    if total.is_empty() {
        out.push_str("  none\n");
        return;
    }
    // With `--top 0` only the total is of interest.
    if widths != [0; HEAD.len()] {
        // A column without a cell is left out.
        let widths = core::array::from_fn(|column| {
            let head = HEAD[column].chars().count();
            (widths[column] > 0).then_some(widths[column].max(head))
        });
        line(out, &HEAD.map(str::to_owned), &widths, NUMBERS);
        rows(&mut |row| line(out, &cells(row), &widths, NUMBERS));
    }
    let _ = writeln!(out, "  {total}");
}

fn cells(row: &Row<'_>) -> [String; HEAD.len()] {
    [
        row.bytes.map_or("?".to_owned(), |bytes| bytes.to_string()),
        row.expansion.map_or("?".to_owned(), |ratio| format!("{ratio:.2}")),
        row.place.clone(),
        Visible(row.name).to_string(),
        row.opcode.to_owned(),
        row.line.map_or(String::new(), |line| format!("line {line}")),
        row.shape.clone(),
    ]
}

/// Writes the cells of a line, those of the first columns at the right.
fn line<const N: usize>(
    out: &mut String,
    cells: &[String; N],
    widths: &[Option<usize>; N],
    numbers: usize,
) {
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let Some(width) = *width else { continue };
        let _ = match column < numbers {
            true => write!(out, "  {cell:>width$}"),
            false => write!(out, "  {cell:width$}"),
        };
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// What is written as JSON.
#[derive(serde::Serialize)]
struct Program<'r> {
    buffers: List<'r>,
    entry: &'r str,
    module: &'r str,
    parameters: List<'r>,
    results: List<'r>,
    totals: Totals,
}

#[derive(serde::Serialize)]
struct Totals {
    buffers: Total,
    parameters: Total,
    results: Total,
}

struct List<'r>(Rows<'r>);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut written = Ok(());
        (self.0)(&mut |row| {
            if written.is_ok() {
                written = list.serialize_element(row);
            }
        });
        written?;
        list.end()
    }
}

/// The text of a program. What is hidden in it stands in strings, which have an escape for it.
fn json(program: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(program)? + "\n";
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Ok(out)
}
