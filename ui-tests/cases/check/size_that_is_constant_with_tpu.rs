use layout::layout;

const ROWS: usize = 3;

type A = layout!(tpu = V5e, F32[ROWS,4]);

fn main() {}
