use layout::{Padding, View, ViewMut, layout};

type Host = layout!(F32[3,5]);
type Device = layout!(F32[3,6]{1,0:T(2,2)});

fn main() {
    let mut device = [0.0; Device::PADDED_ELEMENTS];
    let mut device = ViewMut::<Device, f32>::new(&mut device).unwrap();
    let host = View::<Host, f32>::new(&[0.0; 15]).unwrap();
    host.relayout_to(&mut device, Padding::Zero);
}
