//! What the fuzz targets do with an input.

use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Range;
use std::sync::LazyLock;

use layout::shape::is_hidden;
use layout::{ArrayShape, Error, Shape};
use layout_formats::packed_format::{BlockFormat, PackedFormat, PackedFormatError};
use layout_formats::parse_any;
use layout_hlo::{self as hlo, Module, Occurrence, ReportOptions};
use layout_notation::notation::{Cute, Jax, Mosaic, Numpy, Packs};

use crate::lists;
use crate::naive::Naive;
use crate::random::Random;
use crate::{agree, data, extreme, notations, pairs, table};

/// Reads a text: it is refused with faults that lie in it, or it prints and reads back as itself.
///
/// # Panics
/// If it is neither.
pub fn parser(text: &str) {
    match text.parse::<Shape>() {
        Ok(shape) => {
            let printed = shape.to_string();
            let again = printed.parse::<Shape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
            assert_eq!(again, shape, "{text}");
            assert_eq!(again.to_string(), printed, "{text}");
            arrays(&shape);
        }
        Err(error) => refused(text, &error),
    }
}

/// Reads the text of an array, and asks for everything that can be computed.
///
/// # Panics
/// If some of it overflows, or if answers do not go together.
pub fn extreme(text: &str) {
    parser(text);
    if let Ok(array) = text.parse() {
        extreme::ask(&array);
    }
}

/// Every shape of a text, up to the first part that is not HLO.
pub fn hlo_shapes(text: &str) -> Vec<Occurrence<'_>> {
    let mut found = Vec::new();
    let _ = hlo::for_each_shape(text, |own| found.push(*own));
    found
}

/// Reads a text as an HLO module: what is found lies in it, one after the other, at the line and column that are said.
///
/// # Panics
/// If it does not.
pub fn hlo(text: &str) {
    let mut end = 0;
    for found in hlo_shapes(text) {
        let range = found.range();
        assert!(end <= range.start && range.start < range.end, "{text}\n{range:?}");
        assert_eq!(text.get(range.clone()), Some(found.text()), "{text}");
        let before = &text[..range.start];
        assert_eq!(found.line(), before.matches('\n').count() + 1, "{text}\n{range:?}");
        let (_, line) = before.rsplit_once('\n').unwrap_or(("", before));
        assert_eq!(found.column(), line.chars().count() + 1, "{text}\n{range:?}");
        if let Err(error) = found.parse() {
            place(text, &error);
        }
        end = range.end;
    }
    match Module::parse(text) {
        Ok(module) => {
            assert!(hlo::is_module(text), "{text}");
            for (number, parameter) in module.parameters().iter().enumerate() {
                assert_eq!(parameter.number(), number, "{text}");
            }
            let layout = module.computation_layout();
            assert_eq!(layout.parameters().len(), module.parameters().len(), "{text}");
            match module.memory() {
                Ok(memory) => is_shown(&memory),
                Err(error) => place(text, &error),
            }
        }
        Err(error) => place(text, &error),
    }
    if let Some(found) = hlo::OutOfMemory::find(text) {
        let report = found.report(3);
        assert!(report.chars().all(|c| c == '\n' || !is_hidden(c)), "{report}");
    }
}

/// Looks at all that a person sees of a program: nothing in it is hidden, and the picture is XML.
fn is_shown(memory: &hlo::Memory<'_>) {
    let hbm = &memory.hbm;
    assert!(hbm.allocated_bytes >= hbm.peak_bytes && hbm.peak_bytes >= hbm.temporaries_bytes);
    let limit = Some(hbm.peak_bytes / 2);
    let options =
        ReportOptions { top: 3, frames: true, vmem: true, tree: false, limit, needed: limit };
    let tree = memory.report(ReportOptions { tree: true, ..options });
    let difference = memory.difference(memory, options);
    assert!(difference.contains("same"));
    let svg = memory.svg(limit);
    for text in [&memory.report(options), &tree, &difference, &svg] {
        let hidden = text.chars().find(|c| *c != '\n' && is_hidden(*c));
        assert_eq!(hidden, None, "{text}");
    }
    roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
}

/// Looks whether an error lies in the text, or at its end.
fn place(text: &str, error: &hlo::Error) {
    let line = text.split('\n').nth(error.line() - 1).expect("the error is on a line of the text");
    assert!(error.column() <= line.chars().count() + 1, "{text}\n{error}");
    assert!(error.to_string().contains("help: "), "{text}\n{error}");
}

