//! Items that are cut off: those before keep their meaning.

use layout::layout;

layout! {
    type A = F32[3,5]{1,0};
    type B = F32[3,5]{1,0}
    /// The bias.
    type C = F32[3]{0};
}
layout! {
    type D = F32[3,5]{1,0}
}
layout! {
    pub type E = F32[3,1024]{1,0:T(8,128)}, max_expansion = 2;
}
layout! {
    #allow(dead_code) type F = F32[3,5]{1,0};
}
layout! {
    type G = F32[3,5]{1,0};
    #[allow(dead_code)]
}

fn main() {
    println!("{}", A::ELEMENTS);
}
