//! The functions of kernels, run on the host: no adapter is needed. And the errors.

mod layouts;

use cubecl::std::tensor::layout::{Coords1d, Coords2d, Coords3d, CoordsDyn, Layout};
use layout::{ArrayShape, layout};
use layout_cubecl::{LayoutError, XlaLayout, XlaLayoutLaunch};

fn coords(index: &[usize]) -> CoordsDyn {
    let mut coords = CoordsDyn::new();
    for &coordinate in index {
        coords.push(coordinate as u32);
    }
    coords
}

/// Compares every slot, and every element by its slot.
fn check(shape: &ArrayShape, dims: &[usize], layout: XlaLayoutLaunch<CoordsDyn>) {
    let layout = XlaLayout::from(layout);
    let slots = shape.padded_elements().unwrap();
    assert_eq!(layout.slots(), slots, "{shape}");
    assert_eq!(layout.shape(), coords(dims), "{shape}");
    let digits = shape.digits().unwrap();
    let mut elements = 0;
    for slot in 0..slots + 10 {
        let (position, is_element) = layout.to_pos_checked(slot);
        let index = digits.index(slot);
        assert_eq!(is_element, index.is_some(), "{shape}: slot {slot}");
        let is_padding = slot < slots && index.is_none();
        assert_eq!(layout.is_padding(slot), is_padding, "{shape}: slot {slot}");
        if let Some(index) = index {
            assert_eq!(position, coords(&index), "{shape}: slot {slot}");
            assert_eq!(layout.to_source_pos_checked(position), (slot, true), "{shape}: {index:?}");
            elements += 1;
        }
    }
    assert_eq!(elements, dims.iter().product::<usize>(), "{shape}");
    for dim in 0..dims.len() {
        for beyond in [dims[dim], dims[dim] + 1, 0x8000_0000, 0xffff_ffff] {
            let mut outside = vec![0; dims.len()];
            outside[dim] = beyond;
            assert!(!layout.is_in_bounds(coords(&outside)), "{shape}: {outside:?}");
        }
    }
}

#[test]
fn every_slot_of_many_layouts() {
    for shape in layouts::layouts(500) {
        let dims: Vec<_> = shape.dims().iter().map(|dim| dim.size().unwrap()).collect();
        check(&shape, &dims, XlaLayoutLaunch::try_from(&shape).unwrap());

        // The same with sizes at run time: all, and every other one.
        for step in [1, 2] {
            let mut unknown = shape.to_string();
            let sizes = unknown.find('[').unwrap() + 1..unknown.find(']').unwrap();
            let mut list: Vec<_> = unknown[sizes.clone()].split(',').collect();
            for size in list.iter_mut().step_by(step).filter(|size| !size.contains('=')) {
                *size = "?";
            }
            let list = list.join(",");
            if dims.is_empty() || unknown.contains("PAD") {
                continue;
            }
            unknown.replace_range(sizes, &list);
            let unknown: ArrayShape = unknown.parse().unwrap();
            check(&shape, &dims, XlaLayoutLaunch::with_dims(&unknown, &dims).unwrap());
        }
    }
}

/// The largest size of vectors by looking at every vector, among the powers of two up to 16.
fn longest_vector(shape: &ArrayShape, dims: &[usize]) -> usize {
    let slots = shape.padded_elements().unwrap();
    let digits = shape.digits().unwrap();
    let is_vectors = |size: &usize| {
        slots.is_multiple_of(*size)
            && (0..dims.len()).any(|dim| {
                (0..slots).all(|slot| match digits.index(slot) {
                    None => true,
                    Some(index) => {
                        let mut first = index.to_vec();
                        first[dim] -= index[dim] % size;
                        let offset = digits.offset(&first).unwrap();
                        dims[dim].is_multiple_of(*size)
                            && offset.is_multiple_of(*size)
                            && slot == offset + index[dim] % size
                    }
                })
            })
    };
    [16, 8, 4, 2].into_iter().find(is_vectors).unwrap_or(1)
}

