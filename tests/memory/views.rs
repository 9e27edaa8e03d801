//! Views, buffers and the walks over them, against the layout's own functions and the naive runs.

use layout::__private::core::native;
use layout::element::PackedValue;
use layout::types::{BitOrder, Element, LayoutTypes};
use layout::{
    Buffer, Layout, PackedView, PackedViewMut, Size, StoredAs, StoredIn, TooShort, View, ViewMut,
    element, layout,
};
use layout_tests::agree;
use layout_tests::naive::{sizes, unflatten_native};

/// The memory of a layout: in each slot the row-major number of its element.
fn memory<L: Layout<R>, const R: usize>() -> Vec<Option<usize>> {
    let number = |index: [usize; R]| index.iter().zip(&L::DIMS).fold(0, |n, (i, dim)| n * dim + i);
    (0..L::PADDED_ELEMENTS).map(|slot| L::index(slot).map(number)).collect()
}

/// Whether a walk says before each step how many are left.
fn is_exact<I>(mut walk: impl Iterator<Item = I> + Clone) -> bool {
    for left in (0..walk.clone().count()).rev() {
        if walk.size_hint() != (left + 1, Some(left + 1)) || walk.next().is_none() {
            return false;
        }
    }
    walk.size_hint() == (0, Some(0)) && walk.next().is_none() && walk.next().is_none()
}

/// Everything that walks over a layout.
fn walks<L: Layout<R>, const R: usize>() {
    let memory = memory::<L, R>();
    let text = L::TEXT;
    let runs = L::runs()
        .map(|run| (sizes(&run.index), run.offset as Size, run.length as Size))
        .collect::<Vec<_>>();
    let slots = memory.iter().map(|number| number.map(|number| number as Size)).collect::<Vec<_>>();
    assert_eq!(runs, agree::runs(&slots, &sizes(&L::DIMS), L::RUN_DIM), "{text}");
    let (least, most) = L::runs().size_hint();
    match most {
        Some(_) => assert!(is_exact(L::runs()), "{text}"),
        // They are found slot by slot.
        None => assert!((1..=L::runs().count()).contains(&least), "{text}"),
    }
    assert!(is_exact(L::indices()) && is_exact(L::indices_row_major()), "{text}");

    let in_memory = memory.iter().enumerate().filter_map(|(slot, number)| Some(((*number)?, slot)));
    let in_memory = in_memory.map(|(number, slot)| (unflatten_native(number, &L::DIMS), slot));
    assert!(L::indices().map(|(index, slot)| (index.to_vec(), slot)).eq(in_memory), "{text}");

    let row_major = (0..L::ELEMENTS).map(|number| unflatten_native(number, &L::DIMS));
    let row_major = row_major.map(|index| (index.clone(), L::offset(index.try_into().unwrap())));
    assert!(
        L::indices_row_major().map(|(index, slot)| (index.to_vec(), slot)).eq(row_major),
        "{text}"
    );

    assert_eq!(L::strides().is_some(), L::IS_AFFINE, "{text}");
    if let Some(strides) = L::strides() {
        for (index, offset) in L::indices() {
            let sum = index.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>();
            assert_eq!(offset, sum, "{text} {index:?}");
        }
    }
    let padding = L::paddings().flatten().collect::<Vec<_>>();
    let expected = (0..memory.len()).filter(|&slot| memory[slot].is_none()).collect::<Vec<_>>();
    assert_eq!(padding, expected, "{text}");
    let touching = L::paddings().zip(L::paddings().skip(1)).any(|(a, b)| a.end == b.start);
    assert!(!touching, "{text}: ranges of padding are as long as they can be");
}

