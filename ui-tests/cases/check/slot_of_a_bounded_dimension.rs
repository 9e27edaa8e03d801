use layout::walks::Slot;
use layout::layout;

type A = layout!(F32[<=3,5]);

const SLOT: Slot<A> = A::slot([2, 3]);

fn main() {}
