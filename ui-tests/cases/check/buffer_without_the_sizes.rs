use layout::{Buffer, layout};

fn main() {
    let buffer = Buffer::<layout!(F32[?,5]), f32>::filled(1.0);
}
