use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[4]), f32>::new(&[0.0; 4]).unwrap();
    println!("{:?}", view.bitcast::<layout!(F32[4]{0:T(8)})>());
}
