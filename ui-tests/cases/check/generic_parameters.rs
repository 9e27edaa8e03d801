//! Generic parameters, which a constant in a type cannot name.

use layout::layout;

type Tiles<T> = layout!(F32[3,5]{1,0:T=T});
type Size<const N: usize> = layout!(F32[{ 2 * N }, 4]);

fn main() {}
