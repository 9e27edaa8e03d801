use layout::layout;

type A = layout!(einops = "(h 8) w -> h w w 8", F32[40,30]);

fn main() {}
