use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[3,5]{1,0:T(2,2)}), f32>::new(&[0.0; 24]).unwrap();
    println!("{:?}", view.as_ndarray());
}
