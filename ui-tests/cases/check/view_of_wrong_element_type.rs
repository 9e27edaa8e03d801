use layout::{View, layout};

type A = layout!(F32[3,5]{1,0});

fn main() {
    let data = [0.0f64; 15];
    let view = View::<A, f64>::new(&data);
    println!("{}", view.is_ok());
}
