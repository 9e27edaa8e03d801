use layout::layout;

type A = layout!(PRED[4611686018427387905]{0:L(4611686018427387904)E(1)});

fn main() {}
