//! Named tiles that are something else, and a size that is: uses of these layouts cause no further errors.

use layout::layout;

type Word = u32;
type A = layout!(BF16[512,1024]{1,0:T=Word});
const AT: usize = A::offset([2, 3]);

const ROWS: u32 = 3;
type C = layout!(F32[ROWS,5]);

fn main() {
    println!("{AT} {} {}", A::offset([1, 1]), C::TEXT);
}
