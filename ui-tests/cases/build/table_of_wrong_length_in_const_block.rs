use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    let table: [u8; 3] = const { A::offset_table() };
    println!("{}", table[0]);
}
