use layout::layout;

macro_rules! rows {
    ($rows:tt) => {
        layout!(F32[3,5]{1,0:T(2,$rows)})
    };
}

type A = rows!(*);

fn main() {}
