use layout::{View, layout};

fn main() {
    type A = layout!(F32[3,5]{1,0:T(2,2)});
    let data = [0.0; A::PADDED_ELEMENTS];
    let view = View::<A, f32>::new(&data).unwrap();
    println!("{}", view.at(const { A::slot([3, 0]) }));
}
