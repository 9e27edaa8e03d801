//! Copies between types of layouts: of sizes that are known, of sizes at run time, of parts, and of packed elements.

use bytemuck::Pod;
use layout::__private::{copied_inline, copy_with};
use layout::bitcast::same_bytes;
use layout::copies::{OneByte, copy_const};
use layout::shape::{Dim, Fault, Size};
use layout::types::{Element, SameArray, StoredIn};
use layout::{
    AnyLayout, Copier, PackedView, PackedViewMut, Padding, StaticLayout, View, ViewMut, WithDims,
    copy, element, layout,
};

use super::case::{BEFORE, Case};
use super::paths::all_settings;
use super::work::{mapped, planes};
use crate::naive::{Naive, flatten, sizes, unflatten};
use crate::pairs::{Pair, ranges};
use crate::random::Random;

/// Copies between some types, there and back; sizes at run time are below the limit. It panics where a copy is wrong.
pub(super) type Copies = fn(&mut Random, usize);

macro_rules! types {
    ($($there:ident $back:ident[$($stored:tt)?] $of:ident ($($a:tt)*) ($($b:tt)*);)*) => {
        /// Every list of types, with its name.
        pub(super) const TYPES: &[(&str, Copies)] = &[$((
            concat!(stringify!($($a)*), " to ", stringify!($($b)*)),
            |random, limit| {
                type A = layout!($($a)*);
                type B = layout!($($b)*);
                $there::<A, B $(, $stored)?>((A::$of, B::$of), random, limit);
                $back::<B, A $(, $stored)?>((B::$of, A::$of), random, limit);
            },
        ),)*];
    };
}

types! {
    sized sized[_] with_dims (U32[?]) (U32[?]{0:T(2)(2,1)});
    sized sized[_] with_dims (U32[?]{0:T(7)}) (U32[?]{0:T(32)(8)(2,1)});
    sized sized[_] with_dims (U32[?,?]) (U32[?,?]{0,1:T(8)(2,1)});
    sized sized[_] with_dims (U32[?,?]{0,1:T(8,16)(2,1)}) (U32[?,?]{1,0:T(8,16)});
    sized sized[_] with_dims (U32[?,?]{1,0:T(*,7)}) (U32[?,?]{0,1:T(4,6)(2,1)L(64)});
    sized sized[_] with_dims (U32[<=9,?]) (U32[<=9,?]{0,1:T(2)(2,1)L(16)});
    sized sized[_] with_dims (U32[?,<=7]{0,1}) (U32[?,<=7]{1,0:T(4,4)}, swizzle = elements<2,0,4>);
    sized sized[_] with_dims (U32[?,?,?]{0,2,1:T(2,4)}) (U32[?,?,?]{2,1,0:T(4)(2,1)});
    fixed fixed[u32] TEXT (U32[]) (U32[]{:T(128)});
    fixed fixed[u32] TEXT (U32[0,5]) (U32[0,5]{0,1:T(2,2)});
    fixed fixed[i32] TEXT (S32[3,5]{0,1:PAD(4,8)FILL(highest)}) (S32[3,5]{1,0:T(2,2)L(7)});
    fixed fixed[u8] TEXT (U8[60,130]) (U8[60,130]{1,0:T(32,128)(4,1)});
    fixed fixed[u16] TEXT (BF16[60,200]{0,1}) (BF16[60,200]{1,0:T(8,128)(2,1)});
    fixed fixed[f32] TEXT (F32[60,200]{0,1:T(8,128)}) (F32[60,200]{1,0:T(8,128)});
    fixed fixed[u32] TEXT (U32[30,50,7]{1,2,0:T(6,10)}) (U32[30,50,7]{2,1,0:T(*,8,4)});
    fixed fixed[i64] TEXT (S64[64]) (S64[64]{0:T(16)(4)(2,1)});
    fixed fixed[[f64; 2]] TEXT (C128[9,31]{0,1:T(2)(2,1)}) (C128[9,31]);
    fixed fixed[u32] TEXT (U32[2,3,4,2,3,2]) (U32[2,3,4,2,3,2]{1,3,5,0,2,4:T(2,*,2)});
    fixed fixed[u32] TEXT (U32[8,64]) (U32[8,64]{1,0:T(8,32)}, swizzle = 128B);
    packed unpacked[i8] TEXT (S4[9,37]{1,0:T(4,8)}) (S4[9,37]{0,1:T(2,16)E(4)});
    packed unpacked[u8] TEXT (U4[31,16]{0,1}) (U4[31,16]{1,0:T(2)(3,1)E(4)});
    packed unpacked[u8] TEXT (U2[9,37]) (U2[9,37]{1,0:T(3,5)E(2)});
    packed unpacked[i8] TEXT (S2[64,40]{0,1}) (S2[64,40]{1,0:T(8,16)(4,1)E(2)});
    packed unpacked[u8] TEXT (U1[9,37]) (U1[9,37]{0,1:E(1)});
    repacked repacked[] TEXT (U4[31,16]{0,1:T(*,4)E(4)}) (U4[31,16]{1,0:T(2)(3,1)E(4)});
    repacked repacked[] TEXT (U2[9,37]{1,0:T(3,5)E(2)}) (U2[9,37]{0,1:T(2,16)E(2)});
    repacked repacked[] TEXT (PRED[9,37]{1,0:PAD(9,40)FILL(one)E(1)}) (PRED[9,37]{0,1:E(1)});
}

