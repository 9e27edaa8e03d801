//! Views: what `laws` does not ask of every layout.

use layout::element::PackedValue;
use layout::types::{BitOrder, Element, LayoutTypes, StoredIn};
use layout::{Buffer, Layout, MemoryError, PackedView, PackedViewMut, View, element, layout};

use crate::plain::lengths;

#[test]
fn runs_go_along_the_dimension_that_is_consecutive() {
    assert_eq!(<layout!(F32[20,300]{1,0:T(8,128)})>::RUN_DIM, 1);
    assert_eq!(<layout!(BF16[20,300]{1,0:T(8,128)(2,1)})>::RUN_DIM, 0);
    assert_eq!(<layout!(F32[20,300]{0,1})>::RUN_DIM, 0);
    let lengths = <layout!(F32[9,300]{1,0:T(8,128)})>::runs().map(|run| run.length);
    assert_eq!(
        lengths.collect::<Vec<_>>(),
        [vec![128; 8], vec![128; 8], vec![44; 8], vec![128, 128, 44]].concat()
    );
}

/// What is read by shared references lives as long as the memory, not as what it is read by.
#[test]
fn what_is_read_outlives_what_reads_it() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    let data = (0..A::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = || View::<A, u32>::new(&data).unwrap();
    let whole = || view().slice((.., ..)).unwrap();
    let first = || view().tiles().next().unwrap();

    assert!(view().tiles().flat_map(|tile| tile.as_slice()).eq(&data));
    assert!(view().blocks::<0>().flat_map(|block| block.as_slice()).eq(&data));
    let rows = view().tiles().flat_map(|tile| tile.rows()).flat_map(|(_, row)| row);
    let elements = view().blocks::<0>().flat_map(|block| block.indexed_iter()).map(|(_, x)| x);
    let runs = view().runs().flat_map(|(_, run)| run);
    let runs_of_slice = whole().runs().flat_map(|(_, run)| run);
    let tiles_of_slice = whole().tiles().unwrap().flat_map(|tile| tile.rows());
    let mut expected = A::indices().map(|(_, slot)| slot as u32).collect::<Vec<_>>();
    assert!(rows.eq(&expected) && elements.eq(&expected));
    assert!(runs.eq(&expected) && runs_of_slice.eq(&expected));
    assert!(tiles_of_slice.flat_map(|(_, row)| row).eq(&expected));
    expected = A::indices_row_major().map(|(_, slot)| slot as u32).collect();
    assert!(whole().indexed_iter().map(|(_, x)| x).eq(&expected));
    let rows = whole().iter_axis(0).unwrap().flat_map(|row| row.indexed_iter());
    assert!(rows.map(|(_, x)| x).eq(&expected));

    let tile: &[u32; 4] = first().as_array();
    let parts: [&[u32]; 2] = [first().as_view().as_slice(), view().as_slice()];
    let elements: [&u32; 3] = [
        view().get([2, 3]).unwrap(),
        whole().get([2, 3]).unwrap(),
        view().split_at(0, 2).unwrap()[1].get([0, 3]).unwrap(),
    ];
    assert_eq!((tile, parts[0], parts[1]), (&[0, 1, 2, 3], &data[..4], &data[..]));
    assert_eq!(elements, [&17; 3]);
}

#[test]
fn storage_in_statics_and_on_the_stack() {
    type A = layout!(F32[3,5]{1,0:T(2,2)});
    static DATA: [f32; A::PADDED_ELEMENTS] = [1.5; A::PADDED_ELEMENTS];
    const VIEW: Result<View<'static, A, f32>, MemoryError> = View::new(&DATA);
    assert_eq!(VIEW.unwrap()[[2, 4]], 1.5);
    let error = View::<A, f32>::new(&DATA[..20]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`f32[3,5]{1,0:T(2,2)}` needs 24 elements in memory, padding counted, and got 20"
    );
}

#[test]
fn element_types() {
    fn new<L: layout::StaticLayout, T: StoredIn<L> + Default>() -> usize {
        Buffer::<L, T>::zeroed().as_slice().len()
    }
    assert_eq!(new::<layout!(F8E4M3FN[3]), u8>(), 3);
    assert_eq!(new::<layout!(PRED[3]), bool>(), 3);
    assert_eq!(new::<layout!(PRED[3]{0:E(32)}), u32>(), 3);
    assert_eq!(new::<layout!(BF16[3]), u16>(), 3);
    assert_eq!(new::<layout!(C64[3]), [f32; 2]>(), 3);
    assert_eq!(new::<layout!(S4[3]), i8>(), 3);
    assert_eq!(new::<layout!(S64[3]), i64>(), 3);
}

