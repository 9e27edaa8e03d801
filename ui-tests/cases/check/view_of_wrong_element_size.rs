use layout::{View, layout};

type A = layout!(PRED[3,5]{1,0:E(32)});

fn main() {
    let data = [0u8; 60];
    println!("{}", View::<A, u8>::new(&data).is_ok());
}
