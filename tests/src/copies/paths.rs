//! The ways from one layout to another.

use layout::__private::Memory;
use layout::__private::copies::{PlanTemplate, copy_loops, difference};
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use layout::bitcast::{reshape_is_bitcast, same_bytes};
use layout::copies::{InstructionSet, PlanPart, Settings};
use layout::shape::{Digits, Size};
use layout::{ArrayShape, Padding, Plan};

use super::case::{BEFORE, Case};
use super::region::{Held, anywhere};
use super::shrink::shorten;
use super::{dynamic, plain};
use crate::naive::{Naive, unflatten};
use crate::pairs::Pair;
use crate::random::Random;

/// A way to copy. It panics where it is wrong.
#[derive(Debug)]
pub struct Path {
    /// Its name.
    pub name: &'static str,
    /// Which pair it takes in the place of one.
    pub takes: Takes,
    /// Copies, and compares.
    pub copy: fn(&Case, &mut Random),
}

/// All of them.
pub const PATHS: &[Path] = &[
    Path { name: "run", takes: Takes::Any, copy: run },
    Path { name: "parts", takes: Takes::Any, copy: parts },
    Path { name: "ranges", takes: Takes::Any, copy: ranges },
    Path { name: "every range", takes: Takes::Few, copy: every_range },
    Path { name: "with_dims", takes: Takes::Any, copy: with_dims },
    Path { name: "templates", takes: Takes::Any, copy: templates },
    Path { name: "bitcasts", takes: Takes::SameBits, copy: bitcasts },
    Path { name: "stored", takes: Takes::Numbers, copy: plain::stored },
    Path { name: "uninit", takes: Takes::Any, copy: plain::uninit },
    Path { name: "strided", takes: Takes::Any, copy: strided },
    Path { name: "bytes", takes: Takes::Any, copy: dynamic::bytes },
    Path { name: "elements", takes: Takes::Numbers, copy: dynamic::elements },
];

/// What a path takes in the place of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// The pair.
    Any,
    /// The pair with elements of as many bits on both sides.
    SameBits,
    /// The pair with numbers of 32 bits.
    Numbers,
    /// The pair with few elements along each dimension.
    Few,
}

impl Takes {
    pub(super) const ALL: [Takes; 4] = [Takes::Any, Takes::SameBits, Takes::Numbers, Takes::Few];

    pub(super) fn of(self, mut pair: Pair) -> Pair {
        match self {
            Takes::Any => {}
            Takes::SameBits => pair.bits = [pair.bits[1]; 2],
            Takes::Numbers => {
                let element = "u32".to_owned();
                pair = Pair { element, bits: [32; 2], bounded: 0, fill: None, ..pair };
            }
            Takes::Few => pair.layouts.iter_mut().for_each(few),
        }
        pair
    }
}

/// Few elements are no whole blocks of a swizzle.
fn few(layout: &mut Naive) {
    if layout.swizzle.take().is_some() {
        layout.tail_alignment = 1;
    }
    for dim in 0..layout.dims.len() {
        shorten(layout, dim, layout.dims[dim].min(if dim < 2 { 5 } else { 2 }));
    }
}

/// Elements of a destination of which every range is taken.
const MOST: usize = 80;

/// Every instruction set, with and without threads, and what is taken by default.
pub fn all_settings() -> &'static [Settings] {
    static ALL: LazyLock<Vec<Settings>> = LazyLock::new(|| {
        let of =
            |set| [false, true].map(|threads| Settings { set: Some(set), threads: Some(threads) });
        InstructionSet::all().flat_map(of).chain([Settings::default()]).collect()
    });
    &ALL
}

/// Some settings; seldom with threads, which take long to begin.
fn some_settings(random: &mut Random) -> Settings {
    let mut settings = *random.pick(all_settings());
    if random.below(8) > 0 {
        settings.threads = Some(false);
    }
    settings
}

/// The plan with some settings.
pub(super) fn with_settings(plan: &Plan, random: &mut Random) -> (Plan, Settings) {
    let settings = some_settings(random);
    (plan.clone().with_settings(settings), settings)
}

static COPIED: AtomicU64 = AtomicU64::new(0);

