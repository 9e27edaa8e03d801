use layout::layout;

fn main() {
    let n = 3;
    println!("{}", <layout!(F32[n,5])>::TEXT);
}
