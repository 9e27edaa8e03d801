//! Copies by every path, of random pairs of layouts and of all small ones.

use std::collections::BTreeMap;

use layout::__private::copies::Plan;
use layout_tests::amount::{is_full, times};
use layout_tests::copies::{Failure, again, check, check_pair, lines, matrices};
use layout_tests::lists::array;
use layout_tests::naive::Naive;
use layout_tests::pairs::{Pair, any_pair};
use layout_tests::random::Random;
use layout_tests::{corpus, data};

/// Pairs that were copied wrongly.
const FOUND: &[[&str; 2]] = &[
    ["u8[3,3]{1,0}", "u8[3,3]{0,1:T(2)(2,1)}"],
    ["u8[7,4]{1,0}", "u8[7,4]{0,1:T(2)(2,1)}"],
    ["u16[8,277]{0,1}", "u16[8,277]{1,0:T(128)(2,1)}"],
    ["u8[8,433]{0,1}", "u8[8,433]{1,0:T(128)(4,1)}"],
    ["u4[31,16]{0,1:T(*,4)E(4)}", "u4[31,16]{1,0:T(2)(3,1)E(4)}"],
    ["bf16[7,38]{0,1:T(4)}", "bf16[7,38]{1,0:T(32)(8,2)}"],
    ["u32[18,4]{1,0}", "u32[18,4]{0,1:T(8)(4,4)}"],
    // An array that ends within the channels of an image, where its pixels could be channels too.
    ["f32[4,2,9]", "f32[4,2,9]{2,1,0:T(3,2,1)}"],
];

/// Others, at borders of what a kernel or a thread moves at a time.
const BY_HAND: &[[&str; 2]] = &[
    // Stretches so short that bits are exchanged; some end within tiles.
    ["bf16[256,256]{1,0:T(8,128)(2,1)}", "bf16[256,256]{0,1:T(8,128)(2,1)}"],
    ["s8[256,256]{1,0:T(8,128)(4,1)}", "s8[256,256]{0,1:T(8,128)(4,1)}"],
    ["u8[256,512]{1,0:T(4,8)}", "u8[256,512]{0,1}"],
    ["bf16[256,128]{1,0:T(4,8)}", "bf16[256,128]{0,1}"],
    ["f32[256,256]{0,1}", "f32[256,256]{1,0:T(8,8)}"],
    ["f32[256,320]{0,1:T(2,2)}", "f32[256,320]"],
    ["f64[128,256]", "f64[128,256]{0,1:T(2,2)}"],
    ["f64[128,256]{1,0:T(4,4)}", "f64[128,256]{0,1}"],
    ["c128[128,128]{0,1}", "c128[128,128]{1,0:T(2,2)}"],
    ["bf16[8,64,128]{2,0,1:T(4,4)}", "bf16[8,64,128]{0,2,1:T(2,8)}"],
    ["f32[250,250]{0,1}", "f32[250,250]{1,0:T(8,8)}"],
    ["f32[192,448]{0,1:T(2,2)}", "f32[192,448]"],
    // Blocks of few elements whose rows lie apart on both sides, as in a reversal of digits.
    ["f64[2,2,2,2,2,2,2,2,2,2]", "f64[2,2,2,2,2,2,2,2,2,2]{0,1,2,3,4,5,6,7,8,9}"],
    ["f64[2,259,2,3,2]", "f64[2,259,2,3,2]{0,1,2,3,4}"],
    ["u32[4,67,4,4]", "u32[4,67,4,4]{0,1,2,3}"],
    ["u64[4,65,4,4]", "u64[4,65,4,4]{0,1,2,3}"],
    // Arrays that end within the blocks of such an exchange: in one dimension, in both, by less than an element of a kernel.
    ["u8[143,293]", "u8[143,293]{1,0:T(128,64)(8,32)(2,16)}"],
    ["u8[136,192]", "u8[136,192]{1,0:T(128,64)(8,32)(2,16)}"],
    ["u8[161,241]{1,0:T(2,16)}", "u8[161,241]{0,1:T(2,16)}"],
    ["u16[101,203]{1,0:T(4,8)}", "u16[101,203]{0,1:T(4,8)}"],
    ["f32[131,67]{1,0:T(2,4)}", "f32[131,67]{0,1:T(2,2)}"],
    ["u8[3,97,101]{2,1,0:T(4,4)}", "u8[3,97,101]{1,2,0:T(2,8)}"],
    // A more minor digit of a dimension comes first in memory, and the layouts share no split.
    ["u8[60000]{0:T(3)(5,1)}", "u8[60000]{0:T(2)(30000,1)}"],
    ["u4[60000]{0:T(3)(5,1)E(4)}", "u4[60000]{0:T(2)(30000,1)E(4)}"],
    ["u8[60000]", "u8[60000]{0:T(2)(30000,1)}"],
    // An array that ends within a byte.
    ["u4[144]{0:T(16)(2,1)E(4)}", "u4[144]{0:T(16)(2,1)E(4)}"],
    ["u4[3,144]{1,0:T(16)(2,1)E(4)}", "u4[3,144]{1,0:T(16)(2,1)E(4)}"],
    // Rows that begin within a byte.
    ["f4e2m1fn[3,8,1,132]{3,2,1,0:T(32)E(4)}", "f4e2m1fn[3,8,1,132]{3,2,1,0:T(31)E(4)}"],
    ["u2[3,8,1,132]{3,2,1,0:T(31)E(2)}", "u2[3,8,1,132]{3,2,1,0:T(32)E(2)}"],
    ["pred[3,8,1,132]{3,2,1,0:T(31)E(1)}", "pred[3,8,1,132]{3,2,1,0:T(31)E(1)}"],
    ["u4[64,16]{0,1:T(1)E(4)}", "u4[64,16]{1,0:T(1,17)E(4)}"],
    // Parts that threads share.
    ["s32[389,257]{1,0:T(6,128)}", "s32[389,257]{1,0:T(8,128)}"],
    ["s32[389,257]{1,0:T(8,128)}", "s32[389,257]{0,1:T(6,100)}"],
    ["s32[389,257]", "s32[389,257]{0,1}"],
    ["u16[1000,159]", "u16[1000,159]{0,1:T(8)(2,1)}"],
];

