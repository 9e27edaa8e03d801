//! Dimensions that are known at run time: what `laws` does not ask of every layout.

use layout::__private::core::native;
use layout::shape::{Dim, FaultKind};
use layout::types::{IndexArray, WithDimsU32};
use layout::{
    AnyLayout, ArrayShape, CopyError, Layout, MemoryError, PackedView, Padding, View, ViewMut,
    element, layout,
};
use layout_tests::amount::times;
use layout_tests::random::Random;

#[test]
fn bounded_dimensions_are_laid_out_with_their_bounds() {
    type A = layout!(U32[<=10,300]{1,0:T(8,128)});
    let few = A::with_dims([3, 300]).unwrap();
    assert_eq!(few.padded_elements(), A::PADDED_ELEMENTS);
    assert_eq!(few.offset([2, 299]), A::offset([2, 299]));
    assert_eq!((few.checked_offset([3, 0]), A::checked_offset([3, 0])), (None, Some(384)));
    // Without a count, all are valid.
    let data = vec![0; A::PADDED_ELEMENTS];
    assert_eq!(View::<A, u32>::new(&data).unwrap().get([9, 299]), Some(&0));
    assert_eq!(few.view(&data).unwrap().get([9, 299]), None);
}

#[test]
fn sizes_that_do_not_go_with_the_layout() {
    type A = layout!(F32[?,<=1000,5]{2,1,0:T(8,128)});
    let error = |dims| A::with_dims(dims).unwrap_err().kind();
    assert_eq!(error([1, 1, 4]), FaultKind::OtherSize { dim: 2, size: 5, given: 4 });
    assert_eq!(error([1, 1001, 5]), FaultKind::AboveBound { dim: 1, bound: 1000, given: 1001 });
    assert!(matches!(error([usize::MAX, 1, 5]), FaultKind::Overflow { .. }));
    // A row takes 1,000 × 128 slots of 32 bits, nearly 2²² bits.
    let too_many = 1 << (usize::BITS - 14);
    let huge = A::with_dims([too_many, 1, 5]).unwrap_err().to_string();
    assert!(huge.contains(&format!("2^{}-1", usize::BITS - 1)), "{huge}");
    assert!(A::with_dims([too_many >> 10, 1, 5]).is_ok());
}

/// Sizes of all lengths, near the largest that go with the layout and far from it: what the type says is what the rules for
/// values say, and so are errors.
fn are_examined_as_values<L, const R: usize>(text: &str)
where
    L: AnyLayout<Index = [usize; R]>,
{
    let shape = text.parse::<ArrayShape>().unwrap();
    let mut random = Random::new(R as u64);
    let mut is_right = [0; 2];
    for _ in 0..times(4000) {
        // All of them together have about as many bits as are allowed, or any number of bits.
        let mut left = if random.below(2) == 0 { 50 + random.below(15) } else { random.below(65) };
        let dims = core::array::from_fn(|dim| match shape.dims()[dim] {
            Dim::Static(size) if random.below(40) > 0 => native(size),
            Dim::Bounded(size) if random.below(40) > 0 => random.below(native(size) + 1),
            _ => {
                let bits = if dim + 1 == R { left } else { random.below(left + 1) };
                left -= bits;
                let most = usize::MAX.checked_shr(64 - bits as u32).unwrap_or(1);
                most - random.below((most / 2 + 1).min(1 << 40))
            }
        });
        let wide = dims.map(|size| size as layout::shape::Size);
        let (found, expected) = (L::with_dims(dims), shape.with_dims(&wide));
        is_right[usize::from(found.is_ok())] += 1;
        match (&found, &expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found.dims(), dims);
                assert_eq!(
                    Some(found.padded_elements() as layout::shape::Size),
                    expected.padded_elements()
                );
            }
            (Err(found), Err(expected)) => assert_eq!(found, expected, "{text} {dims:?}"),
            _ => panic!("{text} {dims:?}: {:?}, {expected:?}", found.map(|layout| layout.dims())),
        }
    }
    assert!(is_right.into_iter().all(|count| count > times(40)), "{text}: {is_right:?}");
}

