use layout::{layout, tiles};

type Wide = tiles!((4294967296,4294967296));
type A = layout!(S8[3,5]{1,0:T=Wide});

const AT: usize = A::offset([2, 3]);
static TABLE: [usize; A::ELEMENTS] = A::offset_table();

fn main() {
    println!("{AT} {} {}", TABLE[0], A::offset([1, 1]));
}
