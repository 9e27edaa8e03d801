//! The page `docs/formats.md` is what the code says.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p tiled-layout-tests --test packed_formats` writes it anew.

use super::types::{self, Named};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use layout::ArrayShape;
use layout::packed_format::{BlockFormat, Family, MosaicGpu, NOT_LAYOUTS, PackedFormat, ThreadDim};
use layout::picture::Picture;

/// Formats that are drawn, at sizes that fit.
const DRAWN: &[(&str, &str)] = &[
    ("gptq", "u4[16,4]"),
    ("awq", "u4[2,16]"),
    ("q4_0", "u4[1,32]"),
    ("vnni", "bf16[4,8]"),
    ("mma.m16n8.C", "f32[16,8]"),
    ("smmla", "s8[4,16]"),
];

const INTRODUCTION: &str = "\
# Packed formats by name

This page is made from the library's tables and tested to be current. Each format is an order of elements: a layout.
`PackedFormat` (module `packed_format`) has them as values, with types beside them:

```rust
use layout::packed_format::{Marlin, PackedFormat};

let marlin = PackedFormat::find(\"marlin\")?;
let shape = marlin.layout(&\"u4[64,128]\".parse()?)?;
assert_eq!(shape.to_string(), Marlin::<64, 128>::TEXT);
```

`layout formats` lists the names, `layout show marlin` draws a format, and `layout explain` names the formats that equal a
layout. Sizes: `16·k` is a multiple of 16, `any` any size (padded to whole blocks), a number a fixed size.
An operand in registers has lanes: the element at an offset is value `offset % values` of lane `offset / values`.

";

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

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for family in Family::ALL {
        let _ = writeln!(
            page,
            "## {family}
"
        );
        table(&mut page, *family);
    }
    page.push_str("## Blocks with scales\n\nEach part of a block is an array of its own: its layout in one block, its first byte, and the bytes from one block to\nthe next. `BlockFormat` computes the bits of every element.\n\n");
    page.push_str("| block | rows × elements | bytes | part | layout in a block | byte |\n|---|---|---|---|---|---|\n");
    for format in BlockFormat::all() {
        for (number, part) in format.parts().enumerate() {
            let block = match number {
                0 => format!(
                    "`{}` | {} × {} | {}",
                    format.name(),
                    format.rows(),
                    format.elements(),
                    format.bytes()
                ),
                _ => " | | ".to_owned(),
            };
            let _ = writeln!(
                page,
                "| {block} | {} | `{}` | {} |",
                part.name(),
                part.layout(),
                part.base_bits() / 8
            );
        }
    }
    page.push_str("\n## JAX's Mosaic GPU\n\nA `MosaicGpu` is a tiling, and the dimensions of the tiled array that count warps, lanes and elements of a register,\nfrom the end.\n\n| name | smallest array, tiled | warps | lanes | vector | in the order of threads |\n|---|---|---|---|---|---|\n");
    let counted_by = |dims: &[ThreadDim]| {
        let words = dims.iter().map(|dim| match dim {
            ThreadDim::Dim(dim) => dim.to_string(),
            ThreadDim::Replicated(copies) => format!("{copies} copies"),
        });
        words.collect::<Vec<_>>().join(", ")
    };
    for tiled in MosaicGpu::ALL {
        let smallest = tiled.smallest();
        let _ = writeln!(
            page,
            "| `{tiled}` | `{smallest}` | {} | {} | {} | {} |",
            counted_by(tiled.warp_dims()),
            counted_by(tiled.lane_dims()),
            tiled.vector_dim(),
            layout(&tiled.layout(&smallest).unwrap())
        );
    }
    page.push_str("\n## What a layout cannot say\n\nThese names are known; asking for one is an error that says why.\n\n| name | why | instead |\n|---|---|---|\n");
    for one in NOT_LAYOUTS {
        let names = one.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "| {names} | {} | {} |", one.reason(), one.instead());
    }
    page.push_str("\n## Pictures\n");
    for (name, array) in DRAWN {
        let format = PackedFormat::find(name).unwrap();
        let shape = format.layout(&array.parse().unwrap()).unwrap();
        let picture = Picture::new(&shape).unwrap();
        let _ = write!(page, "\n### `{name}`: {}\n\n```text\n{picture}```\n", format.description());
    }
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
