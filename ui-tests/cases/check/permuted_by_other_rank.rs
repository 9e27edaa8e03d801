use layout::types::Permuted;
use layout::{layout, permutation};

type A = Permuted<layout!(F32[3,5]), permutation!(1, 2, 0)>;

fn main() {
    println!("{}", A::TEXT);
}
