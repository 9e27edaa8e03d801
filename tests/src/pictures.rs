//! Whether a picture shows what the naive model says.

use std::collections::{HashMap, HashSet};

use layout::__private::core::native;
use layout::shape::Size;
use layout_picture::{Line, Picture, Slice, Track};

use crate::lists::{array, list};
use crate::naive::{Naive, flatten, sizes, slots, unflatten};

/// Compares every cell and every slot.
///
/// # Panics
/// At the first difference.
pub fn check(naive: &Naive) {
    let text = naive.text("f32");
    let shape = array(&text);
    let picture = Picture::new(&shape).expect("the sizes are known");
    limits(&picture, &text);
    if naive.dims.contains(&0) {
        assert_eq!((picture.slice_count(), picture.slots()), (0, 0), "{text}");
        assert!(picture.slice(0, [9, 9]).is_none(), "{text}");
        return;
    }
    let memory = naive.memory();
    let shown = slots_of(&picture, &naive.dims, &memory, &text);
    assert!(memory.len() > 48 || shown == memory.len(), "{text}: {shown} slots");
    steps(&picture, naive, &memory, &text);
    grid(&picture, naive, &memory, &text);
    lines(&picture, naive, &memory, &text);
}

/// A cell of an SVG: its offset, its index, its key and what it says.
#[derive(Debug)]
pub struct Cell {
    /// `data-offset`.
    pub offset: Option<Size>,
    /// `data-index`.
    pub index: Option<String>,
    /// `data-key`.
    pub key: Option<String>,
    /// The title.
    pub hint: String,
}

/// The cells of an SVG, read as plain text. One that stands for others says nothing.
///
/// # Panics
/// If a group is not one of a cell.
pub fn cells(svg: &str) -> impl Iterator<Item = Cell> + '_ {
    svg.split("<g").skip(1).map(|group| {
        let (tag, rest) = group.split_once('>').expect("tags are closed");
        let attribute = |name: &str| {
            let (_, value) = tag.split_once(&format!(" data-{name}=\""))?;
            value.split_once('"').map(|(value, _)| value.to_owned())
        };
        let hint = rest.strip_prefix("<title>").and_then(|rest| rest.split_once("</title>"));
        let offset = attribute("offset").map(|offset| offset.parse().expect("a number"));
        let hint = hint.map_or(String::new(), |(hint, _)| hint.to_owned());
        Cell { offset, index: attribute("index"), key: attribute("key"), hint }
    })
}

/// Compares what the slots of the SVG say with memory; how many different ones it has.
///
/// # Panics
/// At the first difference.
pub fn slots_of(picture: &Picture, dims: &[Size], memory: &[Option<Size>], text: &str) -> usize {
    let mut shown = HashSet::new();
    for cell in cells(&picture.svg()) {
        let Some(offset) = cell.offset else {
            assert_eq!((cell.index, &*cell.hint), (None, ""), "{text}");
            continue;
        };
        let index = memory[native(offset)].map(|number| list(&unflatten(number, dims)));
        let hint = match &index {
            Some(index) => format!("[{index}] at offset {offset}"),
            None => format!("padding at offset {offset}"),
        };
        assert_eq!((cell.index, cell.hint), (index, hint), "{text}");
        shown.insert(offset);
    }
    shown.len()
}

/// Compares the stages of tiling; the last one is memory.
fn steps(picture: &Picture, naive: &Naive, memory: &[Option<Size>], text: &str) {
    let offsets = slots(memory);
    let (stages, steps) = (naive.stages(), picture.steps());
    assert_eq!(steps.len(), stages.len(), "{text}");
    for (step, stage) in steps.iter().zip(&stages) {
        assert_eq!(step.bounds, stage.dims, "{text} {}", step.name);
        well_formed(&step.svg);
        let is_whole = !step.svg.contains(['…', '⋮']);
        let shown = cells(&step.svg).take_while(|cell| !cell.hint.is_empty()).map(|cell| {
            assert_eq!(cell.offset.is_none(), cell.hint == "padding", "{text}");
            cell.offset.zip(cell.index)
        });
        let expected = stage.slots.iter().map(|number| {
            let number = (*number)?;
            let index = list(&unflatten(number, &naive.dims));
            Some((offsets[native(number)] as Size, index))
        });
        let shown = shown.collect::<Vec<_>>();
        let count = if is_whole { usize::MAX } else { shown.len() };
        assert!(!shown.is_empty(), "{text}");
        assert!(expected.take(count).eq(shown), "{text} {}", step.name);
        if is_whole {
            let elements = stage.slots.iter().flatten().collect::<HashSet<_>>();
            assert_eq!(elements.len(), offsets.len(), "{text} {}", step.name);
        }
    }
    assert_eq!(stages[stages.len() - 1].slots, memory, "{text}");
}

