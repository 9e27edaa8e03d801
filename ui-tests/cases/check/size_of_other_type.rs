use layout::layout;

const ROWS: u32 = 3;

type A = layout!(F32[ROWS,5]);

fn main() {
    println!("{}", A::TEXT);
}
