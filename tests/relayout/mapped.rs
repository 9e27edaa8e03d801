//! New memory of what a function makes of elements.

use layout::{PackedView, layout};

/// New memory of what a function makes of elements is as `map_to` writes it.
#[test]
fn new_memory_is_mapped() {
    type Rows = layout!(S16[?,?]);
    type Tiles = layout!(F64[?,?]{0,1:T(2,4)});
    let numbers: Vec<i16> = (0..35).collect();
    let rows = Rows::with_dims([5, 7]).unwrap();
    let (view, tiles) = (rows.view(&numbers).unwrap(), Tiles::with_dims([5, 7]).unwrap());
    let twice = |[i, j]: [usize; 2], x: i16| f64::from(x) + 100.0 * (i * 7 + j) as f64;
    let mut expected = vec![0.0; tiles.padded_elements()];
    for (index, slot) in tiles.indices() {
        expected[slot] = twice(index, (index[0] * 7 + index[1]) as i16);
    }
    assert_eq!(view.to_mapped::<Tiles, _>(twice).unwrap().as_slice(), expected);
    let mut written = Vec::new();
    view.write_mapped::<Tiles, _, _>(&mut written, 0.0, twice).unwrap();
    assert_eq!(written, expected);
    let part = view.slice((1..4, 2..)).unwrap();
    let small = part.to_mapped::<layout!(F64[3,5]), _>(|_, x| f64::from(x)).unwrap();
    assert_eq!(small[[2, 4]], 27.0);
    let bits = PackedView::<layout!(U4[2,3]{1,0:E(4)})>::new(&[0x21, 0x43, 0x65]).unwrap();
    let wide =
        bits.to_mapped::<layout!(U32[2,3]{0,1}), _>(|[i, _], x| u32::from(x) + 10 * i as u32);
    assert_eq!(wide.unwrap().as_slice(), [1, 14, 2, 15, 3, 16]);
    assert!(part.to_mapped::<layout!(F64[5,6]), _>(twice).is_err());
}
