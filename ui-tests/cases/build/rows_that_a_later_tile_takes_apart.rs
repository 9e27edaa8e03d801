use layout::{View, layout};

type A = layout!(BF16[16,128]{1,0:T(8,128)(2,1)});

fn main() {
    let data = [0u16; A::PADDED_ELEMENTS];
    let view = View::<A, u16>::new(&data).unwrap();
    println!("{}", view.tile([0, 0]).unwrap().rows().count());
}
