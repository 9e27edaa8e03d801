//! Types that `layout!` does not write.

use layout::element::F32;
use layout::types::{C, Untiled};
use layout::types::property::{FillWith, Space, Zero};
use layout::Array;

type WrongOrder = Array<F32, (C<3>,), (C<1>,)>;
const AT: usize = WrongOrder::offset([2]);
const ELEMENTS: usize = WrongOrder::ELEMENTS;
const TEXT: &str = WrongOrder::TEXT;
static TABLE: [usize; 3] = WrongOrder::offset_table();

type ShortOrder = Array<F32, (C<3>, C<5>), (C<0>,)>;
const OF_SHORT_ORDER: usize = ShortOrder::ELEMENTS;

type Default = Array<F32, (C<2>,), (C<0>,), Untiled, (Space<0>,)>;
const DIMS: [usize; 1] = Default::DIMS;

type FillAlone = Array<F32, (C<2>,), (C<0>,), Untiled, (FillWith<Zero>,)>;
const RANK: usize = FillAlone::RANK;

fn main() {
    println!("{DIMS:?} {RANK}");
}
