use layout::layout;
use layout::notation::PjrtMemoryLayout;

type A = layout!(F32[3,5]{1,0:PAD(4,8)});
const LAYOUT: PjrtMemoryLayout<'static> = A::PJRT;

fn main() {
    println!("{LAYOUT:?}");
}
