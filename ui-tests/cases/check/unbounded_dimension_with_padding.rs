use layout::layout;

type A = layout!(F32[?,5]{1,0:PAD(8,8)});

fn main() {
    println!("{}", A::RANK);
}
