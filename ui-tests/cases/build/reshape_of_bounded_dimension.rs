use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[<=4,5]), f32>::new(&[0.0; 20]).unwrap();
    println!("{:?}", view.reshape::<layout!(F32[20])>());
}
