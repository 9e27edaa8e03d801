//! Arrays at the limits: sizes near powers of two up to 2⁶³, and everything that can be asked of them
//! without looking at each element.

use layout::bitcast::same_bytes;
use std::fmt::Write;

use layout::__private::copies::{PaddingPlan, Plan, Stretch};
use layout::__private::core::{OffsetProgram, Walk};
use layout::bitcast::{check_reshape_is_bitcast, reshape_is_bitcast};
use layout::shape::analysis::{ContiguousRun, Formula, PadReshapeTranspose};
use layout::shape::{Dim, Origin, Size, limits, permutation};
use layout::tpu::{Tpu, cheaper_order, cheaper_tile};
use layout::{ArrayShape, ElementType};
use layout_picture::Picture;

use crate::agree::run;
use crate::lists::{dims, list};
use crate::pictures;
use crate::random::Random;

/// Elements up to which functions are called that look at each of them.
const FEW: Size = 1 << 12;

/// The text of an array that has a chance to fit in memory.
pub fn text(random: &mut Random) -> String {
    let element = *random.pick(&["f32", "s8", "bf16", "s4", "u1", "pred", "f64", "c128"]);
    let bits = match random.below(4) {
        0 => *random.pick(&[1, 2, 4, 8, 9, 12, 32, 1000, 1024]),
        _ => 0,
    };
    // What is left to multiply by.
    let mut left = limits::MAX_SIZE / [1, 4, 16, 1 << 20, 1 << 31, 1 << 40][random.below(6)];
    let rank = if random.below(8) == 0 { random.below(17) } else { random.below(5) };
    let mut dims = Vec::new();
    let mut widths = Vec::new();
    for _ in 0..rank {
        let size = match random.below(12) {
            0 => 0,
            _ => size(random, &mut left),
        };
        dims.push(match random.below(24) {
            0 => "?".to_owned(),
            1 => format!("<={size}"),
            _ => size.to_string(),
        });
        widths.push(size.saturating_add(random.below(3) as Size).to_string());
    }
    let order = random.order(rank);
    let mut properties = String::new();
    if rank > 0 && random.below(8) == 0 {
        write!(properties, "PAD({})", widths.join(",")).unwrap();
    }
    let tiles = random.below(5);
    for tile in 0..tiles {
        let len = 1 + if random.below(8) == 0 { random.below(16) } else { random.below(4) };
        let entry = |random: &mut Random, left: &mut Size, is_last: bool| match random.below(5) {
            0 | 1 if !is_last => "*".to_owned(),
            2 => size(random, left).to_string(),
            _ => (1 + random.below(20)).to_string(),
        };
        let entries = (1..=len).map(|i| entry(random, &mut left, i == len)).collect::<Vec<_>>();
        write!(properties, "{}({})", if tile == 0 { "T" } else { "" }, entries.join(",")).unwrap();
    }
    if random.below(8) == 0 {
        write!(properties, "L({})", size(random, &mut left)).unwrap();
    }
    if bits > 0 {
        write!(properties, "E({bits})").unwrap();
    }
    let colon = if properties.is_empty() { "" } else { ":" };
    format!("{element}[{}]{{{}{colon}{properties}}}", dims.join(","), list(&order))
}

/// A size of which most are near a power of two; what is left is divided by it.
fn size(random: &mut Random, left: &mut Size) -> Size {
    let power: Size = 1 << random.below(1 + left.ilog2() as usize);
    let size = match random.below(6) {
        0 => *left,
        1 => power,
        2 => power - 1,
        3 => power + 1,
        4 => power + random.below_size(power),
        _ => random.below(12) as Size,
    };
    let size = size.clamp(1, *left);
    *left /= size;
    size
}

/// Asks for what can be asked of an array, and of others that are made of it: nothing may overflow.
///
/// # Panics
/// If something does, or if two answers do not go together.
pub fn ask(array: &ArrayShape) {
    ask_alone(array);
    draw(array);
    made(array, &mut |made| ask_alone(&made));
    // From what fits in any case to what may not.
    for unknown in [0, 1, 3, 1 << 20, 1 << 40, limits::MAX_SIZE] {
        let sizes = array.dims().iter().map(|dim| dim.size().unwrap_or(unknown));
        if array.elements().is_none()
            && let Ok(known) = array.with_dims(&sizes.collect::<Vec<_>>())
        {
            ask_alone(&known);
            draw(&known);
        }
    }
}

/// Other shapes made of a shape.
pub fn made(array: &ArrayShape, each: &mut dyn FnMut(ArrayShape)) {
    let rank = array.rank();
    let major_to_minor = array.major_to_minor();
    let order = (0..rank).map(|dim| (dim + 1) % rank).collect::<Vec<_>>();
    let big = 1 << (Size::BITS - 24);
    let unknown = [Dim::Unbounded, Dim::Bounded(big)];
    let with = |at, sizes: &[Dim], place| {
        let mut dims = (0..rank).map(Origin::Old).collect::<Vec<_>>();
        dims.splice(at..at, sizes.iter().copied().map(Origin::New));
        array.with_dimensions(&dims, place).ok()
    };
    let without = |is_gone: &dyn Fn(usize) -> bool| {
        let dims = (0..rank).filter(|dim| !is_gone(*dim)).map(Origin::Old).collect::<Vec<_>>();
        array.with_dimensions(&dims, 0).ok()
    };
    let shapes = [
        Some(array.without_tiles()),
        Some(array.descending()),
        array.with_element_type(ElementType::C128).ok(),
        array.with_packed_elements(true).ok(),
        array.without_layout().ok(),
        array
            .without_layout()
            .and_then(|plain| plain.with_minor_to_major(array.minor_to_major()))
            .ok(),
        with(rank, &[Dim::Static(3)], rank),
        with(rank, &[Dim::Static(big)], rank),
        with(rank, &[Dim::Static(1 << 20)], 0),
        with(rank, &[Dim::Static(Size::MAX)], 0),
        with(0, &[Dim::Static(0)], rank),
        with(rank / 2, &[Dim::Static(1)], rank / 2),
        with(rank, &unknown, 0),
        without(&|dim| dim == 0),
        without(&|dim| dim == rank / 2),
        without(&|dim| dim % 2 == 0),
        without(&|dim| array.dims()[dim].size() == Some(1)),
        array.with_default_order().ok(),
        permutation::inverse(&major_to_minor)
            .and_then(|places| array.with_minor_to_major(&places).ok()),
        array.with_minor_to_major(&order).ok(),
        array.permute_dimensions(&order),
        array.permute_dimensions(&major_to_minor),
        array.descending().with_minor_to_major(array.minor_to_major()).ok(),
        cheaper_order(array),
        cheaper_tile(array),
        array.with_default_layout(Tpu::V5e).ok(),
        array.with_default_tiling(Tpu::V2).ok(),
    ];
    shapes.into_iter().flatten().for_each(each);
}

