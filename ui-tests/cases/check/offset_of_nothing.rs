use layout::offset;

fn main() {
    println!("{}", offset!());
}
