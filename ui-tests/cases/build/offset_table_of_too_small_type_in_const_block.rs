use layout::layout;

type A = layout!(F32[16,17]{1,0});

fn main() {
    let table: [u8; A::ELEMENTS] = const { A::offset_table() };
    println!("{}", table[0]);
}
