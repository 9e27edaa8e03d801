//! Arguments whose memory a result can take.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::copies::Place;
use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind};
use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind, tuple};
use crate::program::alias::Alias;

/// Arguments that are tried, those of the most bytes: each takes a walk through the program.
const MOST: usize = 64;

impl Memory<'_> {
    /// The arguments of the user's function whose memory results can take, and what donating them saves at the peak.
    pub(crate) fn advise_donations(&self) -> Option<Advice> {
        let program = self.program;
        let mut free = BTreeMap::<String, Vec<&Buffer>>::new();
        for buffer in self.timeline.buffers.iter().filter(|it| it.owner == Kind::Result) {
            let shape = program.shapes.array(buffer.leaf.array).to_string();
            free.entry(shape).or_default().push(buffer);
        }
        let own = self.timeline.buffers.iter().filter(|it| it.owner == Kind::Argument);
        let own = own.map(|it| (it.operation, it)).collect::<BTreeMap<_, _>>();
        let mut donations = BTreeMap::<usize, (u64, Place, Vec<Alias>)>::new();
        let returns_tuple = self.module.result_text().starts_with('(');
        for argument in &self.arguments {
            let parameter = program.parameter(argument.number);
            let is_array = |it: &usize| !program.operations[*it].shape_text.starts_with('(');
            let buffer = parameter.filter(is_array).and_then(|it| own.get(&it));
            let Some(buffer) = buffer.filter(|_| !argument.is_donated) else { continue };
            // The last use may be the operation that makes the result: XLA copies where that does not work in place.
            let Some(free) = free.get_mut(&argument.shape) else { continue };
            let taker = free.iter().position(|result| buffer.used[1] <= result.used[0]);
            let Some(taker) = taker.map(|taker| free.remove(taker)) else { continue };
            let Some(result) = self.timeline.results.iter().position(|group| *group == taker.group)
            else {
                continue;
            };
            let result = if returns_tuple { Vec::from([result]) } else { Vec::new() };
            let alias = Alias { result, parameter: argument.number, parameter_part: Vec::new() };
            let own = donations.entry(self.module.argument_of(argument.number));
            let own = own.or_insert((0, Place::Parameter(argument.number), Vec::new()));
            own.0 += argument.bytes;
            own.2.push(alias);
        }
        let least = self.hbm.peak_bytes / 100;
        let mut donations = donations.into_iter().collect::<Vec<_>>();
        donations.sort_by_key(|(_, (bytes, ..))| Reverse(*bytes));
        donations.truncate(MOST);
        donations.sort_by_key(|(number, _)| *number);
        let peak = |aliases: &[Alias]| {
            Some(self.module.timeline(aliases, !self.module.is_tpu).ok()?.peak(HBM))
        };
        let before = self.timeline.peak(HBM);
        let is_worth = |(_, (_, _, own)): &(usize, (u64, Place, Vec<Alias>))| {
            let all = own.iter().chain(&self.module.aliases).cloned().collect::<Vec<_>>();
            peak(&all).is_some_and(|after| before.saturating_sub(after) > least)
        };
        donations.retain(is_worth);
        if donations.is_empty() {
            return None;
        }
        let mut aliases = self.module.aliases.clone();
        let (mut numbers, mut places, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (_, place, own)) in donations {
            aliases.extend(own);
            numbers.push(number);
            places.push(place);
            names.push(self.argument_name(place));
        }
        let saved = before.saturating_sub(peak(&aliases)?);
        Some(Advice {
            names,
            saves_bytes: i64::try_from(saved).ok()?,
            is_sure: true,
            python: format!("jax.jit(f, donate_argnums={})", tuple(&numbers)),
            ..Advice::new(AdviceKind::Donate, places)
        })
    }
}
