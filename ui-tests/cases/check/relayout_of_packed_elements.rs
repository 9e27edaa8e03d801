use layout::{Padding, layout, relayout};

type Bytes = layout!(S4[8]);
type Packed = layout!(S4[8]{0:E(4)});

fn main() {
    relayout::<Bytes, Packed, i8>(&[0; 8], &mut [0; 8], Padding::Zero).unwrap();
}
