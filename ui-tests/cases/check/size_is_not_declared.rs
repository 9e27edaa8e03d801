use layout::layout;

type A = layout!(F32[rows,5]{1,0:T(2,2)});

fn main() {
    println!("{}", A::TEXT);
}
