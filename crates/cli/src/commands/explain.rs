//! `layout explain`.

use std::ops::Range;

use layout::tpu::{Tpu, advise, cheaper_layouts};
use layout_core::analysis::{
    ContiguousRun, Formula, NotAddressable, PadReshapeTranspose, Sum, TileStep,
};
use layout_core::{ArrayShape, Digits, Dim, Size, TileDim};
use layout_formats::packed_format::PackedFormat;

use crate::arguments::Explain;
use crate::output::{Answer, Page, Refusal, count};
use crate::shape;

/// Alternatives that are listed.
const MOST_ALTERNATIVES: usize = 6;

/// Slots that are looked at one by one.
const MOST_SLOTS: Size = 1 << 20;

pub(crate) fn explain(arguments: &Explain) -> Result<Answer, Refusal> {
    let shape = shape::sized_words(&arguments.shape)?;
    let digits = shape.digits().map_err(|error| error.to_string())?;
    let mut page = Page { text: format!("{shape}\n\n") };
    sizes(&mut page, &shape);
    names(&mut page, &shape);
    tiling(&mut page, &shape);
    offsets(&mut page, &shape);
    addressable(&mut page, &shape);
    // What was asked for comes last, where it is read first.
    cheaper(&mut page, &shape);
    if let Some(tpu) = arguments.tpu {
        ranked(&mut page, &shape, tpu)?;
    }
    if arguments.at.is_some() || arguments.offset.is_some() {
        page.text.push('\n');
    }
    if let Some(index) = &arguments.at {
        page.line(&element(&shape, &digits, index)?);
    }
    if let Some(offset) = arguments.offset {
        page.line(&slot(&shape, &digits, offset)?);
    }
    Ok(Answer::yes(page.text))
}

fn sizes(page: &mut Page, shape: &ArrayShape) {
    let dims = shape.dims().iter().map(|dim| match dim {
        Dim::Static(size) => size.to_string(),
        Dim::Bounded(bound) => format!("<={bound}"),
        Dim::Unbounded => "?".to_string(),
    });
    page.row("dimensions", format!("[{}]", dims.collect::<Vec<_>>().join(",")));
    if shape.rank() > 1 {
        let order = commas(shape.minor_to_major(), ", ");
        page.row("order", format!("{order}, the most minor dimension first"));
    }
    let (bits, own) = (shape.element_bits(), shape.element_type().bits());
    let mut element = format!("{}, {}", shape.element_type().name(), count(own, "bit"));
    if bits != own {
        element += &format!("; {} in memory", count(bits, "bit"));
    }
    if bits < 8 && 8 % bits == 0 {
        element += &format!(", {} to a byte, low bits first", 8 / bits);
    }
    page.row("element", element);
    for remark in shape.remarks() {
        page.row("note", remark);
    }
    let [elements, slots, bare, bytes] =
        [shape.elements(), shape.padded_elements(), shape.unpadded_bytes(), shape.bytes()]
            .map(|number| number.unwrap_or(0));
    page.row("elements", format!("{elements}, {}", count(bare, "byte")));
    let factor = if bytes == bare || bare == 0 {
        String::new()
    } else {
        format!(" ({} the elements alone)", times(bytes, bare))
    };
    page.row("in memory", format!("{slots}, {}{factor}", count(bytes, "byte")));
    if let Some(xla) = shape.xla_bytes().filter(|xla| *xla != bytes) {
        page.row("", format!("{} by XLA, which pads for the first tile only", count(xla, "byte")));
    }
    if shape.dynamic_metadata_prefix_bytes() > 0 {
        let prefix = count(shape.dynamic_metadata_prefix_bytes(), "byte");
        page.row("prefix", format!("{prefix} of metadata before offset 0"));
    }
    let swizzle = shape.swizzle();
    if !swizzle.is_none() {
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        let unit = swizzle.unit();
        page.row(
            "swizzle",
            format!("Swizzle<{bits},{base},{shift}> of CuTe, on offsets in {unit}"),
        );
    }
    if shape.memory_space() != 0 {
        page.row("space", shape.memory_space());
    }
}

