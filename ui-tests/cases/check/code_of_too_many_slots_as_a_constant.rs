use layout::layout;

type A = layout!(F32[65536,65536]);

const KERNEL: &str = A::CUDA;

fn main() {
    println!("{KERNEL}");
}