/// Views of every kind.
fn views<L: Layout<R, Element = element::U32, Width = element::Bits<32>>, const R: usize>() {
    let text = L::TEXT;
    let memory = memory::<L, R>();
    let data = (0..L::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<L, u32>::new(&data).unwrap();
    for (index, offset) in L::indices_row_major() {
        assert_eq!(
            (view[index], view.get(index)),
            (offset as u32, Some(&(offset as u32))),
            "{text}"
        );
    }
    for dim in 0..R {
        let mut outside = [0; R];
        outside[dim] = L::DIMS[dim];
        assert_eq!(view.get(outside), None, "{text} {outside:?}");
    }
    for (run, elements) in view.runs() {
        assert!(elements.iter().map(|&x| x as usize).eq(run.range()), "{text}");
    }
    assert_eq!(view.as_slice(), data);

    let mut data = vec![0; L::PADDED_ELEMENTS + 3];
    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    for (_, elements) in view.runs_mut() {
        elements.iter_mut().for_each(|x| *x += 1);
    }
    for (index, _) in L::indices() {
        view[index] += 1;
        *view.get_mut(index).unwrap() += 1;
    }
    for (slot, x) in data.iter().enumerate() {
        let is_element = memory.get(slot).is_some_and(Option::is_some);
        assert_eq!(*x, if is_element { 3 } else { 0 }, "{text} slot {slot}");
    }

    let short = &data[..L::PADDED_ELEMENTS.saturating_sub(1)];
    if L::PADDED_ELEMENTS > 0 {
        let error = View::<L, u32>::new(short).unwrap_err();
        assert_eq!((error.needed, error.given), (L::PADDED_ELEMENTS, short.len()), "{text}");
        assert!(ViewMut::<L, u32>::new(&mut short.to_vec()).is_err(), "{text}");
    }

    let mut buffer = Buffer::<L, u32>::zeroed();
    assert_eq!(buffer.as_slice().len(), L::PADDED_ELEMENTS);
    for (index, offset) in L::indices() {
        buffer[index] = offset as u32;
    }
    let copy = buffer.clone();
    for (index, offset) in L::indices() {
        assert_eq!((buffer[index], copy[index]), (offset as u32, offset as u32), "{text}");
    }
    for alignment in [1, 4, 64, 4096] {
        let buffer = Buffer::<L, u32>::filled_aligned(7, alignment);
        assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(alignment), "{text}");
        assert!(buffer.clone().as_slice().as_ptr().addr().is_multiple_of(alignment), "{text}");
        assert!(buffer.as_slice().iter().all(|&x| x == 7));
    }
}

