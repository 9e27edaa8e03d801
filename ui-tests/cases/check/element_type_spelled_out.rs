use layout::layout;

type A = layout!(float[3,5]);

fn main() {}
