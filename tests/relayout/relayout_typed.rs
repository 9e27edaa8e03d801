//! Copies between layouts as users call them: views, buffers, padding, packed elements, bitcasts.

use std::mem::MaybeUninit;

use layout::copies::{Side, copy_const};
use layout::types::{SameArray, StoredAs, StoredIn};
use layout::{
    Copier, CopyError, PackedView, PackedViewMut, Padding, StaticLayout, View, ViewMut, copy,
    element, layout,
};

#[test]
fn declared_padding() {
    fn declared<A, B, T>(source: &[T], expected: &[T])
    where
        A: SameArray<B> + StaticLayout,
        B: StaticLayout,
        T: StoredIn<A> + StoredIn<B> + PartialEq + std::fmt::Debug,
    {
        let mut slots = vec![source[0]; expected.len()];
        copy::<A, B, T>(source, &mut slots, Padding::Declared).unwrap();
        assert_eq!(slots, expected);
    }
    declared::<layout!(F32[1]), layout!(F32[1]{0:PAD(2)FILL(lowest)}), f32>(
        &[3.0],
        &[3.0, f32::NEG_INFINITY],
    );
    declared::<layout!(F64[1]), layout!(F64[1]{0:PAD(2)FILL(one)}), f64>(&[3.0], &[3.0, 1.0]);
    declared::<layout!(S8[1]), layout!(S8[1]{0:PAD(2)FILL(lowest)T(4)}), i8>(
        &[3],
        &[3, -128, -128, -128],
    );
    declared::<layout!(S4[1]), layout!(S4[1]{0:PAD(2)FILL(lowest)}), i8>(&[3], &[3, -8]);
    declared::<layout!(U4[1]), layout!(U4[1]{0:PAD(2)FILL(highest)}), u8>(&[3], &[3, 15]);
    declared::<layout!(BF16[1]), layout!(BF16[1]{0:PAD(2)FILL(highest)}), u16>(&[3], &[3, 0x7f80]);
    declared::<layout!(PRED[1]), layout!(PRED[1]{0:PAD(2)FILL(one)}), bool>(
        &[false],
        &[false, true],
    );
    declared::<layout!(C64[1]), layout!(C64[1]{0:PAD(2)FILL(one)}), [f32; 2]>(
        &[[3.0; 2]],
        &[[3.0; 2], [1.0, 0.0]],
    );
    declared::<layout!(C64[1]), layout!(C64[1]{0:PAD(2)FILL(highest)}), [f32; 2]>(
        &[[3.0; 2]],
        &[[3.0; 2]; 2],
    );
    declared::<layout!(U8[1]), layout!(U8[1]{0:PAD(2)FILL(unknown)}), u8>(&[3], &[3, 3]);
}

#[test]
fn errors_and_own_types() {
    type A = layout!(F8E4M3FN[3,5]);
    type B = layout!(F8E4M3FN[3,5]{1,0:T(2,2)});
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Small(u8);
    impl StoredAs<element::F8E4M3FN> for Small {}

    let source = std::array::from_fn::<_, 15, _>(|number| Small(number as u8));
    let mut slots = [Small(99); 24];
    copy::<A, B, _>(&source, &mut slots, Small(77)).unwrap();
    assert_eq!((slots[17], slots[9]), (Small(13), Small(77)));
    let before = slots;
    let error = copy::<A, B, _>(&source, &mut slots, Padding::Zero).unwrap_err();
    assert!((error == CopyError::NoPadding) && slots == before);
    assert!(error.to_string().contains("Padding::Fill"), "{error}");
    let (copier, back) = (Copier::<A, B>::new(), Copier::<B, A>::new());
    let mut grown = Vec::new();
    assert_eq!(copier.run([3, 5], &source, &mut grown, Padding::Leave), Err(CopyError::NoPadding));
    // Without padding nothing is asked of the type.
    back.run([3, 5], &slots, &mut grown, Padding::Leave).unwrap();
    assert_eq!((grown.as_slice(), grown.capacity()), (&source[..], 15));
    copier
        .map([3, 5], &source, &mut grown, Padding::Fill(Small(1)), |_, Small(of)| Small(of))
        .unwrap();
    assert_eq!((grown.len(), grown[17], grown[9]), (24, Small(13), Small(1)));
    let mut longer = vec![Small(9); 30];
    copier.run([3, 5], &source, &mut longer, Small(1)).unwrap();
    assert_eq!(
        (longer.len(), longer[17], longer[9], longer[24]),
        (30, Small(13), Small(1), Small(9))
    );
    let mut boxed = grown.clone().into_boxed_slice();
    copier.run([3, 5], &source, &mut boxed, Padding::Leave).unwrap();
    assert_eq!(*boxed, *grown);

    let error = copy::<A, B, u8>(&[0; 14], &mut [0; 24], Padding::Zero).unwrap_err();
    assert_eq!(error, CopyError::TooShort { side: Side::Source, needed: 15, given: 14 });
    let error = copy::<A, B, u8>(&[0; 15], &mut [0; 23], Padding::Zero).unwrap_err();
    assert_eq!(error, CopyError::TooShort { side: Side::Destination, needed: 24, given: 23 });
    assert!(error.to_string().contains("destination needs a slice of 24"), "{error}");
}

