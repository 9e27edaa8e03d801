use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[3,5]), f32>::new(&[0.0; 15]).unwrap();
    println!("{:?}", view.reshape::<layout!(U32[15])>());
}
