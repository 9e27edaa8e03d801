use layout::{View, layout};

type A = layout!(F32[16,256]{1,0:T(8,128)});

fn main() {
    let view = View::<A, f32>::new(&[0.0; 4096]).unwrap();
    println!("{:?}", view.region(const { A::region([8..17, 0..128]) }));
}
