use layout::View;

fn main() {
    println!("{}", View::<[f32; 3], f32>::new(&[0.0; 3]).is_ok());
}