/// Memory that held nothing is written whole, also by functions and from planes.
#[test]
fn memory_that_held_nothing() {
    type Planes = layout!(S16[2,?]);
    type Turned = layout!(S16[2,?]{0,1:T(4)});
    let copier = Copier::<Planes, Turned>::new();
    let planes = [[1_i16, 2, 3], [-1, -2, -3]];
    let mut memory = [MaybeUninit::uninit(); 20];
    for (padding, value) in [(Padding::Leave, 0), (Padding::Zero, 0), (Padding::Fill(7), 7)] {
        let expected = [1, -1, value, value, 2, -2, value, value, 3, -3, value, value];
        let found = copier.run([2, 3], planes.as_flattened(), &mut memory, padding).unwrap();
        assert_eq!(found, expected);
        let found = copier.gather([2, 3], &planes, &mut memory, padding).unwrap();
        assert_eq!(found, expected);
        let same = |_: [usize; 2], element: i16| element;
        let found = copier.map([2, 3], planes.as_flattened(), &mut memory, padding, same).unwrap();
        assert_eq!(found, expected);
        let found = copier.gather_map([2, 3], &planes, &mut memory, padding, same).unwrap();
        assert_eq!(found, expected);
    }
}

/// A `bool` is 0 or 1, whatever the bits of its element.
#[test]
fn bools() {
    type Packed = layout!(PRED[2,3]{1,0:E(4)});
    type Bytes = layout!(PRED[2,3]{0,1});
    let mut bools = [false; 6];
    PackedView::<Packed>::new(&[0x3e, 0xf0, 0x21])
        .unwrap()
        .copy_to(&mut ViewMut::<Bytes, bool>::new(&mut bools).unwrap(), Padding::Zero)
        .unwrap();
    // Rows e, 3, 0 and f, 1, 2.
    assert_eq!(bools, [false, true, true, true, false, false]);
    let mut packed = [0x55; 4];
    View::<Bytes, bool>::new(&bools)
        .unwrap()
        .copy_to(&mut PackedViewMut::<Packed>::new(&mut packed).unwrap(), Padding::Zero)
        .unwrap();
    assert_eq!(packed, [0x10, 0x10, 0x01, 0x55]);
}

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

#[test]
fn what_a_copier_refuses() {
    type Rows = layout!(U8[?,<=4]);
    type Tiles = layout!(U8[?,<=4]{1,0:T(2,2)});
    const COPY: Copier<Rows, Tiles> = Copier::new();
    let error = COPY.run([3, 5], &[0; 12], &mut [0; 16], Padding::Zero).unwrap_err();
    // `?` makes the same of the layout's own error.
    let slots = || -> Result<_, CopyError> { Ok(Rows::with_dims([3, 5])?.padded_elements()) };
    assert_eq!(slots(), Err(error));
    assert_eq!(
        error.to_string(),
        "the sizes do not go with the layout: dimension 1 has size at most 4, but was given 5"
    );
    let error = COPY.run([3, 4], &[0; 11], &mut [0; 16], Padding::Zero).unwrap_err();
    assert!(matches!(error, CopyError::TooShort { side: Side::Source, .. }), "{error}");
    let mut short = [9; 15];
    let error = COPY.run([3, 4], &[0; 12], &mut short, Padding::Zero).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout of the destination needs a slice of 16, padding counted, and got one of 15"
    );
    assert_eq!(short, [9; 15]);
    assert_eq!(format!("{COPY:?}"), "Copier(u8[?,<=4]{1,0} -> u8[?,<=4]{1,0:T(2,2)})");
    type Turned = layout!(U8[?,<=4]{0,1});
    let gather = |planes: &[&[u8]]| {
        let error =
            Copier::<Rows, Turned>::new().gather([3, 4], planes, &mut [0; 12], Padding::Zero);
        error.unwrap_err().to_string()
    };
    assert_eq!(gather(&[&[1; 4]]), "planes of the array: 3, planes given: 1");
    assert_eq!(gather(&[]), "planes of the array: 3, planes given: 0");
    // Nothing is asked of sizes that a layout cannot have together.
    let none = COPY.run([0, 4], &[0; 0], &mut [0; 0], Padding::Zero);
    assert_eq!(none, Ok(()));
}
