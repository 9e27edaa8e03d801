//! The grammar: what is read, how it is printed, and what is refused at which place.

use layout::shape::{Count, Dim, Fault, FaultKind, Place, Size, limits};
use layout::{ArrayShape, ElementType, Shape, layout};
use layout_tests::lists::{array, list, shape};
use layout_tests::{data, fuzz, table};

const MOST: Size = layout::shape::limits::MAX_SIZE;

#[test]
fn worked_examples() {
    table::check("grammar", &mut |question, columns| match (question, columns) {
        ("prints", [text]) => {
            let text = text.replace("\\n", "\n");
            let printed = shape(&text).to_string();
            assert_eq!(shape(&printed), shape(&text), "{text}");
            if printed == text { "the same".to_owned() } else { printed }
        }
        ("largest", [text, part, larger]) => {
            fuzz::parser(text);
            let (before, after) = text.rsplit_once(part).unwrap();
            let too_large = [before, larger, after].concat();
            let error = too_large.parse::<ArrayShape>().unwrap_err();
            assert_eq!(error.faults().len(), 1, "{too_large}:\n{error}");
            let fault = error.faults()[0];
            let range = before.len()..before.len() + larger.len();
            assert_eq!(fault.range(), Some(range), "{too_large}:\n{error}");
            let message = fault.message().to_string();
            let counted = ["more bytes", "more elements"].into_iter();
            let counted = counted.filter(|counted| message.contains(counted)).collect::<String>();
            format!("{}, {counted}", array(text).bytes().unwrap())
        }
        ("place", [text]) => {
            format!("{:?}", text.parse::<Shape>().unwrap_err().faults()[0].place())
        }
        ("swizzle", [text]) => match text.parse::<Shape>() {
            Ok(_) => "ok".to_owned(),
            Err(error) => {
                let fault = error.faults()[0];
                let at = &text[fault.range().unwrap()];
                format!("`{at}` {:?}: {}", fault.kind(), fault.message())
            }
        },
        _ => panic!("unknown question"),
    });
}

#[test]
fn element_types_by_name() {
    for &element in ElementType::ALL {
        for name in [element.name(), element.upper_name()] {
            assert_eq!(ElementType::from_name(name), Some(element));
        }
        // The longest name too is found again with a letter too many.
        let wrong = format!("{}_[3]", element.name()).parse::<Shape>().unwrap_err().to_string();
        assert!(wrong.contains(&format!("did you mean `{element}`?")), "{wrong}");
    }
    assert_eq!(ElementType::from_name("Bf16"), Some(ElementType::BF16));
    assert_eq!(ElementType::from_name("f"), None);
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
    let octets = of(U8, 1 << 61).unwrap();
    assert_eq!(octets.with_element_type(BF16).map(|shape| shape.bytes()), fits);
    assert_eq!(octets.with_element_type(F32).map_err(count), Err(bytes));
    let padded = array("f32[3,5]{1,0:T(2147483648,1073741823)}");
    let narrow = array("bf16[3,5]{1,0:T(2147483648,1073741824)}");
    let tiled = padded.with_tiles(narrow.tiles());
    assert_eq!(tiled.map_err(count), Err((Count::Bytes, Place::Tile(0))));
    assert_eq!(narrow.with_tiles(padded.tiles()).unwrap().bytes(), Some((1 << 62) - (1 << 32)));
    let wider = |array: ArrayShape, size| match array.with_dimensions(
        &[layout::shape::Origin::Old(0), layout::shape::Origin::New(Dim::Static(size))],
        1,
    ) {
        Err(fault) => Err(count(fault)),
        shape => Ok(shape.unwrap().bytes()),
    };
    let long = of(F32, 1 << 50).unwrap();
    assert_eq!((wider(long, 1 << 10), wider(long, 1 << 11)), (Ok(Some(1 << 62)), Err(bytes)));
    let unknown = array("f32[?,5]");
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
fn more_faults_than_an_error_holds() {
    let text = format!("f32[{}]", vec!["-1"; 100].join(","));
    let error = text.parse::<Shape>().unwrap_err();
    assert_eq!(error.faults().len(), layout::shape::MAX_FAULTS);
}

/// A text with as many items as allowed is read, and one with one more is not.
fn reaches(most: usize, limit: &str, text: impl Fn(usize) -> String) {
    shape(&text(most));
    refuses(&text(most + 1), limit);
}

fn refuses(text: &str, limit: &str) {
    let error = text.parse::<Shape>().unwrap_err();
    assert!(error.to_string().contains(&format!("more than {limit}")), "{error}");
    assert_eq!(error.faults().len(), 1, "{error}");
}

#[test]
fn the_stated_limits_are_reached_and_no_more() {
    let ones = |count| list(&vec![1; count]);
    let indices = |count| list(&(1..=count).collect::<Vec<usize>>());
    reaches(limits::MAX_DIMS, "16 dimensions", |count| format!("f32[{}]", ones(count)));
    reaches(limits::MAX_TILES, "8 tiles", |count| format!("f32[3]{{0:T{}}}", "(2)".repeat(count)));
    reaches(limits::MAX_TILE_DIMS, "32 sizes", |count| format!("f32[3]{{0:T({})}}", ones(count)));
    reaches(limits::MAX_SPLIT_INDICES, "32 split indices", |count| {
        format!("f32[99]{{0:SC(0:{})}}", indices(count))
    });
    let levels = "128 levels of nested tuples";
    reaches(limits::MAX_NESTING, levels, |depth| ["(".repeat(depth), ")".repeat(depth)].concat());
    refuses(&"(".repeat(1_000_000), levels);
}

/// The longest text that the limits allow is printed whole.
#[test]
fn the_longest_text() {
    let dims = list(&["<=1"; limits::MAX_DIMS]);
    let order = list(&(0..limits::MAX_DIMS).rev().collect::<Vec<_>>());
    let sizes = list(&["*"; limits::MAX_TILE_DIMS - 1]) + ",1";
    let splits = (0..limits::MAX_DIMS).map(|dim| format!("({dim}:)")).collect::<String>();
    let text = format!(
        "f8e4m3b11fnuz[{dims}]{{{order}:PAD({})FILL(unknown)T({sizes})L({})E(1000)S(-128)SC{splits}M({})}}",
        list(&[1; limits::MAX_DIMS]),
        limits::MAX_SIZE / 1000,
        limits::MAX_SIZE,
    );
    assert_eq!(text.parse::<ArrayShape>().unwrap().to_string(), text);
}

#[test]
fn carets_of_long_lines() {
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
