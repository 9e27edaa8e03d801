use layout::{layout, same_bytes};

type A = layout!(S8[1000,1000]{1,0:T(*,7)(5)});

fn main() {
    // Only the last elements differ.
    println!("{}", same_bytes::<A, layout!(S8[1000,1000]{1,0:T(*,999995)(7)(5)})>());
}
