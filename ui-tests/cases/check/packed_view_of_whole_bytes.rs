use layout::{PackedView, layout};

type A = layout!(S4[3,5]{1,0});

fn main() {
    println!("{}", PackedView::<A>::new(&[0; 15]).is_ok());
}
