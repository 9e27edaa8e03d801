use layout::{layout, offset};

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    println!("{}", offset!(A, [1, 2, 3]));
}