/// Tiles as blocks of memory.
fn tiles<L: Layout<R, Element = element::U32, Width = element::Bits<32>>, const R: usize>() {
    let text = L::TEXT;
    let memory = memory::<L, R>();
    let data = (0..L::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<L, u32>::new(&data).unwrap();
    let mut seen = 0;
    assert_eq!(view.tiles().len(), view.tiles().count(), "{text}");
    for (number, tile) in view.tiles().enumerate() {
        let slots = number * L::TILE_ELEMENTS..(number + 1) * L::TILE_ELEMENTS;
        assert!(tile.as_slice().iter().map(|&x| x as usize).eq(slots.clone()), "{text}");
        let (origin, extent) = (tile.origin(), tile.extent());
        for element in memory[slots].iter().flatten() {
            let index = unflatten_native(*element, &L::DIMS);
            let inside =
                (0..R).all(|dim| (origin[dim]..origin[dim] + extent[dim]).contains(&index[dim]));
            assert!(inside, "{text} {index:?} {origin:?} {extent:?}");
        }
        let elements = memory[number * L::TILE_ELEMENTS..][..L::TILE_ELEMENTS].iter().flatten();
        assert_eq!(elements.count(), extent.iter().product::<usize>(), "{text} {origin:?}");
        seen += extent.iter().product::<usize>();

        // The same tile by its place in the grid.
        let tile_size = |dim: usize| match L::SHAPE.grid() {
            Ok(grid) => native(grid.size[dim]),
            Err(error) => panic!("{text} {error:?}"),
        };
        let mut at = origin;
        (0..R).for_each(|dim| at[dim] /= tile_size(dim));
        let same = view.tile(at).unwrap();
        assert_eq!((same.origin(), same.extent()), (origin, extent), "{text}");
        assert_eq!(same.as_slice(), tile.as_slice(), "{text}");
        assert_eq!(tile.is_full(), (0..R).all(|dim| extent[dim] == tile_size(dim)), "{text}");
    }
    assert_eq!(seen, L::ELEMENTS, "{text}");
    if R > 0 {
        let mut outside = [0; R];
        outside[R - 1] = L::TILE_COUNTS[R - 1];
        assert!(view.tile(outside).is_none(), "{text}");
    }

    let mut data = vec![0; L::PADDED_ELEMENTS];
    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    for (number, mut tile) in view.tiles_mut().enumerate() {
        tile.as_mut_slice().fill(number as u32 + 1);
    }
    let expected = (0..L::PADDED_ELEMENTS).map(|slot| slot / L::TILE_ELEMENTS.max(1) + 1);
    let tiles = L::TILE_COUNTS.iter().product::<usize>();
    // The slots that `L` adds belong to no tile.
    let expected = expected.map(|number| if number <= tiles { number as u32 } else { 0 });
    assert!(data.iter().copied().eq(expected), "{text}");

    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    let last = L::TILE_COUNTS.map(|count| count.saturating_sub(1));
    match view.tile_mut(last) {
        Some(mut tile) => tile.as_mut_slice().fill(0),
        None => assert_eq!(L::ELEMENTS, 0, "{text}"),
    }
    let end = tiles * L::TILE_ELEMENTS;
    let cleared = &data[end.saturating_sub(L::TILE_ELEMENTS)..end];
    assert!(cleared.iter().all(|&x| x == 0), "{text}");
}

/// Rows of tiles: together every element once, each where its index says.
fn rows<L: Layout<R, Element = element::U32, Width = element::Bits<32>>, const R: usize>() {
    let text = L::TEXT;
    let minor = L::MINOR_TO_MAJOR.first().copied();
    let mut data = (0..L::PADDED_ELEMENTS as u32).collect::<Vec<_>>();
    let view = View::<L, u32>::new(&data).unwrap();
    let mut found = Vec::new();
    for tile in view.tiles() {
        for (first, row) in tile.rows() {
            for (i, &slot) in row.iter().enumerate() {
                let mut index = first;
                if let Some(minor) = minor {
                    index[minor] += i;
                }
                assert_eq!(L::checked_offset(index), Some(slot as usize), "{text} {index:?}");
                found.push(slot as usize);
            }
        }
    }
    // Rows come in the order of memory, so that every element does.
    assert!(found.iter().copied().eq(L::indices().map(|(_, offset)| offset)), "{text}");
    let mut view = ViewMut::<L, u32>::new(&mut data).unwrap();
    for mut tile in view.tiles_mut() {
        tile.rows_mut().for_each(|(_, row)| row.fill(u32::MAX));
    }
    let is_element = |slot| L::index(slot).is_some();
    assert!(
        data.iter().enumerate().all(|(slot, &x)| is_element(slot) == (x == u32::MAX)),
        "{text}"
    );
}

macro_rules! all {
    ($test:ident: $($layout:ty;)*) => {
        all! { $test without tiles: $($layout;)* }

        mod $test {
            use super::*;

            #[test]
            fn by_tiles() {
                $(tiles::<$layout, _>();)*
            }
        }
    };
    ($test:ident without tiles: $($layout:ty;)*) => {
        #[test]
        fn $test() {
            $(
                walks::<$layout, _>();
                views::<$layout, _>();
            )*
        }
    };
}

all! { untiled:
    layout!(U32[]);
    layout!(U32[7]);
    layout!(U32[3,5]);
    layout!(U32[3,5]{0,1});
    layout!(U32[2,3,4]{0,2,1});
    layout!(U32[0,5]);
    layout!(U32[5,0]{0,1:L(8)});
    layout!(U32[0]{0:PAD(5)});
    layout!(U32[1,1,6,1]);
    layout!(U32[3,5]{1,0:L(8)});
    layout!(U32[2,3]{0,1:PAD(3,5)});
    layout!(U32[2,3,2]{2,1,0:PAD(2,4,3)});
}

all! { tiled:
    layout!(U32[]{:T(128)});
    layout!(U32[3,5]{1,0:T(2,2)});
    layout!(U32[20,300]{1,0:T(8,128)});
    layout!(U32[20,300]{0,1:T(8,128)});
    layout!(U32[8,128]{1,0:T(8,128)});
    layout!(U32[9,256]{1,0:T(1,128)});
    layout!(U32[4,3,9]{2,0,1:T(2,4)});
    layout!(U32[3,4]{1,0:T(2,2,3)});
    layout!(U32[2,2,2,3,2,5]{5,3,4,0,2,1:T(2,2)});
    layout!(U32[5,7]{1,0:PAD(6,9)T(4,2)L(100)});
    layout!(U32[0,5]{1,0:T(2,2)});
}

all! { repeated_tiles:
    layout!(U32[20,300]{1,0:T(8,128)(2,1)});
    layout!(U32[33,130]{1,0:T(32,128)(4,1)});
    layout!(U32[3000]{0:T(1024)(128)(2,1)});
    layout!(U32[5]{0:T(2)(3)});
    layout!(U32[4,8]{1,0:T(2,4)(*,2)});
    layout!(U32[5,9]{1,0:T(2,4)(3)(2,1)});
}

all! { across_tiles without tiles:
    layout!(U32[5]{0:T(2)(2,1)});
    layout!(U32[4,8]{1,0:T(2,4)(2,2,1)});
    layout!(U32[8,8]{1,0:T(2,2)(2,2,2,2,2)});
}

all! { combined_dimensions without tiles:
    layout!(U32[2,3,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)});
    layout!(U32[4,5,6]{2,1,0:T(*,2,4)});
    layout!(U32[4,5,6]{0,2,1:T(*,7)});
    layout!(U32[3,5]{1,0:T(1)(*,2)(2,1)});
    layout!(U32[3,4]{1,0:PAD(4,5)T(*,3)});
}

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
    let elements = view().blocks::<0>().flat_map(|block| block.elements()).map(|(_, x)| x);
    let runs = view().runs().flat_map(|(_, run)| run);
    let runs_of_slice = whole().runs().flat_map(|(_, run)| run);
    let tiles_of_slice = whole().tiles().unwrap().flat_map(|tile| tile.rows());
    let mut expected = A::indices().map(|(_, slot)| slot as u32).collect::<Vec<_>>();
    assert!(rows.eq(&expected) && elements.eq(&expected));
    assert!(runs.eq(&expected) && runs_of_slice.eq(&expected));
    assert!(tiles_of_slice.flat_map(|(_, row)| row).eq(&expected));
    expected = A::indices_row_major().map(|(_, slot)| slot as u32).collect();
    assert!(whole().iter().map(|(_, x)| x).eq(&expected));
    let rows = whole().iter_axis(0).unwrap().flat_map(|row| row.iter());
    assert!(rows.map(|(_, x)| x).eq(&expected));

    let tile: &[u32; 4] = first().as_array();
    let parts: [&[u32]; 2] = [first().as_view().as_slice(), view().as_slice()];
    let elements: [&u32; 4] = [
        view().get([2, 3]).unwrap(),
        view().at(const { A::slot([2, 3]) }),
        whole().get([2, 3]).unwrap(),
        view().split_at(0, 2).unwrap()[1].get([0, 3]).unwrap(),
    ];
    assert_eq!((tile, parts[0], parts[1]), (&[0, 1, 2, 3], &data[..4], &data[..]));
    assert_eq!(elements, [&17; 4]);
}

