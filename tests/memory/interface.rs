//! The interface of views, buffers and slices: what `few` does not ask of every kind of layout.

use std::fmt::Debug;

use layout::shape::{Fault, FaultKind};
use layout::types::StoredAs;
use layout::{
    AnyLayout, Buffer, MemoryError, PackedView, PackedViewMut, Slice, SliceMut, View, ViewMut,
    WithDims, element, layout,
};
use layout_tests::table::{self, or_message};
use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

#[test]
fn regions_of_buffers_and_mutable_views() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    let mut buffer = Buffer::<A, u32>::from_fn(|[i, j]| (10 * i + j) as u32);
    assert_eq!(buffer.region(const { A::region([2..3, 3..5]) }).to_row_major(), [23, 24]);
    buffer.region_mut(const { A::region([0..1, 0..1]) })[[0, 0]] = 99;
    let view = buffer.as_view_mut();
    assert_eq!(view.region(const { A::region([0..1, 0..2]) }).to_row_major(), [99, 1]);
}

/// A type of the user's own, of which nothing but a default is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MyFloat(u8);

impl StoredAs<element::F8E4M3FN> for MyFloat {}

#[test]
fn buffers_of_own_types() {
    type A = layout!(F8E4M3FN[3,5]{1,0:T(2,2)});
    let elements = (0..15).map(MyFloat).collect::<Vec<_>>();
    let buffer = Buffer::<A, MyFloat>::from_row_major(&elements).unwrap();
    assert_eq!((buffer[[2, 3]], buffer.to_row_major()), (MyFloat(13), elements));
    assert_eq!(Buffer::<A, MyFloat>::default().as_slice(), [MyFloat(0); 24]);
}

#[test]
fn arrays_are_equal_by_their_elements() {
    type A = layout!(U32[3,5]{1,0:T(2,2)});
    type B = layout!(U32[3,5]{0,1});
    let number = |[i, j]: [usize; 2]| (5 * i + j) as u32;
    let mut a = Buffer::<A, u32>::from_fn(number);
    let mut b = Buffer::<B, u32>::from_fn(number);
    // Padding is not compared.
    a.as_mut_slice()[9] = 77;
    assert_eq!(a, b);
    let (mut of_a, mut of_b) = (a.clone(), b.clone());
    let (view, view_mut) = (of_a.as_view_mut(), of_b.as_view_mut());
    assert_eq!(view, view_mut);
    assert_eq!(view, b);
    assert_eq!(b, view);
    assert_eq!(view, b.as_view());
    assert_eq!(b.as_view(), view);
    assert!(a.as_view() == b.as_view() && a == b.as_view() && b.as_view() == a);
    b[[2, 4]] += 1;
    assert!(a != b && a != b.as_view() && view != b && a.as_view() != b.as_view_mut());

    type Free = layout!(U32[?,?]);
    let rows = Free::with_dims([1, 6]).unwrap().filled(1);
    assert_eq!(rows, Free::with_dims([1, 6]).unwrap().filled(1));
    assert_ne!(rows, Free::with_dims([2, 3]).unwrap().filled(1));
    let [none, fewer] = [[0, 3], [0, 4]].map(|dims| Free::with_dims(dims).unwrap().filled(1));
    assert_ne!(none, fewer);
    let nan = Buffer::<layout!(F32[2]), f32>::filled(f32::NAN);
    assert_ne!(nan, nan.clone());
}

