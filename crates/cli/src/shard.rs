//! `layout shard`.

use std::iter;
use std::ops::Range;

use layout_core::{ArrayShape, Size};
use layout_formats::parse_any;
use layout_mesh::{Grid, Mesh, NoAnswer};
use serde_json::json;

use crate::arguments::Shard;
use crate::output::{Answer, Page, Refusal, count};

/// Rows and columns of the picture, and devices in a cell.
const MOST: usize = 16;

pub(crate) fn shard(arguments: &Shard) -> Result<Answer, Refusal> {
    let (mut array, dims) = array(&arguments.shape)?;
    let mesh = arguments.mesh.read()?;
    let sharding = arguments.mesh.sharding(&arguments.sharding, dims.len())?;
    let mut shard = sharding.shard_shape(&array)?;
    if let Some(tpu) = arguments.tpu {
        [array, shard] = [array.with_default_layout(tpu)?, shard.with_default_layout(tpu)?];
    }
    let bytes = shard.bytes().ok_or(NoAnswer::TooLarge)?;
    let padding = bytes - shard.unpadded_bytes().unwrap_or(bytes);
    let grid = sharding.grid(dims.len(), mesh.as_ref().map_or(0, Mesh::device_count))?;
    if arguments.mesh.json {
        let mut devices = grid.devices().to_vec();
        devices.sort_unstable();
        let device = |device: u32| {
            let own = grid.shard_of(device).map(|at| grid.box_at(&dims, &at)).unwrap_or_default();
            let (start, limit): (Vec<_>, Vec<_>) = own.iter().map(|it| (it.start, it.end)).unzip();
            json!({ "device": device, "start": start, "limit": limit })
        };
        return Answer::json(&json!({
            "sharding": sharding.to_string(), "shard": shard.to_string(), "bytes": bytes,
            "padding_bytes": padding, "devices": devices.into_iter().map(device).collect::<Vec<_>>(),
        }));
    }
    let mut page = Page { text: format!("{array} over {sharding}\n\n") };
    let of_it = if padding > 0 { format!(", {padding} of them padding") } else { String::new() };
    page.row("shard", format!("{shard}, {}{of_it}", count(bytes, "byte")));
    page.row("on", places(&grid));
    if let Some(spec) = mesh.and_then(|mesh| sharding.spec(&mesh)) {
        page.row("in JAX", spec);
    }
    for (dim, (size, shards)) in dims.iter().zip(grid.shards()).enumerate() {
        if !size.is_multiple_of(*shards as Size) {
            let what = format!("dimension {dim}: {size} is not a multiple of {shards}");
            page.row("uneven", what + ": the last shards are short or empty");
        }
    }
    let Some(device) = arguments.device else {
        if grid.shards().iter().any(|own| *own > 1) {
            picture(&mut page, &grid, &dims);
        }
        return Ok(Answer::yes(page.text));
    };
    let own = sharding.box_of(&dims, device)?;
    let own = own.ok_or_else(|| format!("device {device} is not one of the sharding"))?;
    page.row("device", format!("{device} has [{}]", ranges(&own)));
    page.row("in a file", stretches(&own, &dims, array.element_bits()));
    Ok(Answer::yes(page.text))
}

/// An array, whose sizes are known.
pub(crate) fn array(text: &str) -> Result<(ArrayShape, Vec<Size>), Refusal> {
    let array = parse_any::array(text)?;
    let sizes = array.dims().iter().enumerate();
    let sizes = sizes.map(|(dim, size)| size.size().ok_or(NoAnswer::UnknownSize { dim }));
    Ok((array, sizes.collect::<Result<_, _>>()?))
}

/// Who has a shard.
fn places(grid: &Grid) -> String {
    let who = match grid.devices() {
        [] => "each device".into(),
        [device] => format!("device {device}"),
        devices => format!("each of {} devices", devices.len()),
    };
    let shards = joined(grid.shards(), "×");
    match grid.copies_of_each() {
        _ if grid.shards().iter().all(|own| *own == 1) => format!("{who}: the whole array"),
        1 => format!("{who}: {shards} shards"),
        copies => format!("{who}: {shards} shards, each on {copies} of them"),
    }
}

/// Ranges as Python's slices.
fn ranges(own: &[Range<Size>]) -> String {
    joined(own.iter().map(|own| format!("{}:{}", own.start, own.end)), ", ")
}

/// The bytes of a box in a row-major file: where they start, and how long and how far apart they are.
fn stretches(own: &[Range<Size>], dims: &[Size], bits: Size) -> String {
    if own.iter().any(Range::is_empty) {
        return "no bytes: it has padding alone".into();
    }
    // How far apart, and how many: elements first, then what repeats.
    let (mut runs, mut start, mut stride) = (vec![(1, 1)], 0, 1);
    for (own, size) in own.iter().zip(dims).rev() {
        let extent = own.end - own.start;
        start += own.start * stride;
        match runs.last_mut() {
            Some((every, times)) if *every * *times == stride => *times *= extent,
            _ if extent > 1 => runs.push((stride, extent)),
            _ => {}
        }
        stride *= size;
    }
    let (bits, unit) = if bits.is_multiple_of(8) { (bits / 8, "bytes") } else { (bits, "bits") };
    let number = |elements: Size| u128::from(elements as u64) * u128::from(bits as u64);
    let mut text = format!("start {}, length {}", number(start), number(runs[0].1));
    for (every, times) in &runs[1..] {
        text += &format!(", every {}, {times} times", number(*every));
    }
    format!("{text} ({unit})")
}

/// The numbers of the devices that have each shard: the last dimension from left to right, the others downwards.
fn picture(page: &mut Page, grid: &Grid, dims: &[Size]) {
    let Some(last) = dims.len().checked_sub(1) else { return };
    let all: usize = grid.shards().iter().product();
    let columns = grid.shards()[last];
    let own = |number: usize| grid.box_at(dims, &grid.at(number));
    let devices = |number: usize| {
        let all = grid.devices_of(&grid.at(number));
        joined(all.iter().take(MOST), " ") + if all.len() > MOST { " …" } else { "" }
    };
    let ranges_across = (0..columns.min(MOST)).map(|column| ranges(&own(column)[last..]));
    let mut lines = vec![iter::once(String::new()).chain(ranges_across).collect()];
    for row in (0..all).step_by(columns).take(MOST) {
        let cells = (row..row + columns.min(MOST)).map(devices);
        lines.push(iter::once(ranges(&own(row)[..last])).chain(cells).collect::<Vec<_>>());
    }
    let is_part = columns.max(all / columns) > MOST;
    let first = if is_part { "; the first ones" } else { "" };
    page.line(&format!("\ndevices of each shard, dimension {last} from left to right{first}"));
    table(page, &lines);
}

/// Cells in columns.
pub(crate) fn table(page: &mut Page, lines: &[Vec<String>]) {
    for line in lines {
        let cell = |(column, cell): (usize, &String)| {
            let width = lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
            format!("  {cell:width$}")
        };
        page.line(line.iter().enumerate().map(cell).collect::<String>().trim_end());
    }
}

fn joined<T: ToString>(all: impl IntoIterator<Item = T>, between: &str) -> String {
    all.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(between)
}
