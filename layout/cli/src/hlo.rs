//! `layout hlo`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use layout_core::hlo::{Module, Role};
use layout_core::{ArrayShape, Shape};
use serde_json::{Value, json};

use crate::arguments::Hlo;
use crate::file;
use crate::output::{Answer, Refusal};

/// Opcodes whose value is no memory of its own.
const OTHERS_MEMORY: [&str; 6] =
    ["bitcast", "get-tuple-element", "optimization-barrier", "parameter", "tuple", "while"];

/// An array of the program.
struct Row {
    /// Its number among the parameters or results, and in tuples the numbers of parts: `0.1`.
    place: String,
    name: String,
    opcode: String,
    line: Option<usize>,
    shape: ArrayShape,
}

pub(crate) fn hlo(arguments: &Hlo) -> Result<Answer, Refusal> {
    let name = file::name(&arguments.file);
    let text = file::read(&arguments.file)?;
    let module = Module::parse(&text).map_err(|error| Refusal(format!("{name}: {error}")))?;
    let layout = module.computation_layout();
    let mut parameters = Vec::new();
    for (number, shape) in layout.parameters().iter().enumerate() {
        let parameter = module.parameters().get(number);
        let called = parameter.map_or("", |found| found.op_name().unwrap_or(found.name()));
        leaves(shape, number.to_string(), called, &mut parameters);
    }
    let mut results = Vec::new();
    for (number, shape) in layout.results().iter().enumerate() {
        leaves(shape, number.to_string(), "", &mut results);
    }
    let buffers = buffers(&module, &text, arguments.top);
    let text = if arguments.json {
        let list = |rows: &[Row]| rows.iter().map(value).collect::<Vec<_>>();
        let value = json!({
            "module": module.name(),
            "entry": module.entry_name(),
            "parameters": list(&parameters),
            "results": list(&results),
            "buffers": list(&buffers),
        });
        format!("{value:#}\n")
    } else {
        let mut text = format!("{}\n", module.name());
        table(&mut text, "parameters", &parameters);
        table(&mut text, "results", &results);
        table(&mut text, "largest buffers", &buffers);
        text
    };
    Ok(Answer::yes(text))
}

/// The arrays of a shape.
fn leaves(shape: &Shape, place: String, name: &str, out: &mut Vec<Row>) {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => out.push(Row {
            place,
            name: name.to_owned(),
            opcode: String::new(),
            line: None,
            shape: *array,
        }),
        Shape::Tuple(parts) => {
            for (number, part) in parts.iter().enumerate() {
                let dot = if place.is_empty() { "" } else { "." };
                leaves(part, format!("{place}{dot}{number}"), name, out);
            }
        }
        _ => {}
    }
}

/// The largest arrays that instructions make, the largest first. What stands inside of fusions, and what
/// is applied to elements, is no memory.
fn buffers(module: &Module<'_>, text: &str, top: usize) -> Vec<Row> {
    let applied = applied(text);
    let mut rows = Vec::new();
    for (found, shape) in module.shapes() {
        let (Some(instruction), Some(computation)) = (found.instruction(), found.computation())
        else {
            continue;
        };
        let opcode = instruction.opcode();
        if found.role() != Role::Instruction
            || OTHERS_MEMORY.contains(&opcode)
            || opcode.ends_with("-done")
            || applied.contains(computation.name())
        {
            continue;
        }
        let before = rows.len();
        leaves(shape, String::new(), instruction.name(), &mut rows);
        // Its other parts are the source and what it waits for.
        if opcode == "copy-start" {
            rows.truncate(before + 1);
        }
        for row in &mut rows[before..] {
            row.opcode = opcode.to_owned();
            row.line = Some(found.line());
        }
    }
    rows.sort_by_key(|row| core::cmp::Reverse(row.shape.bytes()));
    rows.truncate(top);
    rows
}

/// The computations that stand for what one instruction does: fused ones, and those that it applies to
/// elements.
fn applied(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let called = if line.contains(" fusion(") {
            line.split_once(", calls=")
        } else if !line.contains(" call(") {
            line.split_once(", to_apply=")
        } else {
            None
        };
        if let Some((_, name)) = called {
            let name = name.trim_start_matches('%');
            let end = name.find([',', ' ', '}']).unwrap_or(name.len());
            names.insert(&name[..end]);
        }
    }
    names
}

fn table(out: &mut String, title: &str, rows: &[Row]) {
    let _ = writeln!(out, "\n{title}");
    if rows.is_empty() {
        out.push_str("  none\n");
        return;
    }
    let cells = rows.iter().map(|row| {
        let shape = row.shape;
        let bytes = shape.bytes().map_or("?".to_owned(), |bytes| bytes.to_string());
        let expansion = shape.expansion().map_or("?".to_owned(), |ratio| format!("{ratio:.2}"));
        let line = row.line.map_or(String::new(), |line| format!("line {line}"));
        [
            bytes,
            expansion,
            row.place.clone(),
            row.name.clone(),
            row.opcode.clone(),
            line,
            shape.to_string(),
        ]
    });
    let head = ["bytes", "expansion", "", "name", "made by", "", "shape"].map(str::to_owned);
    let cells = std::iter::once(head).chain(cells).collect::<Vec<_>>();
    let used = |column: usize| cells[1..].iter().any(|row| !row[column].is_empty());
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max();
    for row in &cells {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate().filter(|(column, _)| used(*column)) {
            let width = width(column).unwrap_or(0);
            let _ = match column {
                0 | 1 => write!(line, "  {cell:>width$}"),
                _ => write!(line, "  {cell:width$}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn value(row: &Row) -> Value {
    let mut value = json!({
        "shape": row.shape.to_string(),
        "bytes": row.shape.bytes(),
        "unpadded_bytes": row.shape.unpadded_bytes(),
        "expansion": row.shape.expansion(),
    });
    let texts = [("place", &row.place), ("name", &row.name), ("opcode", &row.opcode)];
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        value[key] = json!(text);
    }
    if let Some(line) = row.line {
        value["line"] = json!(line);
    }
    value
}
