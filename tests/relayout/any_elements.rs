//! Elements of any type, between strides and layouts of all ranks that are known at the call. Miri runs it: of few elements, through the
//! loops in the caller's code, the matrices and the portable kernels.

use std::fmt::Debug;

use layout::{Padding, Strided, StridedMut, layout};
use layout_tests::amount::times;
use layout_tests::copies::doors::{Run, Side, dims_of, some_dims, values};
use layout_tests::copies::region::anywhere;
use layout_tests::copies::{Case, all_settings};
use layout_tests::doors;
use layout_tests::lists::list;
use layout_tests::pairs::Pair;
use layout_tests::random::Random;

fn strided<T: Copy + PartialEq + Debug + 'static, const R: usize>(
    run: &mut Run,
    [a, b]: [Side<R>; 2],
    of: fn(u32) -> T,
) {
    doors! { run, a plain values(of, None) => b plain values(of, None), |x| x, [copy_to inline]:
        [strided] () => [strided] ();
    }
}

fn between<T: Copy + PartialEq + Debug + 'static, const R: usize>(run: &mut Run, of: fn(u32) -> T) {
    let dims = some_dims::<R>(&mut run.random);
    let sides = Side::pair(&mut run.random, dims);
    strided(run, sides, of);
}

/// By functions, and element by element.
fn mapped<T: Copy + PartialEq + Debug + 'static, const R: usize>(run: &mut Run, of: fn(u32) -> T) {
    let dims = some_dims::<R>(&mut run.random);
    let [a, b] = Side::pair(&mut run.random, dims);
    doors! { run, a plain values(of, None) => b plain values(of, None), |x| x, [map_to get]:
        [strided] () => [strided] ();
    }
}

/// Bytes between its fields belong to neither.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Padded(u8, u32);

fn bytes<const N: usize>(number: u32) -> [u8; N] {
    core::array::from_fn(|at| (number >> (8 * (at % 4))) as u8 ^ at as u8)
}

/// Some matrices in two layouts, and with strides in the place of one or both.
fn cases(random: &mut Random) -> Vec<Case> {
    let limit = if cfg!(miri) { 6 } else { 130 };
    let dims = [(); 2].map(|()| match random.below(4) {
        0 => 1 + random.below(3),
        1 => limit,
        2 => 4 * (1 + random.below(limit / 4)),
        _ => 1 + random.below(limit),
    });
    let texts = [
        ["{1,0}", "{0,1}"],
        ["{0,1}", "{0,1:T(4,1)}"],
        ["{1,0}", "{0,1:T(4,1)}"],
        ["{1,0:T(3,5)}", "{0,1}"],
        ["{0,1:T(4,1)}", "{1,0:T(3,5)}"],
        ["{1,0}", "{0,1:T(8,2)}"],
    ];
    let texts = texts.map(|texts| texts.map(|layout| format!("u8[{}]{layout}", list(&dims))));
    let mut cases = Vec::new();
    for texts in &texts {
        let case = Case::new(Pair::of(texts), random);
        cases.extend([case.strided(random), case]);
    }
    cases
}

/// Between strides, and by plans.
fn matrices<T: Copy + PartialEq + Debug + 'static>(
    run: &mut Run,
    cases: &[Case],
    of: fn(u32) -> T,
) {
    between::<T, 2>(run, of);
    let random = &mut run.random;
    // Those with strides, or the others.
    for case in cases.iter().skip(random.below(2)).step_by(2) {
        let places = [anywhere(random), anywhere(random)];
        case.elements(of, &[*random.pick(all_settings())], &[places]);
    }
}

#[test]
fn matrices_of_any_elements() {
    let run = &mut Run::new(3);
    for _ in 0..times(200) {
        let all = &cases(&mut run.random);
        matrices::<u8>(run, all, |number| number as u8);
        matrices::<u16>(run, all, |number| number as u16);
        matrices::<u32>(run, all, |number| number);
        matrices::<f32>(run, all, |number| number as f32);
        matrices::<f64>(run, all, f64::from);
        matrices::<[u64; 3]>(run, all, |number| [u64::from(number), 3, 9]);
        matrices::<Padded>(run, all, |number| Padded(number as u8, !number));
        matrices::<(u64, u8)>(run, all, |number| (number.into(), 7));
        matrices::<Option<&u8>>(run, all, |number| (number % 3 > 0).then_some(&7));
        between::<(), 2>(run, |_| ());
        mapped::<(), 2>(run, |_| ());
        mapped::<Padded, 2>(run, |number| Padded(number as u8, !number));
        matrices(run, all, bytes::<3>);
        matrices(run, all, bytes::<5>);
        matrices(run, all, bytes::<6>);
        matrices(run, all, bytes::<7>);
        matrices(run, all, bytes::<9>);
        matrices(run, all, bytes::<12>);
        matrices(run, all, bytes::<15>);
        matrices(run, all, bytes::<17>);
        matrices(run, all, bytes::<24>);
        matrices(run, all, bytes::<33>);
        matrices(run, all, bytes::<40>);
    }
}

