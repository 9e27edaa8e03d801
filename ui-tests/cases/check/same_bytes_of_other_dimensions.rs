use layout::{layout, same_bytes};

fn main() {
    println!("{}", same_bytes::<layout!(F32[3,5]), layout!(F32[15])>());
}
