//! `layout shard`.

use std::ops::Range;

use layout_core::{ArrayShape, Size};
use layout_formats::parse_any;
use layout_hlo::Bytes;
use layout_mesh::{Grid, Mesh, NoAnswer, Sharding};
use serde_json::json;

use crate::arguments::Shard;
use crate::output::{Answer, Page, Refusal, count};

/// Rows and columns of the picture, and lines of other lists.
const MOST: usize = 16;

pub(crate) fn shard(arguments: &Shard) -> Result<Answer, Refusal> {
    let mesh = arguments.mesh.read()?;
    let mut array = array(&arguments.shape)?;
    let sharding = read(&arguments.sharding, mesh.as_ref(), &array)?;
    let dims = sizes(&array);
    let mut shard = sharding.shard_shape(&array)?;
    if let Some(tpu) = arguments.tpu {
        shard = shard.with_default_layout(tpu)?;
        array = array.with_default_layout(tpu)?;
    }
    let bytes = shard.bytes().ok_or(NoAnswer::TooLarge)?;
    let padding = bytes - shard.unpadded_bytes().unwrap_or(bytes);
    let grid = sharding.grid(dims.len(), mesh.as_ref().map_or(0, Mesh::device_count))?;
    let mut devices = grid.devices().to_vec();
    devices.sort_unstable();
    if arguments.mesh.json {
        let device = |device: &u32| {
            let own = sharding.box_of(&dims, *device)?.unwrap_or_default();
            let [start, limit] = [|it: &Range<Size>| it.start, |it: &Range<Size>| it.end]
                .map(|end| own.iter().map(end).collect::<Vec<_>>());
            Ok(json!({ "device": device, "start": start, "limit": limit }))
        };
        let devices = devices.iter().map(device).collect::<Result<Vec<_>, NoAnswer>>()?;
        let answer = json!({ "sharding": sharding.to_string(), "shard": shard.to_string(), "bytes": bytes,
            "padding_bytes": padding, "devices": devices });
        return Ok(Answer::yes(serde_json::to_string(&answer)? + "\n"));
    }
    let mut page = Page { text: format!("{array} over {sharding}\n\n") };
    let of_it = if padding > 0 { format!(", {padding} of them padding") } else { String::new() };
    page.row("shard", format!("{shard}, {}{of_it}", count(bytes, "byte")));
    page.row("in all", format!("{} on {}", Bytes(bytes as u64), places(&grid)));
    if let Some(spec) = mesh.and_then(|mesh| sharding.spec(&mesh)) {
        page.row("in JAX", spec);
    }
    for (dim, (size, own)) in dims.iter().zip(grid.shards()).enumerate() {
        if !size.is_multiple_of(*own as Size) {
            let shard = size.div_ceil(*own as Size);
            let last = size.saturating_sub(shard * (*own as Size - 1));
            page.row(
                "uneven",
                format!("dimension {dim}: {size} is not a multiple of {own}: the last shard has {last} of {shard}"),
            );
        }
    }
    match arguments.device {
        None => picture(&mut page, &grid, &dims),
        Some(device) => {
            let own = sharding.box_of(&dims, device)?;
            let own = own.ok_or_else(|| format!("device {device} is not one of the sharding"))?;
            page.row("device", format!("{device} has {}", ranges(&own)));
            page.row("in a file", stretches(&own, &dims, array.element_bits()));
        }
    }
    Ok(Answer::yes(page.text))
}

/// An array of known sizes.
pub(crate) fn array(text: &str) -> Result<ArrayShape, Refusal> {
    let array = parse_any::array(text)?;
    match array.dims().iter().position(|dim| dim.size().is_none()) {
        Some(dim) => Err(NoAnswer::UnknownSize { dim }.into()),
        None => Ok(array),
    }
}

/// A sharding by the names of a mesh, if there is one, or as HLO writes it.
pub(crate) fn read(
    text: &str,
    mesh: Option<&Mesh>,
    array: &ArrayShape,
) -> Result<Sharding, Refusal> {
    match mesh {
        Some(mesh) => Ok(mesh.sharding(text, array.rank())?),
        None if text.trim_start().starts_with('{') => Ok(text.parse()?),
        None => Err(Refusal::new(
            format!("`{text}` names axes of a mesh"),
            "give the mesh, as in `--mesh x=4,y=2`, or HLO's text, as in `{devices=[4,2]<=[8]}`",
        )),
    }
}

/// The sizes of an array, which are known.
pub(crate) fn sizes(array: &ArrayShape) -> Vec<Size> {
    array.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect()
}

