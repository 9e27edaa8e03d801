use layout::{View, layout};

type A = layout!(F32[16,128]{1,0:T(8,128)});

fn main() {
    let data = [0.0; A::PADDED_ELEMENTS];
    for tile in View::<A, f32>::new(&data).unwrap().tiles() {
        let _: &[f32; 1000] = tile.as_array();
    }
}
