//! JAX's layout, against text put together from the naive model. `check.py` gives it to JAX.

use layout::shape::Size;
use std::fmt::Display;

use layout_notation::notation::Jax;

use crate::{Case, cases};

fn tuple(items: impl IntoIterator<Item = impl Display>) -> String {
    let items = items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>();
    format!("({}{})", items.join(", "), if items.len() == 1 { "," } else { "" })
}

#[test]
fn says_order_and_tiles() {
    cases(&mut |case: Case| {
        let naive = &case.naive;
        let order = tuple(naive.minor_to_major.iter().rev());
        let entry = |entry: &Option<Size>| entry.map_or(i64::MIN, |size| size as i64);
        let tiles = tuple(naive.tiles.iter().map(|tile| tuple(tile.iter().map(entry))));
        let tiling =
            if naive.tiles.is_empty() { String::new() } else { format!(", tiling={tiles}") };
        let expected = format!("Layout(major_to_minor={order}{tiling})");
        let jax = Jax::of(&case.shape).ok().map(|jax| jax.to_string());
        assert_eq!(jax, (!case.is_padded_outside_tiles()).then_some(expected), "{}", case.shape);
    });
}