fn ask_alone(array: &ArrayShape) {
    let bytes = [array.bytes(), array.unpadded_bytes(), array.xla_bytes()];
    assert!(bytes.iter().flatten().all(|bytes| *bytes <= limits::MAX_SIZE), "{array}");
    assert!(array.elements() <= array.padded_elements(), "{array}");
    let _ = (ContiguousRun::of(array), array.expansion(), array.excess(1.0));
    let _ = (0..array.rank()).map(|dim| array.longest_part(dim)).collect::<Vec<_>>();
    let _ = Formula::of(array).to_string();
    for step in PadReshapeTranspose::of(array) {
        assert!(step.result.len() <= 2 * limits::MAX_TILE_DIMS, "{array}");
    }
    let Ok(digits) = array.digits() else { return };
    let untiled = array.without_tiles();
    let plain = untiled.digits().unwrap();
    let _ = PaddingPlan::new(&digits.view(), array.padded_elements().unwrap());
    let mut is_walked = false;
    for element in [0, 1, 4, 16] {
        let plans = [Plan::new(&digits, &plain, element), Plan::new(&plain, &digits, element)];
        is_walked |= plans.iter().any(Plan::is_general);
    }
    let sizes = dims(array);
    if let Some(last) = sizes.iter().map(|size| size.checked_sub(1)).collect::<Option<Vec<_>>>() {
        let steps = OffsetProgram::new(&digits);
        for index in [last, sizes.iter().map(|size| size / 2).collect()] {
            let offset = digits.offset_unchecked(&index);
            assert_eq!(run::<{ Size::BITS }>(&steps, &index), offset, "{array} {index:?}");
            let is_narrow = index.iter().all(|&i| i <= u32::MAX as Size);
            if is_narrow && digits.size() <= u32::MAX as Size {
                assert!(offset < digits.size(), "{array} {index:?}");
                assert_eq!(run::<32>(&steps, &index), offset, "{array} {index:?}");
                let found = digits.index_in::<32>(offset, false);
                assert_eq!(found.as_deref(), Some(&*index), "{array}");
            } else {
                assert!(digits.size() > u32::MAX as Size, "{array} {index:?}");
            }
            assert_eq!(digits.index(offset).as_deref(), Some(&*index), "{array}");
            let mut at = [0; limits::MAX_DIMS];
            at[..index.len()].copy_from_slice(&index);
            for dim in 0..index.len() {
                let stretch = Stretch::of(&digits.view(), &at, dim);
                assert_eq!(stretch.offset, offset, "{array} {index:?}");
                assert!(stretch.length <= sizes[dim] - index[dim], "{array} {index:?}");
                let mut end = index.clone();
                end[dim] += stretch.length - 1;
                let expected = offset + (stretch.length - 1) * stretch.stride;
                assert_eq!(
                    digits.offset_unchecked(&end),
                    expected,
                    "{array} {index:?} along {dim}"
                );
            }
        }
        let walk = Walk::new(&digits, array.minor_to_major().first().copied().unwrap_or(0));
        if !walk.scans_slots() {
            let _ = walk.next(walk.start());
        }
    }
    if !is_walked || array.elements() <= Some(FEW) {
        let is_same = same_bytes(array, &untiled).is_ok();
        assert_eq!(same_bytes(&untiled, array).is_ok(), is_same, "{array}");
        let is_bitcast = check_reshape_is_bitcast(array, &untiled).is_ok();
        assert!(is_same || !is_bitcast, "{array}");
        assert_eq!(reshape_is_bitcast(array, &untiled), is_bitcast, "{array}");
    }
}

/// Draws the layout, and asks for parts of the picture that are smaller than what is drawn.
fn draw(array: &ArrayShape) {
    let Some(picture) = Picture::new(array) else { return };
    let slots = array.padded_elements().unwrap();
    pictures::limits(&picture, &array.to_string());
    let _ = picture.extent();
    for (width, most) in [(8, 0), (8, 1), (8, 4), (8, 8), (1, 1), (0, 0), (60, 0)] {
        let lines = picture.memory(width, most);
        assert!(lines.len() <= most.max(2), "{array} {width} {most}");
        assert_eq!(lines.is_empty(), slots == 0, "{array} {width} {most}");
    }
    let first = picture.slice(0, [3, 2]);
    assert_eq!(first.is_none(), slots == 0, "{array}");
    assert!(first.is_none_or(|slice| slice.rows.len() <= 3 && slice.columns.len() <= 3), "{array}");
}