/// Packed elements against a list of bits, the low ones first, in memory that is all zeros or all ones.
fn packed<L: Layout<R, Width: element::PackedWidth>, const R: usize>() {
    packed_over::<L, R>(0x00);
    packed_over::<L, R>(0xff);
}

fn packed_over<L: Layout<R, Width: element::PackedWidth>, const R: usize>(background: u8) {
    let text = L::TEXT;
    let mask = (1u8 << L::ELEMENT_BITS) - 1;
    let value = |slot: usize| (slot * 7 + slot / 3) as u8;
    let read = |bits: u8| read_as::<L, R>(bits & mask);
    let mut bytes = vec![background; L::BYTES + 2];
    let mut view = PackedViewMut::<L>::new(&mut bytes).unwrap();
    for (index, slot) in L::indices() {
        assert_eq!(view.checked_set(index, read(value(slot))), Some(()), "{text} {index:?}");
    }
    for (index, slot) in L::indices_row_major() {
        assert_eq!(view.get(index), Some(read(value(slot))), "{text} {index:?}");
    }
    for dim in 0..R {
        let mut outside = [0; R];
        outside[dim] = L::DIMS[dim];
        let written = view.checked_set(outside, read(0));
        assert_eq!((view.get(outside), written), (None, None), "{text}");
    }
    // Bit for bit: elements as written, everything else as it was.
    for bit in 0..8 * bytes.len() {
        let (slot, bit_of_slot) = (bit / L::ELEMENT_BITS, bit % L::ELEMENT_BITS);
        let is_element = slot < L::PADDED_ELEMENTS && !L::is_padding(slot);
        let of_slot = if is_element { value(slot) } else { background };
        let expected = of_slot >> bit_of_slot & 1 == 1;
        assert_eq!(bytes[bit / 8] >> (bit % 8) & 1 == 1, expected, "{text} bit {bit}");
    }
    let view = PackedView::<L>::new(&bytes).unwrap();
    assert_eq!(view.as_bytes().len(), L::BYTES);
    packed_walks(view, |slot| read(value(slot)));
    // From the high end: the same elements in bytes whose slots are turned around.
    let turned = |byte: u8| {
        let slots = (0..8 / L::ELEMENT_BITS).map(|slot| byte >> (slot * L::ELEMENT_BITS) & mask);
        slots.fold(0, |byte, slot| ((u16::from(byte) << L::ELEMENT_BITS) as u8) | slot)
    };
    let mut other = bytes.iter().map(|byte| turned(*byte)).collect::<Vec<_>>();
    let high = PackedView::<L>::new(&other).unwrap().high_first();
    packed_walks(high, |slot| read(value(slot)));
    assert!(high.indexed_iter().eq(view.indexed_iter()), "{text}");
    let mut high = PackedViewMut::<L>::new(&mut other).unwrap().high_first();
    for (index, slot) in L::indices() {
        high.set(index, read(!value(slot)));
    }
    packed_walks(high.as_view(), |slot| read(!value(slot)));
    for fill in [0x05, 0xfa] {
        high.reborrow().fill(read(fill));
        packed_walks(high.as_view(), |_| read(fill));
        let low = other.iter().map(|byte| turned(*byte)).collect::<Vec<_>>();
        for slot in 0..low.len() * 8 / L::ELEMENT_BITS {
            let bit = slot * L::ELEMENT_BITS;
            let is_element = slot < L::PADDED_ELEMENTS && !L::is_padding(slot);
            let expected = if is_element { fill } else { background } & mask;
            assert_eq!(low[bit / 8] >> (bit % 8) & mask, expected, "{text} slot {slot}");
        }
        high = PackedViewMut::<L>::new(&mut other).unwrap().high_first();
    }
    let error = PackedView::<L>::new(&bytes[..L::BYTES - 1]).unwrap_err();
    assert_eq!(lengths(error), (L::BYTES, L::BYTES - 1), "{text}");
}

/// What a layout's packed elements are read as.
type Packed<L> = <<L as LayoutTypes>::Element as Element>::Packed;

