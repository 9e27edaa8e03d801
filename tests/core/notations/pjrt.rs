//! PJRT's numbers there and back, and the C structs as `pjrt_c_api.h` lays them out.

use layout::Size;
use layout::notation::{Cute, Jax, LayoutError, Mosaic, NotationError, Pjrt, PjrtMemoryLayout};
use layout::shape::{FaultKind, Place};
use layout::{ArrayShape, ElementType};
use layout_tests::amount::times;

use crate::{Case, cases};

fn back(dims: &[Size], pjrt: &Pjrt) -> Result<ArrayShape, LayoutError> {
    let dims = dims.iter().map(|&dim| dim as i64).collect::<Vec<_>>();
    let (tile_dims, tile_dim_sizes) = (pjrt.tile_dims(), pjrt.tile_dim_sizes());
    Pjrt::shape(ElementType::F32, &dims, pjrt.minor_to_major(), tile_dims, tile_dim_sizes)
}

#[test]
fn there_and_back() {
    let mut count = 0;
    cases(&mut |case: Case| {
        assert_eq!(Pjrt::of(&case.shape).is_ok(), Jax::of(&case.shape).is_ok(), "{}", case.shape);
        let Ok(pjrt) = Pjrt::of(&case.shape) else { return };
        let numbers = case.naive.tiles.concat();
        let numbers = numbers.iter().map(|entry| entry.map_or(i64::MIN, |size| size as i64));
        assert!(numbers.eq(pjrt.tile_dims().iter().copied()));
        assert!(case.naive.tiles.iter().map(Vec::len).eq(pjrt.tile_dim_sizes().iter().copied()));
        let mut said = case.naive.clone();
        (said.padded, said.tail_alignment) = (None, 1);
        assert_eq!(back(&case.naive.dims, &pjrt).unwrap().to_string(), said.text("f32"));
        count += 1;
    });
    assert!(count > times(10_000), "{count}");
}

#[test]
fn what_cannot_be_said() {
    for (layout, reason) in [
        ("f32[3]{0:PAD(4)}", NotationError::Widened),
        ("f32[3]{0:L(4)}", NotationError::Tail),
        ("f32[?]{0:L(4)}", NotationError::Tail),
        ("s4[3]{0:E(4)}", NotationError::ElementSize),
        ("pred[3]{0:E(32)}", NotationError::ElementSize),
    ] {
        assert_eq!(Pjrt::of(&layout.parse().unwrap()), Err(reason), "{layout}");
    }
    for layout in ["f32[3]{0:PAD(3)}", "f32[4]{0:L(4)}", "f32[3]{0:E(32)S(5)M(8)}", "f32[?,<=3]"] {
        assert!(Pjrt::of(&layout.parse().unwrap()).is_ok(), "{layout}");
    }
}

#[test]
fn errors() {
    let shape = |dims: &[i64], order: &[i64], tile_dims: &[i64], sizes: &[usize]| {
        Pjrt::shape(ElementType::BF16, dims, order, tile_dims, sizes).map(|shape| shape.to_string())
    };
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(shape(&[], &[], &[], &[]), ok("bf16[]"));
    assert_eq!(shape(&[], &[], &[128], &[1]), ok("bf16[]{:T(128)}"));
    assert_eq!(shape(&[2, 0], &[0, 1], &[i64::MIN, 8], &[2]), ok("bf16[2,0]{0,1:T(*,8)}"));

    assert_eq!(
        shape(&[2, -1], &[0, 1], &[], &[]),
        Err(LayoutError::NegativeSize { dim: 1, size: -1 })
    );
    // What a caller passes who takes `tile_dims` for one entry a tile.
    let error = shape(&[2, 3], &[1, 0], &[8, 2], &[2, 2]);
    assert_eq!(error, Err(LayoutError::TileDims { entries: 2, sum: 4 }));
    let error = shape(&[2, 3], &[1, 0], &[8, 2], &[usize::MAX, 3]);
    assert_eq!(error, Err(LayoutError::TileDims { entries: 2, sum: usize::MAX }));
    let error = shape(&[2, 3], &[1, 0], &[-1, 2], &[2]);
    assert_eq!(error, Err(LayoutError::TileDim { entry: 0, size: -1 }));
    assert_eq!(
        error.unwrap_err().to_string(),
        "entry 0 of tile_dims is -1: write a positive size, or -2^63 for `*`"
    );
    assert_eq!(
        shape(&[2, -1], &[0, 1], &[], &[]).unwrap_err().to_string(),
        "dimension 1 has the negative size -1"
    );

    let fault = |shape: Result<String, LayoutError>| match shape {
        Err(LayoutError::Shape(fault)) => (fault.kind(), fault.place()),
        other => panic!("{other:?}"),
    };
    let (kind, place) = fault(shape(&[2, 3], &[1, -1], &[], &[]));
    assert_eq!(kind, FaultKind::MinorToMajorRange { rank: 2 });
    assert_eq!(place, Place::MinorToMajorEntry(1));
    let (kind, _) = fault(shape(&[2, 3], &[1, 1], &[], &[]));
    assert_eq!(kind, FaultKind::MinorToMajorRepeated { dim: 1, missing: 0 });
    let (kind, _) = fault(shape(&[2, 3], &[0; 40], &[], &[]));
    assert_eq!(kind, FaultKind::MinorToMajorCount { entries: 40, rank: 2 });
    assert_eq!(fault(shape(&[2], &[0], &[0], &[1])).0, FaultKind::ZeroTile);
    assert_eq!(fault(shape(&[2], &[0], &[4, i64::MIN], &[2])).0, FaultKind::CombinedLast);
    assert_eq!(fault(shape(&[2], &[0], &[4], &[0, 1])), (FaultKind::EmptyTile, Place::Tile(0)));
    for (dims, tile_dims, sizes, what) in [
        (17, 0, vec![], "dimensions"),
        (1, 9, vec![1; 9], "tiles"),
        (1, 20, vec![1; 20], "tiles"),
        (1, 33, vec![33], "sizes in all tiles together"),
        (1, 80, vec![30, 50], "sizes in all tiles together"),
        (200, 80, vec![30, 50], "dimensions"),
    ] {
        let order = (0..dims as i64).collect::<Vec<_>>();
        let (kind, _) = fault(shape(&vec![1; dims], &order, &vec![1; tile_dims], &sizes));
        assert!(
            matches!(kind, FaultKind::TooMany { what: found, .. } if found == what),
            "{kind:?}"
        );
    }
    let (kind, _) = fault(shape(&[i64::MAX, 2], &[0, 1], &[], &[]));
    assert!(matches!(kind, FaultKind::Overflow { .. }));
}

