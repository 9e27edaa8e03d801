//! Strides that are known at the call, of all ranks, sizes of elements and kinds of padding: against loops over indices.

use core::fmt::Debug;
use core::mem::MaybeUninit;

use layout::__private::{between_strides_inline, from_strides_inline, to_strides_inline};
use layout::copies::{CopyError, StridedRelayout};
use layout::{AnyLayout, ArrayShape, Padding, StoredIn, Strided, StridedMut, WithDims, layout};
use layout_tests::amount::times;
use layout_tests::random::Random;

/// Where elements lie in a slice.
#[derive(Clone, Copy, Debug)]
struct Place<const R: usize> {
    strides: [isize; R],
    first: usize,
    slots: usize,
}

impl<const R: usize> Place<R> {
    fn new(dims: [usize; R], strides: [isize; R]) -> Self {
        if dims.contains(&0) {
            return Place { strides, first: 0, slots: 0 };
        }
        let ends = (0..R).map(|dim| (dims[dim].cast_signed() - 1) * strides[dim]);
        let down = ends.clone().map(|end| end.min(0)).sum::<isize>();
        let up = ends.map(|end| end.max(0)).sum::<isize>();
        Place { strides, first: down.unsigned_abs(), slots: (up - down + 1).cast_unsigned() }
    }

    /// Elements that share no memory: dimensions in any order, most often side by side, with gaps or without.
    fn apart(random: &mut Random, dims: [usize; R]) -> Self {
        let (mut strides, mut span) = ([0; R], 1);
        for dim in random.order(R) {
            let gap = if random.below(3) == 0 { random.below(4) } else { 0 };
            strides[dim] = (span + gap).cast_signed();
            span += dims[dim].saturating_sub(1) * (span + gap);
            if random.below(4) == 0 {
                strides[dim] = -strides[dim];
            }
        }
        Self::new(dims, strides)
    }

    /// Elements of a source, which may share memory.
    fn any(random: &mut Random, dims: [usize; R]) -> Self {
        if random.below(3) == 0 {
            let strides = [(); R].map(|()| random.below(9).cast_signed() - 4);
            return Self::new(dims, strides);
        }
        let mut strides = Self::apart(random, dims).strides;
        for stride in &mut strides {
            *stride = match random.below(8) {
                0 => 0,
                1 => 2 * *stride,
                _ => *stride,
            };
        }
        Self::new(dims, strides)
    }

    fn slot(&self, index: [usize; R]) -> usize {
        let offset = index.iter().zip(self.strides).map(|(at, stride)| at.cast_signed() * stride);
        self.first.checked_add_signed(offset.sum()).expect("it lies in the slice")
    }
}

fn indices<const R: usize>(dims: [usize; R]) -> impl Iterator<Item = [usize; R]> {
    (0..dims.iter().product()).map(move |mut number: usize| {
        let mut index = [0; R];
        for dim in (0..R).rev() {
            index[dim] = number % dims[dim];
            number /= dims[dim];
        }
        index
    })
}

fn sizes<const R: usize>(random: &mut Random) -> [usize; R] {
    let limit = [1, 300, 70, 16, 8, 6][R];
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
    let (from, to) = (Place::any(random, dims), Place::apart(random, dims));
    let data = (0..from.slots as u32).map(of).collect::<Vec<_>>();
    let before = vec![of(u32::MAX); to.slots];
    let mut expected = before.clone();
    for index in indices(dims) {
        expected[to.slot(index)] = data[from.slot(index)];
    }
    let strided = Strided::new(&data, dims, from.strides).unwrap();
    let mut found = before.clone();
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides).unwrap();
    strided.relayout_to_strided(&mut strided_mut);
    assert!(found == expected, "{dims:?}: {from:?} to {to:?} of {} bytes", size_of::<T>());
    let mut found = before.clone();
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides).unwrap();
    strided.map_to_strided(&mut strided_mut, |index, element| {
        assert!(element == data[from.slot(index)], "{index:?} of {dims:?}: {from:?} to {to:?}");
        element
    });
    assert!(found == expected, "by a function, {dims:?}: {from:?} to {to:?}");
    let mut found = before;
    let mut strided_mut = StridedMut::new(&mut found, dims, to.strides).unwrap();
    let is_done = between_strides_inline(&strided, &mut strided_mut);
    assert_eq!(is_done, !dims.contains(&0));
    assert!(found == expected, "in the caller's code, {dims:?}: {from:?} to {to:?}");
    kept(dims, [&from, &to], &data, &expected, of(u32::MAX));
}

