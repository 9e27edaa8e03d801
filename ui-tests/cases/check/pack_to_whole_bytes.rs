use layout::{Padding, layout, pack};

type Bytes = layout!(S4[8]);

fn main() {
    pack::<Bytes, Bytes, i8>(&[0; 8], &mut [0; 8], Padding::Zero).unwrap();
}
