use layout::layout;

const ROWS: usize = 1 << 62;

layout! {
    type A = F32[5,ROWS];
    type B = F32[2,ROWS]{1,0:PAD(2,3)};
}

fn main() {
    println!("{} {}", A::TEXT, B::RANK);
}
