use layout::element::F32;
use layout::{Array, types::C};

type A = Array<F32, (C<3>,), (C<1>,)>;

const AT: usize = A::offset([2]);
const ELEMENTS: usize = A::ELEMENTS;
const TEXT: &str = A::TEXT;
static TABLE: [usize; 3] = A::offset_table();

fn main() {}
