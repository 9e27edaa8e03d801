use layout::layout;

type A = layout!(F32[256]{0:PAD(257)});

static TABLE: [u8; A::PADDED_ELEMENTS] = A::element_table();

fn main() {
    println!("{}", TABLE[0]);
}