/// How many arrays and ranges were copied as bytes so far.
pub fn copied() -> u64 {
    COPIED.load(Relaxed)
}

/// What a copy writes to memory anywhere, whose other bytes have to stay.
fn writes(
    expected: &[u8],
    random: &mut Random,
    what: impl Fn() -> String,
    copy: impl FnOnce(&mut [u8]),
) {
    let mut found = Held::new(&vec![BEFORE; expected.len()], anywhere(random));
    COPIED.fetch_add(1, Relaxed);
    copy(&mut found);
    if let Some(at) = found.iter().zip(expected).position(|(found, expected)| found != expected) {
        panic!("{}: byte {at} is {:#04x}, not {:#04x}", what(), found[at], expected[at]);
    }
    assert!(found.is_kept(), "{}: bytes around the destination are written", what());
}

/// The whole array at once, with some settings.
fn runs<'s>(case: &Case, all: impl Iterator<Item = &'s Settings>, random: &mut Random) {
    for settings in all {
        let padding = case.padding(random);
        let plan = case.plan.clone().with_settings(*settings);
        let what = || format!("{plan:?} with {padding:?} and {settings:?}");
        writes(&case.expected(padding), random, what, |to| {
            plan.run_bytes(&case.source, to, padding).unwrap();
        });
    }
}

/// The whole array at once, with every instruction set.
fn run(case: &Case, random: &mut Random) {
    let (first, step) = if case.is_thorough { (0, 1) } else { (random.below(4), 4) };
    runs(case, all_settings().iter().skip(first).step_by(step), random);
}

/// From strides to a layout, from a layout to strides, and between strides.
fn strided(case: &Case, random: &mut Random) {
    let settings = [(); 3].map(|()| some_settings(random));
    runs(&case.strided(random), settings.iter(), random);
}

/// Parts as they are proposed, in any order.
fn parts(case: &Case, random: &mut Random) {
    let length = case.plan.destination_bytes();
    let padding = case.padding(random);
    let expected = case.expected(padding);
    let is_thorough = case.is_thorough && length <= 400;
    let sizes = match (is_thorough, case.is_thorough) {
        (true, _) => length.min(80) + 8,
        (_, true) => 40,
        _ => 3,
    };
    for number in 0..sizes {
        let most = match number {
            _ if is_thorough && number <= length.min(80) => number,
            _ => up_to(random, length),
        };
        let mut parts = case.plan.parts(most).collect::<Vec<_>>();
        if parts.len() > 2000 && !is_thorough {
            continue;
        }
        let total = parts.iter().map(|part| part.len()).sum::<usize>();
        assert_eq!(total, length, "parts({most}) are the destination");
        let is_in_order = parts.windows(2).all(|pair| pair[0].end == pair[1].start);
        assert!(is_in_order, "parts({most}) are one after another: {parts:?}");
        let limit = case.step().max(most.saturating_mul(16));
        assert!(parts.iter().all(|part| part.len() <= limit), "parts({most}) are short: {parts:?}");
        random.shuffle(&mut parts);
        copy_parts(case, &parts, padding, &expected, random);
    }
}

/// Every range that does not cut an element, the short ones first.
fn every_range(case: &Case, random: &mut Random) {
    let count = case.plan.destination_bytes() / case.step();
    if count > MOST {
        return;
    }
    let padding = case.padding(random);
    let expected = case.expected(padding);
    for length in 0..=count {
        for start in 0..=count - length {
            let part = start * case.step()..(start + length) * case.step();
            copy_parts(case, &[part], padding, &expected, random);
        }
    }
}

/// Any ranges that do not cut an element.
fn ranges(case: &Case, random: &mut Random) {
    let step = case.step();
    let count = case.plan.destination_bytes() / step;
    if case.is_thorough && count <= MOST {
        return every_range(case, random);
    }
    let padding = case.padding(random);
    let expected = case.expected(padding);
    for _ in 0..if case.is_thorough { 2000 } else { 30 } {
        let length = up_to(random, count);
        let start = random.below(count - length + 1);
        let part = start * step..(start + length) * step;
        copy_parts(case, &[part], padding, &expected, random);
    }
}

