//! Constants that ask for what the layout does not have.

use layout_formats::packed_format::Marlin;
use layout::{bitcast, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});

const BELOW: usize = A::dim(-3);
const ABOVE: usize = A::dim(5);
const FIRST: usize = A::offset([3, 0]);
const SECOND: usize = A::offset([0, 5]);

const COLUMNS: usize = 1000;
const _: () = <layout!(F32[?,1024]{1,0:T(8,128)})>::assert_dims([20, COLUMNS]);

const MARLIN: usize = Marlin::<64, 100>::BYTES;
const NARROW: u32 = <layout!(S8[65536,65536]{1,0:T(8,128)})>::offset_u32([2, 3]);
const _: () = assert!(bitcast::reshape_is_bitcast(A::SHAPE, <layout!(F32[15])>::SHAPE));

fn main() {}
