use layout::{layout, offset};

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    for i in 0..3 {
        println!("row {i} begins at {}", offset!(A, [i, 0]));
    }
}
