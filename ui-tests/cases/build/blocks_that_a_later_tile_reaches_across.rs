use layout::{View, layout};

fn main() {
    type A = layout!(F32[3000]{0:T(1024)(128)(2,1)});
    let data = [0.0; A::PADDED_ELEMENTS];
    let view = View::<A, f32>::new(&data).unwrap();
    println!("{}", view.blocks::<1>().count());
}
