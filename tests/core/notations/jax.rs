//! JAX's layout, against text put together from the naive model. `check.py` gives it to JAX.

use layout::Size;
use std::fmt::Display;

use layout::ArrayShape;
use layout::notation::{Jax, NotationError};

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

#[test]
fn worked_examples() {
    let jax = |text: &str| {
        let shape: ArrayShape = text.parse().unwrap();
        Jax::of(&shape).map(|jax| jax.to_string())
    };
    for (layout, expected) in [
        ("f32[]", "Layout(major_to_minor=())"),
        ("f32[5]", "Layout(major_to_minor=(0,))"),
        ("f32[?,7]{0,1:T(8,128)}", "Layout(major_to_minor=(1, 0), tiling=((8, 128),))"),
        (
            "f32[2,3,5]{2,1,0:T(*,8)}",
            "Layout(major_to_minor=(0, 1, 2), tiling=((-9223372036854775808, 8),))",
        ),
        (
            "s4[8,128]{1,0:T(8,128)(8,1)E(4)S(1)}",
            "Layout(major_to_minor=(0, 1), tiling=((8, 128), (8, 1)), sub_byte_element_size_in_bits=4)",
        ),
        (
            "s4[8,128]{1,0:T(8,128)}",
            "Layout(major_to_minor=(0, 1), tiling=((8, 128),), sub_byte_element_size_in_bits=8)",
        ),
        ("s4[8,128]", "Layout(major_to_minor=(0, 1))"),
        (
            "s4[8,128]{1,0:E(4)}",
            "Layout(major_to_minor=(0, 1), tiling=(), sub_byte_element_size_in_bits=4)",
        ),
        ("pred[8,128]{1,0:T(8,128)}", "Layout(major_to_minor=(0, 1), tiling=((8, 128),))"),
        (
            "pred[8,128]{1,0:T(8,128)E(32)}",
            "Layout(major_to_minor=(0, 1), tiling=((8, 128),), sub_byte_element_size_in_bits=32)",
        ),
    ] {
        assert_eq!(jax(layout).as_deref(), Ok(expected), "{layout}");
    }
    for (layout, reason) in [
        ("f32[3]{0:PAD(4)}", NotationError::Widened),
        ("f32[3]{0:L(4)}", NotationError::Tail),
        ("f32[?]{0:L(4)}", NotationError::Tail),
    ] {
        assert_eq!(jax(layout), Err(reason), "{layout}");
    }
}
