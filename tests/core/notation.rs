//! The grammar: what is read, how it is printed, and what is refused at which place.

use layout::layout;
use layout::shape::{Count, Dim, FaultKind, Place, limits};
use layout::{ArrayShape, ElementType, Fault, Shape, Size, xla};
use layout_tests::{data, fuzz};

/// Texts that print as they are.
const CANONICAL: &[&str] = &[
    "f32[2,3,4]{0,1,2}",
    "f32[2,3,4]{0,1,2:T(512,1024)}",
    "f32[2,3,4]{0,1,2:T(512)}",
    "bf16[2,3,4]{1,2,0:T(16,256)(2,1)}",
    "pred[8,8,8]{0,2,1:T(8,128)}",
    "pred[8,8,8]{0,2,1:T(8,128)E(32)}",
    "pred[8,8,8]{0,2,1:E(32)}",
    "bf16[2,3,1004]{2,1,0:T(2,*,128)}",
    "bf16[8,2,3,1004]{3,2,1,0:T(2,*,*,128)}",
    "f32[123,456]{0,1:T(2,128)}",
    "bf16[123,456,789]{2,1,0:T(2,*,128)(2,1)}",
    "s4[123,456]{1,0:T(2,128)E(4)}",
    "pred[123,456]{1,0:T(2,128)S(3)}",
    "pred[123,456]{1,0:S(3)}",
    "f32[123,456]{1,0:T(16,128)M(1024)}",
    "pred[300,456]{1,0:T(2,128)S(3)SC(1:200)}",
    "pred[123,456]{1,0:S(3)SC(0:10)(1:4,5)}",
    "pred[123,456]{1,0:SC(1:50,200)}",
    "opaque[]",
    "token[]",
    "b(s32[])",
    "b(f32[8,16]{1,0})",
    "u32[]{:T(128)}",
    "f32[]{:T(256)}",
    "f32[8,4,1]{1,2,0:T(1,128)}",
    "u32[2,8,128]{2,1,0:T(2,128)}",
    "f32[1,2]{1,0:T(128)(2)}",
    "f32[200001,128]{1,0:T(8)L(1024)}",
    "s32[<=4096]{0:T(8)M(1024)}",
    "u32[]{:T(8)S(8)}",
    "s32[6]{0:T(128)S(1)SC(0:3)}",
    "s4[8,32768,1,256]{3,1,0,2:T(64,128)(8,1)E(4)S(1)}",
    "(f32[8,4,1]{1,2,0:T(1,128)}, (f32[8,4,1]{1,2,0:T(1,128)}, u32[]{:S(2)}, u32[]{:S(2)}))",
    "((), token[], (f32[2]{0}))",
    "(b(f32[4]{0}), f32[])",
    "f32[2,3]{0,1:PAD(3,5)FILL(unknown)T(2,2)L(8)E(16)S(-128)SC(0:1)M(4)}",
    "f32[3,5]{1,0:E(32)}",
    "f32[3,5]{1,0:PAD(3,5)}",
    "f32[?,?]{1,0}",
    "f32[0,<=0]{1,0}",
    "s8[9223372036854775807]{0:E(1)}",
];

const MOST: Size = layout::shape::limits::MAX_SIZE;

