use layout::layout;

fn main() {
    let at = layout!(F32[3,5]{1,0:T(2,2)}).offset([1, 2]);
}
