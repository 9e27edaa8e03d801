//! Layouts where others are expected, each with one difference.

use core::marker::PhantomData;
use layout::layout;

layout_hlo_macros::hlo! {
    mod program = "hlo/good.hlo";
}

fn load(_: PhantomData<layout!(F32[3,5]{1,0:T(2,2)})>) {}
fn take(_: program::params::P0) {}

fn give(array: layout!(f32[3,5]{1,0:T(2,4)})) {
    load(PhantomData::<layout!(F32[3,6]{1,0:T(2,2)})>);
    load(PhantomData::<layout!(BF16[3,5]{1,0:T(2,2)})>);
    load(PhantomData::<layout!(F32[3,5]{0,1:T(2,2)})>);
    load(PhantomData::<layout!(F32[3,5]{1,0:T(2,4)})>);
    load(PhantomData::<layout!(F32[3,5]{1,0:T(2,2)S(1)})>);
    take(array);
}

fn main() {}