#[test]
fn printing_is_short() {
    fn print(x: impl Debug) -> String {
        format!("{x:?}")
    }
    type A = layout!(S32[2,3]{0,1:L(8)});
    let mut buffer = Buffer::<A, i32>::from_fn(|[i, j]| (3 * i + j) as i32);
    assert_eq!(print(&buffer), "Memory(s32[2,3]{0,1:L(8)} [0, 1, 2, 3, 4, 5])");
    assert_eq!(print(buffer.as_view()), "Memory(s32[2,3]{0,1:L(8)} [0, 1, 2, 3, 4, 5])");
    assert_eq!(print(buffer.as_view_mut()), "Memory(s32[2,3]{0,1:L(8)} [0, 1, 2, 3, 4, 5])");
    let slice = print(buffer.slice((.., 1..)).unwrap());
    assert_eq!(slice, "Memory(s32[2,3]{0,1:L(8)} [0..2, 1..3] [1, 2, 4, 5])");
    let slice = print(buffer.slice_mut((1.., 1..)).unwrap());
    assert_eq!(slice, "Memory(s32[2,3]{0,1:L(8)} [1..2, 1..3] [4, 5])");
    let large = <layout!(S32[?,1000])>::with_dims([900, 1000]).unwrap().filled(7);
    let sevens = ["7"; 16].join(", ");
    assert_eq!(print(&large), format!("Memory(s32[?,1000]{{1,0}} of [900, 1000] [{sevens}, ..])"));
}

