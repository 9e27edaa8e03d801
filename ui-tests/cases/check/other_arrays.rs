//! Layouts of arrays that are not one: of other elements, or of other dimensions.

use layout::{Copier, Padding, View, ViewMut, copy, layout};

type Host = layout!(F32[3,5]);
type Integers = layout!(S32[3,5]{1,0:T(2,2)});
type Turned = layout!(F32[5,3]{1,0:T(2,2)});
type Wider = layout!(F32[3,6]{1,0:T(2,2)});

const PACK: Copier<layout!(F32[?,?]), layout!(F32[?,?,?])> = Copier::new();

fn main() {
    let view = View::<Host, f32>::new(&[0.0; 15]).unwrap();
    println!("{:?}", view.bitcast::<layout!(U32[3,5])>());
    println!("{:?}", view.reshape::<layout!(U32[15])>());
    copy::<Host, Integers, i32>(&[0; 15], &mut [0; 24], Padding::Zero).unwrap();
    copy::<Host, Turned, f32>(&[0.0; 15], &mut [0.0; 24], Padding::Zero).unwrap();
    let mut wider = [0.0; Wider::PADDED_ELEMENTS];
    let mut wider = ViewMut::<Wider, f32>::new(&mut wider).unwrap();
    view.copy_to(&mut wider, Padding::Zero).unwrap();
    println!("{:?}", view.to::<Turned>());
    let mut numbers = ViewMut::<Integers, i32>::new(&mut [0; 24]).unwrap();
    let slice = view.slice((.., 1..)).unwrap();
    slice.copy_to(&mut numbers.slice_mut((.., 1..)).unwrap(), Padding::Leave).unwrap();
    slice.copy_to(&mut [0.0; 12], Padding::Leave).unwrap();
    view.copy_to(&mut vec![0.0; 15], Padding::Leave).unwrap();
    view.map_to(&mut [0.0; 15], Padding::Leave, |_, x| x).unwrap();
    view.write_to::<Turned>(&mut vec![0.0; 15], Padding::Leave).unwrap();
    let copier = Copier::<Host, Integers>::new();
    copier.run([3, 5], &[0.0; 15], &mut [0.0; 24], Padding::Zero).unwrap();
    Copier::<Host, Turned>::new();
    Copier::<layout!(F32[?,?,3]), layout!(F32[3,?,?])>::new();
    PACK.run([3, 5], &[0.0; 15], &mut [0.0; 24], Padding::Zero).unwrap();
}
