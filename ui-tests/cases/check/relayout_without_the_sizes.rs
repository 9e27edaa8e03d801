use layout::{Padding, layout, relayout};

type Host = layout!(F32[?,128]);
type Device = layout!(F32[?,128]{1,0:T(8,128)});

fn main() {
    let (host, mut device) = ([0.0; 1024], [0.0; 1024]);
    relayout::<Host, Device, f32>(&host, &mut device, Padding::Zero).unwrap();
}