/// The packed formats that the layout is.
fn names(page: &mut Page, shape: &ArrayShape) {
    // An array without elements is in every order, and plain rows of bytes have names that say nothing.
    let is_plain = shape.tiles().is_empty()
        && shape.minor_to_major().is_sorted_by(|a, b| a > b)
        && shape.element_bits() >= 8;
    if is_plain || shape.elements() == Some(0) {
        return;
    }
    let found = PackedFormat::of(shape).collect::<Vec<_>>();
    for (number, format) in found.iter().take(MOST_ALTERNATIVES).enumerate() {
        let description = format.description();
        page.row(if number == 0 { "known as" } else { "" }, format!("{format}: {description}"));
    }
    if found.len() > MOST_ALTERNATIVES {
        page.row("", format!("and {} more", found.len() - MOST_ALTERNATIVES));
    }
}

fn tiling(page: &mut Page, shape: &ArrayShape) {
    let order = || shape.minor_to_major().iter().rev();
    let steps = PadReshapeTranspose::of(shape);
    let alignment = shape.tail_padding_alignment();
    if steps.len() == 0 && shape.padded_dimensions().is_none() && alignment == 1 {
        return;
    }
    page.line("\ntiling, the most major bound first");
    let mut bounds = order().map(|dim| shape.dims()[*dim].size().unwrap_or(0)).collect::<Vec<_>>();
    page.row("array", list(&bounds));
    if let Some(widths) = shape.padded_dimensions() {
        bounds = order().map(|dim| widths[*dim]).collect();
        page.row("PAD", list(&bounds));
    }
    for step in steps {
        let tile = tile_text(&shape.tiles().get(step.tile));
        let mut name = tile.as_str();
        let mut row = |what: &str, bounds: &[Size], note: &str| {
            page.row(name, format!("{what:9}  {}{note}", list(bounds)));
            name = "";
        };
        if bounds != *step.combined {
            row("combine", &step.combined, "");
        }
        let is_padded = step.padded != *step.combined;
        row("pad", &step.padded, if is_padded { "" } else { ", as it is" });
        row("reshape", &step.reshaped, "");
        row("transpose", &step.result, &permutation(&step));
        bounds = step.result.to_vec();
    }
    if alignment > 1 {
        let slots = shape.padded_elements().unwrap_or(0);
        page.row("L", format!("{slots}, rounded up to a multiple of {alignment}"));
    }
}

fn permutation(step: &TileStep) -> String {
    if step.permutation.is_sorted() {
        return ", as it is".to_string();
    }
    format!(" by ({})", commas(&step.permutation, ","))
}

fn offsets(page: &mut Page, shape: &ArrayShape) {
    let formula = Formula::of(shape);
    page.line("\noffset of an element, in elements");
    for (i, sum) in formula.sums().iter().enumerate() {
        page.line(&format!("  s{i} = {sum}"));
    }
    page.line(&format!("  offset = {formula}"));
    let text = formula.to_string() + &formula.sums().iter().map(Sum::to_string).collect::<String>();
    if text.contains(['/', '%']) {
        page.line("  (/ rounds down, % is the remainder, from left to right)");
    }
    if let Some(run) = ContiguousRun::of(shape) {
        let ContiguousRun { length, dim, .. } = run;
        page.line(&match length {
            1 => "  no two neighbours along a dimension are contiguous".to_string(),
            _ => format!("  contiguous: {length} elements along dimension {dim}"),
        });
    }
}

/// The bytes of the first slice, tile and row, or why they are not one stretch of memory.
fn addressable(page: &mut Page, shape: &ArrayShape) {
    let rank = shape.rank();
    let is_tiled = !shape.tiles().is_empty();
    if shape.elements() == Some(0) || rank < if is_tiled { 1 } else { 2 } {
        return;
    }
    page.line("\naddressable in memory, without a copy");
    // Of such layouts every slot is looked at.
    let is_slow = shape.tiles().iter().any(|tile| tile.contains(&TileDim::Combined))
        || !Formula::of(shape).sums().is_empty()
        || !shape.swizzle().is_none();
    if is_slow && shape.padded_elements() > Some(MOST_SLOTS) {
        page.line("  not looked for: that would take a look at every slot of this layout");
        return;
    }
    let index = vec![0; rank];
    let mut row = |name: &str, found: Result<Range<Size>, NotAddressable>| {
        page.row(
            name,
            match found {
                Ok(bytes) => {
                    format!("{}, from byte {}", count(bytes.end - bytes.start, "byte"), bytes.start)
                }
                Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
            },
        );
    };
    if rank > 1 {
        row("slice [0]", shape.slice_bytes(&[0]));
    }
    if is_tiled {
        row("first tile", shape.tile_bytes(&index));
    }
    // The other rows are slices.
    if rank > 2 || rank == 2 && shape.minor_to_major()[0] == 0 {
        row("first row", shape.row_bytes(&index));
    }
}

