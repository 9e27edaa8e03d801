//! Padding holds what the copy, or the layout, says; memory that held nothing is written whole.

use std::mem::MaybeUninit;

use layout::copies::{Placed, Side};
use layout::types::{SameArray, StoredAs, StoredIn};
use layout::{ArrayShape, Copier, CopyError, Padding, Plan, StaticLayout, copy, element, layout};

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
    macro_rules! declared {
        ($($element:ident $stored:ty: ($($padding:tt)*) $source:expr => $($expected:expr),*;)*) => {$(
            declared::<layout!($element[1]), layout!($element[1]{0:$($padding)*}), $stored>(
                &[$source],
                &[$source, $($expected),*],
            );
        )*};
    }
    declared! {
        F32 f32: (PAD(2)FILL(lowest)) 3.0 => f32::NEG_INFINITY;
        F64 f64: (PAD(2)FILL(one)) 3.0 => 1.0;
        S8 i8: (PAD(2)FILL(lowest)T(4)) 3 => -128, -128, -128;
        S4 i8: (PAD(2)FILL(lowest)) 3 => -8;
        U4 u8: (PAD(2)FILL(highest)) 3 => 15;
        BF16 u16: (PAD(2)FILL(highest)) 3 => 0x7f80;
        PRED bool: (PAD(2)FILL(one)) false => true;
        C64 [f32; 2]: (PAD(2)FILL(one)) [3.0; 2] => [1.0, 0.0];
        C64 [f32; 2]: (PAD(2)FILL(highest)) [3.0; 2] => [3.0; 2];
        U8 u8: (PAD(2)FILL(unknown)) 3 => 3;
    }
}

#[test]
fn padding_of_own_types() {
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

/// Bytes of elements of 20 bytes, parts too: padding is the value's 16 bytes and zeros.
#[test]
fn padding_of_large_elements() {
    let [from, to]: [ArrayShape; 2] = ["u8[3]", "u8[3]{0:T(2)}"].map(|text| text.parse().unwrap());
    let plan = Plan::between(Placed::from(&from).element_bytes(20), &to).unwrap();
    let src = (0..60).collect::<Vec<u8>>();
    let mut dst = [9; 80];
    plan.run_bytes(&src, &mut dst, Padding::Fill(0x0201)).unwrap();
    assert_eq!(dst[..60], *src);
    if cfg!(target_endian = "little") {
        assert_eq!(dst[60..], [&[1, 2][..], &[0; 18]].concat());
    }
    let mut part = [9; 40];
    plan.part(20..60).unwrap().run_bytes(&src, &mut part, Padding::Zero).unwrap();
    assert_eq!(part, src[20..]);
}

/// What lies between elements of memory that held nothing becomes what padding is.
#[test]
fn strides_of_memory_that_held_nothing() {
    let shape: ArrayShape = "u16[2,2]".parse().unwrap();
    let plan = Plan::between(&shape, Placed::strides(&shape, &[3, 1])).unwrap();
    let (src, mut dst) = ([[1_u8, 2], [3, 4], [5, 6], [7, 8]], Vec::new());
    plan.run_bytes(src.as_flattened(), &mut dst, Padding::Leave).unwrap();
    assert_eq!(dst, [1, 2, 3, 4, 0, 0, 5, 6, 7, 8]);
    let values = src.map(|[a, b]| (a, b));
    let mut memory = [MaybeUninit::uninit(); 9];
    let refused = plan.run(&values, &mut memory, Padding::Leave);
    assert_eq!(refused, Err(CopyError::NoPadding));
    let found = plan.run(&values, &mut memory, (9, 9)).unwrap();
    assert_eq!(found, [(1, 2), (3, 4), (9, 9), (5, 6), (7, 8)]);
    let mut kept = [(0, 0); 5];
    plan.run(&values, &mut kept, (9, 9)).unwrap();
    assert_eq!(kept[2], (0, 0));
}
