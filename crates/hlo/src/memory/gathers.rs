//! Arrays that are gathered on every device, of which each keeps little.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use crate::memory::collectives::Collective;
use crate::memory::sharded::IMPORTS;
use crate::program::Program;
use crate::program::opcode::{Elements, Opcode};
use crate::program::source::Source;
use layout_core::{ArrayShape, Size};
use layout_mesh::Sharding;

/// Operations that are followed from a gather, and to an offset.
const MOST: usize = 64;
/// Devices whose offsets are computed.
const MOST_DEVICES: usize = 4096;

/// An array that is gathered, and of which each device keeps slices by its number.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Gather<'m> {
    /// The name of the instruction that gathers, the last one if there are several.
    pub instruction: &'m str,
    /// Bytes of the whole array, padding left out.
    pub bytes: u64,
    /// Bytes that each device keeps.
    pub kept_bytes: u64,
    /// Bytes that each device receives for it.
    pub received_bytes: u64,
    /// What made it.
    pub source: Source<'m>,
    #[cfg_attr(feature = "serde", serde(skip))]
    ends: Option<(Sharding, Sharding)>,
    #[cfg_attr(feature = "serde", serde(skip))]
    array: ArrayShape,
}

/// A slice in a fusion, or by itself.
struct Kept {
    slice: usize,
    fusion: Option<usize>,
}

