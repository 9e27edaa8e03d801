use layout::{Padding, layout, unpack};

type Packed = layout!(PRED[8]{0:E(1)});
type Wide = layout!(PRED[8]{0:E(32)});

fn main() {
    unpack::<Packed, Wide, u32>(&[0; 1], &mut [0; 8], Padding::Zero).unwrap();
}
