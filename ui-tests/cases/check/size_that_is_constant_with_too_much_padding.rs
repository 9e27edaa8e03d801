use layout::layout;

const ROWS: usize = 3;

type A = layout!(F32[ROWS,4]{1,0:T(8,128)}, max_expansion = 2);

fn main() {
    println!("{}", A::TEXT);
}
