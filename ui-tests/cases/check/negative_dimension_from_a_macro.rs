use layout::layout;

macro_rules! vector {
    ($size:literal) => {
        layout!(F32[$size]{0})
    };
}

type A = vector!(-3);

fn main() {}
