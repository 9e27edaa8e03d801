use layout::{View, layout};

type A = layout!(F32[3,5]);

fn main() {
    let view = View::<A, f32>::new(&[0.0; 15]).unwrap();
    view.par_tiles();
    let view = View::<A, f32>::of_bytes(&[0; 60]);
}
