use layout::{Buffer, layout};

fn main() {
    let buffer = Buffer::<layout!(BF16[3,5]), f32>::zeroed();
}
