//! Rows of packed elements that end within a byte, of all short lengths, from and to one element a byte: against one element after
//! the other.

use layout::copies::OneByte;
use layout::types::{Element, LayoutTypes};
use layout::{Padding, layout};
use layout_tests::naive::indices;
use layout_tests::random::Random;

use crate::packed_parts::{Memory, number, pad};

/// Copies arrays of these sizes both ways, in either order of bits.
macro_rules! check {
    ($random:ident, $dims:expr, $element:expr, $([$($a:ty),*] $b:ty;)*) => {$($(
        let (a, b) = (<$a>::with_dims($dims).unwrap(), <$b>::with_dims($dims).unwrap());
        let (bits, element) = (<$b>::SHAPE.element_bits() as usize, $element);
        let elements =
            (0..a.padded_elements()).map(|_| element($random.below(256) as u8)).collect::<Vec<_>>();
        for (is_high, padding) in [(false, None), (true, None), (false, Some(0)), (true, Some(1))] {
            let what = format!("{a:?} and {b:?}, high first: {is_high}, {padding:?}");
            let mut packed = Memory::random(b.padded_elements(), bits, is_high, $random);
            let mut expected = packed.clone();
            if let Some(value) = padding {
                pad(b, &mut expected, value);
            }
            for index in indices($dims) {
                expected.set(b.offset(index), elements[a.offset(index)].byte());
            }
            let padding = padding.map_or(Padding::Leave, |value| Padding::Fill(number::<$b>(value, bits)));
            let (view, mut to) =
                (a.view(&elements).unwrap(), b.packed_view_mut(&mut packed.bytes).unwrap());
            if is_high {
                view.copy_to(&mut to.high_first(), padding).unwrap();
            } else {
                view.copy_to(&mut to, padding).unwrap();
            }
            assert_eq!(packed, expected, "packed: {what}");

            let mut unpacked = elements.clone();
            unpacked.reverse();
            let mut expected = unpacked.clone();
            for index in indices($dims) {
                expected[a.offset(index)] = element(packed.get(b.offset(index)));
            }
            let view = b.packed_view(&packed.bytes).unwrap();
            let mut to = a.view_mut(&mut unpacked).unwrap();
            if is_high {
                view.high_first().copy_to(&mut to, Padding::Leave).unwrap();
            } else {
                view.copy_to(&mut to, Padding::Leave).unwrap();
            }
            assert_eq!(unpacked, expected, "unpacked: {what}");
            unpacked.reverse();
            let mut to = a.view_mut(&mut unpacked).unwrap();
            let made = |index: [usize; 2], value: <<$b as LayoutTypes>::Element as Element>::Packed| {
                assert_eq!(element(value.byte()), expected[a.offset(index)]);
                element(value.byte())
            };
            if is_high {
                view.high_first().map_to(&mut to, Padding::Leave, made).unwrap();
            } else {
                view.map_to(&mut to, Padding::Leave, made).unwrap();
            }
            assert!(indices($dims).all(|index| to[index] == expected[a.offset(index)]), "{what}");
        }
    )*)*};
}

#[test]
fn sizes_known_at_the_call() {
    let random = &mut Random::new(3);
    let dims = (1..=40).flat_map(|columns| [1, 3, 18].map(|rows| [rows, columns]));
    let all = dims.chain([[5, 122], [4, 129], [3, 200], [70, 66], [129, 5]]);
    // Miri takes two small ones.
    for dims in all.filter(|dims| !cfg!(miri) || matches!(dims, [3, 1 | 21])) {
        type Bools = layout!(PRED[?,?]);
        check! { random, dims, |value: u8| value & 1 != 0,
            [Bools, layout!(PRED[?,?]{0,1}), layout!(PRED[?,?]{1,0:T(48)})] layout!(PRED[?,?]{1,0:T(8)E(1)});
            [Bools] layout!(PRED[?,?]{0,1:T(8)E(1)});
            [Bools] layout!(PRED[?,?]{1,0:T(8,1)E(1)});
            [Bools] layout!(PRED[?,?]{1,0:T(5)E(1)});
            [Bools] layout!(PRED[?,?]{1,0:T(8,128)(32,1)E(1)});
            [Bools] layout!(PRED[?,?]{1,0:T(2)E(4)});
        }
        check! { random, dims, |value: u8| value,
            [layout!(U2[?,?]), layout!(U2[?,?]{0,1})] layout!(U2[?,?]{1,0:T(4)E(2)});
        }
        check! { random, dims, |value: u8| value,
            [layout!(U4[?,?])] layout!(U4[?,?]{1,0:T(2)E(4)});
            [layout!(U4[?,?])] layout!(U4[?,?]{0,1:T(2)E(4)});
        }
        check! { random, dims, |value: u8| (value << 4) as i8 >> 4,
            [layout!(S4[?,?])] layout!(S4[?,?]{1,0:T(2)E(4)});
        }
        check! { random, dims, |value: u8| (value << 6) as i8 >> 6,
            [layout!(S2[?,?])] layout!(S2[?,?]{1,0:T(4)E(2)});
        }
    }
}

