use layout::layout;

type Packed = u32;
type A = layout!(BF16[512,1024]{1,0:T=Packed});

const AT: usize = A::offset([2, 3]);

fn main() {
    println!("{AT} {}", A::offset([1, 1]));
}