#[test]
#[cfg(target_pointer_width = "64")]
fn any_sizes_are_examined_as_those_of_values() {
    macro_rules! all {
        ($($layout:ty;)*) => {$(are_examined_as_values::<$layout, _>(<$layout>::TEXT);)*};
    }
    all! {
        layout!(F32[?,?]);
        layout!(U8[?]);
        layout!(F32[?,?]{1,0:T(8,128)});
        layout!(BF16[?,?]{0,1:T(8,128)(2,1)});
        layout!(U4[?,?]{1,0:T(3,5)E(4)});
        layout!(PRED[?,?]{1,0:E(1)});
        layout!(C128[?,17]);
        layout!(F32[?,<=1000,5]{2,1,0:T(8,128)});
        layout!(F32[<=1000,<=5]);
        layout!(S16[?,?]{1,0:L(1000)});
        layout!(S16[?,?]{0,1:T(7)L(1024)});
        layout!(F32[?,?,?,?]);
        layout!(F32[?,?,?]{2,1,0:T(*,8,128)});
        layout!(F32[?,?,?]{0,2,1:T(*,*,3)(2)L(7)});
        layout!(F32[?,7,?]{2,1,0:T(*,3)(2,1)L(64)});
        layout!(F32[?,?]{1,0:T(3,5)(2,2)});
        layout!(F32[?,100]{1,0:T(8,128)SC(1:64)});
        layout!(F32[?,?]{1,0:SC(1:64)});
    }
}

/// As unchecked on a device; the last element of an array with nearly 2³² slots.
#[test]
fn offsets_near_32_bits() {
    type A = layout!(S8[?,1024]{1,0:T(8,128)});
    let rows = (1 << 22) - 8;
    let last = [rows - 1, 1023];
    assert_eq!(A::with_dims_u32_unchecked([rows, 1024]).offset_unchecked(last), u32::MAX - 8192);
    #[cfg(target_pointer_width = "64")]
    {
        let a = A::with_dims_u32([rows, 1024]).unwrap();
        assert_eq!((a.offset(last), a.index(u32::MAX - 8192)), (u32::MAX - 8192, Some(last)));
        let error = A::with_dims_u32([rows + 1, 1024]).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Above32Bits { slots: 1 << 32 });
    }
}

/// Asks everything of a layout with sizes, coordinates and offsets of all lengths.
fn asks_with_any_sizes<L, const R: usize>(unchecked: impl Fn([u32; R]) -> WithDimsU32<L>)
where
    L: AnyLayout<Index = [usize; R]>,
    [usize; R]: IndexArray<U32 = [u32; R]>,
{
    let mut random = Random::new(0);
    let mut number =
        move || (random.below(1 << 16) << 16 | random.below(1 << 16)) as u32 >> random.below(32);
    for _ in 0..2000 {
        let a = unchecked(core::array::from_fn(|_| number()));
        let index = core::array::from_fn(|_| number());
        let _ = (a.offset_unchecked(index), a.checked_offset(index));
        let slots = a.padded_elements();
        for slot in [number(), 0, slots, slots.wrapping_sub(1), u32::MAX] {
            let _ = (a.index(slot), a.is_padding(slot));
        }
        assert_eq!(a.dims(), unchecked(a.dims()).dims(), "{a:?}");
    }
}

