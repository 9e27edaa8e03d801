//! A failure, and the smallest pair that has it.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

use layout::ArrayShape;
use layout::shape::Size;

use super::case::Case;
use super::paths::{PATHS, Path, Takes};
use crate::naive::Naive;
use crate::pairs::{Pair, any_pair};
use crate::random::Random;

/// How long a smaller pair is looked for.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A path that copies wrongly.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was wrong, of which seed.
    pub said: String,
    /// A line of a test that fails.
    pub test: String,
}

/// Copies the pair of a seed by every path.
///
/// # Errors
/// The failure, of the smallest pair that has it.
pub fn check(seed: u64) -> Result<(), Box<Failure>> {
    check_pair(&any_pair(&mut Random::new(seed)), seed)
}

/// Copies a pair by every path.
///
/// # Errors
/// As [`check`].
pub fn check_pair(pair: &Pair, seed: u64) -> Result<(), Box<Failure>> {
    check_by(|_| true, pair, seed)
}

/// Copies a pair by some paths.
pub(super) fn check_by(
    is_asked: impl Fn(&Path) -> bool,
    pair: &Pair,
    seed: u64,
) -> Result<(), Box<Failure>> {
    let mut known = None;
    for takes in Takes::ALL {
        let mut paths =
            PATHS.iter().filter(|path| path.takes == takes && is_asked(path)).peekable();
        if paths.peek().is_none() {
            continue;
        }
        let case = match &known {
            Some(Ok(known)) if takes != Takes::Few => {
                caught(|| Case::of_elements(known, takes.of(pair.clone()), &mut Random::new(seed)))
            }
            _ => case(takes, pair, seed),
        };
        for path in paths {
            let copied = case.clone().and_then(|case| said_of(path, &case, seed));
            copied.map_err(|said| failure(path, pair, said, seed))?;
        }
        known.get_or_insert(case);
    }
    Ok(())
}

fn case(takes: Takes, pair: &Pair, seed: u64) -> Result<Case, String> {
    caught(|| Case::new(takes.of(pair.clone()), &mut Random::new(seed)))
}

/// What is wrong with a path's copy.
fn said_of(path: &Path, case: &Case, seed: u64) -> Result<(), String> {
    caught(|| (path.copy)(case, &mut Random::new(seed)))
}

/// The same with more tries.
fn said(path: &Path, pair: &Pair, seed: u64) -> Result<(), String> {
    let mut case = case(path.takes, pair, seed)?;
    case.is_thorough = true;
    said_of(path, &case, seed)
}

/// The failure of the smallest pair that is found: one step after another, as long as it still fails.
fn failure(path: &Path, pair: &Pair, mut said_of_it: String, seed: u64) -> Box<Failure> {
    let end = Instant::now() + PATIENCE;
    let mut pair = pair.clone();
    let fails = |pair: Pair| {
        let is_valid = pair.texts().iter().all(|text| text.parse::<ArrayShape>().is_ok());
        let is_small = pair.layouts.iter().all(|layout| layout.size_within(100_000).is_some());
        let said = said(path, &pair, seed).err().filter(|_| is_valid && is_small)?;
        Some((pair, said))
    };
    while Instant::now() < end
        && let Some(smaller) = smaller(&pair).into_iter().find_map(fails)
    {
        (pair, said_of_it) = smaller;
    }
    let test = format!("layout_tests::copies::again({:?}, {:?});", path.name, pair.texts());
    Box::new(Failure { said: format!("LAYOUT_SEED={seed}: {said_of_it}"), test })
}

/// A failure that was found once: copies the pair of these texts by the path.
///
/// # Panics
/// If it is wrong again.
pub fn again(path: &str, texts: [&str; 2]) {
    let path = PATHS.iter().find(|other| other.name == path).expect("a path of this name");
    let said = said(path, &Pair::of(&texts), 1);
    said.unwrap_or_else(|said| panic!("{}: {texts:?}: {said}", path.name));
}

/// The words of the panic, if there is one, which are not printed. Where panics do not unwind, they are the last words.
fn caught<T>(copy: impl FnOnce() -> T) -> Result<T, String> {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match IS_QUIET.get() {
            true if cfg!(panic = "unwind") => SAID.set(info.to_string()),
            _ => before(info),
        }));
    });
    IS_QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(copy));
    IS_QUIET.set(false);
    result.map_err(|_| SAID.take())
}

/// Pairs that are a step simpler, the simplest first.
fn smaller(pair: &Pair) -> Vec<Pair> {
    let mut all = Vec::new();
    let mut change = |change: &dyn Fn(&mut Pair)| {
        let mut changed = pair.clone();
        change(&mut changed);
        if changed != *pair {
            all.push(changed);
        }
    };
    let rank = pair.layouts[0].dims.len();
    for dim in 0..rank {
        change(&|pair| pair.layouts.iter_mut().for_each(|layout| remove(layout, dim)));
    }
    change(&|pair| pair.bounded = 0);
    change(&|pair| pair.fill = None);
    change(&|pair| (pair.element, pair.bits) = ("u8".to_owned(), [8; 2]));
    for side in 0..2 {
        let mut change = |by: &dyn Fn(&mut Naive)| change(&|pair| by(&mut pair.layouts[side]));
        change(&|layout| (layout.swizzle, layout.tail_alignment) = (None, 1));
        change(&|layout| layout.padded = None);
        change(&|layout| layout.minor_to_major = (0..rank).rev().collect());
        for (number, tile) in pair.layouts[side].tiles.iter().enumerate() {
            change(&|layout| _ = layout.tiles.remove(number));
            for (at, entry) in tile.iter().enumerate() {
                change(&|layout| _ = layout.tiles[number].remove(at));
                for size in less(entry.unwrap_or(0)) {
                    change(&|layout| layout.tiles[number][at] = Some(size));
                }
            }
        }
    }
    for (dim, size) in pair.layouts[0].dims.iter().enumerate() {
        for size in less(*size) {
            change(&|pair| pair.layouts.iter_mut().for_each(|layout| shorten(layout, dim, size)));
        }
    }
    all
}

/// The layout without a dimension.
fn remove(layout: &mut Naive, dim: usize) {
    layout.dims.remove(dim);
    layout.minor_to_major.retain(|other| *other != dim);
    layout.minor_to_major.iter_mut().filter(|at| **at > dim).for_each(|at| *at -= 1);
    if let Some(padded) = &mut layout.padded {
        padded.remove(dim);
    }
}

/// The layout with a smaller dimension, whose padding stays.
pub(super) fn shorten(layout: &mut Naive, dim: usize, size: Size) {
    if let Some(padded) = &mut layout.padded {
        padded[dim] -= layout.dims[dim] - size;
    }
    layout.dims[dim] = size;
}

/// Smaller sizes.
fn less(size: Size) -> Vec<Size> {
    let mut less = vec![1, 2, 3, 5, 7, size / 2, size / 4 * 3];
    less.extend([8, 4, 2, 1].map(|step| size.saturating_sub(step)));
    less.retain(|other| (1..size).contains(other));
    less.sort_unstable();
    less.dedup();
    less
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "// {}\n{}", self.said.replace('\n', "\n// "), self.test)
    }
}
