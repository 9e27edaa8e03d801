//! Arrays that are gathered on every device, of which each keeps little.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use crate::memory::Memory;
use crate::memory::advice::{Advice, AdviceKind};
use crate::memory::devices::{Collective, Gather};
use crate::memory::sharded::IMPORTS;
use crate::program::Program;
use crate::program::opcode::{Elements, Opcode};
use layout_core::base::width::native;
use layout_core::{ArrayShape, Size};
use layout_mesh::Sharding;

/// Operations that are followed from a gather, and to an offset.
const MOST: usize = 64;
/// Devices whose offsets are computed.
const MOST_DEVICES: usize = 4096;

/// An operation, and the fusion that it stands in.
type Inside = (usize, Option<usize>);

impl<'m> Memory<'m> {
    pub(crate) fn find_gathers(&self) -> Vec<Gather<'m>> {
        let gathers = self.collectives().iter().filter(|it| it.op == "all-gather");
        let gathers: BTreeMap<_, _> = gathers.map(|it| (it.operation, it)).collect();
        let least = self.hbm.allocated_bytes / 100;
        let found = gathers.values().filter_map(|last| self.gather(last, &gathers));
        found.filter(|it| it.bytes > least && it.kept_bytes <= it.bytes / 2).collect()
    }

    fn gather(
        &self,
        last: &Collective<'m>,
        all: &BTreeMap<usize, &Collective<'m>>,
    ) -> Option<Gather<'m>> {
        let program = self.program;
        let kept = self.kept(last.operation)?;
        let (first, fusion) = *kept.first()?;
        let [array, slice] = [program.operand(first, 0)?, first].map(|it| program.array(it));
        let (array, slice) = (array?, slice?);
        let offsets = |device| {
            let mut offset = Offset { program, text: self.module.text, device, steps: 4 * MOST };
            let own = program.operands(first).skip(1);
            own.map(|it| Size::try_from(offset.value((it, fusion), 0)?).ok()).collect()
        };
        let devices = self.devices().min(MOST_DEVICES) as i64;
        let offsets: Vec<Vec<Size>> = (0..devices).map(offsets).collect::<Option<_>>()?;
        // The gathers that come before it, along one dimension each.
        let (mut chain, mut at) = (vec![last], last.operation);
        for _ in 0..MOST {
            let Some(before) = program.operand(at, 0) else { break };
            let is_plain = program.operands(before).len() == 1;
            at = before;
            match all.get(&at) {
                Some(gather) => chain.push(gather),
                None if is_plain && program.opcode(at).keeps_elements() => {}
                None => break,
            }
        }
        let shard = program.array(program.operand(chain.last()?.operation, 0)?)?;
        let bytes = |array: ArrayShape| array.unpadded_bytes().map_or(0, |bytes| bytes as u64);
        let kept = kept.iter().filter_map(|it| program.array(it.0)).map(bytes);
        let received = chain.iter().map(|it| it.received_bytes());
        Some(Gather {
            instruction: last.instruction,
            bytes: bytes(array),
            kept_bytes: kept.fold(0, u64::saturating_add),
            received_bytes: received.fold(0, u64::saturating_add),
            source: last.source.clone(),
            ends: self.places(&array, &shard, &chain).and_then(|from| {
                let counts = counts(&array, &slice)?;
                let place =
                    |own: &Vec<Size>| own.iter().zip(&counts).map(|(at, it)| at / it.1).collect();
                let ends = [from, sharding(&counts, offsets.iter().map(place).collect())?];
                // Where several devices have the same of it, it may be part of a larger array, unless it is an argument.
                let number = program.parameters.iter().position(|it| *it == at);
                let known = number.and_then(|number| self.shardings.of.get(&number));
                let is_all =
                    |it: &Sharding| matches!(it, Sharding::Grid(grid) if grid.copies().is_empty());
                (ends.iter().all(is_all) || known.is_some_and(|it| it.1 == ends[0])).then_some(ends)
            }),
            array,
        })
    }

    /// The slices that are all that is used of an array, through copies and fusions. `None` if more of it is used.
    fn kept(&self, gather: usize) -> Option<Vec<Inside>> {
        let program = self.program;
        let (mut open, mut kept, mut steps) = (vec![(gather, None)], Vec::new(), 0..MOST);
        while let Some((operation, fusion)) = open.pop() {
            steps.next()?;
            let body = fusion.and_then(|it| program.fused_computation(it));
            if body.is_some_and(|body| program.root(body) == operation) {
                open.push((fusion?, None));
                continue;
            }
            let users = self.users.of(operation);
            // What nothing uses is returned.
            users.first()?;
            for user in users.iter().map(|user| *user as usize) {
                match program.opcode(user) {
                    Opcode::DynamicSlice => kept.push((user, fusion)),
                    Opcode::Fusion if fusion.is_none() => {
                        let body = program.computations[program.followed(user)?].operations.clone();
                        for number in self.users.numbers(operation, user) {
                            let is_own =
                                |it: &usize| program.operations[*it].parameter() == Some(number);
                            open.push((body.clone().find(is_own)?, Some(user)));
                        }
                    }
                    opcode if opcode.keeps_elements() && program.operands(user).len() == 1 => {
                        open.push((user, fusion));
                    }
                    _ => return None,
                }
            }
        }
        Some(kept)
    }

    /// The sharding before gathers, by the places of devices in their groups.
    fn places(
        &self,
        array: &ArrayShape,
        shard: &ArrayShape,
        chain: &[&Collective<'m>],
    ) -> Option<Sharding> {
        let counts = counts(array, shard)?;
        let mut places = vec![vec![0; array.rank()]; self.devices().min(MOST_DEVICES)];
        for gather in chain {
            let attributes = self.program.operations[gather.operation].attributes;
            let dim = attributes.numbers("dimensions")?.next()? as usize;
            for group in self.groups(gather.operation) {
                for (device, mut member) in group.into_iter().zip(0..) {
                    let place = places.get_mut(device as usize)?;
                    if chain.len() > 1 {
                        *place.get_mut(dim)? = member;
                        continue;
                    }
                    // One gather of all, whose members are in row-major order of the shards.
                    for (at, (count, _)) in place.iter_mut().zip(&counts).rev() {
                        (member, *at) = (member / count, member % count);
                    }
                }
            }
        }
        sharding(&counts, places)
    }

    /// Constraints that move less than the gathers do, where the mesh is known.
    pub(crate) fn advise_constraints(&self) -> Vec<Advice> {
        let advise = |gather: &Gather<'_>| {
            let (mesh, [from, to]) = (self.shardings.mesh.as_ref()?, gather.ends.as_ref()?);
            let dims: Vec<Size> = gather.array.dims().iter().filter_map(|dim| dim.size()).collect();
            let steps = mesh.path(from, to, &dims)?;
            let (_, between) = steps.split_last().filter(|it| !it.1.is_empty())?;
            let elements =
                steps.iter().fold(0, |sum: Size, step| sum.saturating_add(step.received));
            let bytes = (elements as u64).saturating_mul(gather.array.element_bits() as u64) / 8;
            let dearer = gather.received_bytes >= bytes.saturating_add(bytes / 2);
            let write = |spec: &String| {
                format!("x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, {spec}))")
            };
            let lines: Vec<_> = between.iter().map(|step| write(&step.spec)).collect();
            let (lines, to) = (lines.join("\n"), to.spec(mesh)?);
            dearer.then(|| Advice {
                saves_bytes: i64::try_from(gather.received_bytes - bytes).unwrap_or(i64::MAX),
                instructions: vec![gather.instruction.into()],
                python: format!("{IMPORTS}\n{lines}  # before it goes to {to}: {}", gather.source),
                ..Advice::new(AdviceKind::Reshard, Vec::new())
            })
        };
        self.gathers().iter().filter_map(advise).collect()
    }
}