/// The array with the padding that has coordinates, as an array of its own.
fn filled(naive: &Naive) -> (usize, Naive) {
    let rank = naive.dims.len();
    let first = naive.tiles.first().map_or(&[][..], |tile| tile);
    let front = first.len().saturating_sub(rank);
    let mut dims = vec![1; front];
    dims.extend(naive.padded.as_ref().unwrap_or(&naive.dims));
    let own = naive.minor_to_major.iter().map(|dim| dim + front);
    let minor_to_major = own.chain((0..front).rev()).collect::<Vec<_>>();
    for (from_end, entry) in first.iter().rev().enumerate() {
        let is_combined = from_end + 1 < first.len() && first[first.len() - 2 - from_end].is_none();
        if let (Some(size), false) = (entry, is_combined) {
            let dim = &mut dims[minor_to_major[from_end]];
            *dim = dim.next_multiple_of(*size);
        }
    }
    (front, Naive { dims, minor_to_major, padded: None, ..naive.clone() })
}

/// What tells the copies of the first tile apart: the coordinates of the copy.
fn tile(filled: &Naive, index: &[Size]) -> Vec<Size> {
    let first = filled.tiles.first().map_or(&[][..], |tile| tile);
    let physical = filled.minor_to_major.iter().rev();
    let mut copy = Vec::new();
    let mut combined = 0;
    for (i, dim) in physical.enumerate() {
        let entry = (i + first.len()).checked_sub(index.len()).map(|entry| first[entry]);
        combined = combined * filled.dims[*dim] + index[*dim];
        match entry {
            Some(None) => continue,
            Some(Some(size)) => copy.push(combined / size),
            None if first.is_empty() => {}
            None => copy.push(combined),
        }
        combined = 0;
    }
    copy
}

fn grid(picture: &Picture, naive: &Naive, memory: &[Option<Size>], text: &str) {
    let (front, filled) = filled(naive);
    let count = filled.dims.iter().product::<Size>();
    let offsets = sizes(&slots(&filled.memory()));
    let axes = match *filled.minor_to_major {
        [] => [None, None],
        [only] => [None, Some(only)],
        [a, b, ..] => [Some(a.min(b)), Some(a.max(b))],
    };
    let own = axes.map(|dim| dim.and_then(|dim| dim.checked_sub(front)));
    assert_eq!(picture.axes(), own, "{text}");
    let fixed = (0..filled.dims.len()).filter(|dim| !axes.contains(&Some(*dim)));
    let fixed = fixed.collect::<Vec<_>>();
    let fixed_dims = fixed.iter().map(|dim| filled.dims[*dim]).collect::<Vec<_>>();

    let mut tiles = HashMap::new();
    let mut cells: Size = 0;
    for slice_number in 0..picture.slice_count() {
        let slice = picture.slice(slice_number, [usize::MAX; 2]).expect("there is such a slice");
        let mut index = vec![0; filled.dims.len()];
        for (dim, at) in fixed.iter().zip(unflatten(slice_number, &fixed_dims)) {
            index[*dim] = at;
        }
        let is_in_front = index[..front].iter().any(|at| *at > 0);
        let start = (!is_in_front).then(|| index[front..].to_vec());
        assert_eq!(slice.start, start, "{text}");
        let at = |row: usize, column: usize| {
            let mut index = index.clone();
            for (dim, at) in axes.iter().zip([row as Size, column as Size]) {
                if let Some(dim) = dim {
                    index[*dim] = at;
                }
            }
            index
        };
        assert!(all_shown(&slice.rows) && all_shown(&slice.columns), "{text}");
        for row in 0..slice.rows.len() {
            for column in 0..slice.columns.len() {
                let cell = slice.cell(row, column);
                let index = at(row, column);
                let at_cell = format!("{text} {index:?}");
                assert_eq!(
                    cell.offset,
                    offsets[native(flatten(&index, &filled.dims))],
                    "{at_cell}"
                );
                assert_eq!(cell.is_padding, memory[native(cell.offset)].is_none(), "{at_cell}");
                let copy = tile(&filled, &index);
                let end = |is_last, next: Vec<Size>| is_last || tile(&filled, &next) != copy;
                let is_last = column + 1 == slice.columns.len();
                let next = if is_last { index.clone() } else { at(row, column + 1) };
                assert_eq!(cell.right == Some(0), end(is_last, next), "{at_cell} right");
                let is_last = row + 1 == slice.rows.len();
                let next = if is_last { index.clone() } else { at(row + 1, column) };
                assert_eq!(cell.below == Some(0), end(is_last, next), "{at_cell} below");
                assert_eq!(*tiles.entry(copy).or_insert(cell.tile), cell.tile, "{at_cell}");
                cells += 1;
            }
        }
        parts(picture, slice_number, &slice, text);
    }
    assert_eq!(cells, count, "{text}");
    let mut numbers = tiles.into_values().collect::<Vec<_>>();
    numbers.sort_unstable();
    numbers.dedup();
    assert!(numbers.last().is_none_or(|last| *last < memory.len() as Size), "{text}");
}