#[test]
fn sizes_of_vectors() {
    let (mut counts, mut missed) = ([0; 17], 0);
    for shape in layouts::layouts(3000) {
        let dims: Vec<_> = shape.dims().iter().map(|dim| dim.size().unwrap()).collect();
        if dims.contains(&0) || dims.is_empty() {
            continue;
        }
        let layout = XlaLayoutLaunch::<CoordsDyn>::try_from(&shape).unwrap();
        let longest = longest_vector(&shape, &dims);
        let digits = shape.digits().unwrap();
        counts[longest] += 1;
        for size in [1, 2, 4, 8, 16] {
            let vectors = layout.clone().with_vector_size(size);
            assert!(vectors.is_err() || size <= longest, "{shape}: {size}");
            missed += usize::from(vectors.is_err() && size <= longest);
            let Ok(vectors) = vectors else { continue };
            let vectors = XlaLayout::from(vectors);
            for slot in (0..shape.padded_elements().unwrap()).step_by(size) {
                if let Some(index) = digits.index(slot) {
                    assert_eq!(vectors.to_source_pos(coords(&index)), slot / size, "{shape}");
                    let position = (coords(&index), true);
                    assert_eq!(vectors.to_pos_checked(slot / size), position, "{shape}");
                }
            }
        }
    }
    // Only contrived layouts, such as f32[2,6]{0,1:T(3,6,6)(4,*,3)}, have vectors that the digits do not show.
    assert!(missed < 3, "{missed}");
    assert!([1, 2, 4, 8].iter().all(|&size| counts[size] > 10), "{counts:?}");
}

#[test]
fn up_to_32_bits() {
    for (text, index) in [
        ("u8[4294967295]{0}", &[4_294_967_294][..]),
        ("u8[65528,65536]{1,0:T(8,128)}", &[65_527, 65_535]),
        ("u8[65280,65536]{0,1:T(*,32768)(128,64)}", &[65_279, 65_535]),
        ("u8[3,1431655765]{1,0}", &[2, 1_431_655_764]),
    ] {
        let shape: ArrayShape = text.parse().unwrap();
        let layout = XlaLayout::from(XlaLayoutLaunch::<CoordsDyn>::try_from(&shape).unwrap());
        let slot = shape.digits().unwrap().offset(index).unwrap();
        assert_eq!(layout.to_source_pos_checked(coords(index)), (slot, true), "{text}");
        assert_eq!(layout.to_pos_checked(slot), (coords(index), true), "{text}");
    }
}

#[test]
fn positions_above_32_bits() {
    let row = XlaLayout::<Coords1d>::of::<1, layout!(U8[4294967295])>();
    assert_eq!(row.to_source_pos_checked(4_294_967_294), (4_294_967_294, true));
    for beyond in [4_294_967_295, 4_294_967_296, 4_294_967_299, usize::MAX] {
        assert!(!row.is_in_bounds(beyond));
        assert!(!row.to_pos_checked(beyond).1 && !row.is_padding(beyond));
    }
}

#[test]
fn errors() {
    let shape = |text: &str| text.parse::<ArrayShape>().unwrap();
    let above = "4294967296 does not fit in 32 bits, in which kernels compute: slice the array, at most 4294967295 \
                 elements in memory";
    let unknown =
        "the size of dimension 1 is known at run time only (`?`): give all sizes, with `with_dims`";
    for (text, expected) in [
        ("u8[4294967296]", above),
        ("u8[65536,65535]{1,0:T(8,128)}", above),
        ("f32[0,4294967296]", above),
        ("f32[3,?]{1,0:T(8,128)}", unknown),
    ] {
        let error = XlaLayoutLaunch::<CoordsDyn>::try_from(shape(text)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }

    let unknown = shape("f32[?,5]{1,0:T(2,2)}");
    let with_dims = |dims: &[usize]| XlaLayoutLaunch::<Coords2d>::with_dims(&unknown, dims);
    assert!(matches!(with_dims(&[1 << 31, 5]), Err(LayoutError::Above32Bits { .. })));
    for (dims, expected) in [
        (&[3, 6][..], "dimension 1 has size 5, but was given 6"),
        (&[3], "the array has rank 2, but the number of sizes is 1"),
    ] {
        assert_eq!(with_dims(dims).unwrap_err().to_string(), expected);
    }

    let error = XlaLayoutLaunch::<Coords3d>::try_from(shape("f32[3,5]")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the layout has rank 2, but the type of the coordinates has 3: use `CoordsDyn` or the type for this rank"
    );

    let row = XlaLayoutLaunch::<Coords1d>::of::<_, layout!(F32[7]{0})>();
    for size in [0, 2] {
        let error = row.clone().with_vector_size(size).unwrap_err();
        let expected = LayoutError::VectorSize { vector_size: size, dim: Some(0), longest: 7 };
        assert_eq!(error, expected);
    }
    let column = XlaLayoutLaunch::<Coords2d>::of::<_, layout!(F32[6,5]{1,0:T(2,2)})>();
    assert_eq!(
        column.with_vector_size(4).unwrap_err().to_string(),
        "vectors of 4 elements would not be contiguous elements: at most 1 can be used, or a divisor of it"
    );
}
