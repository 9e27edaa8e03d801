use layout::{View, layout};

fn main() {
    type A = layout!(F32[?,1024]{1,0:T(8,128)});
    println!("{:?}", View::<A, f32>::new(&[0.0; 1024]));
}