/// Layouts with their bytes; then what to replace, by what, to get one that is too large, and what is
/// counted there. Elements of a byte and narrower ones are limited by their number.
const LARGEST: &[(&str, Size, &str, &str, &str)] = &[
    (
        "f32[1152921504606846976]",
        1 << 62,
        "[1152921504606846976]",
        "[2305843009213693952]",
        "bytes",
    ),
    (
        "f32[2305843009213693951]",
        MOST - 3,
        "[2305843009213693951]",
        "[2305843009213693952]",
        "bytes",
    ),
    (
        "bf16[4611686018427387903]",
        MOST - 1,
        "[4611686018427387903]",
        "[4611686018427387904]",
        "bytes",
    ),
    (
        "f64[1152921504606846975]",
        MOST - 7,
        "[1152921504606846975]",
        "[1152921504606846976]",
        "bytes",
    ),
    (
        "c128[576460752303423487]",
        MOST - 15,
        "[576460752303423487]",
        "[576460752303423488]",
        "bytes",
    ),
    (
        "s8[7,1317624576693539401]",
        MOST,
        "[7,1317624576693539401]",
        "[8,1317624576693539401]",
        "elements",
    ),
    (
        "s4[7,1317624576693539401]",
        MOST,
        "[7,1317624576693539401]",
        "[8,1317624576693539401]",
        "elements",
    ),
    (
        "s4[7,1317624576693539401]{1,0:E(4)}",
        1 << 62,
        "[7,1317624576693539401]",
        "[8,1317624576693539401]",
        "elements",
    ),
    (
        "u1[7,1317624576693539401]{1,0:E(1)}",
        1 << 60,
        "[7,1317624576693539401]",
        "[8,1317624576693539401]",
        "elements",
    ),
    (
        "s8[8198552921648689606]{0:E(9)}",
        MOST,
        "[8198552921648689606]",
        "[8198552921648689607]",
        "bytes",
    ),
    (
        "s4[6148914691236517204]{0:E(12)}",
        MOST - 1,
        "[6148914691236517204]",
        "[6148914691236517205]",
        "bytes",
    ),
    (
        "f32[72057594037927935]{0:E(1024)}",
        MOST - 127,
        "[72057594037927935]",
        "[72057594037927936]",
        "bytes",
    ),
    (
        "f32[1,0,2305843009213693951]{2,1,0}",
        0,
        "[1,0,2305843009213693951]",
        "[1,0,2305843009213693952]",
        "bytes",
    ),
    (
        "f32[3]{0:PAD(2305843009213693951)}",
        MOST - 3,
        "PAD(2305843009213693951)",
        "PAD(2305843009213693952)",
        "bytes",
    ),
    (
        "s8[3,1]{1,0:PAD(7,1317624576693539401)}",
        MOST,
        "PAD(7,1317624576693539401)",
        "PAD(8,1317624576693539401)",
        "elements",
    ),
    (
        "f32[3,5]{1,0:T(2147483648,1073741823)}",
        MOST - (1 << 33) + 1,
        "(2147483648,1073741823)",
        "(2147483648,1073741824)",
        "bytes",
    ),
    (
        "s2[3,5]{1,0:T(3,3074457345618258602)E(2)}",
        1 << 61,
        "(3,3074457345618258602)",
        "(3,3074457345618258603)",
        "elements",
    ),
    (
        "f32[5]{0:T(2)(1,768614336404564650)}",
        MOST - 7,
        "(1,768614336404564650)",
        "(1,768614336404564651)",
        "bytes",
    ),
    (
        "f32[3]{0:L(2305843009213693951)}",
        MOST - 3,
        "2305843009213693951",
        "2305843009213693952",
        "bytes",
    ),
    ("s4[9223372036854775807]{0:L(7)E(4)}", 1 << 62, "7", "2", "elements"),
];