macro_rules! to_each {
    ($call:ident $from:ident $random:ident $limit:ident $(($($to:tt)*))*) => {{
        let all: &[Copies] = &[$($call::<$from, layout!($($to)*), _>),*];
        $random.pick(all)($random, $limit);
    }};
}

/// To each layout, in the corpus that runs for an hour. A pair takes the compiler a second.
#[cfg(feature = "every-pair")]
macro_rules! to_first {
    ($($all:tt)*) => { to_each! { $($all)* } };
}

/// To the first layout.
#[cfg(not(feature = "every-pair"))]
macro_rules! to_first {
    ($call:ident $from:ident $random:ident $limit:ident ($($to:tt)*) $($other:tt)*) => {
        $call::<$from, layout!($($to)*), _>($random, $limit)
    };
}

macro_rules! crossed {
    ($name:ident $call:ident $all:tt: ($($first:tt)*) $(($($from:tt)*))*) => {
        /// From the first layout of a list to each of another, and from each to the first.
        pub(super) const $name: &[(&str, Copies)] = &[
            (
                concat!("from ", stringify!($($first)*)),
                |random, limit| {
                    type From = layout!($($first)*);
                    crossed! { to_each $call From random limit $all }
                },
            ),
            $((
                concat!("from ", stringify!($($from)*)),
                |random, limit| {
                    type From = layout!($($from)*);
                    crossed! { to_first $call From random limit $all }
                },
            ),)*
        ];
    };
    ($to:ident $call:ident $from:ident $random:ident $limit:ident ($($all:tt)*)) => {
        $to! { $call $from $random $limit $($all)* }
    };
}

macro_rules! crossed_with_themselves {
    ($($name:ident [$($all:tt)*])*) => {$(crossed! { $name at_call ($($all)*): $($all)* })*};
}

crossed_with_themselves! {
    MATRICES [
        (U32[?,?])
        (U32[?,?]{0,1})
        (U32[?,?]{0,1:T(8,1)})
        (U32[?,?]{1,0:T(8,128)})
        (U32[?,?]{1,0:T(8,128)(2,1)})
        (U32[?,?]{0,1:T(4,4)(2,1)L(64)})
        (U32[?,?]{1,0:T(3,5)})
        (U32[?,?]{1,0:T(2)(2,1)})
        (U32[?,?]{0,1:T(2,6)(2,3)})
        (U32[?,?]{1,0:T(*,16)})
    ]
    OF_KNOWN [
        (U32[?,12])
        (U32[?,12]{0,1})
        (U32[?,12]{1,0:T(4,3)})
        (U32[?,12]{0,1:T(16,1)})
        (U32[?,12]{1,0:T(*,4)})
    ]
    KNOWN [
        (U32[8,12])
        (U32[8,12]{0,1})
        (U32[8,12]{1,0:T(4,4)})
    ]
    BOUNDED [
        (U32[<=9,?])
        (U32[<=9,?]{0,1})
        (U32[<=9,?]{1,0:T(4,8)})
        (U32[<=9,?]{0,1:T(2)(2,1)L(16)})
    ]
    IMAGES [
        (U32[?,?,?])
        (U32[?,?,?]{0,2,1})
        (U32[?,?,?]{1,0,2:T(4)})
        (U32[?,?,?]{2,1,0:T(2,4)(2,1)})
        (U32[?,?,?]{0,1,2:T(2,2,3)})
        (U32[?,?,?]{2,1,0:T(*,2,4)})
    ]
    OF_CHANNELS [
        (U32[?,4,?,8])
        (U32[?,4,?,8]{2,0,3,1})
        (U32[?,4,?,8]{3,2,1,0:T(2,4)})
        (U32[?,4,?,8]{0,2,1,3:T(2,2,2)})
    ]
}

