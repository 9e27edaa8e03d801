use core::marker::PhantomData;

use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});
type B = layout!(BF16[3,5]{1,0:T(2,2)});

fn load(_: PhantomData<A>) {}

fn main() {
    load(PhantomData::<B>);
}
