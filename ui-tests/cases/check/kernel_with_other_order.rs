use layout::{Tiled, View, layout, order, tiles};

type A = layout!(F32[?,1024]{0,1:T(8,128)});

fn kernel<L: Tiled<2, Order = order!(1, 0), Tiles = tiles!((8,128))>>(_: View<L, f32>) {}

fn run(view: View<A, f32>) {
    kernel(view);
}

fn main() {}
