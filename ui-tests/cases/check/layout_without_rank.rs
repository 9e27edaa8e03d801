use layout::Layout;

fn sum<L: Layout>() -> usize {
    L::ELEMENTS
}

fn main() {}
