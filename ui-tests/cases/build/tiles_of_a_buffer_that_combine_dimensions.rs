use layout::{Buffer, layout};

fn main() {
    let buffer = Buffer::<layout!(F32[4,5,6]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.tiles().count());
    let mut buffer = Buffer::<layout!(F32[4,5,7]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.tiles_mut().count());
    let buffer = Buffer::<layout!(F32[4,5,8]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.tile([0, 0, 0]).is_some());
    let mut buffer = Buffer::<layout!(F32[4,5,9]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.as_view_mut().tiles().count());
    let buffer = Buffer::<layout!(F32[9]{0:T(2)}), f32>::filled(0.0);
    println!("{}", buffer.blocks::<1>().count());
}
