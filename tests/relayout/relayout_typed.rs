//! Copies between layouts as users call them: views, buffers, padding, packed elements, bitcasts.

use layout::copies::Side;
use layout::{
    Buffer, Layout, PackedView, PackedViewMut, Padding, RelayoutError, SameArray, StaticLayout,
    StoredAs, StoredIn, View, ViewMut, element, layout, pack, relayout, repack, same_bytes, unpack,
};

/// Copies there and back by every function, and compares element by element.
fn there_and_back<A, B, const R: usize>()
where
    A: SameArray<B> + Layout<R, Element = element::U32, Width = element::Bits<32>>,
    B: SameArray<A> + Layout<R, Element = element::U32, Width = element::Bits<32>>,
    u32: StoredIn<A> + StoredIn<B>,
{
    let text = format!("{} to {}", A::TEXT, B::TEXT);
    let mut source = Buffer::<A, u32>::filled(u32::MAX);
    for (number, (index, _)) in A::indices_row_major().enumerate() {
        source[index] = number as u32;
    }
    let there = source.as_view().to_layout::<B>();
    for (index, _) in A::indices_row_major() {
        assert_eq!(there[index], source[index], "{text} {index:?}");
    }
    assert!(B::paddings().flatten().all(|slot| there.as_slice()[slot] == 0), "{text}");

    let mut back = Buffer::<A, u32>::filled(u32::MAX);
    there.as_view().relayout_to(&mut back.as_view_mut(), Padding::Leave);
    assert_eq!(back.as_slice(), source.as_slice(), "{text}");

    for (padding, expected) in
        [(Padding::Zero, 0), (Padding::Leave, 7), (Padding::Fill(9), 9), (Padding::Declared, 7)]
    {
        let mut slots = vec![7; B::PADDED_ELEMENTS + 9];
        relayout::<A, B, u32>(source.as_slice(), &mut slots, padding).unwrap();
        for (index, offset) in B::indices() {
            assert_eq!(slots[offset], source[index], "{text} {index:?}");
        }
        assert!(B::paddings().flatten().all(|slot| slots[slot] == expected), "{text} {padding:?}");
        assert_eq!(slots[B::PADDED_ELEMENTS..], [7; 9], "{text}");
    }

    let same = A::indices().all(|(index, offset)| B::offset(index) == offset);
    assert_eq!(same_bytes::<A, B>(), same, "{text}");
}

#[test]
fn pairs() {
    there_and_back::<layout!(U32[]), layout!(U32[]{:T(128)}), 0>();
    there_and_back::<layout!(U32[0,5]), layout!(U32[0,5]{0,1:T(2,2)}), 2>();
    there_and_back::<layout!(U32[3,5]), layout!(U32[3,5]{1,0:T(2,2)}), 2>();
    there_and_back::<layout!(U32[3,5]{0,1:PAD(4,8)}), layout!(U32[3,5]{1,0:T(2,2)L(7)}), 2>();
    there_and_back::<layout!(U32[300,500]), layout!(U32[300,500]{1,0:T(8,128)}), 2>();
    there_and_back::<layout!(U32[300,500]{0,1:T(8,128)}), layout!(U32[300,500]{1,0:T(8,128)}), 2>();
    there_and_back::<layout!(U32[30,50,7]{1,2,0:T(6,10)}), layout!(U32[30,50,7]{2,1,0:T(*,8,4)}), 3>(
    );
    there_and_back::<layout!(U32[16,128]), layout!(U32[16,128]{1,0:T(8,128)}), 2>();
    there_and_back::<layout!(U32[64]), layout!(U32[64]{0:T(16)(4)(2,1)}), 1>();
    there_and_back::<layout!(U32[2,3,4,2,3,2]), layout!(U32[2,3,4,2,3,2]{1,3,5,0,2,4:T(2,*,2)}), 6>(
    );
}

/// Larger than the cache, so that stores go around it, and shared by threads.
#[test]
fn large() {
    type Rows = layout!(U32[1500,1733]);
    there_and_back::<Rows, layout!(U32[1500,1733]{1,0:T(8,128)}), 2>();
    there_and_back::<Rows, layout!(U32[1500,1733]{0,1}), 2>();
    there_and_back::<layout!(U32[1536,1536]{0,1:T(8,128)}), layout!(U32[1536,1536]{1,0:T(8,128)}), 2>(
    );
    there_and_back::<layout!(U32[1536,1536]), layout!(U32[1536,1536]{1,0:T(8,128)(2,1)}), 2>();
}

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

#[test]
fn packed_elements() {
    macro_rules! check {
        ($element:ident $bits:literal $stored:ty, $value:expr) => {{
    type Bytes = layout!($element[9,37]{1,0:T(4,8)});
    type Packed = layout!($element[9,37]{0,1:T(2,16)E($bits)});
    type Other = layout!($element[9,37]{1,0:T(3,5)E($bits)});
            let value: fn(usize) -> $stored = $value;
            let mut source = Buffer::<Bytes, $stored>::filled(value(0));
            for (number, (index, _)) in Bytes::indices_row_major().enumerate() {
                source[index] = value(number);
            }
            let mut packed = vec![0xff; Packed::BYTES + 3];
            pack::<Bytes, Packed, $stored>(source.as_slice(), &mut packed, Padding::Zero).unwrap();
            assert_eq!(packed[Packed::BYTES..], [0xff; 3]);
            let view = PackedView::<Packed>::new(&packed).unwrap();
            let mut expected = vec![0; Packed::BYTES];
            let mut naive = PackedViewMut::<Packed>::new(&mut expected).unwrap();
            for (index, _) in Bytes::indices() {
                let read = source[index].into();
                assert_eq!(view.get(index), Some(read), "{index:?}");
                naive.set(index, read);
            }
            assert_eq!(packed[..Packed::BYTES], expected);

            let mut other = vec![0; Other::BYTES];
            repack::<Packed, Other>(&packed, &mut other, Padding::Leave).unwrap();
            let mut back = Buffer::<Bytes, $stored>::filled(value(0));
            let slots = back.as_mut_slice();
            unpack::<Other, Bytes, $stored>(&other, slots, Padding::Fill(value(0))).unwrap();
            assert_eq!(back.as_slice(), source.as_slice());
            let error =
                unpack::<Other, Bytes, $stored>(&other[1..], back.as_mut_slice(), Padding::Leave);
            assert_eq!(error.unwrap_err().needed, Other::BYTES);
        }};
    }
    check!(S4 4 i8, |number| number as i8 % 8);
    check!(U4 4 u8, |number| number as u8 % 16);
    check!(S2 2 i8, |number| (number as i8).rem_euclid(4) - 2);
    check!(U2 2 u8, |number| number as u8 % 4);
    check!(U1 1 u8, |number| number as u8 % 2);
    check!(PRED 1 bool, |number| number % 3 == 1);
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
