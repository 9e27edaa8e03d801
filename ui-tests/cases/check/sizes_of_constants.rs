//! Layouts that only the compiler knows, and refuses: uses of them cause no further errors.

use layout::{layout, tiles};

type Wide = tiles!((4294967296,4294967296));
type A = layout!(S8[3,5]{1,0:T=Wide});
const AT: usize = A::offset([2, 3]);
static TABLE: [usize; A::ELEMENTS] = A::offset_table();

type Sized<const N: usize> = layout!(F32[N,4]);
const BEYOND: usize = Sized::<{ 1 << 62 }>::offset([0, 0]);

const LARGE: usize = 1 << 62;
layout! {
    type B = F32[5,LARGE];
    type C = F32[2,LARGE]{1,0:PAD(2,3)};
    type D = F32[8,8]{1,0:T(2,{ LARGE - (1 << 62) })};
}

type Packed = tiles!((8,128)(2,1));
type Expanded = layout!(BF16[1024,4]{1,0:T=Packed}, max_expansion = 1.5);
const _: usize = Expanded::BYTES;

const ROWS: usize = 3;
type Padded = layout!(F32[ROWS,4]{1,0:T(8,128)}, max_expansion = 2);

fn main() {
    println!("{AT} {} {} {BEYOND}", TABLE[0], A::offset([1, 1]));
    println!("{} {} {}", B::TEXT, C::RANK, Padded::TEXT);
    println!("{}", D::TEXT);
}
