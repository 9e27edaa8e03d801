use core::marker::PhantomData;

use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});
type B = layout!(F32[3,5]{1,0:T(2,2)S(1)});

fn load(_: PhantomData<A>) {}

fn main() {
    load(PhantomData::<B>);
}
