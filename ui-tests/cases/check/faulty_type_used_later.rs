use layout::{Layout, layout};

type A = layout!(F32[3,5]{1,1});

const AT: usize = A::offset([2, 3]);

fn sum<L: Layout<2>>() -> usize {
    L::offset([1, 1]) + L::ELEMENTS
}

fn main() {
    println!("{AT} {} {}", sum::<A>(), A::index(3).is_some());
}