/// Sizes and places as a C compiler has them for `pjrt_c_api.h` on 64-bit machines, where the last
/// field of `PJRT_Buffer_MemoryLayout` ends at byte 76.
#[test]
fn c_structs() {
    use core::mem::{offset_of, size_of};

    use layout::notation::PjrtMemoryLayoutTiled;

    type Tiled = PjrtMemoryLayoutTiled<'static>;
    assert_eq!(offset_of!(Tiled, struct_size), 0);
    assert_eq!(offset_of!(Tiled, extension_start), 8);
    assert_eq!(offset_of!(Tiled, minor_to_major), 16);
    assert_eq!(offset_of!(Tiled, minor_to_major_size), 24);
    assert_eq!(offset_of!(Tiled, tile_dims), 32);
    assert_eq!(offset_of!(Tiled, tile_dim_sizes), 40);
    assert_eq!(offset_of!(Tiled, num_tiles), 48);
    assert_eq!(size_of::<Tiled>(), 56);
    type Memory = PjrtMemoryLayout<'static>;
    assert_eq!(offset_of!(Memory, extension_start), 8);
    assert_eq!(offset_of!(Memory, tiled), 16);
    assert_eq!(offset_of!(Memory, type_), 72);
    assert_eq!(size_of::<Memory>(), 80);

    let shape: ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse().unwrap();
    let pjrt = Pjrt::of(&shape).unwrap();
    let memory = pjrt.memory_layout();
    assert_eq!((memory.struct_size, memory.type_), (76, 0));
    assert!(memory.extension_start.is_null() && memory.tiled.extension_start.is_null());
    assert_eq!((memory.tiled.struct_size, memory.tiled.num_tiles), (56, 2));
    assert_eq!(memory.tiled.minor_to_major, pjrt.minor_to_major().as_ptr());
    assert_eq!(memory.tiled.tile_dims, pjrt.tile_dims().as_ptr());
    assert_eq!(memory.tiled.tile_dim_sizes, pjrt.tile_dim_sizes().as_ptr());
    assert_eq!(memory.tiled.minor_to_major_size, 2);
}

#[test]
fn constants_of_types() {
    use layout::layout;

    type A = layout!(BF16[20,300]{1,0:T(8,128)(2,1)});
    const LAYOUT: PjrtMemoryLayout<'static> = A::PJRT;
    const NUMBERS: Result<Pjrt, NotationError> = Pjrt::of(A::SHAPE);
    // The others, of a shape that is a constant.
    assert_eq!(
        Cute::padded_of(A::SHAPE).unwrap().to_string(),
        "((2,4,3),(128,3)):((1,256,3072),(2,1024))"
    );
    assert_eq!(Mosaic::of(A::SHAPE).unwrap().to_string(), "#tpu.tiled<(8,128)(2,1),[3,1]>");
    assert_eq!((LAYOUT.struct_size, LAYOUT.tiled.num_tiles), (A::PJRT.struct_size, 2));
    assert_eq!(NUMBERS.unwrap().tile_dims(), [8, 128, 2, 1]);
    assert_eq!(<layout!(F32[?,300]{0,1:T(*,8)})>::PJRT.tiled.num_tiles, 1);
}
