use layout::layout;

layout! {
    type A = F23[3];
    type B = F32[3]{1};
    type C = F32[3]{0};
}

fn main() {
    println!("{} {} {}", A::ELEMENTS, B::ELEMENTS, C::ELEMENTS);
}
