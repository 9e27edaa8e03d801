use layout::{View, layout, permutation};

fn main() {
    let view = View::<layout!(F32[3,5]{1,0:T(2,2)}), f32>::new(&[0.0; 24]).unwrap();
    println!("{:?}", view.transpose::<layout!(F32[5,3]{1,0:T(2,2)}), permutation!(1, 0)>());
}
