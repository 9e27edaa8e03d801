use layout::{TiledBy, View, layout, order, tiles};

type A = layout!(BF16[12,<=1000]{1,0:T(8,128)(2,1)});

fn kernel<L: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>>(_: View<L, u16>) {}

fn run(view: View<A, u16>) {
    kernel(view);
}

fn main() {}
