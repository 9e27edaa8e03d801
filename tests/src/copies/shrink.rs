//! A failure, and the smallest pair that has it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use layout::shape::Size;

use super::case::Case;
use super::paths::{PATHS, Path, Takes};
use super::types::every_type;
use crate::naive::Naive;
use crate::pairs::{Pair, any_pair};
use crate::random::Random;

/// How long a smaller pair is looked for.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// How many threads are quiet.
static QUIET: AtomicU32 = AtomicU32::new(0);

/// A path that copies wrongly.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was wrong, of which seed.
    pub said: String,
    /// A test that fails.
    pub test: String,
}

/// What ran.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Pairs by the path that took them, and how long it took.
    pub paths: BTreeMap<&'static str, (u64, Duration)>,
}

impl Tally {
    fn count<T>(&mut self, path: &'static str, copy: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = copy();
        let (pairs, time) = self.paths.entry(path).or_default();
        *pairs += 1;
        *time += start.elapsed();
        result
    }
}

/// Where panics are caught their words are kept in place of printing them.
fn listen() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // Threads that share a copy have no name, and their panics are passed on.
        let is_shared = || std::thread::current().name().is_none() && QUIET.load(Relaxed) > 0;
        // Where panics do not unwind, these are the last words.
        if cfg!(panic = "abort") || !IS_QUIET.get() && !is_shared() {
            return before(info);
        }
        let message = words(info.payload());
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        SAID.set(format!("{message}{}", place.unwrap_or_default()));
    }));
}

/// Copies the pair of a seed by every path, and between some types.
///
/// # Errors
/// The failure, of the smallest pair that has it.
pub fn check(seed: u64, tally: &mut Tally) -> Result<(), Box<Failure>> {
    let random = &mut Random::new(seed);
    check_pair(&any_pair(random), seed, tally)?;
    // There are few types.
    if random.below(8) > 0 {
        return Ok(());
    }
    let all = every_type().collect::<Vec<_>>();
    let (name, copies) = *random.pick(&all);
    let run = |seed, limit| caught(|| copies(&mut Random::new(seed), limit));
    tally.count("types", || run(seed, 300)).map_err(|said| {
        let smaller =
            |limit| (0..100).find_map(|seed| Some((limit, seed, run(seed, limit).err()?)));
        let (limit, seed, said) = (1..50).find_map(smaller).unwrap_or((300, seed, said));
        let test = format!("layout_tests::copies::again_between({name:?}, {seed}, {limit});");
        Box::new(Failure { said, test: as_test("types", &[name], &test) })
    })
}

/// Copies between all types, with each seed.
pub fn all_types(seeds: Range<u64>) {
    for (_, copies) in every_type() {
        for seed in seeds.clone() {
            copies(&mut Random::new(seed), 300);
        }
    }
}

/// Copies a pair by every path.
///
/// # Errors
/// As [`check`].
pub fn check_pair(pair: &Pair, seed: u64, tally: &mut Tally) -> Result<(), Box<Failure>> {
    check_by(|_| true, pair, seed, tally)
}

/// Copies a pair by some paths.
pub(super) fn check_by(
    is_asked: impl Fn(&Path) -> bool,
    pair: &Pair,
    seed: u64,
    tally: &mut Tally,
) -> Result<(), Box<Failure>> {
    for takes in Takes::ALL {
        let mut paths =
            PATHS.iter().filter(|path| path.takes == takes && is_asked(path)).peekable();
        if paths.peek().is_none() {
            continue;
        }
        let case = case(takes, pair, seed);
        for path in paths {
            let copied = match &case {
                Ok(case) => tally.count(path.name, || said_of(path, case, seed)),
                Err(said) => Err(said.clone()),
            };
            copied.map_err(|said| failure(path, pair, said, seed))?;
        }
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
    said_of(path, &Case { is_thorough: true, ..case(path.takes, pair, seed)? }, seed)
}

fn failure(path: &Path, pair: &Pair, said: String, seed: u64) -> Box<Failure> {
    let (pair, said) = shrunk(path, pair.clone(), said, seed);
    let texts = pair.texts();
    let test = format!("layout_tests::copies::again({:?}, {texts:?});", path.name);
    let said = format!("LAYOUT_SEED={seed}: {said}");
    let texts = texts.each_ref().map(String::as_str);
    Box::new(Failure { said, test: as_test(path.name, &texts, &test) })
}

/// A test of one line, with a name.
fn as_test(path: &str, texts: &[&str], line: &str) -> String {
    let name = [&[path], texts].concat().join("_to_").to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_");
    format!("#[test]\nfn {name}() {{\n    {line}\n}}")
}

/// A failure between types that was found once, as a test.
///
/// # Panics
/// If it is wrong again.
pub fn again_between(name: &str, seed: u64, limit: usize) {
    let (_, copies) = every_type().find(|(other, _)| *other == name).expect("types of this name");
    copies(&mut Random::new(seed), limit);
}

/// A failure that was found once, as a test: copies the pair of these texts by the path.
///
/// # Panics
/// If it is wrong again.
pub fn again(path: &str, texts: [&str; 2]) {
    let path = PATHS.iter().find(|other| other.name == path).expect("a path of this name");
    let said = said(path, &Pair::of(texts), 1);
    said.unwrap_or_else(|said| panic!("{}: {texts:?}: {said}", path.name));
}

/// The words of the panic, if there is one.
fn caught<T>(copy: impl FnOnce() -> T) -> Result<T, String> {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(listen);
    IS_QUIET.set(true);
    QUIET.fetch_add(1, Relaxed);
    let result = catch_unwind(AssertUnwindSafe(copy));
    QUIET.fetch_sub(1, Relaxed);
    IS_QUIET.set(false);
    result.map_err(|payload| match SAID.take() {
        said if !said.is_empty() => said,
        // It was said on another thread.
        _ => words(&*payload),
    })
}

fn words(payload: &(dyn Any + Send)) -> String {
    let words = payload.downcast_ref::<String>().cloned();
    let words = words.or_else(|| payload.downcast_ref::<&str>().map(|words| (*words).to_owned()));
    words.unwrap_or_else(|| "a panic without words".to_owned())
}

/// The smallest pair that is found, and what is said of it: one step after another, as long as it still fails.
fn shrunk(path: &Path, mut pair: Pair, mut said_of_it: String, seed: u64) -> (Pair, String) {
    let end = Instant::now() + PATIENCE;
    'smaller: while Instant::now() < end {
        for smaller in smaller(&pair) {
            if let Err(said) = said_of_valid(path, &smaller, seed) {
                (pair, said_of_it) = (smaller, said);
                continue 'smaller;
            }
        }
        break;
    }
    let said = said(path, &pair, seed).err();
    (pair, said.unwrap_or(said_of_it))
}

