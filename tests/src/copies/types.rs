//! Copies between types of layouts: of sizes that are known, of sizes at run time, of parts.

use std::fmt::Debug;

use layout::bitcast::same_bytes;
use layout::types::{SameArray, StoredIn};
use layout::{AnyLayout, Layout, element, layout};

use super::doors::{Format, Run, Side, memory_of, values};
use super::planes::planes;
use super::region::Held;
use crate::doors;
use crate::naive::{self, sizes};
use crate::pairs::ranges;
use crate::random::Random;

/// Copies between some types, there and back; sizes at run time are below the limit. It panics where a copy is wrong.
pub(super) type Copies = fn(&mut Random, usize);

macro_rules! types {
    ($($there_and_back:ident $(<$stored:ty>)? ($($a:tt)*) ($($b:tt)*) $(= $($with:expr),+)?;)*) => {
        /// Every list of types, with its name.
        pub(super) const TYPES: &[(&str, Copies)] = &[$((
            concat!(stringify!($($a)*), " to ", stringify!($($b)*)),
            |random, limit| {
                type A = layout!($($a)*);
                type B = layout!($($b)*);
                $there_and_back::<A, B $(, $stored)?, _>(random, limit $(, $($with),+)?);
            },
        ),)*];
    };
}

types! {
    sized (U32[?]) (U32[?]{0:T(2)(2,1)});
    sized (U32[?]{0:T(7)}) (U32[?]{0:T(32)(8)(2,1)});
    sized (U32[?,?]) (U32[?,?]{0,1:T(8)(2,1)});
    sized (U32[?,?]{0,1:T(8,16)(2,1)}) (U32[?,?]{1,0:T(8,16)});
    sized (U32[?,?]{1,0:T(*,7)}) (U32[?,?]{0,1:T(4,6)(2,1)L(64)});
    sized (U32[<=9,?]) (U32[<=9,?]{0,1:T(2)(2,1)L(16)});
    sized (U32[?,<=7]{0,1}) (U32[?,<=7]{1,0:T(4,4)}, swizzle = elements<2,0,4>);
    sized (U32[?,?,?]{0,2,1:T(2,4)}) (U32[?,?,?]{2,1,0:T(4)(2,1)});
    fixed<u32> (U32[]) (U32[]{:T(128)}) = |n| n, None;
    fixed<u32> (U32[0,5]) (U32[0,5]{0,1:T(2,2)}) = |n| n, None;
    fixed<i32> (S32[3,5]{0,1:PAD(4,8)FILL(highest)}) (S32[3,5]{1,0:T(2,2)L(7)})
        = u32::cast_signed, Some(i32::MAX);
    fixed<u8> (U8[60,130]) (U8[60,130]{1,0:T(32,128)(4,1)}) = |n| n as u8, None;
    fixed<u16> (BF16[60,200]{0,1}) (BF16[60,200]{1,0:T(8,128)(2,1)}) = |n| n as u16, None;
    fixed<f32> (F32[60,200]{0,1:T(8,128)}) (F32[60,200]{1,0:T(8,128)}) = |n| n as f32, None;
    fixed<u32> (U32[30,50,7]{1,2,0:T(6,10)}) (U32[30,50,7]{2,1,0:T(*,8,4)}) = |n| n, None;
    fixed<i64> (S64[64]) (S64[64]{0:T(16)(4)(2,1)}) = |n| i64::from(n) * -77_777_777, None;
    fixed<[f64; 2]> (C128[9,31]{0,1:T(2)(2,1)}) (C128[9,31]) = |n| [n.into(), 0.5], None;
    fixed<u32> (U32[2,3,4,2,3,2]) (U32[2,3,4,2,3,2]{1,3,5,0,2,4:T(2,*,2)}) = |n| n, None;
    fixed<u32> (U32[8,64]) (U32[8,64]{1,0:T(8,32)}, swizzle = 128B) = |n| n, None;
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
        (U32[?,?]{1,0:T(8,128)(2,1)})
        (U32[?,?]{0,1:T(4,4)(2,1)L(64)})
        (U32[?,?]{0,1:T(2,6)(2,3)})
        (U32[?,?]{1,0:T(*,16)})
    ]
    OF_KNOWN [
        (U32[?,12])
        (U32[?,12]{0,1})
        (U32[?,12]{1,0:T(4,3)})
    ]
    KNOWN [
        (U32[8,12])
        (U32[8,12]{0,1})
        (U32[8,12]{1,0:T(4,4)})
    ]
    BOUNDED [
        (U32[<=9,?])
        (U32[<=9,?]{0,1})
        (U32[<=9,?]{0,1:T(2)(2,1)L(16)})
    ]
    IMAGES [
        (U32[?,?,?])
        (U32[?,?,?]{0,2,1})
        (U32[?,?,?]{0,1,2:T(2,2,3)})
        (U32[?,?,?]{2,1,0:T(*,2,4)})
    ]
    OF_CHANNELS [
        (U32[?,4,?,8])
        (U32[?,4,?,8]{2,0,3,1})
        (U32[?,4,?,8]{0,2,1,3:T(2,2,2)})
    ]
}

