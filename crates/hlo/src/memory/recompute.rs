//! Arrays that are kept for the backward pass.

// JAX names the operations of the forward pass `jvp(..)` and those of the backward pass `transpose(jvp(..))`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind};
use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use crate::program::opcode::Opcode;
use crate::program::shapes::short;
use layout_core::ArrayShape;

/// Alike arrays that are kept.
#[derive(Default)]
struct Kept {
    count: u64,
    bytes: u64,
    /// Bytes of those that are there while one layer or iteration is computed again.
    again: u64,
    /// The loop that writes them, and how many slices it writes.
    written_by: Option<(usize, u64)>,
}

impl Memory<'_> {
    /// What `jax.checkpoint` of each layer or iteration saves at the peak: what one of them keeps is there when it is computed again,
    /// and what goes into each, throughout.
    pub(crate) fn advise_recomputing(&self) -> Option<Advice> {
        let mut kept = BTreeMap::<String, Kept>::new();
        let is_kept = |it: &&Buffer| it.owner == Kind::Temporary && self.is_for_backward(it);
        let all = self.timeline.at(self.hbm.step, HBM).filter(is_kept).collect::<Vec<_>>();
        self.for_each_key(all.iter().copied(), |(_, shape, _), buffer, source| {
            let own = kept.entry(format!("{}, {source}", short(&shape))).or_default();
            own.count += 1;
            own.bytes = own.bytes.saturating_add(buffer.leaf.bytes);
            let slices = major_size(&self.program.shapes.array(buffer.leaf.array));
            let written_by = self.written_by(buffer.operation);
            own.written_by = written_by.filter(|of| self.is_forward(*of)).map(|of| (of, slices));
            let slices = own.written_by.map_or(1, |(_, slices)| slices);
            own.again = own.again.max(buffer.leaf.bytes / slices);
        });
        let groups = all.iter().map(|buffer| buffer.group).collect::<BTreeSet<_>>();
        let is_left = |it: &Buffer| {
            let is_own = it.owner == Kind::Temporary && it.leaf.space == HBM;
            is_own && !groups.contains(&it.group)
        };
        let left = self.timeline.uses(is_left).into_iter().max().unwrap_or(0);
        let again = kept.values().map(|own| own.again).fold(0, u64::saturating_add);
        let layers = kept.values().filter(|own| own.count > 1).map(|own| own.bytes).min();
        let loops = kept.values().filter_map(|own| own.written_by).collect::<BTreeSet<_>>();
        let carried = loops.iter().map(|it| self.carried_bytes(*it)).fold(0, u64::saturating_add);
        let inputs = if loops.is_empty() { layers.unwrap_or(0) } else { carried };
        let after = left.saturating_add(again);
        let saved = self.hbm.temporaries_bytes.saturating_sub(after.saturating_add(inputs));
        let mut kept = kept.into_iter().collect::<Vec<_>>();
        kept.sort_by_key(|(_, own)| Reverse(own.bytes));
        let names = kept.into_iter().map(|(name, own)| format!("{} × {name}", own.count));
        (saved > self.hbm.peak_bytes / 20).then(|| Advice {
            names: names.collect(),
            saves_bytes: i64::try_from(saved).unwrap_or(i64::MAX),
            python: "jax.checkpoint(f)".into(),
            ..Advice::new(AdviceKind::Recompute, vec![])
        })
    }

    /// Whether the forward pass makes an array and the backward pass uses it last.
    fn is_for_backward(&self, buffer: &Buffer) -> bool {
        let last = self.timeline.steps.get(buffer.used[1] as usize);
        self.is_forward(buffer.operation)
            && last.is_some_and(|last| self.near_name(*last).contains("transpose("))
    }

    fn is_forward(&self, operation: usize) -> bool {
        let name = self.near_name(operation);
        name.contains("jvp(") && !name.contains("transpose(")
    }

    /// What a loop carries from each iteration to the next, of all iterations together: what `jax.checkpoint` keeps of them.
    fn carried_bytes(&self, (while_, slices): (usize, u64)) -> u64 {
        let program = self.program;
        let Some(init) = program.operand(while_, 0) else { return 0 };
        let parts = program.operands(init).enumerate();
        let changed = parts.filter(|(part, _)| !program.is_invariant(while_, *part));
        let carried = changed.filter(|(part, _)| !self.is_stacked(while_, *part));
        let arrays = carried.filter_map(|(_, it)| program.array(it));
        let bytes = arrays.filter_map(|array| array.bytes()).map(|bytes| bytes as u64);
        bytes.fold(0, u64::saturating_add).saturating_mul(slices)
    }

    /// Whether each iteration of a loop writes a slice of an array.
    fn is_stacked(&self, while_: usize, part: usize) -> bool {
        let program = self.program;
        let mut at = program.returned(while_, part);
        while let Some(operation) = at {
            let (made, part) = program.part(operation).unwrap_or((operation, 0));
            let Some(maker) = program.maker(made) else { return false };
            at = match program.opcode(maker) {
                Opcode::Bitcast | Opcode::Copy => program.operand(maker, 0),
                Opcode::Tuple => program.operand(maker, part),
                opcode => return opcode == Opcode::DynamicUpdateSlice,
            };
        }
        false
    }
}

/// The size of an array's most major dimension.
fn major_size(array: &ArrayShape) -> u64 {
    let dim = array.major_to_minor().first().copied();
    dim.and_then(|dim| array.dims()[dim].size()).map_or(1, |size| size.max(1) as u64)
}
