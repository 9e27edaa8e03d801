use layout::{TiledBy, layout, order, tiles};

trait Model {
    type Weights: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>;
}

struct Small;

impl Model for Small {
    type Weights = layout!(BF16[?,1024]{1,0:T(8,128)});
}

fn main() {}
