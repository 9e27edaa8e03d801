use layout::{TileOf, layout};

fn main() {
    println!("{}", <TileOf<layout!(F32[3,5])>>::TEXT);
}
