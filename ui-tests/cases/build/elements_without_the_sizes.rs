use layout::layout;

fn main() {
    type A = layout!(F32[?,1024]{1,0:T(8,128)});
    println!("{}", A::PADDED_ELEMENTS);
}
