use layout::element::F8E4M3FN;
use layout::types::StoredAs;
use layout::{Buffer, View, ViewMut, layout};

#[derive(Clone, Copy)]
struct MyFloat(u16);

impl StoredAs<F8E4M3FN> for MyFloat {}

fn main() {
    let mut data = [MyFloat(0); 16];
    println!("{}", View::<layout!(F8E4M3FN[1]), MyFloat>::new(&data).is_ok());
    println!("{}", ViewMut::<layout!(F8E4M3FN[2]), MyFloat>::new(&mut data).is_ok());
    println!("{}", <layout!(F8E4M3FN[3])>::with_dims([3]).unwrap().view(&data).is_ok());
    println!("{}", Buffer::<layout!(F8E4M3FN[4]), MyFloat>::filled(MyFloat(0)).as_slice().len());
    println!("{}", Buffer::<layout!(F8E4M3FN[5]), MyFloat>::from_vec(Vec::new()).is_ok());
}