#[test]
fn an_index_out_of_range_panics_with_the_layout() {
    type A = layout!(F32[3,5]{1,0:T(2,2)});
    let panic = std::panic::catch_unwind(|| {
        let data = [0.0; A::PADDED_ELEMENTS];
        let view = View::<A, f32>::new(&data).unwrap();
        // Padding is there, but the logical bounds hold.
        view[[0, 5]]
    });
    let message = panic.unwrap_err().downcast_ref::<String>().cloned().unwrap_or_default();
    assert_eq!(message, "the index [0, 5] is out of range for f32[3,5]{1,0:T(2,2)}");
}

#[test]
fn storage_in_statics_and_on_the_stack() {
    type A = layout!(F32[3,5]{1,0:T(2,2)});
    static DATA: [f32; A::PADDED_ELEMENTS] = [1.5; A::PADDED_ELEMENTS];
    const VIEW: Result<View<'static, A, f32>, TooShort> = View::new(&DATA);
    assert_eq!(VIEW.unwrap()[[2, 4]], 1.5);
    let error = View::<A, f32>::new(&DATA[..20]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout needs a slice of 24, padding counted, and got one of 20"
    );
}

/// A type of the user's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MyFloat(u8);

impl StoredAs<element::F8E4M3FN> for MyFloat {}