impl<'m> Memory<'m> {
    pub(crate) fn find_gathers(&self) -> Vec<Gather<'m>> {
        let gathers = self.collectives().iter().filter(|it| it.op == "all-gather");
        let gathers: BTreeMap<usize, &Collective<'m>> =
            gathers.map(|it| (it.operation, it)).collect();
        let least = self.hbm.allocated_bytes / 100;
        let found = gathers.values().filter_map(|it| self.gather(it, &gathers));
        found.filter(|it| it.bytes > least && it.kept_bytes <= it.bytes / 2).collect()
    }

    fn gather(
        &self,
        last: &Collective<'m>,
        all: &BTreeMap<usize, &Collective<'m>>,
    ) -> Option<Gather<'m>> {
        let program = self.program;
        let kept = self.kept(last.operation)?;
        let first = kept.first()?;
        let array = program.array(program.operand(first.slice, 0)?)?;
        let slice = program.array(first.slice)?;
        let offsets = |device: usize| program.offsets(self.module.text, first, device);
        let offsets =
            (0..self.devices().min(MOST_DEVICES)).map(offsets).collect::<Option<Vec<_>>>()?;
        // The gathers that come before it, along one dimension each.
        let (mut chain, mut at) = (Vec::from([last]), last.operation);
        while let Some(before) = program.operand(at, 0).filter(|_| chain.len() < MOST) {
            let (opcode, one) = (program.opcode(before), program.operands(before).len() == 1);
            match all.get(&before) {
                Some(gather) => chain.push(gather),
                None if one && (opcode.passes_data() || opcode == Opcode::Fusion) => {}
                None => break,
            }
            at = before;
        }
        let first_operand = program.array(program.operand(chain.last()?.operation, 0)?)?;
        Some(Gather {
            instruction: last.instruction,
            bytes: array.unpadded_bytes()? as u64,
            kept_bytes: kept
                .iter()
                .filter_map(|it| program.array(it.slice)?.unpadded_bytes())
                .sum::<Size>() as u64,
            received_bytes: chain.iter().fold(0, |sum, it| sum.saturating_add(it.received_bytes())),
            source: last.source.clone(),
            ends: self.ends(&array, &first_operand, &slice, &chain, &offsets),
            array,
        })
    }

    /// The slices that are all that is used of an array, through copies and fusions. `None` if more of it is used.
    fn kept(&self, gather: usize) -> Option<Vec<Kept>> {
        let program = self.program;
        let mut open = Vec::from([(gather, None)]);
        let mut kept = Vec::new();
        let mut steps = 0..MOST;
        while let Some((operation, fusion)) = open.pop() {
            steps.next()?;
            let is_root = fusion
                .and_then(|it| program.fused_computation(it))
                .is_some_and(|it| program.root(it) == operation);
            if is_root {
                open.push((fusion?, None));
                continue;
            }
            let users = self.users.of(operation);
            if users.is_empty() {
                return None;
            }
            for user in users.iter().map(|user| *user as usize) {
                match program.opcode(user) {
                    Opcode::DynamicSlice => kept.push(Kept { slice: user, fusion }),
                    Opcode::Fusion if fusion.is_none() => {
                        let body = program.computations[program.followed(user)?].operations.clone();
                        for number in self.users.numbers(operation, user) {
                            let parameter = body
                                .clone()
                                .find(|it| program.operations[*it].parameter() == Some(number))?;
                            open.push((parameter, Some(user)));
                        }
                    }
                    opcode if opcode.passes_data() && program.operands(user).len() == 1 => {
                        open.push((user, fusion))
                    }
                    _ => return None,
                }
            }
        }
        Some(kept)
    }

    /// The shardings before and after, by the groups of the gathers and the offsets of the slices.
    fn ends(
        &self,
        array: &ArrayShape,
        shard: &ArrayShape,
        slice: &ArrayShape,
        chain: &[&Collective<'m>],
        offsets: &[Vec<Size>],
    ) -> Option<(Sharding, Sharding)> {
        let counts = |part: &ArrayShape| {
            let both = array.dims().iter().zip(part.dims());
            let count = both.map(|(size, part)| {
                let (size, part) = (size.size()?, part.size().filter(|part| *part > 0)?);
                (size.is_multiple_of(part) && part <= size).then_some((size / part, part))
            });
            count.collect::<Option<Vec<_>>>().filter(|it| it.len() == array.rank())
        };
        let (before, after) = (counts(shard)?, counts(slice)?);
        let mut places = alloc::vec![alloc::vec![0; array.rank()]; offsets.len()];
        for gather in chain {
            let attributes = self.program.operations[gather.operation].attributes;
            let dim = attributes.numbers("dimensions")?.next()? as usize;
            for group in self.groups(gather.operation) {
                for (member, device) in group.iter().enumerate() {
                    let place = places.get_mut(*device as usize)?;
                    let mut rest = member as Size;
                    match chain.len() {
                        // One gather of all, whose members are in row-major order of the shards.
                        1 => {
                            for (at, (count, _)) in place.iter_mut().zip(&before).rev() {
                                (rest, *at) = (rest / count, rest % count);
                            }
                        }
                        _ => *place.get_mut(dim)? = rest,
                    }
                }
            }
        }
        let kept = offsets
            .iter()
            .map(|own| own.iter().zip(&after).map(|(at, (_, size))| at / size).collect());
        Some((grid(&before, places)?, grid(&after, kept.collect())?))
    }

    /// Constraints that move less than the gathers do, where the mesh is known.
    pub(crate) fn advise_constraints(&self) -> Vec<Advice> {
        let Some(mesh) = &self.shardings.mesh else { return Vec::new() };
        let advise = |gather: &Gather<'_>| {
            let (from, to) = gather.ends.as_ref()?;
            let dims: Vec<Size> = gather.array.dims().iter().filter_map(|dim| dim.size()).collect();
            let steps = mesh.path(from, to, &dims)?;
            let (_, between) = steps.split_last().filter(|it| !it.1.is_empty())?;
            let elements =
                steps.iter().fold(0, |sum: Size, step| sum.saturating_add(step.received));
            let bytes = (elements as u64).saturating_mul(gather.array.element_bits() as u64) / 8;
            if gather.received_bytes < bytes.saturating_add(bytes / 2) {
                return None;
            }
            let constraint = |spec: &String| {
                format!("\nx = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, {spec}))")
            };
            let last = to.spec(mesh).map_or(String::new(), |spec| {
                format!("  # before it goes to {spec}: {}", gather.source)
            });
            let python = between.iter().map(|step| constraint(&step.spec)).collect::<String>();
            Some(Advice {
                saves_bytes: i64::try_from(gather.received_bytes - bytes).ok()?,
                instructions: Vec::from([gather.instruction.into()]),
                python: format!("{IMPORTS}{python}{last}"),
                ..Advice::new(AdviceKind::Reshard, Vec::new())
            })
        };
        self.gathers().iter().filter_map(advise).collect()
    }
}

