//! The default layouts of TPUs, against those that the compilers chose.

use layout::Size;
use layout::shape::{FaultKind, TileDim, Tiles};
use layout::tpu::{TileFormat, Tpu, advise, cheaper_layouts, cheaper_order, cheaper_tile};
use layout::types::format;
use layout::{ArrayShape, ElementType, Fault};
use layout::{Layout, layout};
use layout_tests::data;

fn array(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

/// The same dimensions in descending order, without tiles.
fn bare(shape: &ArrayShape) -> ArrayShape {
    let text = shape.to_string();
    let bare = text.split('{').next().unwrap();
    array(bare)
}

#[test]
fn every_default_layout() {
    let mut count = 0;
    let mut ascending = 0;
    for line in data::tpu_sizes() {
        let shape = array(&line.layout);
        for name in &line.default_on {
            let tpu = Tpu::from_name(name).unwrap();
            let untiled = shape.with_tiles(&Tiles::NONE).unwrap();
            assert_eq!(untiled.with_default_tiling(tpu), Ok(shape), "{tpu}");
            assert_eq!(shape.with_default_tiling(tpu), Ok(shape), "{tpu}");
            let bare = bare(&shape);
            assert_eq!(bare.with_default_layout(tpu), Ok(shape), "{tpu}");
            ascending += usize::from(shape.minor_to_major() != bare.minor_to_major());
            count += 1;
        }
    }
    assert_eq!((count, ascending), (8873, 1756));
}

/// The first size of the first tile.
fn first_size(shape: &ArrayShape) -> Size {
    match shape.tiles().iter().next() {
        Some([TileDim::Size(size), ..]) => *size,
        _ => panic!("{shape}: no tile, or one that combines dimensions"),
    }
}

/// Rows of the tile for each generation and size, at both ends of what the rule distinguishes.
#[test]
fn rows() {
    let sizes = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 64, 128, 256];
    let all = |element: &str, tpu| {
        sizes.map(|size| {
            let shape = array(&format!("{element}[{size},300]{{1,0}}"));
            first_size(&shape.with_default_tiling(tpu).unwrap())
        })
    };
    for (element, old, new) in [
        ("f64", [2, 2, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8], [1, 2, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8]),
        ("f32", [2, 2, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8], [1, 2, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8]),
        ("bf16", [4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8], [2, 2, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8]),
        (
            "s8",
            [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8],
            [4, 4, 4, 4, 8, 8, 8, 8, 8, 32, 32, 32, 32],
        ),
        ("s4", [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8], [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 64, 64, 64]),
        (
            "s2",
            [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16],
            [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 128, 128],
        ),
    ] {
        for &tpu in Tpu::ALL {
            let rows = if matches!(tpu, Tpu::V2 | Tpu::V3) { old } else { new };
            assert_eq!(all(element, tpu), rows, "{element} {tpu}");
        }
    }
    // The longest tile of an array with one dimension.
    for (element, old, new) in [
        ("f32", 256, 128),
        ("bf16", 512, 256),
        ("s8", 1024, 512),
        ("s4", 1024, 1024),
        ("s2", 1024, 1024),
    ] {
        for &tpu in Tpu::ALL {
            let least = if matches!(tpu, Tpu::V2 | Tpu::V3) { old } else { new };
            for (size, length) in [(5, least), (2000, 1024)] {
                let tiled = array(&format!("{element}[{size}]")).with_default_tiling(tpu).unwrap();
                assert_eq!(first_size(&tiled), length, "{tiled} {tpu}");
            }
        }
    }
}

/// The default layout is the cheapest of all orders, by trying all of them.
#[test]
fn no_order_is_cheaper() {
    for dims in ["9,5", "3,4,5", "128,1,1", "2,7,8,11,10", "1,1,1,1", "5,300,2", "7"] {
        for element in ["f32", "bf16", "s8", "s4", "s2", "pred", "f64", "c128"] {
            for &tpu in Tpu::ALL {
                let shape = array(&format!("{element}[{dims}]"));
                let default = shape.with_default_layout(tpu).unwrap();
                let mut least = Size::MAX;
                for order in orders((0..shape.rank()).collect()) {
                    let order = order.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
                    let other = array(&format!("{element}[{dims}]{{{order}}}"));
                    least = least.min(other.with_default_tiling(tpu).unwrap().bytes().unwrap());
                }
                assert_eq!(default.bytes(), Some(least), "{default} {tpu}");
            }
        }
    }
}

