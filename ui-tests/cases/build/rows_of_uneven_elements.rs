use layout::{Buffer, layout};

fn main() {
    let buffer = Buffer::<layout!(F32[4,5,6]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.as_view().rows().count());
    let mut buffer = Buffer::<layout!(F32[4,5,7]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.as_view_mut().rows_mut().count());
    let buffer = Buffer::<layout!(F32[4,5,8]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.slice([1..2, 0..5, 0..8]).unwrap().rows().count());
}
