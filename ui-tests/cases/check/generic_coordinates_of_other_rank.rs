use layout::Layout;

fn sum<L: Layout<2>>() -> usize {
    L::offset([0, 0, 0])
}

fn main() {}
