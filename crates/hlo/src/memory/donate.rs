//! Arguments whose memory a result can take.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::copies::Place;
use crate::lifetimes::{Buffer, Kind};
use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use crate::program::alias::Alias;

/// Arguments that are tried, those of the most bytes: each takes a walk through the program.
const MOST: usize = 64;

impl Memory<'_> {
    /// For each argument of the user's function whose memory results can take: what donating it saves at the peak.
    pub(crate) fn advise_donations(&self) -> Vec<Advice> {
        let program = self.program;
        let mut free =
            self.timeline.buffers.iter().filter(|it| it.owner == Kind::Result).collect::<Vec<_>>();
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
            let is_taker = |result: &&Buffer| {
                buffer.used[1] <= result.used[0] && program.shapes.is_same(result.leaf, buffer.leaf)
            };
            let taker = free.iter().position(is_taker);
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
        let least = self.peak.bytes / 100;
        let mut donations = donations.into_iter().collect::<Vec<_>>();
        donations.sort_by_key(|(_, (bytes, ..))| Reverse(*bytes));
        donations.truncate(MOST);
        donations.sort_by_key(|(number, _)| *number);
        let donation = |(number, (_, place, mut aliases)): (usize, (u64, Place, Vec<Alias>))| {
            let count = aliases.len();
            aliases.extend_from_slice(&self.module.aliases);
            let after = self.module.timeline(&aliases).ok()?.usage().bytes();
            let saved = self.timeline.usage().bytes().checked_sub(after)?;
            let name = self.argument_name(place);
            let arrays = if count == 1 { "array" } else { "arrays" };
            Some(Advice {
                kind: AdviceKind::Donate,
                name: name.to_string(),
                saves_bytes: i64::try_from(saved).ok().filter(|_| saved > least)?,
                is_sure: true,
                python: format!(
                    "jax.jit(f, donate_argnums=({number},))  # {count} {arrays} of `{name}`, which is gone after the call"
                ),
                ..Advice::new(AdviceKind::Donate, place)
            })
        };
        donations.into_iter().filter_map(donation).collect()
    }
}
