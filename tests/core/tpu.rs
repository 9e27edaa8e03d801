//! The default layouts of TPUs, against those that the compilers chose.

use layout::shape::{Fault, FaultKind, Size, TileDim, Tiles};
use layout::tpu::{TileFormat, Tpu, advise, cheaper_layouts, cheaper_order, cheaper_tile};
use layout::types::format;
use layout::{ArrayShape, layout};
use layout_tests::data;
use layout_tests::lists::{array, list, permutations};
use layout_tests::table::{self, or_name, or_none};
use static_assertions::assert_type_eq_all;

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
    match shape.tiles().get(0).first() {
        Some(TileDim::Size(size)) => *size,
        _ => panic!("{shape}: no tile, or one that combines dimensions"),
    }
}

/// A layout that costs less, and than which none of those that are compared does.
fn cheapest(shape: &ArrayShape, cheaper: fn(&ArrayShape) -> Option<ArrayShape>) -> String {
    let found = cheaper(shape);
    if let Some(found) = found {
        assert!(found.bytes() < shape.bytes(), "{found}");
        assert_eq!(cheaper(&found), None, "{found}");
    }
    or_none(found)
}

#[test]
fn worked_examples() {
    let kind = |shape: Result<ArrayShape, Fault>| match shape.map_err(|fault| fault.kind()) {
        Err(FaultKind::Overflow { .. }) => "Overflow".to_owned(),
        shape => or_name(shape),
    };
    table::check("tpu", &mut |question, columns| match (question, columns) {
        ("rows" | "length", [element, era]) => {
            let arrays = match question {
                "rows" => [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 64, 128, 256]
                    .map(|size| format!("{element}[{size},300]{{1,0}}"))
                    .to_vec(),
                _ => [5, 2000].map(|size| format!("{element}[{size}]")).to_vec(),
            };
            let is_early = |tpu: &&Tpu| matches!(tpu, Tpu::V2 | Tpu::V3) == (*era == "early");
            let of = |tpu: &Tpu| {
                let first =
                    |text: &String| first_size(&array(text).with_default_tiling(*tpu).unwrap());
                list(&arrays.iter().map(first).collect::<Vec<_>>())
            };
            let mut found = Tpu::ALL.iter().filter(is_early).map(of).collect::<Vec<_>>();
            found.dedup();
            found.join(" or ")
        }
        ("tiling", [layout, tpu]) => {
            kind(array(layout).with_default_tiling(Tpu::from_name(tpu).unwrap()))
        }
        ("layout", [layout, tpu]) => {
            kind(array(layout).with_default_layout(Tpu::from_name(tpu).unwrap()))
        }
        ("report", [layout]) => {
            let shape = array(layout);
            let [unpadded, bytes] = [shape.unpadded_bytes(), shape.bytes()].map(Option::unwrap);
            assert_eq!(shape.expansion(), Some(bytes as f64 / unpadded as f64), "{layout}");
            format!("{unpadded}, {bytes}, {}", or_none(cheaper_order(&shape)))
        }
        ("tile", [layout]) => cheapest(&array(layout), cheaper_tile),
        ("order", [layout]) => cheapest(&array(layout), cheaper_order),
        ("layouts", [layout]) => cheaper_layouts(&array(layout)).map(or_none).join(", "),
        _ => panic!("unknown question"),
    });
}

/// The default layout is the cheapest of all orders, by trying all of them, and the first of the advice, which is ranked.
#[test]
fn no_order_is_cheaper() {
    for dims in ["9,5", "3,4,5", "128,1,1", "2,7,8,11,10", "1,1,1,1", "5,300,2", "7", "0,3"] {
        for element in ["f32", "bf16", "s8", "s4", "s2", "pred", "f64", "c128"] {
            let shape = array(&format!("{element}[{dims}]"));
            let rank = shape.rank();
            for &tpu in Tpu::ALL {
                let default = shape.with_default_layout(tpu).unwrap();
                let orders = permutations(rank).into_iter().map(|order| {
                    let other = array(&format!("{element}[{dims}]{{{}}}", list(&order)));
                    other.with_default_tiling(tpu).unwrap().bytes()
                });
                assert_eq!(default.bytes(), orders.min().unwrap(), "{default} {tpu}");
                let ranked = advise(&shape, tpu).unwrap();
                assert_eq!((ranked[0], ranked.len()), (default, (rank * (rank - 1)).max(1)));
                assert!(ranked.is_sorted_by_key(ArrayShape::bytes));
            }
        }
    }
    let huge = advise(&array("f32[8388608,8,4]"), Tpu::V5e).unwrap();
    assert!(huge.len() == 6 && huge.is_sorted_by_key(ArrayShape::bytes));
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
    assert_type_eq_all!(Pair, (First, Second));
    layout! {
        type Item = tpu = V6e, S8[100,100], max_expansion = 1.5;
        type Other = F32[2,2];
    }
    assert_eq!((Item::BYTES, Other::BYTES), (104 * 128, 16));
}

/// The document's formats, as types and as values.
#[test]
fn formats() {
    use TileFormat::{Bits1, Bits8, Bits16, CompactFour, CompactTwo, Standard};

    for (shape, format, tiles) in [
        (<layout!(F32[64,256]{1,0:T=format::Standard})>::SHAPE, Standard, "(8,128)"),
        (<layout!(F32[64,256]{1,0:T=format::CompactTwo})>::SHAPE, CompactTwo, "(2,128)"),
        (<layout!(F32[64,256]{1,0:T=format::CompactFour})>::SHAPE, CompactFour, "(4,128)"),
        (<layout!(F32[64,256]{1,0:T=format::Bits16})>::SHAPE, Bits16, "(8,128)(2,1)"),
        (<layout!(F32[64,256]{1,0:T=format::Bits8})>::SHAPE, Bits8, "(8,128)(4,1)"),
        (<layout!(F32[64,256]{1,0:T=format::Bits1})>::SHAPE, Bits1, "(32,128)(32,1)"),
    ] {
        assert_eq!(*shape.tiles(), format.tiles(), "{format:?}");
        assert_eq!(shape.to_string(), format!("f32[64,256]{{1,0:T{tiles}}}"));
    }
}

// It takes 4 GiB.
#[cfg(target_pointer_width = "64")]
static_assertions::const_assert_eq!(
    <layout!(S32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)})>::EXPANSION,
    32.0
);

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
