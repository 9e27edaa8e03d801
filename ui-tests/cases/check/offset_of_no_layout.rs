use layout::offset;

fn main() {
    println!("{}", offset!(u32, [2, 3]));
}
