use layout::layout;

fn main() {
    let a = layout!(F32[3,5]{1,0:T(2,2)});
}
