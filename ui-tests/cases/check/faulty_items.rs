//! One mistake gives one error: uses of the faulty types add none.

use layout::{Layout, TiledBy, layout, order, tiles};

layout! {
    /// The weights.
    pub type Weights = BF16[2048,4096]{1,0:T(8,*)};
    /// The bias.
    pub type Bias = F32[4096]{0:T(1024)};
    type A = F23[3];
    type B = F32[3]{1};
}
type Part = layout!((F32[3,5]{1,0}, F32[3,5]{1,1}));
type Packed = tiles!((8,0)(2,1));
type Named = layout!(BF16[512,1024]{1,0:T=Packed});

const AT: usize = Weights::offset([2, 3]);
const OF_NAMED: usize = Named::offset([2, 3]);
static TABLE: [usize; Weights::ELEMENTS] = Weights::offset_table();

struct Model {
    weights: Weights,
    bias: [f32; Bias::PADDED_ELEMENTS],
}

fn sum<L: Layout<2>>() -> usize {
    L::offset([1, 1]) + L::ELEMENTS
}

fn kernel<L: Layout<2> + TiledBy<order!(1, 0), Packed>>() -> usize {
    L::ELEMENTS
}

fn same(_: Option<Weights>) -> usize {
    sum::<Weights>() + Weights::TEXT.len() + Weights::offset([0, 0])
}

fn take<L, M>(_: Option<(L, M)>) {}

fn main() {
    same(None::<Weights>);
    take(None::<Part>);
    let [rows, _] = Weights::DIMS;
    for i in 0..rows {
        println!("{} {AT}", Weights::offset([i, 0]));
    }
    println!("{OF_NAMED} {} {}", kernel::<Named>(), Named::offset([1, 1]));
    println!("{} {}", A::ELEMENTS, B::index(3).is_some());
    println!("{}", sum::<layout!(F32[3,5]{1,1})>());
    println!("{}", <layout!(F32[3,5]{1,2})>::offset([1, 1]));
}
