//! What needs the sizes, of layouts that have `?`.

use layout::{Buffer, Padding, View, copy, layout};

type A = layout!(F32[?,1024]{1,0:T(8,128)});
type Host = layout!(F32[?,1024]);

static OFFSETS: [u32; 1024] = A::offset_table();
static ELEMENTS: [u32; 8192] = A::element_table();
const DIMS: [usize; 2] = A::DIMS;
const TRUE_RANK: usize = A::TRUE_RANK;
const CONTIGUOUS: usize = <layout!(F32[3,?])>::CONTIGUOUS_RUN;
const ROW: usize = <layout!(F32[3,?])>::ROW_ALIGNMENT;
const TILES: [usize; 2] = A::TILE_COUNTS;

fn main() {
    let _ = A::region([0..1, 0..2]);
    println!("{}", A::offset([3, 700]));
    println!("{}", A::runs().count());
    println!("{:?}", View::<A, f32>::new(&[0.0; 1024]));
    let buffer = Buffer::<A, f32>::filled(1.0);
    let zeros = Buffer::<Host>::zeroed();
    copy::<Host, A, f32>(&[0.0; 1024], &mut [0.0; 8192], Padding::Zero).unwrap();
}