#[test]
fn element_types() {
    fn new<L: layout::StaticLayout, T: StoredIn<L> + Default>() -> usize {
        Buffer::<L, T>::zeroed().as_slice().len()
    }
    assert_eq!(new::<layout!(F8E4M3FN[3]), MyFloat>(), 3);
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
        assert_eq!(view.set(index, read(value(slot))), Some(()), "{text} {index:?}");
    }
    for (index, slot) in L::indices_row_major() {
        assert_eq!(view.get(index), Some(read(value(slot))), "{text} {index:?}");
    }
    for dim in 0..R {
        let mut outside = [0; R];
        outside[dim] = L::DIMS[dim];
        assert_eq!((view.get(outside), view.set(outside, read(0))), (None, None), "{text}");
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
    assert!(high.iter().eq(view.iter()), "{text}");
    let mut high = PackedViewMut::<L>::new(&mut other).unwrap().high_first();
    for (index, slot) in L::indices() {
        assert_eq!(high.set(index, read(!value(slot))), Some(()), "{text}");
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
    assert_eq!((error.needed, error.given), (L::BYTES, L::BYTES - 1), "{text}");
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
    assert!(view.iter().eq(expected.clone()), "{text}");
    assert_eq!(view.iter().len(), L::ELEMENTS, "{text}");
    assert!(view.to_vec().into_iter().eq(expected.clone().map(|(_, bits)| bits)), "{text}");
    assert!(expected.clone().all(|(index, bits)| view[index] == bits), "{text}");
    for ((run, bits), expected) in view.runs().zip(L::runs()) {
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
    for (index, bits) in whole.iter() {
        packed.set(index, *bits);
    }
    let text = L::TEXT;
    assert_eq!(packed.tiles().len(), whole.tiles().len(), "{text}");
    for (packed, whole) in packed.tiles().zip(whole.tiles()) {
        let place = (whole.origin(), whole.extent(), whole.is_full());
        assert_eq!((packed.origin(), packed.extent(), packed.is_full()), place, "{text}");
        assert_eq!(packed.slots().len(), whole.as_slice().len(), "{text}");
        for ((index, bits), (expected, slice)) in packed.rows().zip(whole.rows()) {
            assert!(index == expected && bits.eq(slice.iter().copied()), "{text}");
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
#[should_panic = "the index [1, 8] is out of range for pred[2,8]{1,0:E(1)}"]
fn a_packed_index_out_of_range_panics_with_the_layout() {
    type A = layout!(PRED[2,8]{1,0:E(1)});
    let view = PackedView::<A>::new(&[0; 2]).unwrap();
    let _ = view[[1, 8]];
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

#[test]
fn rows_of_tiles() {
    macro_rules! all {
        ($($layout:ty;)*) => { $(rows::<$layout, _>();)* };
    }
    all! {
        layout!(U32[]);
        layout!(U32[7]);
        layout!(U32[3,5]{0,1});
        layout!(U32[2,3,2]{2,1,0:PAD(2,4,3)});
        layout!(U32[0,5]);
        layout!(U32[]{:T(128)});
        layout!(U32[3,5]{1,0:T(2,2)});
        layout!(U32[20,300]{1,0:T(8,128)});
        layout!(U32[20,300]{0,1:T(8,128)});
        layout!(U32[4,3,9]{2,0,1:T(2,4)});
        layout!(U32[3,4]{1,0:T(2,2,3)});
        layout!(U32[2,2,2,3,2,5]{5,3,4,0,2,1:T(2,2)});
        layout!(U32[5,7]{1,0:PAD(6,9)T(4,2)L(100)});
    }
}
