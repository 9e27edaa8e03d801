//! Sizes, strides and elements that no memory has: refused, or left out where an array has no element, or one along a dimension.

use core::mem::MaybeUninit;

use layout::__private::copies::Plan as Exchanged;
use layout::copies::{PartOfBlocks, Placed};
use layout::types::StoredIn;
use layout::{AnyLayout, ArrayShape, Padding, Plan, Strided, StridedMut, layout};
use layout_formats::packed_format::BlockFormat;

fn shape(text: &str) -> ArrayShape {
    text.parse().expect("it is a shape")
}

/// The other sizes are any numbers, and elements that are not there share no memory.
#[test]
fn without_elements() {
    for strides in [[isize::MAX, 7, isize::MIN], [1, 1, 0]] {
        let dims = [usize::MAX, 0, 5];
        let from = Strided::<u8, 3>::new(&[], dims, strides).unwrap();
        let mut to = StridedMut::new(&mut [], dims, strides).unwrap();
        from.copy_to(&mut to, Padding::Leave).unwrap();
        assert_eq!(to.get_mut([0; 3]), None);
        let empty = shape("u8[3,0,5]");
        let plan = Placed::strides(&empty, &strides);
        let plan = Plan::between(plan, plan).unwrap();
        assert_eq!((plan.source_bytes(), plan.destination_bytes()), (0, 0));
        plan.run_bytes(&[], &mut [0; 0], Padding::Zero).unwrap();
    }
    let scales = BlockFormat::find("q4_0").unwrap().part("scale").unwrap();
    let plan =
        Plan::between(&PartOfBlocks::from(scales), &shape("f16[0,4611686018427387903]")).unwrap();
    plan.run_bytes(&[], &mut [0; 0], Padding::Zero).unwrap();
}

/// Along a dimension of one element any stride does.
#[test]
fn strides_of_one_element() {
    fn check<L>()
    where
        L: AnyLayout<Index = [usize; 2]>,
        f32: StoredIn<L>,
    {
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0];
        let fars = [isize::MAX, isize::MIN, isize::MAX / 2 + 1, 0, -1];
        for far in fars.into_iter().take(if cfg!(miri) { 2 } else { 5 }) {
            for (dims, strides) in [([1, 5], [far, 1]), ([5, 1], [-1, far]), ([1, 1], [far; 2])] {
                let mut expected = numbers[..dims[0] * dims[1]].to_vec();
                if strides[0] == -1 && dims[0] > 1 {
                    expected.reverse();
                }
                let from = Strided::new(&numbers, dims, strides).unwrap();
                let view = from.to::<L>().unwrap();
                assert_eq!(view.to_row_major(), expected, "{dims:?} {strides:?}");
                let mut mapped = from.to::<L>().unwrap();
                from.map_to(&mut mapped, Padding::Leave, |_, number| -number).unwrap();
                let back = mapped.to_row_major();
                assert!(back.iter().zip(&expected).all(|(back, number)| *back == -number));
                let mut memory = vec![MaybeUninit::uninit(); view.as_slice().len()];
                let found = from.write_to::<L, _>(memory.as_mut_slice(), 0.0).unwrap();
                assert_eq!(found, view.as_slice());
                let mut rows = [0.0; 5];
                let mut to = StridedMut::new(&mut rows, dims, strides).unwrap();
                view.copy_to(&mut to, Padding::Leave).unwrap();
                let read = |at: usize| if dims[0] > 1 { to[[at, 0]] } else { to[[0, at]] };
                assert!(expected.iter().enumerate().all(|(at, number)| read(at) == *number));
                let mut rows = [0.0; 5];
                let mut to = StridedMut::new(&mut rows, dims, strides).unwrap();
                from.copy_to(&mut to, Padding::Leave).unwrap();
                assert_eq!(rows[..expected.len()], numbers[..expected.len()]);
                let same = shape(&format!("f32[{},{}]", dims[0], dims[1]));
                let plan = Plan::between(Placed::strides(&same, &strides), &same).unwrap();
                let mut found = vec![0.0; expected.len()];
                plan.run(&numbers, &mut found, Padding::Leave).unwrap();
                assert_eq!(found, expected);
            }
        }
    }
    check::<layout!(F32[?,?])>();
    check::<layout!(F32[?,?]{0,1})>();
    check::<layout!(F32[?,?]{1,0:T(8,128)})>();
    check::<layout!(F32[?,?]{1,0:T(2,4)(2,1)})>();
    check::<layout!(F32[?,?]{0,1:T(*,3)(2,1)})>();
}

/// `every_door` copies these to memory that held nothing.
#[test]
fn the_smallest_arrays_whose_bits_are_exchanged() {
    for [from, to] in
        [["f32[96,96]{0,1:T(2,2)}", "f32[96,96]"], ["f32[95,97]", "f32[95,97]{0,1:T(2,2)}"]]
    {
        let [a, b] = [from, to].map(|text| shape(text).digits().unwrap());
        assert!(Exchanged::new(&a, &b, 4).exchanges_bits, "{to}");
    }
}
