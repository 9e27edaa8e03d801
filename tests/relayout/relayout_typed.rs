//! Copies between layouts as users call them: views, buffers, padding, packed elements, bitcasts.

use layout::copies::Side;
use layout::{
    Padding, RelayoutError, SameArray, StaticLayout, StoredAs, StoredIn, View, ViewMut, element,
    layout, pack, relayout, unpack,
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
        relayout::<A, B, T>(source, &mut slots, Padding::Declared).unwrap();
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
    relayout::<A, B, _>(&source, &mut slots, Padding::Fill(Small(77))).unwrap();
    assert_eq!((slots[17], slots[9]), (Small(13), Small(77)));
    let result = std::panic::catch_unwind(move || {
        relayout::<A, B, _>(&source, &mut slots, Padding::Zero).unwrap();
    });
    let message = result.unwrap_err();
    let message = message
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(message.downcast_ref::<&str>().copied());
    assert!(message.is_some_and(|message| message.contains("StoredAs::of_bits")), "{message:?}");

    let short = relayout::<A, B, u8>(&[0; 14], &mut [0; 24], Padding::Zero);
    let error = short.unwrap_err();
    assert_eq!((error.side, error.needed, error.given), (Side::Source, 15, 14));
    let error: RelayoutError =
        relayout::<A, B, u8>(&[0; 15], &mut [0; 23], Padding::Zero).unwrap_err();
    assert_eq!((error.side, error.needed, error.given), (Side::Destination, 24, 23));
    assert!(error.to_string().contains("destination needs a slice of 24"), "{error}");
}

/// A `bool` is 0 or 1, whatever the bits of its element.
#[test]
fn bools() {
    type Packed = layout!(PRED[2,3]{1,0:E(4)});
    type Bytes = layout!(PRED[2,3]{0,1});
    let mut bools = [false; 6];
    unpack::<Packed, Bytes, bool>(&[0x3e, 0xf0, 0x21], &mut bools, Padding::Zero).unwrap();
    // Rows e, 3, 0 and f, 1, 2.
    assert_eq!(bools, [false, true, true, true, false, false]);
    let mut packed = [0x55; 4];
    pack::<Bytes, Packed, bool>(&bools, &mut packed, Padding::Zero).unwrap();
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
