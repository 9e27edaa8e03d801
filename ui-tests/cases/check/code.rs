//! Functions for kernels under names and in languages that there are not, and of arrays with too many slots.

use layout::layout;
use layout_gpu::code;

type A = layout!(F32[3,5]{1,0:T(2,2)});
type Large = layout!(F32[65536,65536]);

const DASH: &str = code!(A, Cuda, "my-layout");
const LARGE: &str = code!(Large, Wgsl, "a");

fn main() {
    println!("{}", code!(A, Glsl, "a"));
    println!("{}", code!(A, Wgsl, "smooth"));
}