/// Texts that print otherwise.
const SPELLINGS: &[(&str, &str)] = &[
    ("f32[123,456]", "f32[123,456]{1,0}"),
    ("f32[?,784]", "f32[?,784]{1,0}"),
    ("f32[123,<=456]", "f32[123,<=456]{1,0}"),
    ("(f32[42], u32[<=123,<=456])", "(f32[42]{0}, u32[<=123,<=456]{1,0})"),
    ("(f32[1572864],s8[5120,1024])", "(f32[1572864]{0}, s8[5120,1024]{1,0})"),
    (
        "(f32[1],(f32[2], token[]), opaque[], f32[3])",
        "(f32[1]{0}, (f32[2]{0}, token[]), opaque[], f32[3]{0})",
    ),
    ("f32[123,456,789]{0,1,2:T(2, * , 128)}", "f32[123,456,789]{0,1,2:T(2,*,128)}"),
    ("f32[ 1, 2,3, 4, 5]{0, 1, 2,3, 4 }", "f32[1,2,3,4,5]{0,1,2,3,4}"),
    ("f32 [3]  {0}", "f32[3]{0}"),
    ("f32[03]", "f32[3]{0}"),
    ("f32[-0]", "f32[0]{0}"),
    ("b (f32[8])", "b(f32[8]{0})"),
    ("f32[3,5]{1,0:L(1)}", "f32[3,5]{1,0}"),
    ("f32[3,5]{1,0:S(0)}", "f32[3,5]{1,0}"),
    ("f32[3,5]{1,0:M(0)}", "f32[3,5]{1,0}"),
    ("s4[3,5]{1,0:E(0)}", "s4[3,5]{1,0}"),
    ("f32[3,5]{1,0:}", "f32[3,5]{1,0}"),
    ("f32[]{:}", "f32[]"),
    ("f32[3,5]{1,0:D(D,C+~)T(2,2)}", "f32[3,5]{1,0:T(2,2)}"),
    ("F32[3,5]<1,0:T(-1,2)>", "f32[3,5]{1,0:T(*,2)}"),
    ("Bf16[3]", "bf16[3]{0}"),
    ("f32[3]/*a*//*b*/{0} // to the end", "f32[3]{0}"),
    ("\n f32[3]{0:T\n(2)}\n", "f32[3]{0:T(2)}"),
];

#[test]
fn canonical_text_is_read_and_printed() {
    for text in CANONICAL {
        let shape = text.parse::<Shape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
        assert_eq!(shape.to_string(), *text);
    }
}

#[test]
fn other_spellings_are_printed_in_the_canonical_one() {
    for (text, printed) in SPELLINGS {
        let shape = text.parse::<Shape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
        assert_eq!(shape.to_string(), *printed, "{text}");
        assert_eq!(printed.parse::<Shape>().unwrap(), shape, "{text}");
    }
}

