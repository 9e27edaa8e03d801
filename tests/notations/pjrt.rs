//! PJRT's numbers there and back, and the C structs as `pjrt_c_api.h` lays them out.

use layout::Size;
use layout_notation::notation::{Cute, Jax, Mosaic, NotExpressible, NotThisLayout, Pjrt, PjrtMemoryLayout};
use layout::shape::FaultKind;
use layout::{ArrayShape, ElementType};
use layout_tests::amount::times;

use crate::{Case, cases};

fn back(dims: &[Size], pjrt: &Pjrt) -> Result<ArrayShape, NotThisLayout> {
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

/// More of anything than a shape holds.
#[test]
fn too_many() {
    for (dims, tile_dims, sizes, what) in [
        (17, 0, vec![], "dimensions"),
        (1, 9, vec![1; 9], "tiles"),
        (1, 20, vec![1; 20], "tiles"),
        (1, 33, vec![33], "sizes in all tiles together"),
        (1, 80, vec![30, 50], "sizes in all tiles together"),
        (200, 80, vec![30, 50], "dimensions"),
    ] {
        let order = (0..dims as i64).collect::<Vec<_>>();
        let tile_dims = vec![1; tile_dims];
        let error = Pjrt::shape(ElementType::BF16, &vec![1; dims], &order, &tile_dims, &sizes);
        let Err(NotThisLayout::Shape(fault)) = error else { panic!("{error:?}") };
        let is_it = matches!(fault.kind(), FaultKind::TooMany { what: found, .. } if found == what);
        assert!(is_it, "{fault:?}");
    }
}

/// Sizes and places as a C compiler has them for `pjrt_c_api.h` on 64-bit machines, where the last
/// field of `PJRT_Buffer_MemoryLayout` ends at byte 76.
#[test]
fn c_structs() {
    use core::mem::{offset_of, size_of};

    use layout_notation::notation::PjrtMemoryLayoutTiled;

    macro_rules! offsets {
        ($of:ident: $($field:ident)*) => { [$(offset_of!($of<'static>, $field)),*] };
    }
    let tiled = offsets! { PjrtMemoryLayoutTiled:
        struct_size extension_start minor_to_major minor_to_major_size tile_dims tile_dim_sizes num_tiles
    };
    assert_eq!(tiled, [0, 8, 16, 24, 32, 40, 48]);
    let memory = offsets! { PjrtMemoryLayout: extension_start tiled type_ };
    assert_eq!(memory, [8, 16, 72]);
    assert_eq!(size_of::<PjrtMemoryLayoutTiled<'static>>(), 56);
    assert_eq!(size_of::<PjrtMemoryLayout<'static>>(), 80);

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
    const NUMBERS: Result<Pjrt, NotExpressible> = Pjrt::of(A::SHAPE);
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
