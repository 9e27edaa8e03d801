//! The page `docs/formats.md` is what the code says.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p tiled-layout-tests --test packed_formats` writes it anew.

use super::types::{self, Named};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use layout::ArrayShape;
use layout_formats::packed_format::{BlockFormat, Family, MosaicGpu, NOT_LAYOUTS, PackedFormat, ThreadDim};
use layout_picture::Picture;

/// Formats that are drawn, at sizes that fit.
const DRAWN: &[(&str, &str)] = &[
    ("gptq", "u4[16,4]"),
    ("awq", "u4[2,16]"),
    ("q4_0", "u4[1,32]"),
    ("vnni", "bf16[4,8]"),
    ("mma.m16n8.C", "f32[16,8]"),
    ("smmla", "s8[4,16]"),
];

fn sizes(format: &PackedFormat, shape: &ArrayShape) -> String {
    let sizes = shape.dims().iter().map(|dim| dim.size().unwrap());
    let sizes = match format.multiples(shape.element_type()) {
        None => sizes.map(|size| size.to_string()).collect::<Vec<_>>(),
        Some(multiples) => sizes
            .zip(multiples)
            .map(|(size, multiple)| match multiple {
                0 => size.to_string(),
                1 => "any".to_owned(),
                _ => format!("{multiple}·k"),
            })
            .collect(),
    };
    sizes.join(", ")
}

/// The part of the text in braces.
fn layout(shape: &ArrayShape) -> String {
    let text = shape.to_string();
    format!("`{}`", &text[text.find('{').unwrap_or(0)..])
}

fn table(page: &mut String, family: Family) {
    let all_types = types::all();
    let formats = || PackedFormat::ALL.iter().filter(|format| format.family() == family);
    let has_lanes = formats().any(|format| format.lanes().is_some());
    let _ = write!(
        page,
        "| name | type | elements | dimensions | sizes | layout |{}\n|---|---|---|---|---|---|{}\n",
        if has_lanes { " lanes |" } else { "" },
        if has_lanes { "---|" } else { "" }
    );
    for format in formats() {
        for (number, (shape, elements)) in format.examples().zip(format.element_types()).enumerate()
        {
            let name = match number {
                0 => format!("[`{}`]({})", format.name(), format.definition()),
                _ => String::new(),
            };
            let types =
                elements.iter().map(|element| element.name()).collect::<Vec<_>>().join(", ");
            let types = if types.is_empty() { "all".to_owned() } else { types };
            let text = shape.to_string();
            let is_own = |of: &Named| of.format == format.name() && of.text == text;
            let alias = all_types.iter().find(|of| is_own(of)).unwrap().alias;
            let lanes = match format.lanes() {
                Some(lanes) => format!(" {lanes} |"),
                None => String::new(),
            };
            let dims = format.dim_names();
            let _ = writeln!(
                page,
                "| {name} | `{alias}` | {types} | {dims} | {} | {} |{lanes}",
                sizes(format, &shape),
                layout(&shape)
            );
        }
    }
    page.push('\n');
    for format in formats() {
        let _ = write!(page, "- `{}`: {}", format.name(), format.description());
        if !format.note().is_empty() {
            let _ = write!(page, ". Note: {}", format.note());
        }
        if !format.aliases().is_empty() {
            let _ = write!(page, ". Also `{}`", format.aliases().join("`, `"));
        }
        page.push_str(".\n");
    }
    page.push('\n');
}

fn blocks(page: &mut String) {
    for format in BlockFormat::all() {
        let sizes = (format.rows(), format.elements(), format.bytes());
        let mut block = format!("`{}` | {} × {} | {}", format.name(), sizes.0, sizes.1, sizes.2);
        for part in format.parts() {
            let (name, layout, byte) = (part.name(), part.layout(), part.base_bits() / 8);
            let _ = writeln!(page, "| {block} | {name} | `{layout}` | {byte} |");
            block = " | | ".to_owned();
        }
    }
}

fn mosaic_gpu(page: &mut String) {
    let counted_by = |dims: &[ThreadDim]| {
        let words = dims.iter().map(|dim| match dim {
            ThreadDim::Dim(dim) => dim.to_string(),
            ThreadDim::Replicated(copies) => format!("{copies} copies"),
        });
        words.collect::<Vec<_>>().join(", ")
    };
    for tiled in MosaicGpu::ALL {
        let smallest = tiled.smallest();
        let (warps, lanes) = (counted_by(tiled.warp_dims()), counted_by(tiled.lane_dims()));
        let (vector, layout) = (tiled.vector_dim(), layout(&tiled.layout(&smallest).unwrap()));
        let _ = writeln!(
            page,
            "| `{tiled}` | `{smallest}` | {warps} | {lanes} | {vector} | {layout} |"
        );
    }
}

fn not_layouts(page: &mut String) {
    for one in NOT_LAYOUTS {
        let names = one.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "| {names} | {} | {} |", one.reason(), one.instead());
    }
}

fn pictures(page: &mut String) {
    for (name, array) in DRAWN {
        let format = PackedFormat::find(name).unwrap();
        let picture = Picture::new(&format.layout(&array.parse().unwrap()).unwrap()).unwrap();
        let _ = write!(page, "\n### `{name}`: {}\n\n```text\n{picture}```\n", format.description());
    }
}

fn families(page: &mut String) {
    for family in Family::ALL {
        let _ = writeln!(page, "## {family}\n");
        table(page, *family);
    }
}

/// Puts what a function writes in the place of `{{part}}`.
fn put(page: &mut String, part: &str, write: fn(&mut String)) {
    let mut text = String::new();
    write(&mut text);
    *page = page.replace(&format!("{{{{{part}}}}}\n"), &text);
}

fn page() -> String {
    let mut page = include_str!("page.md").to_owned();
    put(&mut page, "families", families);
    put(&mut page, "blocks", blocks);
    put(&mut page, "Mosaic GPU", mosaic_gpu);
    put(&mut page, "not layouts", not_layouts);
    put(&mut page, "pictures", pictures);
    page
}

#[test]
fn the_page_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/formats.md");
    let expected = page();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/formats.md is not current: write it anew with UPDATE_SNAPSHOTS=1"
    );
}