#[test]
fn sizes_of_types() {
    let random = &mut Random::new(4);
    macro_rules! sizes {
        ($($rows:literal $columns:literal;)*) => {$(if !cfg!(miri) || $rows < 20 {
            check! { random, [$rows, $columns], |value: u8| value & 1 != 0,
                [layout!(PRED[$rows,$columns])] layout!(PRED[$rows,$columns]{1,0:T(8)E(1)});
                [layout!(PRED[$rows,$columns])] layout!(PRED[$rows,$columns]{0,1:T(8)E(1)});
                [layout!(PRED[$rows,$columns])] layout!(PRED[$rows,$columns]{1,0:T(8,1)E(1)});
            }
            check! { random, [$rows, $columns], |value: u8| (value << 4) as i8 >> 4,
                [layout!(S4[$rows,$columns])] layout!(S4[$rows,$columns]{1,0:T(2)E(4)});
            }
        })*};
    }
    sizes! { 1 3; 16 10; 61 100; 250 122; }
}

/// Copies of arrays with four dimensions, packed ones and others, in either order of bits: one element after the other.
macro_rules! permuted {
    ($random:ident, $dims:expr, $($a:ty => $b:ty;)*) => {$(
        let (a, b) = (<$a>::with_dims($dims).unwrap(), <$b>::with_dims($dims).unwrap());
        let what = format!("{a:?} to {b:?}");
        for (from_high, to_high) in [(false, false), (true, false), (false, true), (true, true)] {
            let src = Memory::random(a.padded_elements(), 1, from_high, $random);
            for padding in [Padding::Leave, Padding::Zero, Padding::Fill(1)] {
                let mut found = Memory::random(b.padded_elements(), 1, to_high, $random);
                let mut expected = found.clone();
                match padding {
                    Padding::Zero => pad(b, &mut expected, 0),
                    Padding::Fill(value) => pad(b, &mut expected, value),
                    _ => {}
                }
                for index in indices($dims) {
                    expected.set(b.offset(index), src.get(a.offset(index)));
                }
                let (from, to) = (
                    a.packed_view(&src.bytes).unwrap(),
                    b.packed_view_mut(&mut found.bytes).unwrap(),
                );
                match (from_high, to_high) {
                    (false, false) => from.copy_to(&mut { to }, padding).unwrap(),
                    (true, false) => from.high_first().copy_to(&mut { to }, padding).unwrap(),
                    (false, true) => from.copy_to(&mut to.high_first(), padding).unwrap(),
                    (true, true) => from.high_first().copy_to(&mut to.high_first(), padding).unwrap(),
                }
                assert!(found == expected, "{what}: {from_high} {to_high} {padding:?}");
            }

            // The same elements to bytes in row-major order, and back.
            let bytes = <layout!(PRED[?,?,?,?])>::with_dims($dims).unwrap();
            let mut unpacked = vec![true; bytes.padded_elements()];
            let mut expected = unpacked.clone();
            for index in indices($dims) {
                expected[bytes.offset(index)] = src.get(a.offset(index)) > 0;
            }
            let mut to = bytes.view_mut(&mut unpacked).unwrap();
            let from = a.packed_view(&src.bytes).unwrap();
            if from_high {
                from.high_first().copy_to(&mut to, Padding::Leave).unwrap();
            } else {
                from.copy_to(&mut to, Padding::Leave).unwrap();
            }
            assert!(unpacked == expected, "{what} to bytes");
            let mut again = Memory::random(a.padded_elements(), 1, from_high, $random);
            let mut expected = again.clone();
            for index in indices($dims) {
                expected.set(a.offset(index), src.get(a.offset(index)));
            }
            let (from, to) =
                (bytes.view(&unpacked).unwrap(), a.packed_view_mut(&mut again.bytes).unwrap());
            if from_high {
                from.copy_to(&mut to.high_first(), Padding::Leave).unwrap();
            } else {
                from.copy_to(&mut { to }, Padding::Leave).unwrap();
            }
            assert!(again == expected, "{what} from bytes");
        }
    )*};
}

/// Blocks of a few bits, powers of two and others, and few elements with padding after them.
#[test]
fn short_dimensions() {
    let random = &mut Random::new(5);
    let all = [
        [1, 8, 8, 4],
        [7, 8, 8, 4],
        [64, 8, 4, 8],
        [33, 4, 4, 2],
        [9, 2, 2, 2],
        [20, 8, 8, 2],
        [12, 8, 8, 3],
        [5, 3, 8, 4],
        [6, 16, 4, 4],
        [3, 64, 4, 8],
        [2, 70, 33, 1],
    ];
    for dims in all.into_iter().take(if cfg!(miri) { 1 } else { all.len() }) {
        permuted! { random, dims,
            layout!(PRED[?,?,?,?]{2,3,1,0:E(1)}) => layout!(PRED[?,?,?,?]{3,2,1,0:E(1)});
            layout!(PRED[?,?,?,?]{2,1,3,0:T(2,1,8)E(1)}) => layout!(PRED[?,?,?,?]{3,2,1,0:T(8)E(1)});
            layout!(PRED[?,?,?,?]{3,1,2,0:E(1)}) => layout!(PRED[?,?,?,?]{2,3,1,0:T(32)E(1)});
            layout!(PRED[?,?,?,?]{3,2,1,0:T(8)E(1)}) => layout!(PRED[?,?,?,?]{2,3,1,0:T(64)E(1)});
            layout!(PRED[?,?,?,?]{1,3,2,0:T(4)E(1)}) => layout!(PRED[?,?,?,?]{3,2,1,0:T(4,16)E(1)});
        }
    }
}
