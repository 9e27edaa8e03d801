//! Constants that depend on sizes, of a layout whose sizes are known at run time only.

use layout::layout;

type A = layout!(F32[?,?]);

fn main() {
    println!("{:?} {:?}", A::DIMS, A::PHYSICAL_DIMS);
    println!("{} {}", A::ELEMENTS, A::PADDED_ELEMENTS);
    println!("{} {}", A::BYTES, A::UNPADDED_BYTES);
    println!("{} {}", A::EXPANSION, A::TRUE_RANK);
    println!("{:?} {:?}", A::TILE_DIMS, A::TILE_COUNTS);
    println!("{} {}", A::TILE_ELEMENTS, A::TILE_ALIGNMENT);
    println!("{} {}", A::ROW_ALIGNMENT, A::CONTIGUOUS_RUN);
    println!("{}", A::XLA_ARRAY_BYTES);
}