/// How many parts an array has along each dimension, and their sizes.
fn counts(array: &ArrayShape, part: &ArrayShape) -> Option<Vec<(Size, Size)>> {
    let count = |(size, part): (Size, Size)| {
        (part > 0 && part <= size && size.is_multiple_of(part)).then(|| (size / part, part))
    };
    let both = array.dims().iter().zip(part.dims());
    let counts = both.map(|(size, part)| count((size.size()?, part.size()?)));
    counts.collect::<Option<Vec<_>>>().filter(|it| it.len() == array.rank())
}

/// The sharding of so many shards along each dimension, of which each device has the one at its place.
fn sharding(counts: &[(Size, Size)], places: Vec<Vec<Size>>) -> Option<Sharding> {
    let all = counts.iter().try_fold(1, |all: Size, (count, _)| all.checked_mul(*count))?;
    let mut devices: Vec<_> = places.into_iter().zip(0..).collect();
    devices.sort_unstable();
    let copies = (devices.len() as Size).checked_div(all)?.max(1);
    let of_one = |own: &[(Vec<Size>, Size)]| own[0].0 == own[own.len() - 1].0;
    let is_even = devices.chunks(native(copies)).all(of_one);
    let list = |own: Vec<Size>| own.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
    let sizes = list(counts.iter().map(|it| it.0).chain([copies]).collect());
    let devices = list(devices.into_iter().map(|it| it.1).collect());
    let text = format!("{{devices=[{sizes}]{devices} last_tile_dim_replicate}}");
    is_even.then(|| text.parse().ok()).flatten()
}

