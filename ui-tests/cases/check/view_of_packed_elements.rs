use layout::{View, layout};

type A = layout!(PRED[3,5]{1,0:E(1)});

fn main() {
    println!("{}", View::<A, u8>::new(&[0; 15]).is_ok());
}
