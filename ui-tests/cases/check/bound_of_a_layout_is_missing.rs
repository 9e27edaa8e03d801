use layout::{Buffer, Slice, View, WithDims};

fn kernel<L>(_: View<L, f32>, _: Buffer<L, f32>, _: Slice<L, f32>, _: WithDims<L>) {}

fn main() {}