fn cheaper(page: &mut Page, shape: &ArrayShape) {
    if shape.tiles().is_empty() || shape.elements() == Some(0) {
        return;
    }
    let mut found = cheaper_layouts(shape).into_iter().flatten().collect::<Vec<_>>();
    found.sort_by_key(ArrayShape::bytes);
    if found.is_empty() {
        page.line(
            "\nno other two most minor dimensions, and no first tile with fewer rows, take fewer bytes",
        );
        return;
    }
    page.line("\nfewer bytes, with another order of dimensions or fewer rows in the first tile");
    alternatives(page, shape, found);
}

/// What the compiler of a TPU would choose for each order of the dimensions.
fn ranked(page: &mut Page, shape: &ArrayShape, tpu: Tpu) -> Result<(), Refusal> {
    let found = advise(shape, tpu)?;
    page.line(&format!(
        "\nlayouts of TPU {tpu} for each order of the dimensions, its default first"
    ));
    alternatives(page, shape, found);
    Ok(())
}

/// Layouts with their bytes.
fn alternatives(page: &mut Page, shape: &ArrayShape, found: impl IntoIterator<Item = ArrayShape>) {
    let own = shape.bytes().unwrap_or(0);
    let found = found.into_iter().filter_map(|other| Some((other.to_string(), other.bytes()?)));
    let found = found.collect::<Vec<_>>();
    let shown = found.iter().take(MOST_ALTERNATIVES);
    let widest = shown.clone().map(|(text, _)| text.len()).max().unwrap_or(0);
    for (text, bytes) in shown {
        let part = if *bytes == 0 { times(1, 1) } else { times(*bytes, own) };
        let bytes = count(*bytes, "byte");
        page.line(&format!("  {text:widest$}  {bytes} ({part} the given layout)"));
    }
    if found.len() > MOST_ALTERNATIVES {
        page.line(&format!("  and {} more", found.len() - MOST_ALTERNATIVES));
    }
}

/// A ratio. 0.00 would say that nothing is left.
fn times(bytes: Size, of: Size) -> String {
    match bytes as f64 / of as f64 {
        ratio if ratio < 0.005 => "less than 0.01×".to_string(),
        ratio => format!("{ratio:.2}×"),
    }
}

/// The place of the element at an index.
fn element(shape: &ArrayShape, digits: &Digits, index: &[Size]) -> Result<String, Refusal> {
    if index.len() != shape.rank() {
        let (rank, given) =
            (count(shape.rank() as Size, "dimension"), count(index.len() as Size, "coordinate"));
        return Err(format!("{index:?} has {given}, but the array has {rank}").into());
    }
    if let Some(dim) = (0..index.len()).find(|&dim| index[dim] >= digits.dim(dim)) {
        let size = digits.dim(dim);
        let message = format!("{index:?} is out of range: dimension {dim} has size {size}");
        return Err(message.into());
    }
    let offset = digits.offset_unchecked(index);
    let bit = offset as u128 * shape.element_bits() as u128;
    let byte = bit / 8;
    let at = match (bit % 8, shape.element_bits() % 8) {
        (0, 0) => format!("byte {byte}"),
        (bit, _) => format!("bit {bit} of byte {byte}"),
    };
    let lanes = PackedFormat::of(shape).find_map(|format| {
        let (lane, value) = format.lane_and_value_of(shape, index)?;
        Some(format!("; value {value} of lane {lane} of {format}"))
    });
    Ok(format!("{index:?} is at offset {offset}, {at}{}", lanes.unwrap_or_default()))
}

/// The element at an offset.
fn slot(shape: &ArrayShape, digits: &Digits, offset: Size) -> Result<String, Refusal> {
    let slots = shape.padded_elements().unwrap_or(0);
    if offset >= slots {
        let message = format!("offset {offset} is past the end: the array takes {slots} elements");
        return Err(message.into());
    }
    Ok(match digits.index(offset) {
        Some(index) => format!("offset {offset} holds {:?}", index.as_slice()),
        None => format!("offset {offset} is padding"),
    })
}

fn tile_text(tile: &[TileDim]) -> String {
    let entries = tile.iter().map(|entry| match entry {
        TileDim::Size(size) => size.to_string(),
        TileDim::Combined => "*".to_string(),
    });
    format!("({})", entries.collect::<Vec<_>>().join(","))
}

fn list(numbers: &[Size]) -> String {
    format!("[{}]", commas(numbers, ","))
}

fn commas(numbers: &[impl ToString], between: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}