/// Arrays whose layout is asked of every text that is read.
static ARRAYS: LazyLock<Vec<String>> = LazyLock::new(|| table::texts("layouts", "of any text"));

/// Reads a text in every notation: it is refused with faults that lie in it, or it prints and reads back as itself. For
/// each array there is a layout, with the same dimensions, or a reason why not.
///
/// # Panics
/// If there is neither.
pub fn notations(text: &str) {
    for notation in notations::all() {
        let read = match notation.read(text) {
            Ok(read) => read,
            Err(error) => {
                refused(text, &error);
                continue;
            }
        };
        let printed = read.to_string();
        let again = notation.read(&printed).unwrap_or_else(|error| panic!("{text}:\n{error}"));
        assert_eq!(again.to_string(), printed, "{text}");
        for array in &*ARRAYS {
            if let Some(layout) = dims_stay(text, array, |array| read.layout(array)) {
                assert_eq!(again.layout(&lists::array(array)), Ok(layout), "{text}");
                parser(&layout.to_string());
            }
        }
    }
    if let Err(error) = parse_any::array(text) {
        let lies_in_it = |(range, _): &(Range<usize>, _)| text.get(range.clone()).is_some();
        assert!(error.faults().iter().all(lies_in_it), "{text}: {error:?}");
    }
}

/// Looks a name up among the packed formats: what is found has its letters, and what is proposed for it is found. A format
/// gives an array a layout of its dimensions, or says why not.
///
/// # Panics
/// If it is another one.
pub fn names(text: &str) {
    let letters = |text: &str| {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let is_own = |format: &PackedFormat| {
        let mut names = std::iter::once(format.name()).chain(format.aliases().iter().copied());
        text.is_ascii() && names.any(|own| letters(own) == letters(text))
    };
    match PackedFormat::find(text) {
        Ok(format) => {
            assert!(is_own(&format), "{text}: {}", format.name());
            for array in &*ARRAYS {
                dims_stay(text, array, |array| format.layout(array));
            }
        }
        Err(error) => {
            assert!(!PackedFormat::ALL.iter().any(is_own), "{text}: {error}");
            if let PackedFormatError::Unknown { nearest: Some(nearest) } = error {
                assert_eq!(PackedFormat::find(nearest.name()), Ok(nearest), "{text}");
                assert!(error.to_string().contains(nearest.name()), "{text}: {error}");
            }
        }
    }
    if let Ok(block) = BlockFormat::find(text) {
        let is_own = text.is_ascii() && letters(block.name()) == letters(text);
        assert!(is_own, "{text}: {}", block.name());
    }
}

/// Names of packed formats to start from.
pub fn format_names() -> Vec<String> {
    let names = |format: &PackedFormat| {
        std::iter::once(format.name()).chain(format.aliases().iter().copied()).map(str::to_owned)
    };
    let blocks = BlockFormat::all().map(|block| block.name().to_owned());
    PackedFormat::ALL.iter().flat_map(names).chain(blocks).collect()
}

/// The layout that a text says of an array has its dimensions, or there is a reason why not.
fn dims_stay<E: Display>(
    text: &str,
    array: &str,
    layout: impl Fn(&ArrayShape) -> Result<ArrayShape, E>,
) -> Option<ArrayShape> {
    let array = lists::array(array);
    let layout = layout(&array);
    match &layout {
        Ok(layout) => assert_eq!(layout.dims(), array.dims(), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty(), "{text}"),
    }
    layout.ok()
}

/// The faults lie in the text.
fn refused(text: &str, error: &Error) {
    assert!(!error.faults().is_empty(), "{text}");
    for fault in error.faults() {
        let range = fault.range().expect("what was read has a range");
        assert!(text.get(range.clone()).is_some(), "{text} {range:?}");
        let said = [fault.message().to_string(), fault.help().to_string()];
        assert!(said.iter().all(|said| !said.is_empty()), "{text} {range:?}");
    }
    assert!(error.to_string().contains("help: "), "{text}");
}

/// Asks for everything that can be computed; none of it may overflow.
fn arrays(shape: &Shape) {
    match shape {
        Shape::Tuple(parts) => parts.iter().for_each(arrays),
        Shape::Array(array) | Shape::Buffer(array) => {
            let sizes = [array.padded_elements(), array.bytes(), array.xla_bytes()];
            assert_eq!(sizes.map(|size| size.is_some()), [array.elements().is_some(); 3]);
            assert!(array.bytes() >= array.unpadded_bytes(), "{array}");
            let last = array
                .dims()
                .iter()
                .map(|dim| dim.size().and_then(|size| size.checked_sub(1)))
                .collect::<Option<Vec<_>>>();
            if let Some(index) = &last {
                let digits = array.digits().unwrap();
                let offset = digits.offset(index).unwrap();
                assert!(Some(offset) < array.padded_elements(), "{array}");
                assert_eq!(*digits.index(offset).unwrap(), **index, "{array}");
            }
            written(array, last.as_deref());
        }
        _ => {}
    }
}

/// Writes the array in every other notation, and looks where CuTe puts the last element.
fn written(array: &ArrayShape, last: Option<&[layout::shape::Size]>) {
    let numpy = Numpy::of(array).map(|text| format!("{text} {}", text.inverse()));
    let is_read = array.elements().is_some() && array.swizzle().is_none();
    assert_eq!(numpy.is_ok(), is_read, "{array}");
    let jax = Jax::of(array).map(|text| text.to_string());
    assert!(jax.ok().is_none_or(|text| text.starts_with("Layout(")), "{array}");
    let mosaic = Mosaic::of(array).map(|text| text.to_string());
    assert!(mosaic.ok().is_none_or(|text| text.starts_with("#tpu.tiled<")), "{array}");
    let packs = Packs::of(array).map(|text| text.to_string());
    assert!(packs.ok().is_none_or(|text| text.contains("inner_tiles = [")), "{array}");
    for cute in [Cute::of(array), Cute::padded_of(array)].into_iter().flatten() {
        assert_eq!(cute.to_string().matches(':').count(), 1, "{array}");
        let last = last.expect("the array has elements");
        let mut offset = 0;
        for (dim, &coordinate) in last.iter().enumerate() {
            let mut left = coordinate;
            for (i, mode) in cute.mode(dim).iter().enumerate() {
                let is_top = i + 1 == cute.mode(dim).len();
                offset += mode.stride * if is_top { left } else { left % mode.shape };
                left /= mode.shape;
            }
        }
        let (bits, base, shift) =
            (cute.swizzle().bits(), cute.swizzle().base(), cute.swizzle().shift());
        let read = ((1 << bits) - 1) << (i32::from(base) + i32::from(shift.max(0)));
        offset ^= match shift {
            0.. => (offset & read) >> shift,
            _ => (offset & read) << -shift,
        };
        assert_eq!(Some(offset), array.digits().unwrap().offset(last), "{array} {cute}");
    }
}

/// Pieces of texts, by what they are put into.
///
/// # Panics
/// If the file cannot be read.
pub fn pieces(of: &str) -> &'static [String] {
    static PIECES: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../fuzz/pieces.json")).expect("lists of texts")
    });
    &PIECES[of]
}

