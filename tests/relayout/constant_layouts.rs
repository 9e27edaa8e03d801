//! Copies that the compiler makes, and views that are other views without one.

use layout::copies::copy_const;
use layout::{Padding, View, ViewMut, copy, layout};

#[test]
fn bitcasts() {
    type A = layout!(F32[16,128]);
    let data = (0..A::ELEMENTS).map(|number| number as f32).collect::<Vec<_>>();
    let view = View::<A, f32>::new(&data).unwrap();
    let tiled = view.bitcast::<layout!(F32[16,128]{1,0:T(8,128)})>();
    let ones = tiled.bitcast::<layout!(F32[16,128]{1,0:T(1,1)})>();
    let whole = ones.bitcast::<layout!(F32[16,128]{1,0:T(16,128)})>();
    for (index, _) in A::indices() {
        assert_eq!(whole[index], view[index]);
    }
    // Less padding is less memory.
    type Padded = layout!(F32[4]{0:T(8)});
    let data = [1.0; 8];
    let view = View::<Padded, f32>::new(&data).unwrap().bitcast::<layout!(F32[4])>();
    assert_eq!(view.as_slice().len(), 4);
    assert!(ViewMut::<Padded, f32>::new(&mut [0.0; 8]).is_ok());
}

/// Tables that the compiler copies: also of layouts that share no split, and with `<=N`.
#[test]
fn copies_in_constants() {
    macro_rules! tables {
        ($($element:ident as $stored:ty [$($dims:tt)*] $to:tt;)*) => {$({
            type From = layout!($element[$($dims)*]);
            type To = layout!($element[$($dims)*] $to);
            const ROWS: [$stored; From::PADDED_ELEMENTS] = {
                let mut rows = [0; From::PADDED_ELEMENTS];
                let mut at = 0;
                while at < rows.len() {
                    rows[at] = at as $stored + 1;
                    at += 1;
                }
                rows
            };
            const MADE: [$stored; To::PADDED_ELEMENTS] = {
                let mut made = [0; To::PADDED_ELEMENTS];
                copy_const::<From, To, $stored>(&ROWS, &mut made);
                made
            };
            for (index, offset) in To::indices() {
                assert_eq!(MADE[offset], ROWS[From::offset(index)], "{} {index:?}", To::TEXT);
            }
            let elements = MADE.iter().filter(|element| **element > 0).count();
            assert_eq!(elements, To::indices().count(), "{}", To::TEXT);
        })*};
    }
    tables! {
        U8 as u8 [4,6] {1,0:T(2,2)};
        U8 as u8 [5,7] {0,1:T(8,2)(2,1)};
        S32 as i32 [3,5,7] {0,2,1:T(2,4)};
        U16 as u16 [<=5,7] {0,1:T(4,4)};
        U8 as u8 [24] {0:T(3)(5,1)};
        U8 as u8 [3,5,2] {2,1,0:T(*,4)};
        U8 as u8 [] {:T(4)};
        U8 as u8 [0,5] {0,1};
    }
}

/// A float that is not a number keeps its bits.
#[test]
fn bits_that_are_no_numbers() {
    type Rows = layout!(F32[60,20]);
    type Tiles = layout!(F32[60,20]{0,1:T(8,128)});
    let odd = |at: usize| f32::from_bits(0x7f80_0001 + at as u32);
    let rows = std::array::from_fn::<_, { Rows::PADDED_ELEMENTS }, _>(odd);
    let mut tiles = vec![0.0; Tiles::PADDED_ELEMENTS];
    copy::<Rows, Tiles, f32>(&rows, &mut tiles, Padding::Leave).unwrap();
    for (index, slot) in Tiles::indices() {
        assert_eq!(tiles[slot].to_bits(), odd(Rows::offset(index)).to_bits(), "{index:?}");
    }
}
