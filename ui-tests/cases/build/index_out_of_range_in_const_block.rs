use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    let at = const { A::offset([3, 0]) };
    println!("{at}");
}
