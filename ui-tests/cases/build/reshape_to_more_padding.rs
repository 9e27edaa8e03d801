use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[2,2]), f32>::new(&[0.0; 4]).unwrap();
    println!("{:?}", view.reshape::<layout!(F32[4]{0:T(8)})>());
}
