//! Layouts of arguments and results that would spare copies or padding.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::iter::successors;

use crate::copies::Place;
use crate::copies::causes::{Cause, Copies, MoveKind};
use crate::lifetimes::usage::VMEM;
use crate::memory::advice::{Advice, AdviceKind};
use crate::memory::{Argument, Memory};
use crate::program::opcode::Opcode;
use layout_core::ArrayShape;
use layout_core::tpu::{Tpu, advise};

/// Savings below these are noise.
const LEAST_CYCLES: i64 = 500;

/// Bytes that a fusion writes to HBM in a cycle, by the compiler's estimates for v5e.
const BYTES_WRITTEN: i64 = 490;

/// What one layout of a parameter or result would save.
#[derive(Clone, Debug, Default)]
struct Offer<'l> {
    causes: Vec<&'l Cause>,
    save: u64,
}

type Offers<'l> = BTreeMap<&'l [usize], Offer<'l>>;

impl Memory<'_> {
    /// Layouts of parameters and results that spare copies.
    pub(crate) fn advise_layouts(&self) -> Vec<Advice> {
        let Copies { causes, others, .. } = self.found_copies();
        let mut offers = BTreeMap::<Place, Offers<'_>>::new();
        let donated = self.module.aliases.iter().map(|it| it.parameter).collect();
        let is_new = |cause: &Cause| {
            let now = self.array(cause.place).map(|array| array.major_to_minor());
            let is_new = now.is_some_and(|now| now != cause.target);
            !cause.target.is_empty() && is_new && !self.is_copied_anyway(cause, &donated)
        };
        let mut known = BTreeSet::new();
        for cause in causes.iter().filter(|cause| is_new(cause)) {
            let offer = offers.entry(cause.place).or_default().entry(&cause.target).or_default();
            if known.insert((cause.place, &cause.target, cause.operation)) {
                offer.save = offer.save.saturating_add(cause.save);
                offer.causes.push(cause);
            }
        }
        let mut advice = Vec::new();
        let mut taken = BTreeSet::new();
        let mut done = BTreeSet::new();
        for alias in &self.module.aliases {
            let result_number = alias.result.first().copied().unwrap_or(0);
            let pair = [Place::Parameter(alias.parameter), Place::Result(result_number)];
            done.extend(pair);
            let [parameter, result] =
                pair.map(|place| offers.get(&place).cloned().unwrap_or_default());
            let mut targets = parameter.keys().chain(result.keys()).collect::<Vec<_>>();
            targets.sort();
            targets.dedup();
            let others = others.get(alias.parameter).copied().unwrap_or_default();
            let scored = targets.into_iter().filter_map(|target| {
                let [p, r] = [&parameter, &result]
                    .map(|offers| offers.get(target).cloned().unwrap_or_default());
                let mut both = Offer { save: p.save.saturating_add(r.save), causes: p.causes };
                let loss = match (both.causes.is_empty(), r.causes.is_empty()) {
                    // The copy comes back at the result, unless a loop carries the value to it.
                    (false, true) if !self.is_carried(alias.parameter, result_number) => p.save,
                    (true, false) if others.hard || !others.flexible => r.save / 2,
                    _ => 0,
                };
                both.causes.extend(r.causes);
                self.score(pair[0], target, &both, loss).map(|score| (score, *target, both))
            });
            if let Some((_, target, offer)) = scored.max_by_key(|(score, ..)| *score) {
                taken.extend(offer.causes.iter().map(|cause| cause.operation));
                advice.push(self.layout_advice(pair[0], Some(pair[1]), target, &offer));
            }
        }
        for (place, offers) in &offers {
            let is_hard = matches!(place, Place::Parameter(number) if others[*number].hard);
            if done.contains(place) || is_hard || self.is_pinned(*place) {
                continue;
            }
            let scored = offers.iter().filter_map(|(target, offer)| {
                let mut offer = offer.clone();
                offer.causes.retain(|cause| !taken.contains(&cause.operation));
                offer.save =
                    offer.causes.iter().map(|cause| cause.save).fold(0, u64::saturating_add);
                // What reads the parameter as it lies may lose half of what the users of a copy gain.
                let is_whole = offer.causes.iter().all(|cause| cause.kind == MoveKind::Whole);
                let is_read = matches!(place, Place::Parameter(number) if others[*number].flexible);
                let loss = if is_whole && is_read { offer.save / 2 } else { 0 };
                self.score(*place, target, &offer, loss).map(|score| (score, *target, offer))
            });
            if let Some((_, target, offer)) = scored.max_by_key(|(score, ..)| *score) {
                taken.extend(offer.causes.iter().map(|cause| cause.operation));
                advice.push(self.layout_advice(*place, None, target, &offer));
            }
        }
        advice.sort_by_key(|own| core::cmp::Reverse(own.saves_cycles));
        advice
    }

    /// Whether a parameter is copied in any layout: the program writes to it, and no result takes its memory, or an operation
    /// reads it in two layouts.
    fn is_copied_anyway(&self, cause: &Cause, donated: &BTreeSet<usize>) -> bool {
        let Place::Parameter(number) = cause.place else { return false };
        let is_written = !donated.contains(&number) && self.is_written(cause.operation);
        cause.kind == MoveKind::Whole && (is_written || self.is_read_both_ways(cause.operation))
    }

    /// Whether an operation reads what is copied in another layout too, as `x + x.T` does.
    fn is_read_both_ways(&self, copy: usize) -> bool {
        let program = self.program;
        // Past a prefetch, which is a `copy-start` and its `copy-done`, or slices of it joined. A text can have longer chains, and any
        // number of operands.
        let first = |it| program.operand(it, 0);
        let before = |it: usize| match program.operations[it].joins_slices() {
            true => first(it).and_then(first).and_then(first),
            false => first(it).filter(|_| program.opcode(it).is_copy()),
        };
        let source = |it| successors(Some(it), |it| before(*it)).take(4).last();
        let layout = |it| program.array(it).map(|array| (array.major_to_minor(), *array.tiles()));
        let is_other = |it| source(it) == source(copy) && layout(it) != layout(copy);
        let users = self.users.of(copy).iter().map(|user| *user as usize);
        let mut readers = users.filter(|user| program.opcode(*user) != Opcode::Tuple);
        readers.any(|user| program.operands(user).take(64).any(is_other))
    }

    /// What an offer is worth, if it is worth something.
    fn score(&self, place: Place, target: &[usize], offer: &Offer<'_>, loss: u64) -> Option<i64> {
        let only_by_element = offer.causes.iter().all(|cause| cause.by_element);
        let is_guess = offer.causes.iter().any(|cause| cause.is_guess);
        if offer.causes.is_empty()
            || only_by_element && is_guess && matches!(place, Place::Parameter(_))
        {
            return None;
        }
        // A big copy doubles as the prefetch; without it the padding is read each time.
        let reads = offer.causes.iter().map(|cause| cause.prefetched_for).max().unwrap_or(0) as i64;
        let sizes = |(now, new)| (bytes(&now), bytes(&new));
        let (now, new) = self.laid_out(place, target).map_or((0, 0), sizes);
        let growth = (new - now).max(0);
        // What leaves a result in VMEM writes all of it to HBM then, on top of its own cycles.
        let write = new / BYTES_WRITTEN;
        let is_written = matches!(place, Place::Result(_))
            && offer.causes.iter().any(|cause| self.is_left_on_chip(cause, write));
        let written = if is_written { write } else { 0 };
        let save = i64::try_from(offer.save).unwrap_or(i64::MAX);
        // Less than a hundredth of the program is not felt, and taken alone it sometimes loses.
        let share = i64::try_from(self.cycles().unwrap_or(0) / 100).unwrap_or(i64::MAX);
        let loss = i64::try_from(loss).unwrap_or(i64::MAX).saturating_add(written);
        let score = save.saturating_sub(loss).saturating_sub(growth.saturating_mul(reads) / 600);
        (save.saturating_sub(loss) >= share && score >= LEAST_CYCLES.max(save / 10))
            .then_some(score)
    }

    /// Whether what is moved is left in VMEM by an elementwise fusion, or by something else that takes less than these cycles of
    /// writing: longer work hides them.
    fn is_left_on_chip(&self, cause: &Cause, write: i64) -> bool {
        let program = self.program;
        let is_short = |it| program.cycles(it).is_some_and(|(own, _)| own < write.unsigned_abs());
        let maker = program.operand(cause.operation, 0).filter(|_| self.module.is_tpu);
        let maker = maker.filter(|it| program.is_plain_fusion(*it) || is_short(*it));
        let array = maker.and_then(|it| self.program.array(it));
        cause.kind == MoveKind::Whole && array.is_some_and(|it| it.memory_space() == VMEM)
    }

    fn array(&self, place: Place) -> Option<ArrayShape> {
        let program = self.program;
        let operation = match place {
            Place::Parameter(number) => *program.parameters.get(number)?,
            Place::Result(number) => *self.results.get(number)?,
        };
        program.array(operation)
    }

    /// The array of a place now, and in another order of dimensions, with the tiles that the compiler takes for it.
    fn laid_out(&self, place: Place, target: &[usize]) -> Option<(ArrayShape, ArrayShape)> {
        let now = self.array(place)?;
        let order = target.iter().rev().copied().collect::<Vec<_>>();
        let new = now.with_minor_to_major(&order).ok()?;
        let tiled = new.with_default_tiling(Tpu::V5e).ok().filter(|_| self.module.is_tpu);
        Some((now, tiled.unwrap_or(new)))
    }

    /// Whether a loop carries a parameter to a result.
    fn is_carried(&self, parameter: usize, result: usize) -> bool {
        let program = self.program;
        let mut is_in_loop = false;
        let mut at = self.results.get(result).copied();
        while let Some(operation) = at {
            let opcode = program.opcode(operation);
            at = match program.part(operation) {
                Some((of, part)) => {
                    is_in_loop |= program.opcode(of) == Opcode::While;
                    let init = if is_in_loop { program.operand(of, 0) } else { Some(of) };
                    init.and_then(|init| program.operand(init, part))
                }
                None if opcode.is_copy() => program.operand(operation, 0),
                None => return is_in_loop && Some(operation) == program.parameter(parameter),
            };
        }
        false
    }

    /// Whether the user has chosen the layout: `arg_layout_modes="default;{0,1};auto"`.
    fn is_pinned(&self, place: Place) -> bool {
        let (name, number) = match place {
            Place::Parameter(number) => ("arg_layout_modes", number),
            Place::Result(number) => ("out_layout_modes", number),
        };
        let modes = self.module.header.get(name);
        modes.and_then(|modes| modes.split(';').nth(number)).is_some_and(|mode| mode != "default")
    }

    /// Whether the array with its dimensions in this order has the layout by default: it is row-major there.
    fn is_default_transposed(&self, now: &ArrayShape, target: &[usize]) -> bool {
        let transposed = now.permute_dimensions(target);
        let default = transposed.and_then(|array| array.with_default_layout(Tpu::V5e).ok());
        !self.module.is_tpu || default.is_some_and(|array| array.major_to_minor().is_sorted())
    }

    fn layout_advice(
        &self,
        place: Place,
        pair: Option<Place>,
        target: &[usize],
        offer: &Offer<'_>,
    ) -> Advice {
        let laid_out = self.laid_out(place, target);
        let saves_bytes = laid_out.as_ref().map_or(0, |(now, new)| bytes(now) - bytes(new));
        let is_stored_transposed =
            laid_out.as_ref().is_some_and(|(now, _)| self.is_default_transposed(now, target));
        let is_whole =
            offer.causes.iter().all(|cause| cause.kind == MoveKind::Whole && !cause.by_element);
        let names = offer
            .causes
            .iter()
            .map(|cause| self.program.operations[cause.operation].name.to_string());
        Advice {
            names: Vec::from([self.name(place)]),
            major_to_minor: target.to_vec(),
            saves_bytes,
            saves_cycles: offer.save,
            instructions: names.collect(),
            is_stored_transposed,
            is_guess: offer.causes.iter().any(|cause| cause.is_guess),
            is_sure: is_whole && saves_bytes >= 0,
            ..Advice::new(AdviceKind::Layout, [Some(place), pair].into_iter().flatten().collect())
        }
    }

    /// Arguments that take less memory in another order of dimensions, which the user has chosen otherwise.
    pub(crate) fn advise_sizes(&self, others: &[Advice]) -> Vec<Advice> {
        let least = i64::try_from(self.hbm.peak_bytes / 100).unwrap_or(i64::MAX).max(1);
        let size = |argument: &Argument<'_>| {
            let place = Place::Parameter(argument.number);
            let now = self.array(place).filter(|_| self.module.is_tpu)?;
            let best = advise(&now, Tpu::V5e).ok()?.into_iter().next()?;
            let saves_bytes = bytes(&now).saturating_sub(bytes(&best));
            let is_new = !others.iter().any(|advice| advice.places.contains(&place));
            let target = best.major_to_minor().to_vec();
            (saves_bytes >= least && is_new).then(|| Advice {
                names: Vec::from([argument.name.to_string()]),
                saves_bytes,
                major_to_minor: target,
                ..Advice::new(AdviceKind::Size, Vec::from([place]))
            })
        };
        self.arguments.iter().filter_map(size).collect()
    }

    /// The name of the argument that a place is, or is a part of.
    pub(crate) fn argument_name(&self, place: Place) -> String {
        let parameter = match place {
            Place::Parameter(number) => self.module.parameters().get(number),
            Place::Result(_) => None,
        };
        let argument = parameter.and_then(|parameter| parameter.argument());
        argument.map_or_else(|| self.name(place), ToString::to_string)
    }

    /// What a user calls a place.
    pub(crate) fn name(&self, place: Place) -> String {
        match place {
            Place::Parameter(number) => {
                let parameter = self.module.parameters().get(number);
                parameter.map_or("", |it| it.any_name()).to_string()
            }
            Place::Result(number) => format!("result {number}"),
        }
    }
}

fn bytes(array: &ArrayShape) -> i64 {
    array.bytes().and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(0)
}
