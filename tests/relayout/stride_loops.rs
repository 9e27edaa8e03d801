//! Strides that are known at the call, of all ranks, sizes of elements and kinds of padding: against loops over indices.

use core::fmt::Debug;
use core::mem::MaybeUninit;

use layout::__private::copied_inline;
use layout::copies::Placed;
use layout::types::StoredIn;
use layout::{AnyLayout, ArrayShape, Padding, Plan, Strided, StridedMut, layout};
use layout_tests::amount::times;
use layout_tests::naive::indices;
use layout_tests::random::Random;
use layout_tests::strides::Place;

fn sizes<const R: usize>(random: &mut Random) -> [usize; R] {
    let limit = [1, 300, 200, 16, 8, 6][R];
    // Miri takes the small ones.
    [(); R].map(|()| match random.below(if cfg!(miri) { 8 } else { 16 }) {
        0 => random.below(2),
        1..8 => 1 + random.below(6),
        _ => 1 + random.below(limit),
    })
}

fn between<T: Copy + PartialEq + Debug + 'static, const R: usize>(
    random: &mut Random,
    of: fn(u32) -> T,
) {
    let dims = sizes::<R>(random);
    let (from, to) = (Place::random(&dims, true, random), Place::random(&dims, false, random));
    let data = (0..from.length as u32).map(of).collect::<Vec<_>>();
    let before = vec![of(u32::MAX); to.length];
    let mut expected = before.clone();
    for (from, to) in from.slots.iter().zip(&to.slots) {
        expected[*to] = data[*from];
    }
    let what =
        format!("{dims:?}: {:?} to {:?} of {} bytes", from.strides, to.strides, size_of::<T>());
    let strided = Strided::new(&data, dims, from.strides()).unwrap();
    let mut found = before.clone();
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides()).unwrap();
    strided.copy_to(&mut strided_mut, Padding::Leave).unwrap();
    for index in indices(dims).step_by(7) {
        assert_eq!(strided_mut[index], strided[index], "{what}");
        assert_eq!(strided_mut.get(index), strided.get(index), "{what}");
    }
    assert!(found == expected, "{what}");
    let mut found = before.clone();
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides()).unwrap();
    let same = |index, element| {
        assert!(element == strided[index], "{index:?} of {what}");
        element
    };
    strided.map_to(&mut strided_mut, Padding::Leave, same).unwrap();
    assert!(found == expected, "by a function, {what}");
    let mut found = before;
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides()).unwrap();
    let is_done = copied_inline(&strided, &mut strided_mut, Padding::Leave);
    assert_eq!(is_done, !dims.contains(&0) && size_of::<T>() > 0);
    assert!(found == expected, "in the caller's code, {what}");
    kept(dims, [&from, &to], &data, &expected, of(u32::MAX));
}

/// By a plan that is kept.
fn kept<T: Copy + PartialEq + 'static, const R: usize>(
    dims: [usize; R],
    [from, to]: [&Place; 2],
    data: &[T],
    expected: &[T],
    before: T,
) {
    let bits = match size_of::<T>() {
        1 => "u8",
        2 => "u16",
        4 => "u32",
        8 => "u64",
        16 => "c128",
        _ => return,
    };
    let shape: ArrayShape = format!("{bits}{dims:?}").replace(' ', "").parse().unwrap();
    let [from, to] = [from, to].map(|place| Placed::strides(&shape, &place.strides));
    let plan = Plan::between(from, to).unwrap();
    let mut found = vec![before; expected.len()];
    plan.run(data, &mut found, Padding::Leave).unwrap();
    assert!(found == expected, "{plan:?} of {dims:?}");
}

/// More dimensions than loops that stand in the caller's code.
#[test]
fn a_function_of_elements_of_nine_dimensions() {
    let strides = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|dim| 1 << dim);
    let turned = [8, 7, 6, 5, 4, 3, 2, 1, 0].map(|dim| 1 << dim);
    let data = (0..512_u32).collect::<Vec<_>>();
    let mut found = [0_u64; 512];
    let to = &mut StridedMut::new(&mut found, [2; 9], turned).unwrap();
    let from = Strided::new(&data, [2; 9], strides).unwrap();
    let number = |index: [usize; 9], element| u64::from(element) << 16 | index[8] as u64;
    from.map_to(to, Padding::Leave, number).unwrap();
    for (at, found) in found.into_iter().enumerate() {
        let number = (at as u64).reverse_bits() >> (64 - 9);
        assert_eq!(found, number << 16 | (at & 1) as u64);
    }
}

