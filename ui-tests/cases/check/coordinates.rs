//! Coordinates in another number than the layout has dimensions, and of another type; a table of another type.

use layout::{Layout, View, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});
type Unknown = layout!(F32[?,1024]{1,0:T(8,128)});

static TABLE: [u16; A::ELEMENTS] = A::offset_table();

fn generic<L: Layout<2>>() -> usize {
    L::offset([0, 0, 0])
}

fn of_view(view: View<'_, A, f32>) {
    println!("{} {:?}", view[[1, 2, 3]], view.get([1]));
    println!("{:?}", view.slice((0, 1..)));
    println!("{:?}", view.slice((0..2, .., 1..)));
}

fn main() {
    println!("{}", A::offset([1]));
    println!("{}", A::offset([1, 2, 3]));
    println!("{}", A::offset((1, 0)));
    println!("{}", A::offset([-1, 0]));
    let at: Option<[usize; 3]> = A::index(17);
    println!("{:?}", Unknown::with_dims([3]));
}
