//! Packs, applied by the definition of `linalg.pack`. `check.py` has them compiled and run.

use layout::notation::Pack;
use layout::{ArrayShape, ElementType};

use crate::numpy::Array;
use crate::{Case, cases};

/// The result of a pack: outer dimensions, permuted, and behind them the tiles' sizes.
fn apply(pack: &Pack, array: &Array) -> Array {
    let rank = array.dims.len();
    assert_eq!(*pack.source, array.dims[..]);
    assert_eq!(pack.inner_dims_pos.len(), pack.inner_tiles.len());
    let mut tile = vec![None; rank];
    for (i, &dim) in pack.inner_dims_pos.iter().enumerate() {
        assert!(tile[dim].replace((rank + i, pack.inner_tiles[i])).is_none());
    }
    let order = match &pack.outer_dims_perm {
        Some(order) => order.to_vec(),
        None => (0..rank).collect(),
    };
    let count = |&dim: &usize| match tile[dim] {
        Some((_, size)) => array.dims[dim].div_ceil(size),
        None => array.dims[dim],
    };
    let mut dims = order.iter().map(count).collect::<Vec<_>>();
    dims.extend(&*pack.inner_tiles);
    assert_eq!(*pack.dest, dims[..]);
    let is_padded = tile.iter().zip(&array.dims).any(|(tile, dim)| match tile {
        Some((_, size)) => !dim.is_multiple_of(*size),
        None => false,
    });
    assert_eq!(pack.is_padded, is_padded);
    array.map(&dims, |index| {
        let mut from = vec![0; rank];
        for (outer, &dim) in order.iter().enumerate() {
            from[dim] = match tile[dim] {
                Some((inner, size)) => index[outer] * size + index[inner],
                None => index[outer],
            };
        }
        from
    })
}

#[test]
fn packs_to_the_memory() {
    let mut count = 0;
    cases(&mut |case: Case| {
        let naive = &case.naive;
        let mut rank = naive.dims.len();
        let mut is_packed = !naive.tiles.is_empty();
        for tile in &naive.tiles {
            is_packed &= tile.len() <= rank && tile.iter().all(Option::is_some);
            rank += tile.len();
        }
        is_packed &= !case.is_padded_outside_tiles();
        let packed = case.shape.linalg_pack();
        assert_eq!(packed.is_ok(), is_packed, "{}", case.shape);
        let Ok(packed) = packed else { return };
        let mut array = Array::numbered(&naive.dims);
        for pack in packed.packs() {
            array = apply(&pack, &array);
        }
        assert_eq!(array.slots, case.memory, "{}", case.shape);
        let packs = packed.packs().map(|pack| pack.to_string()).collect::<Vec<_>>();
        assert_eq!((packs.len(), packed.packs().len()), (naive.tiles.len(), packs.len()));
        let text = packed.to_string();
        assert!(packs.iter().all(|pack| text.contains(&format!(" {pack} into "))), "{text}");
        count += 1;
    });
    assert!(count > 1000, "{count}");
}

/// Names of element types in MLIR, and the padding as `FILL` says.
#[test]
fn element_types() {
    let text = |element: ElementType, fill: &str| {
        let text = format!("{element}[3]{{0:PAD(3){fill}T(2)}}");
        let shape: ArrayShape = text.parse().unwrap();
        let text = shape.linalg_pack().unwrap().to_string();
        text.lines().next().unwrap().strip_prefix("%padding = ").unwrap().to_owned()
    };
    for (element, fill, expected) in [
        (ElementType::F32, "", "arith.constant 0.0 : f32"),
        (ElementType::F32, "FILL(unknown)", "arith.constant 0.0 : f32"),
        (ElementType::F32, "FILL(lowest)", "arith.constant 0xFF800000 : f32"),
        (ElementType::BF16, "FILL(one)", "arith.constant 0x3F80 : bf16"),
        (ElementType::F8E4M3FN, "FILL(highest)", "arith.constant 0x7E : f8E4M3FN"),
        (ElementType::F8E8M0FNU, "", "arith.constant 0x00 : f8E8M0FNU"),
        (ElementType::F4E2M1FN, "FILL(highest)", "arith.constant 0x7 : f4E2M1FN"),
        (ElementType::F6E2M3FN, "", "arith.constant 0.0 : f6E2M3FN"),
        (ElementType::S8, "FILL(lowest)", "arith.constant -128 : i8"),
        (ElementType::U8, "FILL(highest)", "arith.constant 255 : i8"),
        (ElementType::S4, "FILL(one)", "arith.constant 1 : i4"),
        (ElementType::PRED, "", "arith.constant false"),
        (ElementType::PRED, "FILL(highest)", "arith.constant true"),
        (ElementType::C64, "FILL(one)", "complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>"),
        (ElementType::C128, "", "complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>"),
    ] {
        assert_eq!(text(element, fill), expected);
    }
}
