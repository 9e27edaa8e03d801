//! Faults in what `macro_rules` pass on.

use layout::layout;

macro_rules! rows {
    ($rows:tt) => {
        layout!(F32[3,5]{1,0:T(2,$rows)})
    };
}
macro_rules! vector {
    ($size:expr) => {
        layout!(F32[$size]{0})
    };
}
type A = rows!(*);
type B = vector!(1 + 2);
type C = vector!(-3);

fn main() {}
