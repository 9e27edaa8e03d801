use layout::{Padding, layout, relayout};

type Host = layout!(F32[3,5]);
type Device = layout!(S32[3,5]{1,0:T(2,2)});

fn main() {
    let mut device = [0; Device::PADDED_ELEMENTS];
    relayout::<Host, Device, i32>(&[0; 15], &mut device, Padding::Zero).unwrap();
}
