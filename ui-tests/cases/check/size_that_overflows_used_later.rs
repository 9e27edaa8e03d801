use layout::layout;

type A<const N: usize> = layout!(F32[N,4]);

const AT: usize = A::<{ 1 << 62 }>::offset([0, 0]);

fn main() {
    println!("{AT}");
}
