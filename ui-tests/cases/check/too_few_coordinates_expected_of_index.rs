use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    let at: Option<[usize; 3]> = A::index(17);
    println!("{at:?}");
}
