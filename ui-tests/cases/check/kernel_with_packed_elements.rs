use layout::{TiledBy, View, layout, order, tiles};

type A = layout!(S4[12,1000]{1,0:T(8,128)(2,1)E(4)});

fn kernel<L: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>>(_: View<L, i8>) {}

fn run(view: View<A, i8>) {
    kernel(view);
}

fn main() {}
