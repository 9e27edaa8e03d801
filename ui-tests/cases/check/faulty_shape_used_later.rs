use layout::{Layout, layout, offset};

layout! {
    /// The weights.
    pub type Weights = BF16[2048,4096]{1,0:T(8,*)};
    /// The bias.
    pub type Bias = F32[4096]{0:T(1024)};
}

const AT: usize = Weights::offset([2, 3]);
static TABLE: [usize; Weights::ELEMENTS] = Weights::offset_table();

struct Model {
    weights: Weights,
    bias: [f32; Bias::PADDED_ELEMENTS],
}

fn sum<L: Layout<2>>() -> usize {
    L::offset([1, 1]) + L::ELEMENTS
}

fn same(_: Option<Weights>) -> usize {
    sum::<Weights>() + Weights::TEXT.len() + offset!(Weights, [0, 0])
}

fn main() {
    same(None::<Weights>);
    let [rows, _] = Weights::DIMS;
    for i in 0..rows {
        println!("{} {AT}", Weights::offset([i, 0]));
    }
}
