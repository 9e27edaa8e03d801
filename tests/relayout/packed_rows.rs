//! Rows of packed elements that end within a byte, of all short lengths, from and to one element a byte: against one element after
//! the other.

use layout::copies::OneByte;
use layout::{Padding, layout};
use layout_tests::random::Random;

/// The bits of an element in bytes, the first element of a byte its low bits or its high ones.
fn place(slot: usize, bits: usize, is_high: bool) -> (usize, usize) {
    let shift = slot * bits % 8;
    (slot * bits / 8, if is_high { 8 - bits - shift } else { shift })
}

fn set(bytes: &mut [u8], slot: usize, bits: usize, is_high: bool, value: u8) {
    let ((byte, shift), mask) = (place(slot, bits, is_high), 0xff >> (8 - bits));
    bytes[byte] = bytes[byte] & !(mask << shift) | (value & mask) << shift;
}

fn get(bytes: &[u8], slot: usize, bits: usize, is_high: bool) -> u8 {
    let (byte, shift) = place(slot, bits, is_high);
    bytes[byte] >> shift & (0xff >> (8 - bits))
}

fn indices([rows, columns]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    (0..rows).flat_map(move |i| (0..columns).map(move |j| [i, j]))
}

/// Copies arrays of these sizes both ways, in either order of bits.
macro_rules! check {
    ($random:ident, $dims:expr, $element:expr, $([$($a:ty),*] $b:ty;)*) => {$($(
        let (a, b) = (<$a>::with_dims($dims).unwrap(), <$b>::with_dims($dims).unwrap());
        let (bits, element) = (<$b>::SHAPE.element_bits() as usize, $element);
        let elements =
            (0..a.padded_elements()).map(|_| element($random.below(256) as u8)).collect::<Vec<_>>();
        let canary = (0..(b.padded_elements() * bits).div_ceil(8))
            .map(|_| $random.below(256) as u8)
            .collect::<Vec<_>>();
        for (is_high, padding) in [(false, None), (true, None), (false, Some(0)), (true, Some(1))] {
            let what = format!("{a:?} and {b:?}, high first: {is_high}, {padding:?}");
            let mut expected = canary.clone();
            if let Some(value) = padding {
                for slot in b.paddings().flatten() {
                    set(&mut expected, slot, bits, is_high, value);
                }
            }
            for index in indices($dims) {
                set(&mut expected, b.offset(index), bits, is_high, elements[a.offset(index)].byte());
            }
            let mut packed = canary.clone();
            let padding = padding.map_or(Padding::Leave, |value| Padding::Fill(element(value)));
            let (view, mut to) =
                (a.view(&elements).unwrap(), b.packed_view_mut(&mut packed).unwrap());
            if is_high {
                view.relayout_to(&mut to.high_first(), padding);
            } else {
                view.relayout_to(&mut to, padding);
            }
            assert_eq!(packed, expected, "packed: {what}");

            let mut unpacked = elements.clone();
            unpacked.reverse();
            let mut expected = unpacked.clone();
            for index in indices($dims) {
                expected[a.offset(index)] = element(get(&packed, b.offset(index), bits, is_high));
            }
            let view = b.packed_view(&packed).unwrap();
            let mut to = a.view_mut(&mut unpacked).unwrap();
            if is_high {
                view.high_first().relayout_to(&mut to, Padding::Leave);
            } else {
                view.relayout_to(&mut to, Padding::Leave);
            }
            assert_eq!(unpacked, expected, "unpacked: {what}");
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