/// Wrong texts and what is said of them; `UPDATE_SNAPSHOTS=1` writes it anew. The macros say the same:
/// `layout-macros/src/faults.rs`.
#[test]
fn faults_at_their_places() {
    let snapshots = data::text("faults.txt");
    let errors = snapshots.split_terminator("\n\n").map(|case| {
        let line = case.lines().find_map(|line| line.strip_prefix("  | "));
        let text = line.expect("a case shows its text");
        match text.parse::<Shape>() {
            Ok(shape) => panic!("{text} was read as {shape}"),
            Err(error) => format!("{error}\n"),
        }
    });
    data::assert_snapshot("faults.txt", &errors.collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_largest_arrays() {
    for (text, bytes, part, larger, counted) in LARGEST {
        fuzz::parser(text);
        let shape = text.parse::<ArrayShape>().unwrap_or_else(|error| panic!("{text}:\n{error}"));
        assert_eq!(shape.bytes(), Some(*bytes), "{text}");
        let (before, behind) = text.rsplit_once(part).unwrap();
        let text = [before, larger, behind].concat();
        let error = text.parse::<ArrayShape>().unwrap_err();
        assert_eq!(error.faults().len(), 1, "{text}:\n{error}");
        let fault = error.faults()[0];
        assert_eq!(
            fault.range(),
            Some(before.len()..before.len() + larger.len()),
            "{text}:\n{error}"
        );
        assert!(fault.message().to_string().contains(&format!("more {counted}")), "{error}");
    }
}

/// The same limit where shapes are made as values and as types.
#[test]
fn the_largest_arrays_without_a_text() {
    use ElementType::{BF16, C128, F32, S4, U8};

    let count = |fault: Fault| match fault.kind() {
        FaultKind::Overflow { count, limit } => {
            assert!(limit == MOST || limit == isize::MAX as Size);
            (count, fault.place())
        }
        kind => panic!("{kind:?}"),
    };
    let of = |element, size| ArrayShape::new(element, &[Dim::Static(size)]);
    let (fits, bytes) = (Ok(Some(1 << 62)), (Count::Bytes, Place::Dims));
    for (element, size) in [(F32, 1 << 60), (C128, 1 << 58), (U8, 1 << 62), (S4, 1 << 62)] {
        assert_eq!(of(element, size).map(|shape| shape.bytes()), fits, "{element}");
    }
    for (element, size) in [(F32, 1 << 61), (BF16, 1 << 62), (C128, 1 << 59)] {
        assert_eq!(count(of(element, size).unwrap_err()), bytes, "{element}");
        assert!(of(element, size - 1).is_ok(), "{element}");
    }
    assert_eq!(count(of(U8, 1 << 63).unwrap_err()), (Count::Elements, Place::Dims));
    let array = of(U8, 1 << 61).unwrap();
    assert_eq!(array.with_element_type(BF16).map(|shape| shape.bytes()), fits);
    assert_eq!(array.with_element_type(F32).map_err(count), Err(bytes));
    let padded = "f32[3,5]{1,0:T(2147483648,1073741823)}".parse::<ArrayShape>().unwrap();
    let narrow = "bf16[3,5]{1,0:T(2147483648,1073741824)}".parse::<ArrayShape>().unwrap();
    let tiled = padded.with_tiles(narrow.tiles());
    assert_eq!(tiled.map_err(count), Err((Count::Bytes, Place::Tile(0))));
    assert_eq!(narrow.with_tiles(padded.tiles()).unwrap().bytes(), Some((1 << 62) - (1 << 32)));
    let wider =
        |array: ArrayShape, size| match xla::append_major_dimension(&array, Dim::Static(size)) {
            Err(fault) => Err(count(fault)),
            shape => Ok(shape.unwrap().bytes()),
        };
    let long = of(F32, 1 << 50).unwrap();
    assert_eq!((wider(long, 1 << 10), wider(long, 1 << 11)), (Ok(Some(1 << 62)), Err(bytes)));
    let unknown = "f32[?,5]".parse::<ArrayShape>().unwrap();
    let most = MOST / 20;
    assert_eq!(unknown.with_dims(&[most, 5]).unwrap().bytes(), Some(most * 20));
    match unknown.with_dims(&[most + 1, 5]) {
        Err(fault) => assert_eq!(count(fault), bytes),
        other => panic!("{other:?}"),
    }
}

/// The same limit of types, which is the target's.
#[test]
fn the_largest_arrays_of_the_target() {
    type Unknown = layout!(F32[?,5]);
    let most = isize::MAX as usize / 20;
    let known = Unknown::with_dims([most, 5]).unwrap();
    assert_eq!((known.bytes(), known.unpadded_bytes()), (most * 20, most * 20));
    let error = Unknown::with_dims([most + 1, 5]).unwrap_err().to_string();
    assert!(error.contains(&format!("2^{}-1", usize::BITS - 1)), "{error}");
    type Bytes = layout!(S8[2147483647]);
    assert_eq!((Bytes::BYTES, Bytes::offset([2147483646])), (2147483647, 2147483646));
}

/// Types of more than 32 bits.
#[cfg(target_pointer_width = "64")]
#[test]
fn the_largest_types() {
    const MOST: usize = isize::MAX as usize;

    type Long = layout!(F32[1152921504606846976]);
    assert_eq!((Long::BYTES, Long::UNPADDED_BYTES), (1 << 62, 1 << 62));
    assert_eq!(Long::offset([1152921504606846975]), (1 << 60) - 1);
    type Packed = layout!(S4[9223372036854775807]{0:E(4)});
    assert_eq!((Packed::BYTES, Packed::ELEMENTS), (1 << 62, MOST));
    type Tiled = layout!(F32[3,5]{1,0:T(2147483648,1073741823)});
    assert_eq!((Tiled::BYTES, Tiled::TILE_ALIGNMENT), (MOST - (1 << 33) + 1, 1 << 33));
}

#[test]
fn faults_of_different_parts_are_reported_together() {
    let text = "f23[3,-1]{1,1:T(2,*)}";
    let error = text.parse::<Shape>().unwrap_err();
    let places =
        error.faults().iter().map(|fault| &text[fault.range().unwrap()]).collect::<Vec<_>>();
    assert_eq!(places, ["f23", "-1", "1", "*"]);
    let text = "f23[3,-1,1_0]{1,-1:T(2,*)(0)E(2000)}";
    let error = text.parse::<Shape>().unwrap_err();
    let places =
        error.faults().iter().map(|fault| &text[fault.range().unwrap()]).collect::<Vec<_>>();
    assert_eq!(places, ["f23", "-1", "1_0", "-1", "*", "0", "2000"]);
}

#[test]
fn more_faults_than_an_error_holds() {
    let text = format!("f32[{}]", vec!["-1"; 100].join(","));
    let error = text.parse::<Shape>().unwrap_err();
    assert_eq!(error.faults().len(), layout::shape::MAX_FAULTS);
}

#[test]
fn the_stated_limits_are_reached_and_no_more() {
    let repeat = |item: &str, count: usize, between: &str| vec![item; count].join(between);
    let fails = |text: &str, message: &str| {
        let error = text.parse::<Shape>().unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.faults().len(), 1, "{error}");
    };
    let dims = |count| format!("f32[{}]", repeat("1", count, ","));
    dims(limits::MAX_DIMS).parse::<ArrayShape>().unwrap();
    fails(&dims(limits::MAX_DIMS + 1), "more than 16 dimensions");

    let tiles = |count| format!("f32[3]{{0:T{}}}", repeat("(2)", count, ""));
    tiles(limits::MAX_TILES).parse::<ArrayShape>().unwrap();
    fails(&tiles(limits::MAX_TILES + 1), "more than 8 tiles");

    let sizes = |count| format!("f32[3]{{0:T({})}}", repeat("1", count, ","));
    sizes(limits::MAX_TILE_DIMS).parse::<ArrayShape>().unwrap();
    fails(&sizes(limits::MAX_TILE_DIMS + 1), "more than 32 sizes");

    let splits = |count| {
        let indices = (1..=count).map(|index| index.to_string()).collect::<Vec<_>>();
        format!("f32[99]{{0:SC(0:{})}}", indices.join(","))
    };
    splits(limits::MAX_SPLIT_INDICES).parse::<ArrayShape>().unwrap();
    fails(&splits(limits::MAX_SPLIT_INDICES + 1), "more than 32 split indices");

    let nested = |depth| format!("{}{}", repeat("(", depth, ""), repeat(")", depth, ""));
    nested(limits::MAX_NESTING).parse::<Shape>().unwrap();
    fails(&nested(limits::MAX_NESTING + 1), "more than 128 levels of nested tuples");
    let deep = "(".repeat(1_000_000);
    fails(&deep, "more than 128 levels of nested tuples");
}

/// The longest text that the limits allow is printed whole.
#[test]
fn the_longest_text() {
    let list = |item: &str, count: usize| vec![item; count].join(",");
    let dims = list("<=1", limits::MAX_DIMS);
    let order = (0..limits::MAX_DIMS).rev().map(|dim| dim.to_string()).collect::<Vec<_>>();
    let sizes = list("*", limits::MAX_TILE_DIMS - 1) + ",1";
    let splits = (0..limits::MAX_DIMS).map(|dim| format!("({dim}:)")).collect::<String>();
    let text = format!(
        "f8e4m3b11fnuz[{dims}]{{{}:PAD({})FILL(unknown)T({sizes})L({})E(1000)S(-128)SC{splits}M({})}}",
        order.join(","),
        list("1", limits::MAX_DIMS),
        limits::MAX_SIZE / 1000,
        limits::MAX_SIZE,
    );
    assert_eq!(text.parse::<ArrayShape>().unwrap().to_string(), text);
}

#[test]
fn a_caret_line_for_each_fault() {
    let error = "f32[3,5]{1,0:T(2,*)E(0x4)}".parse::<Shape>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\
`*` (also written `-1`) cannot be the last entry of a tile
  | f32[3,5]{1,0:T(2,*)E(0x4)}
  |                  ^
  = help: `*` combines a dimension with the next more minor one: `(*,2)` tiles the last two dimensions as one
a number is written in decimal digits only
  | f32[3,5]{1,0:T(2,*)E(0x4)}
  |                      ^^^
  = help: leave out `_`, `0x`, fractions, exponents and suffixes: `1000`"
    );
    // Characters are counted, not bytes, and the line is cut around the fault.
    let error = "f32[3]/* ×××× */x".parse::<Shape>().unwrap_err();
    assert!(error.to_string().contains("\n  |                 ^\n"), "{error}");
    let long = format!("({}, f33[])", vec!["f32[2,3]{1,0}"; 1000].join(", "));
    let error = long.parse::<Shape>().unwrap_err();
    let lines = error.to_string();
    let lines = lines.lines().collect::<Vec<_>>();
    assert!(lines[1].len() < 200, "{error}");
    assert_eq!(&lines[1][lines[2].find('^').unwrap()..][..3], "f33", "{error}");
    let error = "f32[3]\n{0}\n  x".parse::<Shape>().unwrap_err();
    assert!(error.to_string().contains("\n  |   x\n  |   ^\n"), "{error}");
}