fn fail(result: Result<(), Box<Failure>>) {
    result.unwrap_or_else(|failure| panic!("as a test:\n{failure}"));
}

/// `LAYOUT_SEED` repeats one pair.
#[test]
fn random_pairs() {
    let given = std::env::var("LAYOUT_SEED").ok();
    let seeds = match given.map(|seed| seed.parse().expect("LAYOUT_SEED is a number")) {
        Some(seed) => seed..seed + 1,
        None => 0..times(2_500) as u64,
    };
    for seed in seeds {
        fail(check(seed));
    }
}

/// Each kernel copies many of them.
#[test]
fn every_kernel_is_reached() {
    let mut kernels = BTreeMap::new();
    for seed in 0..1000 {
        let pair = any_pair(&mut Random::new(seed));
        let [a, b] = pair.texts().map(|text| array(&text).digits().expect("sizes are known"));
        let kernel = Plan::new(&a, &b, 2).kernel;
        *kernels.entry(format!("{kernel:?}")).or_insert(0) += 1;
    }
    assert!(kernels.len() == 6 && kernels.values().all(|count| *count > 10), "{kernels:?}");
}

#[test]
fn small_matrices() {
    fail(matrices(if is_full() { 1 } else { 23 }));
}

/// There and back.
#[test]
fn by_hand() {
    for (seed, [a, b]) in BY_HAND.iter().enumerate() {
        fail(check_pair(&Pair::of(&[a, b]), seed as u64));
        fail(check_pair(&Pair::of(&[b, a]), seed as u64));
    }
    for (number, (shape, dims)) in corpus::shapes().into_iter().enumerate() {
        let text = shape.with_dims(&dims).expect("its own sizes").to_string();
        let pair = Pair::of(&[&text, &text]);
        let dims = &pair.layouts[0].dims;
        let of = |minor_to_major| Naive { dims: dims.clone(), minor_to_major, ..Naive::default() };
        let rows = (0..dims.len()).rev().collect::<Vec<_>>();
        // There from rows and back to columns, or the other way round.
        let mut plain = [of(rows.clone()), of(rows.into_iter().rev().collect())];
        plain.rotate_left(number % 2);
        let [from, to] = plain;
        for layouts in [[from, pair.layouts[0].clone()], [pair.layouts[0].clone(), to]] {
            fail(check_pair(&Pair { layouts, ..pair.clone() }, 1));
        }
    }
}

#[test]
fn found() {
    for pair in FOUND {
        again("run", *pair);
        again("parts", *pair);
        again("ranges", *pair);
    }
}

/// What the tests of the C interface, of the wheel and of the command read.
#[test]
fn lines_for_other_languages() {
    data::assert_snapshot("copies.txt", &lines(&[FOUND, BY_HAND].concat()));
}

/// Where sizes of the call let digits of a dimension go on one as the other, they end with the array, not with its padding: threads
/// share what is in it.
#[test]
fn digits_that_join_at_the_call() {
    for texts in [
        ["u8[3,2]{1,0:T(2,3)}", "u8[3,2]{1,0}"],
        ["u8[2,3]{0,1:T(2,3)}", "u8[2,3]{0,1}"],
        ["u8[2,5]{0,1:T(4,2)}", "u8[2,5]{1,0:T(2,2)}"],
    ] {
        again("templates", texts);
    }
}
