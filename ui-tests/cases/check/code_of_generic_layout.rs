use layout::{Layout, code};

fn shader<L: Layout<2>>() -> &'static str {
    code!(L, Wgsl, "a")
}

fn main() {
    println!("{}", shader::<layout::layout!(F32[3,5])>());
}
