use layout::{View, layout, permutation};

fn main() {
    let view = View::<layout!(F32[3,5]), f32>::new(&[0.0; 15]).unwrap();
    println!("{:?}", view.transpose::<layout!(F32[5,3]{0,1}), permutation!(1, 1)>());
}
