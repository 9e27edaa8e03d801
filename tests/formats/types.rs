//! Types of packed formats whose sizes are at the edges.

use layout_formats::packed_format::{Gptq2, MarlinScalesChannel, PackedFormat, Quanto};

/// Where the system pads, the type takes every size.
#[test]
fn types_of_formats_that_pad() {
    type Weights = Gptq2<35, 4>;
    assert_eq!(Weights::TEXT, "u2[35,4]{1,0:T(16,1)E(2)}");
    assert_eq!((Weights::PADDED_ELEMENTS, Weights::BYTES), (48 * 4, 48));
    assert_eq!(Weights::offset([34, 3]), (2 * 4 + 3) * 16 + 2);
    let value = PackedFormat::find("gptq").unwrap().layout(&"u2[35,4]".parse().unwrap());
    assert_eq!(value, Ok(*Weights::SHAPE));
}

/// A fixed size is not a parameter.
#[test]
fn types_with_a_fixed_size() {
    assert_eq!(Quanto::<3, 5>::TEXT, "u4[2,3,5]{0,2,1:E(4)}");
    assert_eq!(MarlinScalesChannel::<layout::element::F16, 64>::DIMS, [1, 64]);
}
