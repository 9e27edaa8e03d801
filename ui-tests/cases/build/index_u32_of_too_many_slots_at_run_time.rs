use layout::layout;

type A = layout!(S8[65536,65536]{1,0:T(8,128)});

fn main() {
    println!("{:?}", A::index_u32(17));
}