/// By a plan that is kept.
fn kept<T: Copy + PartialEq + 'static, const R: usize>(
    dims: [usize; R],
    [from, to]: [&Place<R>; 2],
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
    let plan = StridedRelayout::new([&shape; 2], [Some(&from.strides), Some(&to.strides)]).unwrap();
    let mut found = vec![before; expected.len()];
    plan.run_any(data, &mut found, None).unwrap();
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
    Strided::new(&data, [2; 9], strides)
        .unwrap()
        .map_to_strided(to, |index, element| u64::from(element) << 16 | index[8] as u64);
    for (at, found) in found.into_iter().enumerate() {
        let number = (at as u64).reverse_bits() >> (64 - 9);
        assert_eq!(found, number << 16 | (at & 1) as u64);
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
    let from = Place::any(random, dims);
    let data = (0..from.slots as u32).map(of).collect::<Vec<_>>();
    let strided = Strided::new(&data, dims, from.strides).unwrap();
    let before = of(u32::MAX);
    for (padding, value) in [
        (Padding::Leave, None),
        (Padding::Zero, Some(T::default())),
        (Padding::Fill(of(77)), Some(of(77))),
    ] {
        let mut expected = vec![value.unwrap_or(before); to.padded_elements()];
        for index in indices(dims) {
            expected[to.offset(index)] = data[from.slot(index)];
        }
        let what = format!("{from:?} to {to:?}, {padding:?}");
        let mut found = vec![before; expected.len()];
        strided.relayout_to(&mut to.view_mut(&mut found).unwrap(), padding);
        assert!(found == expected, "{what}");
        found.fill(before);
        strided.map_to(&mut to.view_mut(&mut found).unwrap(), padding, |index, element| {
            assert!(element == data[from.slot(index)], "{index:?} of {what}");
            element
        });
        assert!(found == expected, "by a function, {what}");
        found.fill(before);
        if from_strides_inline(&strided, &mut to.view_mut(&mut found).unwrap(), value) {
            assert!(found == expected, "in the caller's code, {what}");
        }
        any_type(&to, &from, padding != Padding::Leave);
        let mut uninit = vec![MaybeUninit::uninit(); expected.len()];
        let view = strided.relayout_uninit::<L>(&mut uninit, value.unwrap_or(before)).unwrap();
        assert!(view.as_slice() == expected, "to uninitialised memory, {what}");
    }
    let memory = (0..to.padded_elements() as u32).map(of).collect::<Vec<_>>();
    let view = to.view(&memory).unwrap();
    let back = Place::apart(random, dims);
    let mut expected = vec![before; back.slots];
    for index in indices(dims) {
        expected[back.slot(index)] = memory[to.offset(index)];
    }
    let mut found = vec![before; back.slots];
    view.relayout_to_strided(&mut StridedMut::new(&mut found, dims, back.strides).unwrap());
    assert!(found == expected, "{to:?} to {back:?}");
    found.fill(before);
    let mut strided = StridedMut::new(&mut found, dims, back.strides).unwrap();
    if to_strides_inline(&view, &mut strided) {
        assert!(found == expected, "in the caller's code, {to:?} to {back:?}");
    }
}

/// Elements of 12 bytes, which no layout has.
fn any_type<L: AnyLayout<Index = [usize; R]>, const R: usize>(
    to: &WithDims<L>,
    from: &Place<R>,
    fills: bool,
) {
    let dims = to.dims();
    let data = (0..from.slots).map(|number| [number, !number, 5].map(|n| n as u32));
    let data = data.collect::<Vec<_>>();
    let (before, padding) = ([9; 3], [1, 2, 3]);
    let mut expected = vec![if fills { padding } else { before }; to.padded_elements()];
    for index in indices(dims) {
        expected[to.offset(index)] = data[from.slot(index)];
    }
    let strided = Strided::new(&data, dims, from.strides).unwrap();
    let mut found = vec![before; expected.len()];
    strided.relayout_any::<L>(&mut found, fills.then_some(padding)).unwrap();
    assert!(found == expected, "elements of 12 bytes, {from:?} to {to:?}");
    if fills {
        let mut uninit = vec![MaybeUninit::uninit(); expected.len()];
        let found = strided.relayout_any_uninit::<L>(&mut uninit, padding).unwrap();
        assert!(found == expected, "to uninitialised memory, {from:?} to {to:?}");
    }
    if let Some(short) = expected.len().checked_sub(1) {
        let error = strided.relayout_any::<L>(&mut found[..short], None);
        assert!(matches!(error, Err(CopyError::TooShort(_))), "{error:?}");
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