#[test]
fn unchecked_sizes_that_no_array_has_give_numbers_without_meaning() {
    asks_with_any_sizes(<layout!(U8[?,?]{1,0:T(*,128)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(U8[?,?]{1,0:T(8,128)(4,1)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[?,?]{1,0})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(S8[?,<=9,?]{1,0,2:T(3,5)(2,1)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[?,7,?]{2,1,0:T(*,3)(2,1)L(64)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[?,?,?]{0,2,1:T(*,*,3)(2)L(7)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[<=7,<=5]{1,0:T(2,2)(3)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[?,<=5]{1,0:T(2,2)(3)})>::with_dims_u32_unchecked);
    asks_with_any_sizes(<layout!(F32[?,0]{1,0:T(2,2)})>::with_dims_u32_unchecked);

    // 2³² slots, of which 32 bits count none.
    let a = <layout!(U8[?,?]{1,0:T(*,128)})>::with_dims_u32_unchecked([32, 134_217_727]);
    assert_eq!(a.index(1), None);
    // 2⁶⁴−1 slots before `L`, which adds some.
    type Padded = layout!(F32[?,?,?]{2,1,0:L(7)});
    assert!(Padded::with_dims_u32_unchecked([u32::MAX, 641, 6_700_417]).padded_elements() < 7);
}

#[test]
fn bytes_count_what_the_type_of_the_elements_needs() {
    type Wide = layout!(PRED[?,5]{1,0:T(2,4)E(32)});
    let wide = Wide::with_dims([3, 5]).unwrap();
    assert_eq!((wide.unpadded_bytes(), wide.bytes()), (15, 128));
    assert_eq!(wide.shape().unpadded_bytes(), Some(15));
    type Packed = layout!(S4[?,5]{1,0:T(2,4)E(4)});
    let packed = Packed::with_dims([3, 5]).unwrap();
    assert_eq!((packed.unpadded_bytes(), packed.bytes()), (8, 16));
    assert_eq!(packed.shape().unpadded_bytes(), Some(8));
}

#[test]
fn packed_elements() {
    type A = layout!(S4[?,5]{1,0:T(2,2)E(4)});
    type B = layout!(S4[3,5]{1,0:T(2,2)E(4)});
    let a = A::with_dims([3, 5]).unwrap();
    let mut bytes = vec![0; a.bytes()];
    let mut view = a.packed_view_mut(&mut bytes).unwrap();
    a.indices().enumerate().for_each(|(number, (index, _))| view.set(index, number as i8 % 8));
    let (view, same) = (a.packed_view(&bytes).unwrap(), PackedView::<B>::new(&bytes).unwrap());
    for (number, (index, _)) in a.indices().enumerate() {
        assert_eq!([view.get(index), same.get(index)], [Some(number as i8 % 8); 2]);
    }
    assert!(a.packed_view(&bytes[1..]).is_err());
    let empty = <layout!(S4[?,0]{1,0:T(2,2)E(4)})>::with_dims([3, 0]).unwrap();
    assert_eq!(empty.packed_view(&[]).unwrap().get([0, 0]), None);
}

/// Blocks of a level: what is in them, and how long they are.
fn blocks<
    L: Layout<R, Element = element::U32, Width = element::Bits<32>>,
    const R: usize,
    const LEVEL: usize,
>(
    length: usize,
) {
    let mut data = (0..L::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<L, u32>::new(&data).unwrap();
    let mut elements = Vec::new();
    for (number, block) in view.blocks::<LEVEL>().enumerate() {
        assert_eq!((block.offset(), block.as_slice().len()), (number * length, length));
        elements.extend(block.indexed_iter().map(|(index, &slot)| (index, slot as usize)));
    }
    assert!(elements.iter().copied().eq(L::indices()), "{}", L::TEXT);
    let offsets = view.blocks::<LEVEL>().map(|block| block.offset());
    let back = view.blocks::<LEVEL>().rev().map(|block| block.offset()).collect::<Vec<_>>();
    assert!(offsets.eq(back.into_iter().rev()), "{}", L::TEXT);
    let count = view.blocks::<LEVEL>().len();
    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    for mut block in view.blocks_mut::<LEVEL>() {
        block.indexed_iter_mut().for_each(|(_, x)| *x = u32::MAX);
        assert_eq!(block.as_slice().len(), block.as_mut_slice().len());
    }
    let is_element = |slot| L::index(slot).is_some();
    assert!(data.iter().enumerate().all(|(slot, &x)| is_element(slot) == (x == u32::MAX)));
    assert!(count * length <= L::PADDED_ELEMENTS);
}

#[test]
fn blocks_of_any_level() {
    blocks::<layout!(U32[3,5]), _, 0>(15);
    blocks::<layout!(U32[3,5]{1,0:T(2,2)L(100)}), _, 0>(4);
    blocks::<layout!(U32[20,300]{1,0:T(8,128)(2,1)}), _, 0>(1024);
    blocks::<layout!(U32[20,300]{1,0:T(8,128)(2,1)}), _, 1>(2);
    blocks::<layout!(U32[3000]{0:T(1024)(128)(2,1)}), _, 0>(1024);
    blocks::<layout!(U32[3000]{0:T(1024)(128)(2,1)}), _, 2>(2);
    blocks::<layout!(U32[4,5,6]{2,1,0:T(*,2,4)}), _, 0>(8);
    blocks::<layout!(U32[2,3,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)}), _, 0>(6);
    blocks::<layout!(U32[4,8]{1,0:T(2,4)(2,2,1)}), _, 1>(4);
    blocks::<layout!(U32[0,5]{1,0:T(2,2)}), _, 0>(4);
}

#[test]
#[allow(unsafe_code, reason = "access without checks is what is tested")]
fn elements_that_the_caller_vouches_for() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    let mut data = (0..24).collect::<Vec<u32>>();
    let mut view = ViewMut::<A, u32>::new(&mut data).unwrap();
    for (index, offset) in A::indices() {
        // SAFETY: the indices of a layout are in range.
        assert_eq!(unsafe { view.get_unchecked(index) }, &view[index]);
        // SAFETY: as above.
        unsafe { *view.get_unchecked_mut(index) = offset as u32 };
    }
}

#[test]
fn alignment_of_tiles_and_rows() {
    type A = layout!(F32[512,1000]{1,0:T(8,128)});
    let buffer = layout::Buffer::<A, f32>::filled_aligned(0.0, A::TILE_ALIGNMENT);
    for tile in buffer.as_view().tiles() {
        assert!(tile.as_slice().as_ptr().addr().is_multiple_of(A::TILE_ALIGNMENT));
        for (_, row) in tile.rows() {
            assert!(row.as_ptr().addr().is_multiple_of(A::ROW_ALIGNMENT));
        }
    }
    assert_eq!((A::TILE_ALIGNMENT, A::ROW_ALIGNMENT), (4096, 512));
    assert_eq!(<layout!(S4[6,10]{1,0:T(3,10)E(4)})>::ROW_ALIGNMENT, 1);
    assert_eq!(<layout!(S4[6,3]{1,0:T(3,3)E(4)})>::ROW_ALIGNMENT, 1);
    assert_eq!(<layout!(U8[6,10]{1,0:T(3,10)})>::TILE_ALIGNMENT, 2);
    assert_eq!(<layout!(F32[0,5])>::TILE_ALIGNMENT, 1);
}

#[test]
fn views_of_bytes() {
    type A = layout!(U32[?,5]{1,0:T(2,2)});
    let a = A::with_dims([3, 5]).unwrap();
    let mut data = (0..a.padded_elements() as u32).collect::<Vec<_>>();
    // Bytes that begin where an element does, and some behind them.
    let mut bytes = data.iter().flat_map(|x| x.to_ne_bytes()).chain([0; 7]).collect::<Vec<u8>>();
    let behind = bytes.as_ptr().addr() % 4;
    assert_eq!(behind, 0, "allocations are aligned to more than a byte");
    let view = a.view_of_bytes::<u32>(&bytes).unwrap();
    assert!(a.indices().all(|(index, offset)| view[index] == data[offset]));
    assert_eq!(view.as_slice(), data);

    // As the type says where the sizes are known.
    type B = layout!(U32[3,5]{1,0:T(2,2)});
    assert_eq!(View::<B, u32>::of_bytes(&bytes).unwrap().as_slice(), data);
    ViewMut::<B, u32>::of_bytes(&mut bytes).unwrap()[[2, 3]] += 1;
    data[17] += 1;
    let short = View::<B, u32>::of_bytes(&bytes[..92]).unwrap_err();
    assert!(matches!(short, MemoryError::TooShort { of: "bytes", needed: 96, given: 92, .. }));

    let error = |bytes| a.view_of_bytes::<u32>(bytes).unwrap_err();
    let misaligned = MemoryError::Misaligned { needed: 4, past: 1 };
    assert_eq!(error(&bytes[1..]), misaligned);
    assert!(matches!(error(&bytes[..95]), MemoryError::TooShort { needed: 96, given: 95, .. }));
    assert_eq!(View::<B, u32>::of_bytes(&bytes[1..]).unwrap_err(), misaligned);
    assert_eq!(a.view_mut_of_bytes::<u32>(&mut bytes[1..]).unwrap_err(), misaligned);
    assert_eq!(ViewMut::<B, u32>::of_bytes(&mut bytes[1..]).unwrap_err(), misaligned);

    a.view_mut_of_bytes::<u32>(&mut bytes).unwrap()[[2, 3]] = 99;
    a.view_mut(&mut data).unwrap()[[2, 3]] = 99;
    assert_eq!(a.view_of_bytes::<u32>(&bytes).unwrap().as_slice(), data);
}

#[test]
fn copies_between_arrays_of_other_sizes() {
    type Rows = layout!(U32[?,300]);
    let [few, mut many] = [3, 4].map(|rows| Rows::with_dims([rows, 300]).unwrap().filled(0));
    let error = few.copy_to(&mut many, Padding::Leave).unwrap_err();
    assert_eq!(error, CopyError::OtherSize { dim: 0, source: 3, destination: 4 });
}

/// 16-bit floats of the crate `half` are seen in bytes too.
#[test]
fn views_of_bytes_as_16_bit_floats() {
    use half::{bf16, f16};

    let mut bytes = [0x3f80_u16, 0x4000, 0x4040].map(u16::to_ne_bytes).concat();
    // Bytes are where an element can begin: allocations are aligned to more than a byte.
    let a = <layout!(BF16[?])>::with_dims([3]).unwrap();
    let view = a.view_of_bytes::<bf16>(&bytes).unwrap();
    assert_eq!(view.as_slice(), [1.0, 2.0, 3.0].map(bf16::from_f32));
    let b = <layout!(F16[3])>::with_dims([3]).unwrap();
    b.view_mut_of_bytes::<f16>(&mut bytes).unwrap()[[1]] = f16::from_f32(-2.0);
    assert_eq!(bytes[2..4], 0xc000_u16.to_ne_bytes());
}

#[test]
fn a_bitcast_keeps_the_valid_elements() {
    type A = layout!(U32[<=16,128]);
    type B = layout!(U32[<=16,128]{1,0:T(8,128)});
    let data = vec![0; A::PADDED_ELEMENTS];
    let view = A::with_dims([5, 128]).unwrap().view(&data).unwrap();
    assert_eq!(view.bitcast::<B>().dims(), [5, 128]);
}