/// How many devices have a shard.
fn places(grid: &Grid) -> String {
    let shards = grid.shards().iter().map(ToString::to_string).collect::<Vec<_>>().join("×");
    let copies = grid.copies_of_each();
    match (grid.devices(), grid.shards().iter().product::<usize>()) {
        ([], _) => "each device, which has the whole array".into(),
        ([device], _) => format!("device {device}, which has the whole array"),
        (devices, 1) => format!("each of {} devices, which have the whole array", devices.len()),
        (devices, all) if all == devices.len() => format!("each of {all} devices: {shards} shards"),
        (devices, _) => {
            format!("each of {} devices: {shards} shards, each on {copies} of them", devices.len())
        }
    }
}

/// A box as Python's slices.
fn ranges(own: &[Range<Size>]) -> String {
    let slices = own.iter().map(|own| format!("{}:{}", own.start, own.end));
    format!("[{}]", slices.collect::<Vec<_>>().join(", "))
}

/// The bytes of a box in a row-major file: where they start, and how long and how far apart they are.
fn stretches(own: &[Range<Size>], dims: &[Size], bits: Size) -> String {
    if own.iter().any(Range::is_empty) {
        return "no bytes: it has padding alone".into();
    }
    let (mut start, mut stride, mut length) = (0, 1, 1);
    let mut steps: Vec<(Size, Size)> = Vec::new();
    for (own, size) in own.iter().zip(dims).rev() {
        let extent = own.end - own.start;
        start += own.start * stride;
        match steps.last_mut() {
            None if length == stride => length *= extent,
            Some((every, times)) if *every * *times == stride => *times *= extent,
            _ if extent > 1 => steps.push((stride, extent)),
            _ => {}
        }
        stride *= size;
    }
    let unit = if bits.is_multiple_of(8) { 8 } else { 1 };
    let number = |elements: Size| u128::from(elements as u64) * u128::from((bits / unit) as u64);
    let steps =
        steps.iter().map(|(every, times)| format!(", every {}, {times} times", number(*every)));
    let unit = if unit == 8 { "bytes" } else { "bits" };
    format!(
        "start {}, length {}{} ({unit})",
        number(start),
        number(length),
        steps.collect::<String>()
    )
}

/// The shards as a grid of the first two dimensions that are cut, with the numbers of their devices; else one a line.
fn picture(page: &mut Page, grid: &Grid, dims: &[Size]) {
    let cut: Vec<usize> = (0..dims.len()).filter(|dim| grid.shards()[*dim] > 1).collect();
    let Some(&rows) = cut.first() else { return };
    let columns = cut.get(1).copied().filter(|_| cut.len() == 2);
    let widths = columns.map_or(1, |dim| grid.shards()[dim]);
    let all = grid.shards().iter().product::<usize>();
    let mut lines: Vec<Vec<String>> = Vec::new();
    for row in 0..(all / widths).min(MOST) {
        let places: Vec<_> =
            (0..widths.min(MOST)).map(|column| grid.at(row * widths + column)).collect();
        let slices = |at: &[usize], dims_of: Range<usize>| ranges(&grid.box_at(dims, at)[dims_of]);
        if let (0, Some(dim)) = (row, columns) {
            let head = places.iter().map(|at| slices(at, dim..dim + 1));
            lines.push([format!("dim {rows} \\ {dim}")].into_iter().chain(head).collect());
        }
        let own = if columns.is_some() { rows..rows + 1 } else { 0..dims.len() };
        let devices = places.iter().map(|at| {
            let all = grid.devices_of(at).iter().take(MOST).map(ToString::to_string);
            let rest = if grid.copies_of_each() > MOST { " …" } else { "" };
            all.collect::<Vec<_>>().join(" ") + rest
        });
        lines.push([slices(&places[0], own)].into_iter().chain(devices).collect());
    }
    let is_part = all / widths > MOST || widths > MOST;
    page.line(&format!("\ndevices of each shard{}", if is_part { ", the first ones" } else { "" }));
    table(page, &lines);
}

/// Cells in columns.
pub(crate) fn table(page: &mut Page, lines: &[Vec<String>]) {
    let width = |cell: Option<&String>| cell.map_or(0, |cell| cell.chars().count());
    let widest = |column| lines.iter().map(|line| width(line.get(column))).max().unwrap_or(0);
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    for line in lines {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("  {cell:width$}"));
        page.line(cells.collect::<String>().trim_end());
    }
}