crossed! {
    MATRIX_PLANES planes (
        (U32[?,?])
        (U32[?,?]{0,1})
        (U32[?,?]{0,1:T(8,1)})
        (U32[?,?]{1,0:T(3,5)})
        (U32[?,?]{0,1:T(2,6)(2,3)})
        (U32[?,?]{1,0:T(*,16)})
    ): (U32[?,?]) (U32[?,?]{0,1}) (U32[?,?]{1,0:T(1,4)}) (U32[?,?]{0,1:T(6)(2,1)})
}

crossed! {
    PLANES planes (
        (U32[3,?,6])
        (U32[3,?,6]{0,2,1})
        (U32[3,?,6]{2,1,0:T(2,2,3)})
        (U32[3,?,6]{1,0,2:T(*,4,3)L(32)})
    ): (U32[3,?,6]) (U32[3,?,6]{1,2,0}) (U32[3,?,6]{2,1,0:T(2,4)}) (U32[3,?,6]{2,1,0:T(*,4)})
        (U32[3,?,6]{0,1,2:T(2,2)})
}

crossed! {
    KNOWN_PLANES planes (
        (U32[3,5,6])
        (U32[3,5,6]{2,1,0:PAD(4,5,8)T(2,2,3)})
        (U32[3,5,6]{0,1,2:T(3,2)})
        (U32[3,5,6]{2,1,0:T(4,4,2)}, swizzle = elements<2,0,4>)
    ): (U32[3,5,6]) (U32[3,5,6]{1,2,0}) (U32[3,5,6]{2,1,0:PAD(3,7,8)T(2,4)}) (U32[3,5,6]{2,0,1:T(1,4)})
}

/// All lists of types.
pub(super) fn every_type() -> impl Iterator<Item = &'static (&'static str, Copies)> + Clone {
    [
        TYPES,
        MATRICES,
        OF_KNOWN,
        KNOWN,
        BOUNDED,
        IMAGES,
        OF_CHANNELS,
        MATRIX_PLANES,
        PLANES,
        KNOWN_PLANES,
    ]
    .into_iter()
    .flatten()
}

/// Copies the array, with one of the settings.
fn fixed<A, B, T>(texts: (&str, &str), random: &mut Random, _: usize)
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B> + Pod,
{
    let case = Case::new(Pair::of([texts.0, texts.1]), random);
    let (source, padding) =
        (bytemuck::pod_collect_to_vec::<_, T>(case.source()), case.padding(random));
    let settings = random.pick(all_settings());
    let what = format!("copied with {padding:?} and {settings:?}");
    written(&case, padding, &what, |dst: &mut [T]| {
        copy_with::<A, B, T>(&source, dst, stored(padding), settings).unwrap();
    });
    written(&case, padding, "loops in the caller's code", |dst: &mut [T]| {
        let [from, to] = case.memories.each_ref().map(|memory| memory.len());
        let from = View::<A, T>::new(&source[..from]).unwrap();
        let mut to = ViewMut::<B, T>::new(&mut dst[..to]).unwrap();
        if !copied_inline(&from, &mut to, stored(padding)) {
            copy::<A, B, T>(&source, dst, stored(padding)).unwrap();
        }
    });
    written(&case, Padding::Leave, "copy_const", |dst: &mut [T]| {
        copy_const::<A, B, T>(&source, dst);
    });
    let slots = |memory: &[Option<Size>]| {
        let elements = memory.iter().enumerate().filter(|(_, number)| number.is_some());
        elements.map(|(slot, number)| (slot, *number)).collect::<Vec<_>>()
    };
    let [from, to] = &case.shapes;
    assert_eq!(same_bytes(from, to).is_ok(), slots(&case.memories[0]) == slots(&case.memories[1]));
}

/// From one element a byte to packed ones.
fn packed<A, B, T>(texts: (&str, &str), random: &mut Random, _: usize)
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout<Width: element::PackedWidth, Element: Element<Packed: Pod>>,
    T: StoredIn<A> + OneByte + Pod,
{
    let case = Case::new(Pair::of([texts.0, texts.1]), random);
    let padding = case.padding(random);
    let source = bytemuck::cast_slice(case.source());
    written(&case, padding, "packed", |dst: &mut [u8]| {
        let from = View::<A, T>::new(source).unwrap();
        from.copy_to(&mut PackedViewMut::<B>::new(dst).unwrap(), stored(padding)).unwrap();
    });
}

