use layout::{View, layout};

fn main() {
    let view = View::<layout!(F32[16,256]{1,0:T(8,128)}), f32>::new(&[0.0; 4096]).unwrap();
    println!("{:?}", view.reshape::<layout!(F32[32,128]{1,0:T(8,128)})>());
}
