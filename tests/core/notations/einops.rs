//! Patterns of axes, evaluated by what they say: memory counts through the axes after the arrow.

use std::collections::BTreeMap;

use layout::notation::{Einops, LayoutError};
use layout::{ArrayShape, Size};
use layout_tests::naive::unflatten;
use layout_tests::random::Random;

use crate::packed::array;

/// A dimension as the names of its axes, the most significant first.
type Dims = Vec<Vec<usize>>;

/// The offset of an index, with the size of each axis.
fn offset(dims: &Dims, memory: &[usize], sizes: &[Size], index: &[Size]) -> Size {
    let mut values = BTreeMap::new();
    for (axes, &coordinate) in dims.iter().zip(index) {
        let mut left = coordinate;
        for &axis in axes.iter().rev() {
            values.insert(axis, left % sizes[axis]);
            left /= sizes[axis];
        }
        assert_eq!(left, 0);
    }
    memory.iter().fold(0, |offset, axis| offset * sizes[*axis] + values[axis])
}

fn random(random: &mut Random, is_any_size: bool) -> bool {
    let mut sizes = Vec::new();
    let mut has_size = Vec::new();
    let mut dims = Dims::new();
    let mut sides = Vec::new();
    for _ in 0..1 + random.below(4) {
        let mut axes = Vec::new();
        let rest = is_any_size || random.below(2) == 0;
        for place in 0..1 + random.below(3) {
            axes.push(sizes.len());
            sizes.push(2 + random.below_size(3));
            has_size.push(!(rest && place == 0));
        }
        dims.push(axes);
    }
    let mut memory = (0..sizes.len()).collect::<Vec<_>>();
    for i in (1..memory.len()).rev() {
        memory.swap(i, random.below(i + 1));
    }
    if is_any_size {
        memory.sort_by_key(|axis| has_size[*axis]);
    }
    let name = |axis: usize| format!("a{axis}");
    for axes in &dims {
        let axes = axes.iter().map(|&axis| match has_size[axis] {
            true => format!("{}={}", name(axis), sizes[axis]),
            false => name(axis),
        });
        sides.push(format!("({})", axes.collect::<Vec<_>>().join(" ")));
    }
    let after = memory.iter().map(|&axis| name(axis)).collect::<Vec<_>>().join(" ");
    let text = format!("{} -> {after}", sides.join(" "));
    let pattern: Einops = text.parse().unwrap();
    assert_eq!(pattern.to_string().parse::<Einops>().unwrap().to_string(), pattern.to_string());

    let size = |axes: &Vec<usize>| axes.iter().map(|&axis| sizes[axis]).product::<Size>();
    let mut bounds = dims.iter().map(size).collect::<Vec<_>>();
    let whole = bounds.clone();
    if is_any_size {
        for bound in &mut bounds {
            *bound -= random.below_size(*bound);
        }
        let order = pattern.digit_order().unwrap();
        assert!(order.digits().iter().filter(|digit| digit.size.is_none()).count() == dims.len());
    }
    let shape = array(&bounds);
    let layout = match pattern.layout(&shape) {
        Err(LayoutError::TooManyTiles) => return false,
        layout => layout.unwrap_or_else(|error| panic!("{text} of {shape}: {error}")),
    };
    // Axes of any size are as large as the array needs.
    for (dim, axes) in dims.iter().enumerate() {
        if !has_size[axes[0]] {
            sizes[axes[0]] = bounds[dim].div_ceil(whole[dim] / sizes[axes[0]]);
        }
    }
    let digits = layout.digits().unwrap();
    for number in 0..bounds.iter().product() {
        let index = unflatten(number, &bounds);
        let expected = offset(&dims, &memory, &sizes, &index);
        assert_eq!(digits.offset(&index), Some(expected), "{text} as {layout} at {index:?}");
    }
    true
}

#[test]
fn random_patterns() {
    let mut numbers = Random::new(31);
    let count = (0..2000).filter(|number| random(&mut numbers, number % 2 == 0)).count();
    assert!(count > 1950, "{count}");
}

#[test]
fn spellings() {
    let layout = |text: &str, array: &str| {
        let pattern: Einops = text.parse().unwrap_or_else(|error| panic!("{error}"));
        pattern.layout(&array.parse().unwrap()).map(|layout| layout.to_string())
    };
    for (text, array, expected) in [
        ("(h 8) (w 128) -> h w 8 128", "f32[20,300]", "f32[20,300]{1,0:T(8,128)}"),
        ("(h h1=8) (w w1=128) -> h w h1 w1", "f32[20,300]", "f32[20,300]{1,0:T(8,128)}"),
        ("(h h1) (w w1) -> h w h1 w1, h1=8, w1=128", "f32[20,300]", "f32[20,300]{1,0:T(8,128)}"),
        ("( h 8 )(w 128)->(h w) (8 128)", "f32[20,300]", "f32[20,300]{1,0:T(8,128)}"),
        // Sizes that are alike are matched in order.
        ("(h 16) (w 16) -> h w 16 16", "f32[32,64]", "f32[32,64]{1,0:T(16,16)}"),
        ("(h a=16) (w b=16) -> h w b a", "f32[32,64]", "f32[32,64]{1,0:T(16,16)(16,1)}"),
        ("h w -> w h", "f32[3,5]", "f32[3,5]{0,1}"),
        ("h 1 w -> w 1 h", "f32[3,1,5]", "f32[3,1,5]{1,0,2}"),
        ("-> ", "f32[]", "f32[]"),
        // AWQ's nibbles.
        ("k (n 4 2) -> k n 2 4", "u4[8,64]{1,0:E(4)}", "u4[8,64]{1,0:T(2)(4,1)E(4)}"),
    ] {
        assert_eq!(layout(text, array).as_deref(), Ok(expected), "{text}");
    }
    for (text, array, reason) in [
        ("(h 8) w -> h w 8", "f32[8]", "the layout has 2 dimensions, but the array has 1"),
        (
            "(h=4 8) w -> h w 8",
            "f32[8,2]",
            "the layout gives 32 elements of dimension 0, but its size is 8",
        ),
        ("h (w 8) -> 8 h w", "f32[3,9]", "the size 9 of dimension 1 is not a multiple of 8"),
        ("h (w 8) -> 8 h w", "f32[3,?]", "the size of dimension 1 is known at run time only (`?`)"),
        ("h 1 -> h", "f32[3,2]", "the layout gives 1 elements of dimension 1, but its size is 2"),
    ] {
        assert_eq!(layout(text, array).unwrap_err().to_string(), reason, "{text}");
    }
    let pattern = |text: &str| {
        let shape: ArrayShape = text.parse().unwrap();
        Einops::of(&shape).unwrap().to_string()
    };
    for (text, expected) in [
        ("f32[20,300]{1,0:T(8,128)}", "(a 8) (b 128) -> a b 8 128"),
        ("f32[32,64]{1,0:T(16,16)(16,1)}", "(a a2=16) (b b2=16) -> a b b2 a2"),
        ("f32[3,1]{0,1}", "a b -> b a"),
        ("f32[3,8]{1,0:T(2)(3,4,1)}", "(a 3) (b 4 2) -> a b 2 3 4"),
    ] {
        assert_eq!(pattern(text), expected, "{text}");
    }
}