/// Small HLO modules to start from: those by hand, and those of the table, in all forms that XLA prints.
pub fn programs() -> Vec<String> {
    let own = table::of("hlo", "memory").into_iter().map(|row| scheduled(&row[0]));
    own.chain(data::hlo_by_hand()).collect()
}

/// The scheduled module of a row of the table, which may begin with more of its header.
pub fn scheduled(row: &str) -> String {
    let end = if row.starts_with(", ") { "" } else { "\n" };
    format!("HloModule m, is_scheduled=true{end}{}", row.replace("\\n", "\n"))
}

/// A random layout against the naive model; of a rank, sizes and tiles that no compiler chooses.
///
/// # Panics
/// If they differ.
pub fn arithmetic(random: &mut Random) {
    let rank = random.below(9);
    let largest = [1, 200, 40, 16, 9, 6, 5, 4, 3][rank];
    let dims = (0..rank).map(|_| 1 + random.below_size(largest)).collect::<Vec<_>>();
    let minor_to_major = random.order(rank);
    let padded =
        (random.below(4) == 0).then(|| dims.iter().map(|dim| dim + random.below_size(4)).collect());
    let tiles = pairs::tiles(random, 6, 6);
    let tail_alignment = if random.below(4) == 0 { 1 + random.below_size(99) } else { 1 };
    let naive = Naive { dims, minor_to_major, padded, tiles, tail_alignment, swizzle: None };
    let naive = pairs::swizzled(random, naive);
    if naive.size_within(30_000).is_some() {
        agree::check(&naive);
    }
}