/// The value of an element's bits.
fn read_as<L: Layout<R>, const R: usize>(bits: u8) -> Packed<L> {
    *Packed::<L>::of_bits(bits, L::ELEMENT_BITS as u32)
}

/// What reads packed elements, given the value of each slot that holds one.
fn packed_walks<L: Layout<R>, O: BitOrder, const R: usize>(
    view: PackedView<'_, L, O>,
    value: impl Fn(usize) -> Packed<L>,
) {
    let text = L::TEXT;
    assert_eq!(view.dims(), L::DIMS, "{text}");
    let expected = L::indices_row_major().map(|(index, slot)| (index, value(slot)));
    assert!(view.indexed_iter().eq(expected.clone()), "{text}");
    assert_eq!(view.indexed_iter().len(), L::ELEMENTS, "{text}");
    assert!(view.to_row_major().into_iter().eq(expected.clone().map(|(_, bits)| bits)), "{text}");
    assert!(expected.clone().all(|(index, bits)| view[index] == bits), "{text}");
    for ((run, bits), expected) in view.runs().zip(L::runs()) {
        let bits = bits.into_iter();
        assert_eq!((run, bits.len()), (expected, run.length), "{text}");
        assert!(bits.clone().eq(run.range().map(&value)), "{text}");
        assert!(bits.rev().eq(run.range().rev().map(&value)), "{text}");
    }
    assert_eq!(view.runs().count(), L::runs().count(), "{text}");
}

/// Tiles of packed elements against those of as many bytes.
fn packed_tiles<L, B, const R: usize>()
where
    L: Layout<R, Width: element::PackedWidth, Element: Element<Packed = u8>>,
    B: Layout<R, Element = element::U8, Width = element::Bits<8>>,
{
    let data = (0..B::PADDED_ELEMENTS).map(|slot| (slot * 5) as u8 % 2).collect::<Vec<_>>();
    let whole = View::<B, u8>::new(&data).unwrap();
    let mut bytes = vec![0; L::BYTES];
    let mut packed = PackedViewMut::<L>::new(&mut bytes).unwrap();
    for (index, bits) in whole.indexed_iter() {
        packed.set(index, *bits);
    }
    let text = L::TEXT;
    assert_eq!(packed.tiles().len(), whole.tiles().len(), "{text}");
    for (packed, whole) in packed.tiles().zip(whole.tiles()) {
        let place = (whole.origin(), whole.extent(), whole.is_full());
        assert_eq!((packed.origin(), packed.extent(), packed.is_full()), place, "{text}");
        assert_eq!(packed.as_slice().into_iter().len(), whole.as_slice().len(), "{text}");
        for ((index, bits), (expected, slice)) in packed.rows().zip(whole.rows()) {
            assert!(index == expected && bits.into_iter().eq(slice.iter().copied()), "{text}");
        }
        assert_eq!(packed.rows().count(), whole.rows().count(), "{text}");
    }
}

#[test]
fn tiles_of_packed_elements() {
    packed_tiles::<layout!(U4[7,9]{1,0:T(2,4)E(4)}), layout!(U8[7,9]{1,0:T(2,4)}), _>();
    packed_tiles::<layout!(U1[33,129]{0,1:T(8,128)E(1)}), layout!(U8[33,129]{0,1:T(8,128)}), _>();
    packed_tiles::<layout!(U2[5,3]{1,0:E(2)}), layout!(U8[5,3]{1,0}), _>();
    type A = layout!(U4[7,9]{1,0:T(2,4)E(4)});
    let view = PackedView::<A>::new(&[0; A::BYTES]).unwrap();
    assert_eq!(view.tile([3, 2]).unwrap().origin(), [6, 8]);
    assert!(view.tile([4, 0]).is_none());
}

#[test]
fn packed_elements() {
    packed::<layout!(S4[3,5]{1,0:T(2,2)E(4)}), _>();
    packed::<layout!(S4[7]{0:E(4)}), _>();
    packed::<layout!(U2[20,130]{0,1:T(16,128)(16,1)E(2)}), _>();
    packed::<layout!(PRED[33,129]{1,0:T(32,128)(32,1)E(1)}), _>();
    packed::<layout!(U1[3,3,3]{2,0,1:T(*,2)L(10)E(1)}), _>();
    packed::<layout!(F4E2M1FN[]{:E(4)}), _>();
}
