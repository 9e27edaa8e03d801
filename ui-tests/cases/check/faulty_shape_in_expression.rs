use layout::{Layout, layout};

fn sum<L: Layout<2>>() -> usize {
    L::offset([1, 1]) + L::ELEMENTS
}

fn main() {
    println!("{}", sum::<layout!(F32[3,5]{1,1})>());
    println!("{}", <layout!(F32[3,5]{1,2})>::offset([1, 1]));
}
