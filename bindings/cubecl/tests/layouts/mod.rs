//! Layouts of all kinds, small enough to look at every slot.

#[allow(dead_code, unreachable_pub, reason = "it is a module of the tests' library")]
#[path = "../../../../tests/src/random.rs"]
mod random;

use layout::ArrayShape;
use random::Random;

/// Layouts to test: those by hand, and random ones.
pub(crate) fn layouts(count: usize) -> Vec<ArrayShape> {
    let by_hand = include_str!("by_hand.txt").lines();
    let by_hand = by_hand.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let by_hand =
        by_hand.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    let mut layouts = by_hand.collect::<Vec<_>>();
    let mut random = Random::new(1);
    let all = layouts.len() + count;
    while layouts.len() < all {
        if let Some(shape) = shape(&mut random) {
            layouts.push(shape);
        }
    }
    layouts
}

fn list(len: usize, item: impl FnMut() -> String) -> String {
    std::iter::repeat_with(item).take(len).collect::<Vec<_>>().join(",")
}

/// A random shape; `None` if it is not valid, or too large to look at every slot.
fn shape(random: &mut Random) -> Option<ArrayShape> {
    let rank = 1 + random.below(4);
    let dims = list(rank, || (1 + random.below(12)).to_string());
    let order = random.order(rank).iter().map(usize::to_string).collect::<Vec<_>>();
    let mut tiles = String::new();
    for _ in 0..random.below(4) {
        let len = 1 + random.below(3);
        let tile = list(len, || match random.below(8) {
            0 => "*".into(),
            _ => random.pick(&[1, 2, 3, 4, 6, 8]).to_string(),
        });
        tiles += &format!("({tile})");
    }
    let tiles = if tiles.is_empty() { tiles } else { format!(":T{tiles}") };
    let shape: ArrayShape = format!("f32[{dims}]{{{}{tiles}}}", order.join(",")).parse().ok()?;
    shape.padded_elements().filter(|&slots| slots <= 8192)?;
    Some(shape)
}
