use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn last<T>() -> usize {
    const { A::offset([2, 5]) }
}

fn main() {
    println!("{}", last::<u8>());
}
