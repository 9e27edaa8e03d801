//! Packs, applied by the definition of `linalg.pack`. `check.py` has them compiled and run.

use layout::Size;
use layout::notation::{LinalgPack, Pack, Packs};
use layout_tests::amount::times;
use layout_tests::data;
use layout_tests::naive::Data;

use crate::packed::Packed;
use crate::{Case, cases};

/// The result of a pack: outer dimensions, permuted, and after them the tiles' sizes. The operation has these types.
fn apply(pack: &Pack, array: &Data, operation: &str) -> Data {
    let rank = array.dims.len();
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
    let tensor = |dims: &[Size]| {
        let sizes = dims.iter().map(|size| format!("{size}x"));
        format!("tensor<{}f32>", sizes.collect::<String>())
    };
    let types = format!(" : {} -> {}", tensor(&array.dims), tensor(&dims));
    assert!(operation.ends_with(&types), "{operation}: {types}");
    let is_padded = tile.iter().zip(&array.dims).any(|(tile, dim)| match tile {
        Some((_, size)) => !dim.is_multiple_of(*size),
        None => false,
    });
    assert_eq!(operation.contains(" padding_value(%padding : f32) "), is_padded);
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
        let packed = LinalgPack::of(&case.shape);
        assert_eq!(packed.is_ok(), is_packed, "{}", case.shape);
        let Ok(packed) = packed else { return };
        let mut array = Data::numbered(&naive.dims);
        let text = packed.to_string();
        let operations = text.lines().filter(|line| line.contains("= linalg.pack "));
        assert_eq!(operations.clone().count(), naive.tiles.len(), "{text}");
        for (pack, operation) in packed.packs().packs().iter().zip(operations) {
            array = apply(pack, &array, operation);
        }
        assert_eq!(array.slots, case.memory, "{}", case.shape);
        let packs = packed.packs().packs().iter().map(Pack::to_string).collect::<Vec<_>>();
        assert_eq!(packs.len(), naive.tiles.len());
        assert!(packs.iter().all(|pack| text.contains(&format!(" {pack} into "))), "{text}");
        count += 1;
    });
    assert!(count > times(1000), "{count}");
}

/// Operations and attributes alone, with the memory that IREE made of them.
#[test]
fn as_run() {
    let lines = data::json::<Packed>("packed/mlir_pack.jsonl");
    for line in &lines {
        let packs: Packs = line.format.parse().unwrap_or_else(|error| panic!("{error}"));
        let layout = packs.layout(&line.array()).unwrap();
        line.check(&layout);
        let attributes = packs.to_string().parse::<Packs>().unwrap();
        assert_eq!(attributes.layout(&line.array()), Ok(layout), "{packs}");
        // The types give the sizes of one array.
        let larger = line.dims.iter().map(|dim| dim + 1).collect::<Vec<_>>();
        let larger = crate::packed::array(&larger);
        assert!(packs.layout(&larger).is_err() && attributes.layout(&larger).is_ok(), "{packs}");
    }
    assert_eq!(lines.len(), 35);
}