fn all_shown(tracks: &[Track]) -> bool {
    tracks.iter().enumerate().all(|(i, track)| *track == Track::At(i as Size))
}

/// A slice with parts left out is part of the whole.
fn parts(picture: &Picture, number: Size, whole: &Slice, text: &str) {
    let cell_of = |row: Size, column: Size| whole.cell(native(row), native(column));
    let slice = picture.slice(number, [4, 5]).expect("there is such a slice");
    assert!(slice.rows.len() <= 4 && slice.columns.len() <= 5, "{text}");
    for (i, row) in slice.rows.iter().enumerate() {
        for (j, column) in slice.columns.iter().enumerate() {
            let (cell, first) = (slice.cell(i, j), cell_of(row.first(), column.first()));
            assert_eq!(cell.is_gap, row.is_gap() || column.is_gap(), "{text}");
            assert_eq!((cell.offset, cell.tile), (first.offset, first.tile), "{text}");
            let padding = [first, cell_of(row.last(), column.last())].map(|cell| cell.is_padding);
            assert_eq!(cell.is_padding, padding == [true, true], "{text}");
            let ends = |mut cells: &mut dyn Iterator<Item = Option<usize>>| {
                (&mut cells).any(|level| level == Some(0))
            };
            let below = &mut (row.first()..row.last()).map(|i| cell_of(i, column.first()).below);
            let right = &mut (column.first()..column.last()).map(|j| cell_of(row.first(), j).right);
            assert_eq!(cell.hides, [ends(below), ends(right)], "{text}");
            assert_eq!(cell.right, cell_of(row.first(), column.last()).right, "{text}");
            assert_eq!(cell.below, cell_of(row.last(), column.first()).below, "{text}");
        }
    }
}

fn lines(picture: &Picture, naive: &Naive, memory: &[Option<Size>], text: &str) {
    for (width, most) in [(usize::MAX, usize::MAX), (16, usize::MAX), (7, 5), (3, 2), (1, 1)] {
        let lines = picture.memory(width, most);
        assert!(lines.len() <= most.max(2), "{text}: {} lines", lines.len());
        let ends = lines.iter().skip(1).map(|line| line.start).chain([memory.len() as Size]);
        for (Line { start, slots, is_cut, .. }, next) in lines.iter().zip(ends) {
            assert!(slots.len() <= width && !slots.is_empty(), "{text}");
            assert_eq!(
                *is_cut,
                (start + slots.len() as Size) < next,
                "{text} {start} {width} {most}"
            );
            assert!(start + slots.len() as Size <= next, "{text}");
            for (slot, number) in slots.iter().zip(&memory[native(*start)..]) {
                let index = number.map(|number| unflatten(number, &naive.dims));
                assert_eq!(slot.index, index, "{text}");
            }
        }
        assert_eq!(lines[0].start, 0, "{text}");
        assert!(most < usize::MAX || !lines.iter().any(|line| line.is_cut), "{text}");
    }
}

/// What is drawn is no larger than it may be, and well-formed.
///
/// # Panics
/// If it is not.
pub fn limits(picture: &Picture, text: &str) {
    let plain = picture.to_string();
    text_limits(&plain, 100, text);
    assert_eq!(without_colours(&picture.ansi().to_string()), plain, "{text}");
    well_formed(&picture.svg());
}

/// At most 60 lines of at most so many characters.
///
/// # Panics
/// If there are more.
pub fn text_limits(plain: &str, columns: usize, text: &str) {
    assert!(plain.lines().count() <= 60, "{text}:\n{plain}");
    // The first line is the shape, which is as long as it is.
    let widest = plain.lines().skip(1).map(|line| line.chars().count()).max();
    assert!(widest <= Some(columns), "{text}: {widest:?}\n{plain}");
    assert!(!plain.lines().any(|line| line.ends_with(' ')), "{text}:\n{plain}");
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain += part.split_once('m').expect("a sequence ends with m").1;
    }
    plain
}

/// Whether it is XML.
///
/// # Panics
/// If not.
pub fn well_formed(document: &str) {
    let read = roxmltree::Document::parse(document);
    read.unwrap_or_else(|error| panic!("{error}\n{document}"));
}