/// The sharding of so many shards along each dimension, of which each device has the one at its place.
fn grid(counts: &[(Size, Size)], places: Vec<Vec<Size>>) -> Option<Sharding> {
    let all = counts.iter().try_fold(1, |all: Size, (count, _)| all.checked_mul(*count))?;
    let mut devices: Vec<_> = places.into_iter().zip(0..).collect();
    devices.sort_unstable();
    let list =
        |numbers: Vec<Size>| numbers.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
    let (sizes, count) = (list(counts.iter().map(|it| it.0).collect()), devices.len() as Size);
    let devices = list(devices.into_iter().map(|it| it.1).collect());
    (all == count).then(|| format!("{{devices=[{sizes}]{devices}}}").parse().ok()).flatten()
}

impl Opcode {
    /// Whether each of its elements is one of its operand, in whatever place, also converted.
    fn passes_data(self) -> bool {
        let is_moved =
            matches!(self.elements(), Elements::Same | Elements::Moved | Elements::ByElement);
        is_moved || self == Opcode::OptimizationBarrier
    }
}

impl Program<'_> {
    /// Where a slice starts on a device. `None` if that does not depend on its number alone.
    fn offsets(&self, text: &str, kept: &Kept, device: usize) -> Option<Vec<Size>> {
        let mut steps = MOST * 4;
        let own = self.operands(kept.slice).skip(1);
        let own = own.map(|it| self.scalar(text, it, kept.fusion, device as i64, &mut steps));
        own.map(|it| Size::try_from(it?).ok()).collect()
    }

    /// The value of an integer that is computed of the device's number.
    fn scalar(
        &self,
        text: &str,
        operation: usize,
        fusion: Option<usize>,
        device: i64,
        steps: &mut usize,
    ) -> Option<i64> {
        *steps = steps.checked_sub(1)?;
        let own = &self.operations[operation];
        // The opcode stands between the shape and the operands.
        let [start, end] =
            [own.shape_text, own.arguments].map(|it| it.as_ptr() as usize - text.as_ptr() as usize);
        let name = text.get(start + own.shape_text.len()..end)?.trim().trim_end_matches('(').trim();
        let mut operand =
            |number| self.scalar(text, self.operand(operation, number)?, fusion, device, steps);
        match name {
            "partition-id" => Some(device),
            "constant" => {
                self.operations[operation].arguments.trim_matches(['{', '}', ' ']).parse().ok()
            }
            "parameter" => {
                let outer = self.operand(fusion?, own.parameter()?)?;
                self.scalar(text, outer, None, device, steps)
            }
            "fusion" if fusion.is_none() => {
                let root = self.root(self.fused_computation(operation)?);
                self.scalar(text, root, Some(operation), device, steps)
            }
            "convert" | "copy" | "bitcast" | "reshape" | "copy-done" | "copy-start"
            | "broadcast" => operand(0),
            "multiply" => operand(0)?.checked_mul(operand(1)?),
            "add" => operand(0)?.checked_add(operand(1)?),
            "subtract" => operand(0)?.checked_sub(operand(1)?),
            "divide" => operand(0)?.checked_div(operand(1)?),
            "remainder" => operand(0)?.checked_rem(operand(1)?),
            "minimum" => Some(operand(0)?.min(operand(1)?)),
            "maximum" => Some(operand(0)?.max(operand(1)?)),
            "clamp" => Some(operand(1)?.max(operand(0)?).min(operand(2)?)),
            "dynamic-slice" => {
                // A table of all devices.
                let at = operand(1)?;
                let mut table = self.operand(operation, 0)?;
                while self.opcode(table) != Opcode::Constant {
                    *steps = steps.checked_sub(1)?;
                    table = match (self.operations[table].parameter(), fusion) {
                        (Some(number), Some(fusion)) => self.operand(fusion, number)?,
                        _ if self.opcode(table).passes_data()
                            || self.opcode(table) == Opcode::CopyStart =>
                        {
                            self.operand(table, 0)?
                        }
                        _ => return None,
                    };
                }
                let values = self.operations[table].arguments.split(|c: char| !c.is_ascii_digit());
                values.filter(|it| !it.is_empty()).nth(usize::try_from(at).ok()?)?.parse().ok()
            }
            _ => None,
        }
    }
}