/// Bytes between its fields belong to neither.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Padded(u8, u32);

fn bytes<const N: usize>(number: u32) -> [u8; N] {
    core::array::from_fn(|at| (number >> (8 * (at % 4))) as u8 ^ at as u8)
}

/// Of any size and type; those of other ranks are below.
#[test]
fn matrices_of_any_elements() {
    let random = &mut Random::new(3);
    for _ in 0..times(200) {
        between::<f32, 2>(random, |number| number as f32);
        between::<[u64; 3], 2>(random, |number| [u64::from(number), 3, 9]);
        between::<Padded, 2>(random, |number| Padded(number as u8, !number));
        between::<(u64, u8), 2>(random, |number| (number.into(), 7));
        between::<Option<&u8>, 2>(random, |number| (number % 3 > 0).then_some(&7));
        between::<(), 2>(random, |_| ());
        between::<_, 2>(random, bytes::<5>);
        between::<_, 2>(random, bytes::<6>);
        between::<_, 2>(random, bytes::<7>);
        between::<_, 2>(random, bytes::<9>);
        between::<_, 2>(random, bytes::<12>);
        between::<_, 2>(random, bytes::<15>);
        between::<_, 2>(random, bytes::<17>);
        between::<_, 2>(random, bytes::<33>);
    }
}

#[test]
fn from_strides_to_strides() {
    fn of_size<T: Copy + PartialEq + Debug + 'static>(random: &mut Random, of: fn(u32) -> T) {
        between::<T, 0>(random, of);
        between::<T, 1>(random, of);
        between::<T, 2>(random, of);
        between::<T, 3>(random, of);
        between::<T, 4>(random, of);
        between::<T, 5>(random, of);
    }
    let random = &mut Random::new(1);
    for _ in 0..times(200) {
        of_size(random, |number| number as u8);
        of_size(random, |number| number as u16);
        of_size(random, |number| [number, number >> 8, number >> 16].map(|byte| byte as u8));
        of_size(random, |number| number);
        of_size(random, |number| u64::from(number) << 20 | 5);
        of_size(random, |number| [number, !number, 7]);
        of_size(random, |number| [f64::from(number), 0.5]);
    }
}

