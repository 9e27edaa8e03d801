type A = layout::layout!(F32[2048,1024]{1,0:T(8,128)});

static TABLE: [u32; A::ELEMENTS] = A::offset_table();

fn main() {
    println!("{}", TABLE[77]);
}
