#![allow(missing_docs)]
use layout::{layout, offset, tiles, Layout};
type A = layout!(F32[3,5]<1,0:T(2,2)>);
const AT: usize = A::offset([2,3]);
layout! {
    /// Weights
    pub type W = BF16[2048,4096]{1,0:T(8,128)(2,1)};
    type Bias = F32[4096]{0:T(1024)};
    type Tup = (f32[2], token[], b(f32[<=3]{0}), s4[7]{0:L(8)E(4)S(-1)SC(0:2,3)M(8)});
    type Pd = F32[2,3]{0,1:PAD(3,5)FILL(zero)};
}
type Packed = tiles!((8,128)(2,1));
type N = layout!(BF16[512,1024]{1,0:T=Packed});
fn sum<L: Layout<2>>() -> usize { L::offset([1,1]) + L::ELEMENTS }
fn same(_: Option<N>) {}
static LUT: [u8; A::ELEMENTS] = A::offset_table_u8();
static WHO: [usize; A::PADDED_ELEMENTS] = A::element_table();
fn main() {
    println!("{AT} {} {} {:?} {:?}", offset!(A, [2,2]), A::TEXT, A::PHYSICAL_DIMS, A::MINOR_TO_MAJOR);
    println!("{} {} {} {}", W::TEXT, Bias::TEXT, Pd::TEXT, sum::<W>());
    println!("{:?} {:?}", LUT, WHO);
    println!("{}", <Tup as Sel>::T::TEXT);
    println!("{}", core::any::type_name::<Tup>());
    same(None::<layout!(BF16[512,1024]{1,0:T(8,128)(2,1)})>);
    println!("{:?} {} {}", A::index(17), A::is_padding(9), A::dim(-1));
}
trait Sel { type T; }
impl<A,B,C,D> Sel for (A,B,C,D) { type T = D; }
