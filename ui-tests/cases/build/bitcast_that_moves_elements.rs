use layout::{View, layout};

type Host = layout!(F32[16,256]);
type Device = layout!(F32[16,256]{1,0:T(8,128)});

fn main() {
    let host = [0.0; Host::PADDED_ELEMENTS];
    let view = View::<Host, f32>::new(&host).unwrap();
    println!("{:?}", view.bitcast::<Device>());
}
