use layout::walks::Slot;
use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});
const LAST: Slot<A> = A::slot([2, 5]);

fn main() {
    println!("{LAST:?}");
}
