use layout::types::TileOf;
use layout::layout;

fn main() {
    println!("{}", <TileOf<layout!(F32[3,5,7]{2,1,0:T(*,8,128)})>>::TEXT);
}
