//! `layout formats`.

use std::fmt::Write as _;

use layout_formats::packed_format::{
    BlockFormat, Family, MosaicGpu, NOT_LAYOUTS, PackedFormat, ThreadDim,
};

use crate::arguments::Formats;
use crate::output::{Answer, Page, Refusal};

/// Columns of the names in the list.
const MOST_OF_A_NAME: usize = 32;

pub(crate) fn formats(arguments: &Formats) -> Result<Answer, Refusal> {
    match &arguments.name {
        Some(name) => one(name),
        None => Ok(Answer::yes(all())),
    }
}

fn all() -> String {
    let mut text = String::new();
    // One name is far longer than the others.
    let widest = MOST_OF_A_NAME;
    for family in Family::ALL {
        let _ = writeln!(text, "{family}");
        for format in PackedFormat::ALL.iter().filter(|format| format.family() == *family) {
            let shape = format.examples().next().map(|shape| shape.to_string());
            let _ = writeln!(text, "  {:widest$}  {}", format.name(), shape.unwrap_or_default());
        }
        text.push('\n');
    }
    let _ = writeln!(text, "JAX's Mosaic GPU, in the order of threads");
    for tiled in MosaicGpu::ALL {
        let shape = tiled.layout(&tiled.smallest()).map(|shape| shape.to_string());
        let _ = writeln!(text, "  {:widest$}  {}", tiled.name(), shape.unwrap_or_default());
    }
    let blocks = BlockFormat::all().map(|format| format.name()).collect::<Vec<_>>();
    let _ = writeln!(text, "\nblocks with scales, part by part\n{}", wrapped(&blocks));
    let not_layouts = NOT_LAYOUTS.iter().map(|one| one.name()).collect::<Vec<_>>();
    let _ = writeln!(text, "\nknown, but not one layout\n{}", wrapped(&not_layouts));
    let _ = writeln!(text, "\n`layout formats NAME` says what is known of one.");
    text
}

/// Words between commas, in lines of at most 100 characters.
fn wrapped(words: &[&str]) -> String {
    let (mut text, mut start) = (" ".to_owned(), 0);
    for word in words {
        if text.len() - start + word.len() + 2 > 100 {
            text.push_str("\n ");
            start = text.len() - 1;
        }
        let _ = write!(text, " {word},");
    }
    text.pop();
    text
}

fn one(name: &str) -> Result<Answer, Refusal> {
    let block = BlockFormat::find(name).ok();
    if let Some(tiled) = MosaicGpu::find(name) {
        return Ok(Answer::yes(of_tiled(&tiled)));
    }
    let mut text = match (PackedFormat::find(name), block) {
        (Ok(format), _) => of_packed(&format),
        (Err(_), Some(block)) => {
            format!("{}: a block of ggml whose codes are in several parts\n", block.name())
        }
        (Err(error), None) => return Err(error.into()),
    };
    if let Some(block) = block {
        let (rows, elements, bytes) = (block.rows(), block.elements(), block.bytes());
        let rows = if rows == 1 { String::new() } else { format!("{rows} rows of ") };
        let _ = writeln!(text, "\na block has {rows}{elements} elements in {bytes} bytes");
        for part in block.parts() {
            let (name, layout) = (part.name(), part.layout());
            let place = match (part.base(), part.pitch()) {
                (Some(base), Some(pitch)) => format!("from element {base} with a pitch of {pitch}"),
                _ => format!(
                    "from bit {} with a pitch of {} bits",
                    part.base_bits(),
                    part.pitch_bits()
                ),
            };
            let _ = writeln!(text, "  {name:11} {layout}, {place}");
        }
    }
    Ok(Answer::yes(text))
}

fn of_packed(format: &PackedFormat) -> String {
    let mut page = Page { text: format!("{format}: {}\n\n", format.description()) };
    if !format.aliases().is_empty() {
        page.row("also", format.aliases().join(", "));
    }
    page.row("dimensions", format!("[{}]", format.dim_names()));
    for (number, (shape, elements)) in format.examples().zip(format.element_types()).enumerate() {
        let types = elements.iter().map(|element| element.name()).collect::<Vec<_>>().join(", ");
        let types = if types.is_empty() { "all types".to_owned() } else { types };
        let sizes = match format.multiples(shape.element_type()) {
            None => "fixed sizes".to_owned(),
            Some(multiples) if multiples.iter().all(|multiple| *multiple == 1) => {
                "all sizes".to_owned()
            }
            Some(multiples) => {
                let sizes = multiples.iter().zip(shape.dims()).map(|(multiple, dim)| {
                    match (multiple, dim.size()) {
                        (0, Some(size)) => size.to_string(),
                        (1, _) => "any".to_owned(),
                        _ => format!("{multiple}·k"),
                    }
                });
                format!("sizes [{}]", sizes.collect::<Vec<_>>().join(","))
            }
        };
        let name = if number == 0 { "layout" } else { "" };
        page.row(name, format!("{shape}, {types}, {sizes}"));
    }
    if let Some(lanes) = format.lanes() {
        page.row("lanes", format!("{lanes}; offset = lane·values + value"));
    }
    if !format.note().is_empty() {
        page.row("note", format.note());
    }
    page.row("definition", format.definition());
    page.text
}

fn of_tiled(tiled: &MosaicGpu) -> String {
    let counted_by = |dims: &[ThreadDim]| {
        let words = dims.iter().map(|dim| match dim {
            ThreadDim::Dim(dim) => dim.to_string(),
            ThreadDim::Replicated(copies) => format!("{copies} copies"),
        });
        words.collect::<Vec<_>>().join(", ")
    };
    let smallest = tiled.smallest();
    let mut page = Page { text: format!("{tiled}: a tiled layout of JAX's Mosaic GPU\n\n") };
    page.row("tiling", smallest.to_string());
    page.row("warps", counted_by(tiled.warp_dims()));
    page.row("lanes", counted_by(tiled.lane_dims()));
    page.row("vector", tiled.vector_dim().to_string());
    if let Ok(shape) = tiled.layout(&smallest) {
        page.row("by threads", shape.to_string());
    }
    page.row(
        "definition",
        "https://github.com/jax-ml/jax/blob/main/jax/experimental/mosaic/gpu/fragmented_array.py",
    );
    page.text
}
