//! What is found only where generic code is generated.

use layout::element::F32;
use layout::types::C;
use layout::{Array, Layout, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});
type WrongOrder = Array<F32, (C<3>,), (C<1>,)>;
type OtherWrongOrder = Array<F32, (C<4>,), (C<1>,)>;

fn last<T>() -> usize {
    const { A::offset([2, 5]) }
}

fn first<L: Layout<1>>() -> usize {
    L::offset([0]) + L::ELEMENTS
}

type Panels<const NR: usize> = layout!(F32[?,?]{0,1:T(NR,1)});

fn panel<const NR: usize>() -> &'static str {
    Panels::<NR>::TEXT
}

fn table<L: Layout<2>>() -> [u8; 24] {
    L::offset_table()
}

fn main() {
    table::<A>();
    panel::<0>();
    println!("{}", last::<u8>());
    println!("{}", WrongOrder::offset([2]));
    println!("{}", first::<OtherWrongOrder>());
}
