//! Copies by every path against the naive model.

use layout::{AnyLayout, Padding, element};

use crate::pairs::{Pair, any_pair};
use crate::random::Random;

mod case;
pub mod doors;
mod dynamic;
mod matrices;
mod paths;
mod plain;
pub mod region;
mod shrink;

pub use case::Case;
pub use matrices::matrices;
pub use paths::{PATHS, Path, Takes, all_settings, copied};
pub use shrink::{Failure, again, check, check_pair};

/// A layout of numbers of 32 bits.
pub trait Numbers<const R: usize>:
    AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

impl<L, const R: usize> Numbers<R> for L where
    L: AnyLayout<Index = [usize; R], Element = element::U32, Width = element::Bits<32>>
{
}

/// Pairs for tests in other languages, a line each: the layouts, and the digest of what the copy writes, with padding of
/// zeros, of a source whose byte `i` is `i * 167 + i / 256 * 13 + 11`. The digest is FNV-1a of 64 bits.
pub fn lines(found: &[[String; 2]]) -> String {
    let any = (0..).map(|seed| any_pair(&mut Random::new(seed)));
    let any = any.filter(|pair| {
        let is_small = pair.layouts.iter().all(|layout| layout.size_within(2000).is_some());
        is_small && pair.bounded == 0 && pair.fill.is_none()
    });
    let pairs = found.iter().map(Pair::of).chain(any.take(200));
    pairs.map(|pair| line(&Case::new(pair, &mut Random::new(0)))).collect()
}

fn line(case: &Case) -> String {
    let byte = |at: usize| (at * 167 + at / 256 * 13 + 11) as u8;
    let source = (0..case.plan.source_bytes()).map(byte).collect::<Vec<_>>();
    let mut memory = case.expected_of(&source, Padding::Zero);
    // Bits past the last slot are no padding.
    let slots = case.memories[1].len();
    let used = slots * case.pair.bits[1] % 8;
    if let (1.., Some(last)) = (used, memory.last_mut()) {
        *last &= (1 << used) - 1;
    }
    let digest = memory.iter().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    let [from, to] = case.pair.texts();
    format!("{from}\t{to}\t{digest:016x}\n")
}