#[test]
fn faults_name_the_part_that_they_concern() {
    use layout::shape::{Place, Property};
    for (text, place) in [
        ("f32[3]{0:L(8)T(2)}", Place::Property(Property::Tiles)),
        ("f32[3]{0:T(2)T(2)}", Place::Property(Property::Tiles)),
        ("f32[3]{0:PAD(3,4)}", Place::Property(Property::Padding)),
        ("f32[3]{0,1}", Place::MinorToMajor),
        ("f32[3,3]{1,1}", Place::MinorToMajorEntry(1)),
        ("f32[3]{0:T(2)(2,0)}", Place::TileDim(2)),
        ("f32[3]{0:E(2000)}", Place::Property(Property::ElementSize)),
    ] {
        let error = text.parse::<Shape>().unwrap_err();
        assert_eq!(error.faults()[0].place(), place, "{text}");
    }
}

/// Reading takes time in proportion to the text, also where comments are not closed.
#[test]
fn many_comments_that_are_not_closed() {
    let text = format!("f32[{}", "/*a".repeat(2_000_000));
    assert!(text.parse::<Shape>().is_err());
}

/// Characters that act on the text around them are escaped in the excerpt, and the carets stay below what is wrong.
#[test]
fn excerpts_are_safe_to_print() {
    let excerpt = |text: &str| {
        let error = text.parse::<Shape>().unwrap_err();
        let shown = error.to_string();
        assert!(!shown.chars().any(|c| c != '\n' && layout::shape::is_hidden(c)), "{shown:?}");
        assert_eq!(format!("{error:?}"), format!("\n{shown}"));
        let mut lines = shown.lines().skip(1);
        [lines.next().unwrap().to_owned(), lines.next().unwrap().to_owned()]
    };
    for (text, shown) in [
        ("\t(f32[2], f23[3])", ["  |  (f32[2], f23[3])", "  |           ^^^"]),
        ("(f32[2],\u{a0}f23[3])", ["  | (f32[2],\u{a0}f23[3])", "  |         ^"]),
        ("(\u{1b}[31m, f23[3])", [r"  | (\u{1b}[31m, f23[3])", "  |  ^^^^^^"]),
        ("(\u{202e}界, f23[3])", [r"  | (\u{202e}界, f23[3])", "  |  ^^^^^^^^"]),
        ("f32[\u{7}]", [r"  | f32[\u{7}]", "  |     ^^^^^"]),
    ] {
        assert_eq!(excerpt(text), shown, "{text:?}");
    }
    // The fault that follows what was escaped.
    let error = "(f32[\u{202e}é], f23[3])".parse::<Shape>().unwrap_err();
    assert_eq!(
        error.block(error.faults().last().unwrap()).to_string(),
        r"unknown element type
  | (f32[\u{202e}é], f23[3])
  |                  ^^^
  = help: did you mean `f32`?"
    );
}
