use layout::layout;

type A = layout!(S8[65536,65536]{1,0:T(8,128)});

const AT: u32 = A::offset_u32([2, 3]);

fn main() {
    println!("{AT}");
}
