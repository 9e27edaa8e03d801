//! Copies by every path, of random pairs of layouts and of all small ones.

use std::collections::BTreeMap;

use layout::__private::copies::Plan;
use layout_tests::amount::{is_full, times};
use layout_tests::copies::{Failure, again, check, check_pair, lines, matrices};
use layout_tests::lists::array;
use layout_tests::naive::Naive;
use layout_tests::pairs::{Pair, any_pair};
use layout_tests::random::Random;
use layout_tests::{corpus, data, table};

/// The pairs of a table.
fn pairs(table: &str) -> Vec<[String; 2]> {
    let rows = table::of("pairs", table).into_iter();
    rows.map(|row| row.try_into().expect("two layouts")).collect()
}

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
    for (seed, [a, b]) in pairs("by hand").iter().enumerate() {
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
    for pair in pairs("found") {
        let pair = pair.each_ref().map(String::as_str);
        for path in ["run", "parts", "ranges"] {
            again(path, pair);
        }
    }
}

/// What the tests of the C interface, of the wheel and of the command read.
#[test]
fn lines_for_other_languages() {
    data::assert_snapshot("copies.txt", &lines(&[pairs("found"), pairs("by hand")].concat()));
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
