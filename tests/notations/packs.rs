//! Packs, applied by the definition of `linalg.pack`. `check.py` has them compiled and run.

use layout_notation::notation::{Pack, Packs};
use layout_tests::amount::times;
use layout_tests::data;
use layout_tests::naive::Data;

use crate::packed::Packed;
use crate::{Case, cases};

/// The result of a pack: outer dimensions, permuted, and after them the tiles' sizes.
fn apply(pack: &Pack, array: &Data) -> Data {
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
        let packs = Packs::of(&case.shape);
        assert_eq!(packs.is_ok(), is_packed, "{}", case.shape);
        let Ok(packs) = packs else { return };
        let mut array = Data::numbered(&naive.dims);
        assert_eq!(packs.packs().len(), naive.tiles.len(), "{packs}");
        for pack in packs.packs() {
            array = apply(pack, &array);
        }
        assert_eq!(array.slots, case.memory, "{}", case.shape);
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
    }
    assert_eq!(lines.len(), 35);
}
