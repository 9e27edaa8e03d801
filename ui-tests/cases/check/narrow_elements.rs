//! Elements of fewer bits than their type has: XLA accepts them, and the compiler warns, which can be denied.
#![deny(deprecated)]

use layout::{View, layout};

type Floats = layout!(F32[3,5]{1,0:E(4)});

layout! {
    type Integers = (PRED[8]{0:E(1)}, U4[3,5]{1,0:T(2,2)E(3)}, F6E2M3FN[8]{0:E(6)});
    /// No word of this one.
    #[allow(deprecated, reason = "a text of XLA has it")]
    type Meant = U4[8]{0:E(3)};
}

fn main() {
    println!("{}", View::<Floats>::new(&[0.0; 15]).is_ok());
}