crossed! {
    MATRIX_PLANES planes (
        (U32[?,?])
        (U32[?,?]{0,1})
        (U32[?,?]{1,0:T(3,5)})
        (U32[?,?]{0,1:T(2,6)(2,3)})
        (U32[?,?]{1,0:T(*,16)})
    ): (U32[?,?]) (U32[?,?]{1,0:T(1,4)}) (U32[?,?]{0,1:T(6)(2,1)})
}

crossed! {
    PLANES planes (
        (U32[3,?,6])
        (U32[3,?,6]{0,2,1})
        (U32[3,?,6]{2,1,0:T(2,2,3)})
        (U32[3,?,6]{1,0,2:T(*,4,3)L(32)})
    ): (U32[3,?,6]) (U32[3,?,6]{2,1,0:T(2,4)}) (U32[3,?,6]{0,1,2:T(2,2)})
}

crossed! {
    KNOWN_PLANES planes (
        (U32[3,5,6])
        (U32[3,5,6]{2,1,0:PAD(4,5,8)T(2,2,3)})
        (U32[3,5,6]{0,1,2:T(3,2)})
        (U32[3,5,6]{2,1,0:T(4,4,2)}, swizzle = elements<2,0,4>)
    ): (U32[3,5,6]{1,2,0}) (U32[3,5,6]{2,1,0:PAD(3,7,8)T(2,4)}) (U32[3,5,6]{2,0,1:T(1,4)})
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

/// Sizes that are known, and elements of a type; the first layout may declare its padding.
fn fixed<A, B, T, const R: usize>(
    random: &mut Random,
    _: usize,
    of: fn(u32) -> T,
    declared: Option<T>,
) where
    A: Layout<R> + SameArray<B>,
    B: Layout<R> + SameArray<A>,
    T: StoredIn<A> + StoredIn<B> + Default + PartialEq + Debug,
{
    let [a, b] = Side::pair(random, A::DIMS);
    let run = &mut Run::of(random);
    let format = |declared| values(of, Some(T::default())).declaring(declared);
    doors! { run, a plain format(None) => b plain format(None), |x| x, [constant inline copy_to]:
        [view] A => [view] B;
    }
    doors! { run, b plain format(None) => a plain format(declared), |x| x,
        [constant inline copy_to]:
        [view] B => [view] A;
    }
    let slots = [A::SHAPE, B::SHAPE].map(|shape| naive::slots(&memory_of(shape, &sizes(&A::DIMS))));
    assert_eq!(same_bytes(A::SHAPE, B::SHAPE).is_ok(), slots[0] == slots[1], "{}", B::TEXT);
}

fn numbers() -> Format<Held<u32>> {
    values(|number| number, Some(0)).declaring(None)
}

/// Sizes at run time: the whole array, and a part of it.
fn sized<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: SameArray<A> + Numbers<R>,
{
    sized_to::<A, B, R>(random, limit);
    sized_to::<B, A, R>(random, limit);
}

fn sized_to<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: Numbers<R>,
{
    let Some(dims) = some_sizes::<A, B, R>(random, limit) else { return };
    let part = ranges(random, &dims);
    let start = std::array::from_fn(|dim| part[dim].start);
    let size = std::array::from_fn(|dim| part[dim].len());
    for [start, size] in [[[0; R], dims], [start, size]] {
        let a = Side::of_part(random, [dims, start, size], true);
        let b = Side::of_part(random, [size, [0; R], size], false);
        let run = &mut Run::of(random);
        doors! { run, a plain numbers() => b plain numbers(), |x| x, [copy_to to row_major]:
            [view part] A => [view] B;
        }
    }
}

/// Sizes at the call: by a copier, and by loops in the caller's code, however many elements there are.
fn at_call<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: Numbers<R>,
{
    let Some(dims) = some_sizes::<A, B, R>(random, limit) else { return };
    let [a, b] = Side::pair(random, dims);
    let run = &mut Run::of(random);
    doors! { run, a plain numbers() => b plain numbers(), |x| x, [copier map inline panics]:
        [view] A => [view] B;
    }
}

/// Sizes that go with both layouts.
pub(super) fn some_sizes<A: Numbers<R>, B: Numbers<R>, const R: usize>(
    random: &mut Random,
    limit: usize,
) -> Option<[usize; R]> {
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
    // Not every size goes with a bound, or is that of the type.
    (0..5000)
        .map(|_| dims())
        .find(|dims| A::with_dims(*dims).is_ok() && B::with_dims(*dims).is_ok())
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