#[test]
fn buffers_in_serde_s_formats() {
    type A = layout!(S32[2,3]{0,1:T(2,2)});
    let buffer = Buffer::<A, i32>::from_fn(|[i, j]| (3 * i + j) as i32);
    let json = serde_json::to_string(&buffer).unwrap();
    let text = r#"{"shape":"s32[2,3]{0,1:T(2,2)}","dims":[2,3],"elements":[0,1,2,3,4,5]}"#;
    assert_eq!(json, text);
    let read = |text: &str| serde_json::from_str::<Buffer<A, i32>>(text);
    assert_eq!(read(text).unwrap(), buffer);
    // Any spelling of the shape, fields in any order, and a list of the three.
    let other = r#"{"elements":[0,1,2,3,4,5],"shape":"S32[2,3]<0,1:T(2,2)>","dims":[2,3]}"#;
    assert_eq!(read(other).unwrap(), buffer);
    assert_eq!(read(r#"["s32[2,3]{0,1:T(2,2)}",[2,3],[0,1,2,3,4,5]]"#).unwrap(), buffer);

    table::check("buffers_as_json", &mut |_, columns| or_message(read(columns[0]).map(|_| "read")));
}

#[test]
fn sizes_are_checked_where_they_are_read() {
    type A = layout!(U32[?,3]);
    let text = r#"["u32[?,3]{1,0}",[9223372036854775807,3],[]]"#;
    assert!(serde_json::from_str::<Buffer<A, u32>>(text).is_err());
    let error: Fault = A::with_dims([1 << (usize::BITS - 2), 3]).unwrap_err();
    assert!(matches!(error.kind(), FaultKind::Overflow { .. }));
}

type Static = layout!(F32[3,5]{1,0:T(2,2)});
type Free = layout!(F32[?,<=5]{1,0:T(2,2)});

assert_impl_all!(View<'static, Static, f32>: Send, Sync, Copy, Eq2);
assert_impl_all!(View<'static, Free, f32>: Send, Sync, Copy, Debug);
assert_impl_all!(ViewMut<'static, Free, f32>: Send, Sync, Debug);
assert_impl_all!(Buffer<Static, f32>: Send, Sync, Clone, Default, Debug, Unpin);
assert_impl_all!(Buffer<Free, f32>: Send, Sync, Clone, Debug);
assert_impl_all!(Slice<'static, Free, f32>: Send, Sync, Copy, Debug);
assert_impl_all!(SliceMut<'static, Free, f32>: Send, Sync, Debug);
assert_impl_all!(WithDims<Free>: Send, Sync, Copy, Eq, Debug);
assert_impl_all!(MemoryError: Send, Sync, std::error::Error);
assert_not_impl_any!(SliceMut<'static, Static, f32>: Clone);
assert_not_impl_any!(ViewMut<'static, Static, f32>: Clone);

/// Elements that cannot cross threads keep what holds them from it.
type Local = std::rc::Rc<u8>;
/// Elements that can be sent, and not shared.
type Cell = std::cell::Cell<u8>;

assert_not_impl_any!(View<'static, Static, Local>: Send, Sync);
assert_not_impl_any!(SliceMut<'static, Static, Local>: Send, Sync);
assert_not_impl_any!(Buffer<Static, Local>: Send, Sync);
assert_impl_all!(SliceMut<'static, Static, Cell>: Send);
assert_not_impl_any!(SliceMut<'static, Static, Cell>: Sync);
assert_not_impl_any!(View<'static, Static, Cell>: Send, Sync);

// Values hold their memory, and the sizes that their types leave open.
assert_eq_size!(WithDims<Static>, ());
assert_eq_size!(WithDims<layout!(F32[?,1024]{1,0:T(8,128)})>, [usize; 2]);
assert_eq_size!(WithDims<layout!(F32[<=5,1024])>, usize);
assert_eq_size!(View<'static, Static, f32>, ViewMut<'static, Static, f32>, &[f32]);
assert_eq_size!(PackedView<'static, layout!(S4[3,5]{1,0:E(4)})>, (&[u8], [usize; 2]));
assert_eq_size!(View<'static, Free, f32>, (WithDims<Free>, &[f32]));
assert_eq_size!(Buffer<Static, f32>, (Vec<f32>, [usize; 3]));
assert_eq_size!(Buffer<Free, f32>, (WithDims<Free>, Buffer<Static, f32>));

/// Equality as `==` has it.
trait Eq2: PartialEq<Buffer<Static, f32>> + PartialEq<ViewMut<'static, Static, f32>> {}
impl Eq2 for View<'static, Static, f32> {}

/// In generic code too, whatever the layout.
#[test]
fn generic_code_can_send_and_share() {
    fn sends<X: Send + Sync>() {}
    fn all<L: AnyLayout, T: Send + Sync + 'static>() {
        sends::<WithDims<L>>();
        sends::<View<'static, L, T>>();
        sends::<ViewMut<'static, L, T>>();
        sends::<Slice<'static, L, T>>();
        sends::<SliceMut<'static, L, T>>();
        sends::<Buffer<L, T>>();
    }
    all::<Free, f32>();
}

/// The values of every type of packed elements, written and read.
#[test]
fn packed_elements_are_numbers() {
    type Signed = layout!(S4[2]{0:E(4)});
    let mut bytes = [0; Signed::BYTES];
    let mut view = PackedViewMut::<Signed>::new(&mut bytes).unwrap();
    for value in -8..8 {
        view.fill(value);
        view.set([1], -1 - value);
        assert_eq!((view[[0]], view.to_row_major()), (value, vec![value, -1 - value]));
    }
    let view = PackedView::<layout!(S2[4]{0:E(2)})>::new(&[0b11_10_01_00]).unwrap();
    assert_eq!(view.to_row_major(), [0, 1, -2, -1]);
    let view = PackedView::<layout!(S1[8]{0:E(1)})>::new(&[0b1000_0001]).unwrap();
    assert_eq!(view.to_row_major(), [-1, 0, 0, 0, 0, 0, 0, -1]);
    let view = PackedView::<layout!(U2[4]{0:E(2)})>::new(&[0b11_10_01_00]).unwrap();
    assert_eq!(view.to_row_major(), [0, 1, 2, 3]);
}

/// What a buffer is without a word of its element type.
#[test]
fn a_buffer_has_the_type_of_its_elements() {
    let _: Buffer<_, f32> = Buffer::<layout!(F32[3])>::zeroed();
    let _: Buffer<_, u16> = Buffer::<layout!(BF16[3])>::zeroed();
    let _: Buffer<_, bool> = Buffer::<layout!(PRED[3])>::filled(true);
    let _: Buffer<_, i8> = Buffer::<layout!(S4[3])>::zeroed();
    let _: Buffer<_, [f32; 2]> = Buffer::<layout!(C64[3])>::zeroed();
}
