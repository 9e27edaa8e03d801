use layout::types::TileOf;
use layout::layout;

fn main() {
    println!("{}", <TileOf<layout!(F32[3,5])>>::TEXT);
}
