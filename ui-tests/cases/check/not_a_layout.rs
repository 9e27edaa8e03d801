//! Types that are not the layout of an array of this rank.

use layout::{Buffer, Layout, Slice, View, WithDims, layout};
use layout_gpu::code;

fn unbounded<L>(_: View<L, f32>, _: Buffer<L, f32>, _: Slice<L, f32>, _: WithDims<L>) {}

fn without_rank<L: Layout>() {}

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<layout!(F32[2,3,5]{2,1,0})>();
    sum::<layout!(F32[?,1024])>();
    sum::<layout!((F32[3,5], F32[3]))>();
    sum::<layout!(b(F32[3,5]{1,0}))>();
    sum::<layout!(token[])>();
    sum::<[f32; 15]>();
    println!("{}", code!(layout!(token[]), Wgsl, "a"));
    println!("{}", View::<[f32; 3], f32>::new(&[0.0; 3]).is_ok());
}