/// And back.
fn unpacked<A, B, T>(texts: (&str, &str), random: &mut Random, _: usize)
where
    A: SameArray<B> + StaticLayout<Width: element::PackedWidth>,
    B: StaticLayout,
    T: StoredIn<B> + OneByte + Pod,
{
    let case = Case::new(Pair::of([texts.0, texts.1]), random);
    let padding = case.padding(random);
    written(&case, padding, "unpacked", |dst: &mut [T]| {
        let from = PackedView::<A>::new(case.source()).unwrap();
        from.copy_to(&mut ViewMut::<B, T>::new(dst).unwrap(), stored(padding)).unwrap();
    });
}

/// From packed elements to packed ones.
fn repacked<A, B>(texts: (&str, &str), random: &mut Random, _: usize)
where
    A: SameArray<B> + StaticLayout<Width = B::Width>,
    B: StaticLayout<Width: element::PackedWidth, Element: Element<Packed: Pod>>,
{
    let case = Case::new(Pair::of([texts.0, texts.1]), random);
    let padding = case.padding(random);
    written(&case, padding, "repacked", |dst: &mut [u8]| {
        let from = PackedView::<A>::new(case.source()).unwrap();
        from.copy_to(&mut PackedViewMut::<B>::new(dst).unwrap(), stored(padding)).unwrap();
    });
}

/// What a copy writes to a slice of the destination's length and a bit.
fn written<T: Pod>(case: &Case, padding: Padding<u128>, what: &str, copy: impl FnOnce(&mut [T])) {
    let mut expected = case.expected(padding);
    expected.extend(vec![BEFORE; 9 * size_of::<T>()]);
    let mut dst = bytemuck::pod_collect_to_vec::<_, T>(&vec![BEFORE; expected.len()]);
    copy(&mut dst);
    let found = bytemuck::cast_slice::<_, u8>(&dst);
    let at = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(at, None, "{what}: bytes that are wrong");
}

/// The padding as an element, of its bits.
fn stored<T: Pod>(padding: Padding<u128>) -> Padding<T> {
    let bytes = size_of::<T>();
    match padding {
        Padding::Fill(bits) if cfg!(target_endian = "little") => {
            Padding::Fill(bytemuck::pod_read_unaligned(&bits.to_ne_bytes()[..bytes]))
        }
        Padding::Fill(bits) => {
            Padding::Fill(bytemuck::pod_read_unaligned(&bits.to_ne_bytes()[16 - bytes..]))
        }
        Padding::Zero => Padding::Zero,
        Padding::Leave => Padding::Leave,
        Padding::Declared => Padding::Declared,
    }
}

/// Gives a layout its sizes.
type WithSizes<L, const R: usize> = fn([usize; R]) -> Result<WithDims<L>, Fault>;

/// Sizes at run time: the whole array, and a part of it.
fn sized<A, B, const R: usize>(
    (of_a, of_b): (WithSizes<A, R>, WithSizes<B, R>),
    random: &mut Random,
    limit: usize,
) where
    A: SameArray<B> + Numbers<R>,
    B: Numbers<R>,
{
    let limit = limit.min([300, 80, 20][R - 1]);
    // Not every size goes with a bound, and a swizzle takes whole blocks.
    let dims = |random: &mut Random| {
        [(); R].map(|()| {
            let most = *random.pick(&[limit, limit.min(9)]);
            random.below(most + 1)
        })
    };
    let both =
        (0..500).map(|_| dims(random)).find_map(|dims| Some((of_a(dims).ok()?, of_b(dims).ok()?)));
    let (a, b) = both.expect("some sizes go with both");
    let from = memory(&a);
    let source = from.iter().map(|number| number.map_or(u32::MAX, |number| number as u32));
    let source = source.collect::<Vec<_>>();
    let view = a.view(&source).unwrap();
    let mut dst = vec![7; b.padded_elements() + 9];
    view.copy_to(&mut b.view_mut(&mut dst).unwrap(), 3).unwrap();
    let expected = memory(&b).into_iter().map(|number| number.map_or(3, |number| number as u32));
    assert!(dst.iter().copied().eq(expected.chain([7; 9])), "{a:?} to {b:?}");
    let buffer = view.to::<B>().unwrap();
    let expected = memory(&b).into_iter().map(|number| number.map_or(0, |number| number as u32));
    assert!(buffer.as_slice().iter().copied().eq(expected), "to: {a:?} to {b:?}");
    assert!(view.to_row_major().into_iter().eq(0..a.elements() as u32), "to_row_major: {a:?}");

    let part = ranges(random, &a.dims());
    let slice = view.slice(<[_; R]>::try_from(part.clone()).expect("of each dimension")).unwrap();
    let Ok(b) = of_b(slice.dims()) else { return };
    let of_part = |number: Size| {
        let mut index = unflatten(number, &sizes(&slice.dims()));
        index.iter_mut().zip(&part).for_each(|(at, range)| *at += range.start as Size);
        flatten(&index, &sizes(&a.dims())) as u32
    };
    let mut dst = vec![7; b.padded_elements() + 9];
    slice.copy_to(&mut b.view_mut(&mut dst).unwrap(), 3).unwrap();
    let expected = memory(&b).into_iter().map(|number| number.map_or(3, of_part));
    assert!(dst.iter().copied().eq(expected.chain([7; 9])), "{part:?} of {a:?} to {b:?}");
    let expected = (0..slice.dims().iter().product::<usize>() as Size).map(of_part);
    assert!(slice.to_row_major().into_iter().eq(expected), "to_row_major: {part:?} of {a:?}");
}

