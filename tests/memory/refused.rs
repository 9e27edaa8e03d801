//! What is refused and what stops a program: each message names what it is of.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::dynamic::DynLayout;
use layout::{Buffer, PackedView, PackedViewMut, Padding, View, layout};
use layout_tests::data::assert_snapshot;
use layout_tests::lists::array;

fn layout(text: &str) -> DynLayout {
    DynLayout::new(&array(text)).unwrap()
}

fn says<T, E: Error>(result: Result<T, E>) -> String {
    result.err().expect("it is refused").to_string()
}

/// What a panic says.
fn stops<T>(act: impl FnOnce() -> T) -> String {
    let said = catch_unwind(AssertUnwindSafe(act)).err().expect("it stops");
    *said.downcast::<String>().expect("it says why")
}

/// Lines of a file: what was asked, and what was said.
fn assert_said(name: &str, said: &[(&str, String)]) {
    let lines = said.iter().map(|(asked, text)| format!("{asked} -> {text}\n"));
    assert_snapshot(&format!("tables/{name}.txt"), &lines.collect::<String>());
}

/// Of layouts at run time: nothing was written then.
#[test]
fn by_layouts_at_run_time() {
    let tiled = layout("f32[3,5]{1,0:T(2,2)}");
    let mut array = tiled.filled(1.0_f32).unwrap();
    let mut turned = array.clone();
    turned.transpose(&[1, 0], &layout("f32[5,3]{0,1:T(2,2)}")).unwrap();
    assert_eq!(turned.layout(), &layout("f32[5,3]{0,1:T(2,2)}"));
    let turned = turned.as_view();
    let mut rows = layout("f32[3,5]").zeroed().unwrap();
    let fewer = rows.clone();
    let fewer = fewer.slice((.., 2..)).unwrap();
    let vector = layout("f32[8]").zeroed::<f32>().unwrap();
    let combined = layout("f32[4,6]{1,0:T(*,4)}").zeroed::<f32>().unwrap();
    assert!(combined.tile(&[0, 0]).is_none() && combined.rows().is_err());
    let outside = [&[4, 0][..], &[0], &[0; 17]];
    assert_eq!(outside.map(|index| combined.get(index)), [None; 3]);
    let mut packed = layout("s4[3,5]{1,0:T(2,2)E(4)}").zeroed_bytes();
    let bytes = [0; 200];
    let aligned = bytes.as_ptr().align_offset(4);
    let odd = tiled.bytes_view(&bytes[aligned + 1..]).unwrap();
    let said = [
        ("a size that is not known", says(DynLayout::new(&self::array("f32[?,5]")))),
        ("a view of too few", says(tiled.view(&[0.0_f32; 23]))),
        ("a view of other elements", says(tiled.view_mut(&mut [0_i32; 24]))),
        ("packed elements", says(layout("s4[4]{0:E(4)}").zeroed::<i8>())),
        ("a vector of too many", says(tiled.from_vec(vec![0.0_f32; 25]))),
        ("a row-major list of too many", says(tiled.from_row_major(&[0.0_f32; 24]))),
        ("bytes that are too few", says(tiled.bytes_view(&[0; 95]))),
        ("bytes that are not aligned", says(odd.as_elements::<f32>())),
        ("a reshape", says(array.reshape(&layout("f32[15]")))),
        ("a transpose", says(array.transpose(&[1, 0], &layout("f32[5,3]{1,0:T(2,2)}")))),
        ("a copy to other sizes", says(turned.copy_to(&mut rows, Padding::Zero))),
        (
            "a copy of other parts",
            says(fewer.copy_to(&mut array.slice_mut((.., 1..)).unwrap(), Padding::Zero)),
        ),
        ("the type of other sizes", says(turned.clone().into_typed::<layout!(F32[3,5])>())),
        // A `?` takes any size, and memory is not longer than it is.
        (
            "a type with another size",
            says(turned.clone().into_typed::<layout!(F32[?,6]{0,1:T(2,2)})>()),
        ),
        ("a type with more padding", says(vector.into_typed::<layout!(F32[8]{0:T(128)})>())),
        ("tiles that are no boxes", says(combined.tiles())),
        ("a range past the end", says(combined.slice((0..2, 0..7)))),
        ("too few ranges", says(combined.slice((0..2,)))),
        ("boxes of no size", says(rows.boxes(&[1, 0]))),
        ("boxes of another rank", says(rows.boxes_mut(&[1]))),
        ("an index past the end", stops(|| combined[&[4, 0]])),
        ("an index of another rank", stops(|| combined[&[1]])),
        ("a packed element past the end", stops(|| packed.set(&[3, 0], 1))),
        ("a packed element of another rank", stops(|| packed.set(&[1], 1))),
    ];
    assert_said("refused_at_run_time", &said);
    // More than this machine addresses.
    let most = DynLayout::new(&self::array("u1[9000000000000000000]{0:E(1)}"));
    assert_eq!(most.is_ok(), usize::BITS == 64);
}

/// Of layouts that are types. Padding is there, but the bounds of the array hold.
#[test]
fn by_types() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    type Signed = layout!(S4[3,5]{1,0:T(2,2)E(4)});
    let data = [0; A::PADDED_ELEMENTS];
    let view = View::<A, u32>::new(&data).unwrap();
    assert_eq!(view.slice((3.., 5..)).unwrap().dims(), [0, 0]);
    assert!(view.slice((..=usize::MAX, ..)).is_err());
    let slice = view.slice((1.., 1..)).unwrap();
    let mut bytes = [0; Signed::BYTES];
    let mut signed = PackedViewMut::<Signed>::new(&mut bytes).unwrap();
    let flags = PackedView::<layout!(PRED[2,8]{1,0:E(1)})>::new(&[0; 2]).unwrap();
    let mut byte = [0; 1];
    let mut two_bits = PackedViewMut::<layout!(U2[4]{0:E(2)})>::new(&mut byte).unwrap();
    let said = [
        ("a row-major list of too many", says(Buffer::<A, u32>::from_row_major(&[0; 24]))),
        ("a range past the end", says(view.slice((0..4, ..)))),
        ("a range that begins past the end", says(view.slice((.., 6..)))),
        ("a range of a slice", says(slice.slice((..3, ..)))),
        ("a split past the end", says(view.split_at(1, 6))),
        ("a split of no dimension", says(view.split_at(2, 0))),
        ("an axis of no dimension", says(view.iter_axis(7))),
        ("a slice as another type", says(slice.to::<layout!(U32[2,5])>())),
        ("an index past the end", stops(|| view[[0, 5]])),
        ("a packed element past the end", stops(|| signed.set([0, 5], 1))),
        ("a packed element read past the end", stops(|| flags[[1, 8]])),
        ("a signed value that is too large", stops(|| signed.set([0, 0], 8))),
        ("an unsigned value that is too large", stops(|| two_bits.fill(4))),
    ];
    assert_said("refused_by_types", &said);
}