fn said_of_valid(path: &Path, pair: &Pair, seed: u64) -> Result<(), String> {
    let is_valid = pair.texts().iter().all(|text| text.parse::<layout::ArrayShape>().is_ok());
    let is_small = pair.layouts.iter().all(|layout| layout.size_within(100_000).is_some());
    if is_valid && is_small { said(path, pair, seed) } else { Ok(()) }
}

/// Pairs that are a step simpler, the simplest first.
fn smaller(pair: &Pair) -> Vec<Pair> {
    let mut all = Vec::new();
    let both = |change: &dyn Fn(&mut Naive)| {
        let mut pair = pair.clone();
        pair.layouts.iter_mut().for_each(change);
        pair
    };
    let rank = pair.layouts[0].dims.len();
    for dim in 0..rank {
        all.push(both(&|layout| {
            layout.dims.remove(dim);
            layout.minor_to_major.retain(|other| *other != dim);
            layout.minor_to_major.iter_mut().filter(|at| **at > dim).for_each(|at| *at -= 1);
            if let Some(padded) = &mut layout.padded {
                padded.remove(dim);
            }
        }));
    }
    if pair.bounded != 0 {
        all.push(Pair { bounded: 0, ..pair.clone() });
    }
    if pair.fill.is_some() {
        all.push(Pair { fill: None, ..pair.clone() });
    }
    if pair.element != "u8" || pair.bits != [8; 2] {
        all.push(Pair { element: "u8".to_owned(), bits: [8; 2], ..pair.clone() });
    }
    for side in 0..2 {
        let of = |change: &dyn Fn(&mut Naive)| {
            let mut pair = pair.clone();
            change(&mut pair.layouts[side]);
            pair
        };
        let layout = &pair.layouts[side];
        if layout.swizzle.is_some() {
            all.push(of(&|layout| (layout.swizzle, layout.tail_alignment) = (None, 1)));
        }
        if layout.padded.is_some() {
            all.push(of(&|layout| layout.padded = None));
        }
        if layout.tail_alignment > 1 && layout.swizzle.is_none() {
            all.push(of(&|layout| layout.tail_alignment = 1));
        }
        if !layout.minor_to_major.iter().rev().copied().eq(0..rank) {
            all.push(of(&|layout| layout.minor_to_major = (0..rank).rev().collect()));
        }
        for number in 0..layout.tiles.len() {
            all.push(of(&|layout| {
                layout.tiles.remove(number);
            }));
            let tile = &layout.tiles[number];
            for at in 0..tile.len() {
                if tile.len() > 1 && (at + 1 < tile.len() || tile[at - 1].is_some()) {
                    all.push(of(&|layout| {
                        layout.tiles[number].remove(at);
                    }));
                }
                for size in less(tile[at].unwrap_or(0)) {
                    all.push(of(&|layout| layout.tiles[number][at] = Some(size)));
                }
            }
        }
    }
    for dim in 0..rank {
        for size in less(pair.layouts[0].dims[dim]) {
            all.push(both(&|layout| {
                if let Some(padded) = &mut layout.padded {
                    padded[dim] -= layout.dims[dim] - size;
                }
                layout.dims[dim] = size;
            }));
        }
    }
    all
}

/// Smaller sizes.
fn less(size: Size) -> Vec<Size> {
    let mut less = vec![1, 2, 3, 5, 7, size / 2, size / 4 * 3];
    less.extend([8, 4, 2, 1].map(|step| size.saturating_sub(step)));
    less.retain(|other| *other > 0 && *other < size);
    less.sort_unstable();
    less.dedup();
    less
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.paths.iter();
        let paths = paths.map(|(path, (pairs, time))| format!("{path} {pairs} ({time:.1?})"));
        f.write_str(&paths.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "// {}\n{}", self.said.replace('\n', "\n// "), self.test)
    }
}
