use layout::{View, layout};

fn main() {
    type A = layout!(F32[3,5]);
    let view = View::<A, f32>::new(&[0.0; A::PADDED_ELEMENTS]).unwrap();
    println!("{}", view[[1, 2, 3]]);
}