fn orders(dims: Vec<usize>) -> Vec<Vec<usize>> {
    if dims.is_empty() {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (at, &first) in dims.iter().enumerate() {
        let rest = dims[..at].iter().chain(&dims[at + 1..]).copied().collect();
        out.extend(orders(rest).into_iter().map(|rest| [&[first][..], &rest].concat()));
    }
    out
}

#[test]
fn what_is_kept() {
    let shape = array("f32[20,300]{0,1:T(4,4)L(7)E(16)S(1)}");
    let tiled = shape.with_default_tiling(Tpu::V4).unwrap();
    assert_eq!(tiled.to_string(), "f32[20,300]{0,1:T(8,128)L(7)S(1)}");
    assert_eq!(array("f32[]").with_default_layout(Tpu::V4).unwrap().to_string(), "f32[]{:T(128)}");
    let bounded = array("bf16[<=9,5]").with_default_layout(Tpu::V5e).unwrap();
    assert_eq!(bounded.to_string(), "bf16[<=9,5]{0,1:T(8,128)(2,1)}");
}

#[test]
fn refused() {
    let unknown = array("f32[?,5]");
    let kind = |shape: Result<ArrayShape, Fault>| shape.unwrap_err().kind();
    let of_unknown = FaultKind::DefaultOfUnknownSize { dim: 0 };
    assert_eq!(kind(unknown.with_default_tiling(Tpu::V5e)), of_unknown);
    assert_eq!(kind(unknown.with_default_layout(Tpu::V5e)), of_unknown);
    // The tile depends on the second most minor dimension alone.
    let tiled = array("f32[?,5,3]").with_default_tiling(Tpu::V5e).unwrap();
    assert_eq!(tiled.to_string(), "f32[?,5,3]{2,1,0:T(8,128)}");
    assert_eq!(
        kind(array("u1[8,128]").with_default_tiling(Tpu::V5e)),
        FaultKind::NoDefaultLayout { element: ElementType::U1 }
    );
    let large = array("f32[72057594037927936,2]{1,0}");
    assert!(matches!(kind(large.with_default_tiling(Tpu::V5e)), FaultKind::Overflow { .. }));
    // Without elements too, once `E(1)` is gone.
    let empty = array("c128[0,9223372036854775807]{1,0:E(1)}");
    assert!(matches!(kind(empty.with_default_tiling(Tpu::V5e)), FaultKind::Overflow { .. }));
    assert!(matches!(kind(empty.with_default_layout(Tpu::V5e)), FaultKind::Overflow { .. }));
    // Another order fits.
    assert_eq!(
        large.with_default_layout(Tpu::V5e).unwrap().to_string(),
        "f32[72057594037927936,2]{0,1:T(2,128)}"
    );
}

#[test]
fn by_the_macro() {
    assert_eq!(<layout!(tpu = V5e, F32[9,5])>::TEXT, "f32[9,5]{0,1:T(8,128)}");
    assert_eq!(<layout!(tpu = V5e, F32[9,5]{1,0})>::TEXT, "f32[9,5]{1,0:T(8,128)}");
    assert_eq!(<layout!(tpu = v2, F32[1,5])>::TEXT, "f32[1,5]{1,0:T(2,128)}");
    assert_eq!(<layout!(tpu = tpu7x, S4[64,128]<1,0>)>::TEXT, "s4[64,128]{1,0:T(64,128)(8,1)E(4)}");
    type Pair = layout!(tpu = V4, (BF16[300,1000], F32[5]), max_expansion = 26);
    type First = layout!(BF16[300,1000]{1,0:T(8,128)(2,1)});
    type Second = layout!(F32[5]{0:T(128)});
    let _: fn(Pair) -> (First, Second) = |pair| pair;
    layout! {
        type Item = tpu = V6e, S8[100,100], max_expansion = 1.5;
        type Other = F32[2,2];
    }
    assert_eq!((Item::BYTES, Other::BYTES), (104 * 128, 16));
}

/// The document's formats, as types and as values.
#[test]
fn formats() {
    fn tiles_of<L: Layout<2>>(format: TileFormat, text: &str) {
        assert_eq!(*L::SHAPE.tiles(), format.tiles(), "{format:?}");
        assert!(L::TEXT.contains(text), "{format:?}");
    }
    tiles_of::<layout!(F32[64,256]{1,0:T=format::Standard})>(TileFormat::Standard, ":T(8,128)}");
    tiles_of::<layout!(F32[64,256]{1,0:T=format::CompactTwo})>(
        TileFormat::CompactTwo,
        ":T(2,128)}",
    );
    tiles_of::<layout!(F32[64,256]{1,0:T=format::CompactFour})>(
        TileFormat::CompactFour,
        ":T(4,128)}",
    );
    tiles_of::<layout!(F32[64,256]{1,0:T=format::Bits16})>(TileFormat::Bits16, ":T(8,128)(2,1)}");
    tiles_of::<layout!(F32[64,256]{1,0:T=format::Bits8})>(TileFormat::Bits8, ":T(8,128)(4,1)}");
    tiles_of::<layout!(F32[64,256]{1,0:T=format::Bits1})>(TileFormat::Bits1, ":T(32,128)(32,1)}");
}

/// What users reported: bytes of the elements, bytes in memory, and the order that costs least.
#[test]
fn reports() {
    let reports = [
        ("s32[8388608,8,4]{2,1,0:T(8,128)}", 1 << 30, 32 << 30, Some("{0,1,2:T(8,128)}")),
        (
            "s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}",
            512 << 20,
            16 << 30,
            Some("{3,2,4,1,0:T(8,128)}"),
        ),
        (
            "bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}",
            1 << 30,
            4 << 30,
            Some("{3,2,1,0:T(4,128)(2,1)}"),
        ),
        ("u32[12582912,1]{1,0:T(8,128)}", 48 << 20, 6 << 30, Some("{0,1:T(8,128)}")),
        ("pred[64,512,2048]{2,1,0:T(8,128)E(32)}", 64 << 20, 256 << 20, None),
    ];
    for (text, unpadded, bytes, cheaper) in reports {
        let shape = array(text);
        let expansion = bytes as f64 / unpadded as f64;
        assert_eq!(shape.bytes(), Some(bytes), "{text}");
        let found = cheaper_order(&shape).map(|shape| shape.to_string());
        let dims = text.split('{').next().unwrap();
        assert_eq!(found, cheaper.map(|layout| format!("{dims}{layout}")), "{text}");
        assert_eq!(shape.unpadded_bytes(), Some(unpadded), "{text}");
        assert_eq!(shape.expansion(), Some(expansion), "{text}");
    }
    // It takes 4 GiB.
    #[cfg(target_pointer_width = "64")]
    type Report = layout!(S32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)});
    #[cfg(target_pointer_width = "64")]
    const _: () = assert!(Report::EXPANSION == 32.0);
}

