use layout::layout;

macro_rules! vector {
    ($size:expr) => {
        layout!(F32[$size]{0})
    };
}

type A = vector!(1 + 2);

fn main() {}