fn through<L, T, const R: usize>(random: &mut Random, of: fn(u32) -> T)
where
    L: AnyLayout<Index = [usize; R]>,
    T: StoredIn<L> + PartialEq + Debug + Default,
{
    // Not every size goes with a bound, or is that of the type.
    let Some(to) = (0..2000).find_map(|_| L::with_dims(sizes(random)).ok()) else { return };
    let dims = to.dims();
    let from = Place::random(&dims, true, random);
    let lead = random.below(4);
    let data = (0..(lead + from.length) as u32).map(of).collect::<Vec<_>>();
    let strided = Strided::at(&data, lead + from.first(), dims, from.strides()).unwrap();
    let before = of(u32::MAX);
    for (padding, value) in [
        (Padding::Leave, None),
        (Padding::Zero, Some(T::default())),
        (Padding::Fill(of(77)), Some(of(77))),
    ] {
        let mut expected = vec![value.unwrap_or(before); to.padded_elements()];
        for (index, slot) in indices(dims).zip(&from.slots) {
            expected[to.offset(index)] = data[lead + slot];
        }
        let what = format!("{:?} to {to:?}, {padding:?}", from.strides);
        let mut found = vec![before; expected.len()];
        strided.copy_to(&mut to.view_mut(&mut found).unwrap(), padding).unwrap();
        assert!(found == expected, "{what}");
        found.fill(before);
        let same = |index, element| {
            assert!(element == strided[index], "{index:?} of {what}");
            element
        };
        strided.map_to(&mut to.view_mut(&mut found).unwrap(), padding, same).unwrap();
        assert!(found == expected, "by a function, {what}");
        found.fill(before);
        if copied_inline(&strided, &mut to.view_mut(&mut found).unwrap(), padding) {
            assert!(found == expected, "in the caller's code, {what}");
        }
        let mut uninit = vec![MaybeUninit::uninit(); expected.len()];
        let padding = value.unwrap_or(before);
        let written = strided.write_to::<L, _>(uninit.as_mut_slice(), padding).unwrap();
        assert!(written == expected, "to uninitialised memory, {what}");
        let mut vec = Vec::new();
        strided.write_to::<L, _>(&mut vec, padding).unwrap();
        assert!(vec == expected && vec.capacity() == vec.len(), "to a vector, {what}");
    }
    let buffer = strided.to::<L>().unwrap();
    assert!(indices(dims).all(|index| buffer[index] == strided[index]), "to a buffer, {to:?}");
    let memory = (0..to.padded_elements() as u32).map(of).collect::<Vec<_>>();
    let view = to.view(&memory).unwrap();
    let back = Place::random(&dims, false, random);
    let mut expected = vec![before; back.length];
    for (index, slot) in indices(dims).zip(&back.slots) {
        expected[*slot] = memory[to.offset(index)];
    }
    let what = format!("{to:?} to {:?}", back.strides);
    let mut found = vec![before; back.length];
    let mut strided = StridedMut::new(&mut found, dims, back.strides()).unwrap();
    view.copy_to(&mut strided, Padding::Leave).unwrap();
    assert!(found == expected, "{what}");
    found.fill(before);
    let mut strided = StridedMut::new(&mut found, dims, back.strides()).unwrap();
    if copied_inline(&view, &mut strided, Padding::Leave) {
        assert!(found == expected, "in the caller's code, {what}");
    }
}

#[test]
fn from_strides_to_layouts_and_back() {
    let random = &mut Random::new(2);
    for _ in 0..times(60) {
        through::<layout!(F32[]), f32, 0>(random, |number| number as f32);
        through::<layout!(U8[?]), u8, 1>(random, |number| number as u8);
        through::<layout!(U16[?]{0:T(4)}), u16, 1>(random, |number| number as u16);
        through::<layout!(U8[?,?]{0,1:T(8,4)}), u8, 2>(random, |number| number as u8);
        through::<layout!(F32[?,?]{0,1:T(16,1)}), f32, 2>(random, |number| number as f32);
        through::<layout!(U16[?,?]{1,0:T(8,16)(2,1)}), u16, 2>(random, |number| number as u16);
        through::<layout!(F64[?,?]{1,0}), f64, 2>(random, f64::from);
        through::<layout!(C128[?,?]{0,1:T(2,3)}), [f64; 2], 2>(random, |n| [f64::from(n), 0.5]);
        through::<layout!(U8[5,?]{1,0:T(4,4)}), u8, 2>(random, |number| number as u8);
        through::<layout!(F32[<=9,?]{0,1:T(2,4)}), f32, 2>(random, |number| number as f32);
        through::<layout!(F32[6,5]{1,0:T(4,2)}), f32, 2>(random, |number| number as f32);
        through::<layout!(U8[4,6]), u8, 2>(random, |number| number as u8);
        through::<layout!(U16[?,?]{1,0:T(3,5)(2,2)}), u16, 2>(random, |number| number as u16);
        through::<layout!(F32[?,?,?]{0,2,1:T(2,4)}), f32, 3>(random, |number| number as f32);
        through::<layout!(U16[?,?,?]{2,1,0:T(*,4)}), u16, 3>(random, |number| number as u16);
        through::<layout!(U8[?,3,?]{1,2,0}), u8, 3>(random, |number| number as u8);
        through::<layout!(F64[?,?,?,?]{0,3,1,2:T(2,2)}), f64, 4>(random, f64::from);
        through::<layout!(U8[?,?,?,?,?]{4,1,3,0,2:T(2,3)}), u8, 5>(random, |number| number as u8);
        through::<layout!(U16[2,?,?,3,?]{4,3,2,1,0:T(2,2,2)}), u16, 5>(random, |n| n as u16);
    }
}