#[test]
fn advice_is_ranked() {
    for dims in ["9,5", "3,4,5", "2,7,8,11,10", "8388608,8,4", "7", "0,3"] {
        for element in ["f32", "bf16", "s8", "s4"] {
            let shape = array(&format!("{element}[{dims}]"));
            for &tpu in Tpu::ALL {
                let ranked = advise(&shape, tpu).unwrap();
                assert_eq!(ranked[0], shape.with_default_layout(tpu).unwrap());
                assert!(ranked.is_sorted_by_key(ArrayShape::bytes));
                let rank = shape.rank();
                assert_eq!(ranked.len(), (rank * (rank - 1)).max(1));
            }
        }
    }
}

/// Cheaper layouts are cheaper, and the one that is found is the cheapest of those that it says it
/// compares.
#[test]
fn cheaper() {
    for text in [
        "f32[3,1000]{1,0:T(8,128)}",
        "bf16[3,1024]{1,0:T(8,128)(2,1)}",
        "s8[5,200]{1,0:T(32,128)(4,1)}",
        "f32[100]{0:T(1024)}",
        "f32[20,300]{1,0:T(8,128)}",
        "f32[20,300]",
        "f32[9,300,20]{2,1,0:T(*,8,128)}",
    ] {
        let shape = array(text);
        if let Some(tile) = cheaper_tile(&shape) {
            assert!(tile.bytes() < shape.bytes(), "{tile}");
            assert_eq!(cheaper_tile(&tile), None, "{tile}");
        }
        if let Some(order) = cheaper_order(&shape) {
            assert!(order.bytes() < shape.bytes(), "{order}");
            assert_eq!(cheaper_order(&order), None, "{order}");
        }
    }
    let text = |shape: Option<ArrayShape>| shape.map(|shape| shape.to_string());
    assert_eq!(
        text(cheaper_tile(&array("s8[5,200]{1,0:T(32,128)(4,1)}"))).as_deref(),
        Some("s8[5,200]{1,0:T(8,128)(4,1)}")
    );
    assert_eq!(
        text(cheaper_tile(&array("f32[100]{0:T(1024)}"))).as_deref(),
        Some("f32[100]{0:T(128)}")
    );
    assert_eq!(cheaper_tile(&array("f32[16,256]{1,0:T(8,128)}")), None);
    // Another order, fewer rows, and fewer rows in the other order.
    assert_eq!(
        cheaper_layouts(&array("f32[1000,3]{1,0:T(8,128)}")).map(text),
        [
            Some("f32[1000,3]{0,1:T(8,128)}".to_owned()),
            None,
            Some("f32[1000,3]{0,1:T(1,128)}".to_owned())
        ]
    );
}

/// What is said of too much padding is so.
#[test]
fn excess() {
    let said = |text: &str, limit: f64| {
        let excess = array(text).excess(limit)?;
        Some((excess.message.as_str().to_owned(), excess.help.as_str().to_owned(), excess.dim))
    };
    // 4096 / 60 is 68.266..
    let (message, ..) = said("f32[3,5]{1,0:T(8,128)}", 2.0).unwrap();
    assert!(message.ends_with(" 68.27 times the 60 bytes of its elements"), "{message}");
    // {3,2,0,1} would take 48 bytes, T(2) 16: neither is looked at.
    for text in ["f32[4,3,1,1]{3,2,1,0:T(4,1,1)}", "f32[3]{0:T(64)}"] {
        let (_, help, _) = said(text, 1.0).unwrap();
        let none =
            "no other pair of most minor dimensions takes less memory, nor does a first tile";
        assert!(help.starts_with(none), "{help}");
    }
    let other = array("f32[4,3,1,1]{3,2,0,1:T(4,1,1)}");
    assert_eq!(other.bytes(), Some(48));
    for limit in [0.0, 1.0, f64::NAN] {
        assert_eq!(said("f32[0,3]{1,0:T(8,128)}", limit), None);
    }
}
