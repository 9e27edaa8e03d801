//! Patterns of axes, evaluated by what they say: memory counts through the axes after the arrow.

use std::collections::BTreeMap;

use layout::shape::Size;
use layout_notation::notation::{Einops, NotThisLayout};
use layout_tests::naive;
use layout_tests::random::Random;

use layout_tests::lists::floats;

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
    let mut memory = random.order(sizes.len());
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
    let shape = floats(&bounds);
    let layout = match pattern.layout(&shape) {
        Err(NotThisLayout::TooManyTiles) => return false,
        layout => layout.unwrap_or_else(|error| panic!("{text} of {shape}: {error}")),
    };
    // Axes of any size are as large as the array needs.
    for (dim, axes) in dims.iter().enumerate() {
        if !has_size[axes[0]] {
            sizes[axes[0]] = bounds[dim].div_ceil(whole[dim] / sizes[axes[0]]);
        }
    }
    let expected = naive::every_index(&bounds)
        .map(|index| offset(&dims, &memory, &sizes, &index))
        .collect::<Vec<_>>();
    assert_eq!(naive::offsets(&layout), expected, "{text} as {layout}");
    true
}

#[test]
fn random_patterns() {
    let mut numbers = Random::new(31);
    let count = (0..2000).filter(|number| random(&mut numbers, number % 2 == 0)).count();
    assert!(count > 1950, "{count}");
}
