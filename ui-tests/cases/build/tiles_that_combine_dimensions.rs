use layout::{View, layout};

type A = layout!(F32[4,5,6]{2,1,0:T(*,2,3)});

fn main() {
    let view = View::<A, f32>::new(&[0.0; A::PADDED_ELEMENTS]).unwrap();
    println!("{}", view.tiles().count());
}