/// Parts whose plans are kept; the first two are copied twice.
fn copy_parts(
    case: &Case,
    parts: &[Range<usize>],
    padding: Padding<u128>,
    expected: &[u8],
    random: &mut Random,
) {
    let (plan, settings) = with_settings(&case.plan, random);
    let planned = parts.iter().map(|part| plan.part(part.clone()).unwrap()).collect::<Vec<_>>();
    assert!(planned.iter().map(PlanPart::range).eq(parts.iter().cloned()));
    for plan in planned.iter().chain(planned.iter().take(2)) {
        let what = || format!("part({:?}) with {padding:?} and {settings:?}", plan.range());
        writes(&expected[plan.range()], random, what, |to| {
            plan.run_bytes(&case.source, to, padding).unwrap();
        });
    }
}

/// A number up to another one, as often a small one as a large one.
fn up_to(random: &mut Random, most: usize) -> usize {
    let limit = (most + 1) >> random.below((most + 1).ilog2() as usize + 1);
    random.below(limit.max(1) + 1).min(most)
}

/// The layouts with some sizes unknown, a bit each. `PAD` needs sizes, and swizzles need whole blocks of what is known.
fn with_unknowns(case: &Case, random: &mut Random) -> Option<(usize, [ArrayShape; 2])> {
    let unknown = random.below(1 << case.pair.layouts[0].dims.len());
    let texts = case.pair.texts_with(|dim, size| match unknown >> dim & 1 {
        1 => "?".to_owned(),
        _ => size.to_string(),
    });
    let [from, to] = texts.map(|text| text.parse::<ArrayShape>().ok());
    Some((unknown, [from?, to?]))
}

/// Layouts of which some sizes are unknown, with these sizes.
fn with_dims(case: &Case, random: &mut Random) {
    let Some((_, shapes)) = with_unknowns(case, random) else { return };
    let dims = &case.pair.layouts[0].dims;
    let [from, to] = shapes.map(|shape| shape.with_dims(dims).unwrap());
    let padding = case.padding(random);
    let (plan, what) =
        (Plan::new(&from, &to).unwrap(), || format!("{padding:?} after `with_dims`"));
    writes(&case.expected(padding), random, what, |to| {
        plan.run_bytes(&case.source, to, padding).unwrap();
    });
}

/// By the plan of a template whose sizes are known at the call.
fn templates(case: &Case, random: &mut Random) {
    let Some((unknown, [from, to])) = with_unknowns(case, random) else { return };
    let dims = &case.pair.layouts[0].dims;
    let [src, dst] = [&from, &to].map(Digits::with_unknowns);
    let element = case.pair.bits[0].min(case.pair.bits[1]) / 8;
    let template = PlanTemplate::new([&src, &dst], unknown as u16, false)
        .filter(|_| !dims.contains(&0) && element > 0);
    let Some(template) = template else { return };
    let plan = template.plan(dims, [&src.counts(dims), &dst.counts(dims)], element as Size);
    let settings = random.pick(all_settings());
    let what = || format!("by a template, sizes {unknown:b} of {dims:?} unknown");
    writes(&case.expected(Padding::Leave), random, what, |to| {
        copy_loops(&plan, Memory::of_bytes(&case.source, to), element, settings);
    });
}

/// Whether the layouts are one; `core::bitcasts` asks it of layouts that often are.
fn bitcasts(case: &Case, _: &mut Random) {
    let ([from, to], [a, b], [x, y]) = (&case.shapes, &case.memories, &case.slots);
    let moved = (0..x.len()).find(|number| x[*number] != y[*number]);
    assert_eq!(same_bytes(from, to).is_ok(), moved.is_none(), "same_bytes");
    let [from_digits, to_digits] = [from, to].map(|shape| shape.digits().unwrap());
    let dims = &case.pair.layouts[0].dims;
    let found = difference(&from_digits, &to_digits, Size::MAX);
    let index = found.map(|found| found.from[..dims.len()].to_vec());
    assert_eq!(index, moved.map(|number| unflatten(number as Size, dims)), "difference");
    let is_bitcast = if x.is_empty() { y.is_empty() } else { a == b };
    assert_eq!(reshape_is_bitcast(from, to), is_bitcast, "reshape_is_bitcast");
}
