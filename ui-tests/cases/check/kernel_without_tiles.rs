use layout::{TiledBy, View, layout, order, tiles};

struct Weights<'a, L: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>> {
    view: View<'a, L, u16>,
}

fn run(weights: Weights<layout!(BF16[512,1024]{1,0})>) {}

fn main() {}