impl Opcode {
    /// Whether its elements are those of its operand, in whatever place, also converted.
    fn keeps_elements(self) -> bool {
        let is_moved = !matches!(self.elements(), Elements::Other | Elements::Slice);
        is_moved || matches!(self, Opcode::Fusion | Opcode::OptimizationBarrier)
    }
}

/// Integers that are computed of a device's number alone.
struct Offset<'p> {
    program: &'p Program<'p>,
    text: &'p str,
    device: i64,
    steps: usize,
}

impl Offset<'_> {
    /// The number at a place of what an operation makes.
    fn value(&mut self, (operation, fusion): Inside, at: usize) -> Option<i64> {
        self.steps = self.steps.checked_sub(1)?;
        let (program, own) = (self.program, &self.program.operations[operation]);
        // The opcode stands between the shape and the operands.
        let start = own.shape_text.as_ptr() as usize + own.shape_text.len();
        let [start, end] =
            [start, own.arguments.as_ptr() as usize].map(|it| it - self.text.as_ptr() as usize);
        let name = self.text.get(start..end)?.trim().trim_end_matches(['(', ' ']);
        let mut of = |number, at| self.value((program.operand(operation, number)?, fusion), at);
        match name {
            "partition-id" => Some(self.device),
            "constant" => {
                let mut numbers =
                    own.arguments.split(['{', '}', ',', ' ']).filter(|it| !it.is_empty());
                numbers.nth(at)?.parse().ok()
            }
            "parameter" => self.value((program.operand(fusion?, own.parameter()?)?, None), at),
            "fusion" if fusion.is_none() => {
                let root = program.root(program.fused_computation(operation)?);
                self.value((root, Some(operation)), at)
            }
            "convert" | "copy" | "bitcast" | "reshape" | "copy-start" | "copy-done" => of(0, at),
            "broadcast" => of(0, 0),
            "multiply" => of(0, at)?.checked_mul(of(1, at)?),
            "add" => of(0, at)?.checked_add(of(1, at)?),
            "subtract" => of(0, at)?.checked_sub(of(1, at)?),
            "divide" => of(0, at)?.checked_div(of(1, at)?),
            "remainder" => of(0, at)?.checked_rem(of(1, at)?),
            "clamp" => Some(of(1, at)?.max(of(0, at)?).min(of(2, at)?)),
            // Of a table of all devices.
            "dynamic-slice" => {
                let at = usize::try_from(of(1, 0)?).ok()?;
                of(0, at)
            }
            _ => None,
        }
    }
}
