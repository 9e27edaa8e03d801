use layout::{layout, reshape_is_bitcast};

const _: () = assert!(reshape_is_bitcast::<layout!(F32[3,5]{0,1}), layout!(F32[15])>());

fn main() {}
