use layout::packed_format::Marlin;

const BYTES: usize = Marlin::<64, 100>::BYTES;

fn main() {}