#[test]
fn from_strides_to_strides() {
    fn of_size<T: Copy + PartialEq + Debug + 'static>(run: &mut Run, of: fn(u32) -> T) {
        between::<T, 0>(run, of);
        between::<T, 1>(run, of);
        between::<T, 2>(run, of);
        between::<T, 3>(run, of);
        between::<T, 4>(run, of);
        between::<T, 5>(run, of);
    }
    let run = &mut Run::new(1);
    for _ in 0..times(200) {
        of_size(run, |number| number as u8);
        of_size(run, |number| number as u16);
        of_size(run, |number| [number, number >> 8, number >> 16].map(|byte| byte as u8));
        of_size(run, |number| number);
        of_size(run, |number| u64::from(number) << 20 | 5);
        of_size(run, |number| [number, !number, 7]);
        of_size(run, |number| [f64::from(number), 0.5]);
        mapped::<_, 0>(run, |number| number);
        mapped::<_, 1>(run, |number| number as u8);
        mapped::<_, 2>(run, |number| number as u16);
        mapped::<_, 3>(run, f64::from);
        mapped::<_, 4>(run, |number| number);
        mapped::<_, 5>(run, |number| [number; 3]);
    }
}

/// Groups of a few elements at small steps, forward and backward, side by side or with gaps.
#[test]
fn channels_of_pixels() {
    let run = &mut Run::new(13);
    for _ in 0..times(10_000) {
        let random = &mut run.random;
        let channels = 1 + random.below(8);
        let gap = random.below(4) * random.below(2);
        let mut step = |most: usize| {
            let step = (1 + random.below(most)).cast_signed();
            if random.below(2) == 0 { step } else { -step }
        };
        let strides = [[step(9), step(3)], [(channels + gap).cast_signed(), 1]];
        let dims = [15 + random.below(90), channels];
        let sides = Side::between(random, dims, strides);
        match random.below(4) {
            0 => strided(run, sides, |number| number as u8),
            1 => strided(run, sides, |number| number as u16),
            2 => strided(run, sides, bytes::<3>),
            _ => strided(run, sides, |number| number),
        }
    }
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

#[test]
fn from_strides_to_layouts_and_back() {
    let mut run = Run::new(2);
    macro_rules! through {
        ($($layout:ty: $stored:ty = $of:expr;)*) => {$(
            let dims = dims_of::<$layout, $layout, _>(&mut run.random, <$layout>::SHAPE);
            let [a, b] = Side::pair(&mut run.random, dims);
            let numbers = || values::<$stored>($of, Some(<$stored>::default()));
            doors! { run, a plain numbers() => b plain numbers(), |x| x,
                [copy_to map_to inline new to]:
                [strided] $layout => [view] $layout;
            }
            doors! { run, a plain numbers() => b plain numbers(), |x| x, [copy_to inline]:
                [view] $layout => [strided] $layout;
            }
        )*};
    }
    for _ in 0..times(60) {
        through! {
            layout!(F32[]): f32 = |n| n as f32;
            layout!(U8[?]): u8 = |n| n as u8;
            layout!(U16[?]{0:T(4)}): u16 = |n| n as u16;
            layout!(U8[?,?]{0,1:T(8,4)}): u8 = |n| n as u8;
            layout!(F32[?,?]{0,1:T(16,1)}): f32 = |n| n as f32;
            layout!(U16[?,?]{1,0:T(8,16)(2,1)}): u16 = |n| n as u16;
            layout!(F64[?,?]{1,0}): f64 = f64::from;
            layout!(C128[?,?]{0,1:T(2,3)}): [f64; 2] = |n| [f64::from(n), 0.5];
            layout!(U8[5,?]{1,0:T(4,4)}): u8 = |n| n as u8;
            layout!(F32[<=9,?]{0,1:T(2,4)}): f32 = |n| n as f32;
            layout!(F32[6,5]{1,0:T(4,2)}): f32 = |n| n as f32;
            layout!(U8[4,6]): u8 = |n| n as u8;
            layout!(U16[?,?]{1,0:T(3,5)(2,2)}): u16 = |n| n as u16;
            layout!(F32[?,?,?]{0,2,1:T(2,4)}): f32 = |n| n as f32;
            layout!(U16[?,?,?]{2,1,0:T(*,4)}): u16 = |n| n as u16;
            layout!(U8[?,3,?]{1,2,0}): u8 = |n| n as u8;
            layout!(F64[?,?,?,?]{0,3,1,2:T(2,2)}): f64 = f64::from;
            layout!(U8[?,?,?,?,?]{4,1,3,0,2:T(2,3)}): u8 = |n| n as u8;
            layout!(U16[2,?,?,3,?]{4,3,2,1,0:T(2,2,2)}): u16 = |n| n as u16;
        }
    }
    run.finish();
}
