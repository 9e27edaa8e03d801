use layout::offset;

fn main() {
    println!("{}", offset!(F32[3,5]{1,0}, [2, 3]));
}