/// Sizes at the call: by [`Copier`], and by loops in the caller's code, however many elements there are.
fn at_call<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: Numbers<R>,
{
    let Some((a, b)) = some_sizes::<A, B, R>(random, limit) else { return };
    let from = memory(&a);
    let source = from.iter().map(|number| number.map_or(u32::MAX, |number| number as u32));
    let source = source.collect::<Vec<_>>();
    let to = memory(&b);
    for (padding, of_padding) in
        [(Padding::Leave, 7), (Padding::Declared, 7), (Padding::Zero, 0), (Padding::Fill(3), 3)]
    {
        let expected = to.iter().map(|number| number.map_or(of_padding, |number| number as u32));
        let expected = expected.chain([7; 9]).collect::<Vec<_>>();
        let mut dst = vec![7; expected.len()];
        Copier::<A, B>::new().run(a.dims(), &source, &mut dst, padding).unwrap();
        assert!(dst == expected, "a copier: {a:?} to {b:?}, {padding:?}");
        dst.fill(7);
        let (from, slots) = (a.view(&source).unwrap(), b.padded_elements());
        let mut to = b.view_mut(&mut dst[..slots]).unwrap();
        if copied_inline(&from, &mut to, padding) {
            assert!(dst == expected, "in the caller's code: {a:?} to {b:?}, {padding:?}");
        }
    }
    mapped(&a, &b);
}

/// Sizes that go with both layouts.
pub(super) fn some_sizes<A: Numbers<R>, B: Numbers<R>, const R: usize>(
    random: &mut Random,
    limit: usize,
) -> Option<(WithDims<A>, WithDims<B>)> {
    let limit = limit.min([300, 150, 20, 8][R - 1]);
    // None, one, tiles and a bit, or anything; wide tiles are wider than most.
    let mut dims = || {
        [(); R].map(|()| match random.below(8) {
            0 => random.below(2),
            1 | 2 => (*random.pick(&[4, 8, 12, 16, 128]) + random.below(3)).min(limit + 1) - 1,
            3 => random.below(limit + 1),
            _ => random.below(limit.min(20) + 1),
        })
    };
    let sizes_of = |dims| Some((A::with_dims(dims).ok()?, B::with_dims(dims).ok()?));
    // Not every size goes with a bound, or is that of the type.
    (0..5000).map(|_| dims()).find_map(sizes_of)
}

/// A layout of numbers of 32 bits.
pub trait Numbers<const R: usize>:
    AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

impl<L, const R: usize> Numbers<R> for L where
    L: AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

/// What stands in the memory of a layout of these sizes: bounded dimensions are laid out with their bounds.
pub(super) fn memory<L: AnyLayout>(a: &WithDims<L>) -> Vec<Option<Size>> {
    let shape = a.shape();
    let width = |dim: &Dim| match dim {
        Dim::Static(size) | Dim::Bounded(size) => *size,
        _ => unreachable!("the sizes are given"),
    };
    let widths = shape.dims().iter().map(width).collect::<Vec<_>>();
    if widths.contains(&0) {
        return Vec::new();
    }
    let naive = Naive::of(&shape, &widths);
    let padded = Some(naive.padded.clone().unwrap_or(widths));
    Naive { dims: sizes(a.dims().as_ref()), padded, ..naive }.memory()
}
