use layout::{View, layout};

type A = layout!(F32[3,5]{1,0});

fn at(view: View<'_, A, f32>) -> f32 {
    view[[1, 2, 3]]
}

fn main() {
    println!("{}", at(View::new(&[0.0; 15]).unwrap()));
}
