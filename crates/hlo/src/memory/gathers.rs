//! Arrays that are gathered on every device, of which each keeps little.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
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
use layout_mesh::{Mesh, Sharding};

/// Operations that are followed from a gather, and to an offset.
const MOST: usize = 64;
/// Devices whose offsets are computed.
const MOST_DEVICES: usize = 4096;

/// An operation, and the fusion that it stands in.
type Inside = (usize, Option<usize>);

/// The places of devices in their groups.
type Members = BTreeMap<u32, usize>;

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
        let (slice, fusion) = *kept.first()?;
        let array = program.array(program.operand(slice, 0)?)?;
        let offsets = |device| {
            let mut offset = Offset { program, device, steps: 4 * MOST };
            let own = program.operands(slice).skip(1);
            own.map(|it| Size::try_from(offset.value((it, fusion), 0)?).ok()).collect()
        };
        let devices = self.devices().min(MOST_DEVICES) as i64;
        let offsets: Vec<Vec<Size>> = (0..devices).map(offsets).collect::<Option<_>>()?;
        // The gathers that come before it, along one dimension each.
        let (mut chain, mut first) = (vec![last], last.operation);
        for _ in 0..MOST {
            let Some(before) = program.operand(first, 0) else { break };
            let is_plain = program.operands(before).len() == 1;
            first = before;
            match all.get(&first) {
                Some(gather) => chain.push(gather),
                None if is_plain && program.opcode(first).keeps_elements() => {}
                None => break,
            }
        }
        let bytes = |array: ArrayShape| array.unpadded_bytes().map_or(0, |bytes| bytes as u64);
        let kept = kept.iter().filter_map(|it| program.array(it.0)).map(bytes);
        let received = chain.iter().map(|it| it.received_bytes());
        let part = |operation| sizes(&program.array(operation)?);
        let shard = program.operand(chain.last()?.operation, 0).and_then(part);
        // What several devices have the same of may be part of a larger array, unless it is an argument.
        let number = program.parameters.iter().position(|it| *it == first);
        let known = number.and_then(|number| self.shardings.of.get(&number));
        let ends = self.shardings.mesh.as_ref().and_then(|mesh| {
            let (dims, slice) = (sizes(&array)?, part(slice)?);
            let members = |it: &&Collective<'_>| {
                let groups = self.groups(it.operation).into_iter();
                (it.operation, groups.flat_map(|group| group.into_iter().zip(0..)).collect())
            };
            let members: Vec<(usize, Members)> = chain.iter().map(members).collect();
            let place = |device, counts: &[usize]| self.place(device, &members, counts);
            let from = cut(mesh, &dims, &shard?, place)?;
            let to = cut(mesh, &dims, &slice, |device, _| {
                let starts = offsets.get(device as usize)?.iter().zip(&slice);
                Some(starts.map(|(start, size)| native(start / size)).collect())
            })?;
            let is_all =
                |it: &Sharding| matches!(it, Sharding::Grid(grid) if grid.copies().is_empty());
            let is_whole = is_all(&from) && is_all(&to) || known.is_some_and(|it| it.1 == from);
            is_whole.then_some([from, to])
        });
        Some(Gather {
            instruction: last.instruction,
            bytes: bytes(array),
            kept_bytes: kept.fold(0, u64::saturating_add),
            received_bytes: received.fold(0, u64::saturating_add),
            source: last.source.clone(),
            ends,
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

    /// The place of a device's shard before gathers, by its places in their groups.
    fn place(
        &self,
        device: u32,
        gathers: &[(usize, Members)],
        counts: &[usize],
    ) -> Option<Vec<usize>> {
        let mut place = vec![0; counts.len()];
        for (gather, members) in gathers {
            let mut member = *members.get(&device)?;
            if gathers.len() > 1 {
                let attributes = self.program.operations[*gather].attributes;
                *place.get_mut(attributes.numbers("dimensions")?.next()? as usize)? = member;
                continue;
            }
            // One gather of all, whose members are in row-major order of the shards.
            for (at, count) in place.iter_mut().zip(counts).rev() {
                (member, *at) = (member / count, member % count);
            }
        }
        Some(place)
    }

    /// Constraints that move less than the gathers do, where the mesh is known.
    pub(crate) fn advise_constraints(&self) -> Vec<Advice> {
        let advise = |gather: &Gather<'_>| {
            let (mesh, [from, to]) = (self.shardings.mesh.as_ref()?, gather.ends.as_ref()?);
            let steps = mesh.path(from, to, &sizes(&gather.array)?)?;
            let (_, between) = steps.split_last().filter(|it| !it.1.is_empty())?;
            let elements =
                steps.iter().fold(0, |all: Size, step| all.saturating_add(step.received));
            let bytes = (elements as u64).saturating_mul(gather.array.element_bits() as u64) / 8;
            let saves = gather.received_bytes.checked_sub(bytes).filter(|it| *it >= bytes / 2)?;
            let mut python = String::from(IMPORTS);
            for step in between {
                let sharding = format!("NamedSharding(mesh, {})", step.spec);
                python += &format!("\nx = jax.lax.with_sharding_constraint(x, {sharding})");
            }
            python += &format!("  # before it goes to {}: {}", to.spec(mesh)?, gather.source);
            Some(Advice {
                saves_bytes: i64::try_from(saves).unwrap_or(i64::MAX),
                instructions: vec![gather.instruction.into()],
                python,
                ..Advice::new(AdviceKind::Reshard, Vec::new())
            })
        };
        self.gathers().iter().filter_map(advise).collect()
    }
}

/// The sizes of an array, if all are known.
fn sizes(array: &ArrayShape) -> Option<Vec<Size>> {
    array.dims().iter().map(|dim| dim.size()).collect()
}

/// The sharding that cuts an array of sizes `dims` into shards of sizes `part`. `place` gives each device's shard, where the grid has the given
/// number of shards along each dimension.
fn cut(
    mesh: &Mesh,
    dims: &[Size],
    part: &[Size],
    place: impl Fn(u32, &[usize]) -> Option<Vec<usize>>,
) -> Option<Sharding> {
    let count = |(size, part): (&Size, &Size)| {
        let is_even = *part > 0 && size.is_multiple_of(*part);
        is_even.then(|| native(size / part))
    };
    let counts = dims.iter().zip(part).map(count).collect::<Option<Vec<_>>>()?;
    let axes = mesh.axes_by_place(dims.len(), |device| place(device, &counts))?;
    mesh.along(&axes).filter(|it| it.shard_dims(dims).as_deref() == Ok(part))
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
    device: i64,
    steps: usize,
}

impl Offset<'_> {
    /// The number at a place of what an operation makes.
    fn value(&mut self, (operation, fusion): Inside, at: usize) -> Option<i64> {
        self.steps = self.steps.checked_sub(1)?;
        let (program, own) = (self.program, &self.program.operations[operation]);
        let mut of = |number, at| self.value((program.operand(operation, number)?, fusion), at);
        match own.opcode {
            Opcode::PartitionId => Some(self.device),
            Opcode::Constant => {
                let numbers = own.arguments.split(['{', '}', ',', ' ']);
                numbers.filter(|it| !it.is_empty()).nth(at)?.parse().ok()
            }
            Opcode::Parameter => {
                self.value((program.operand(fusion?, own.parameter()?)?, None), at)
            }
            Opcode::Fusion if fusion.is_none() => {
                let root = program.root(program.fused_computation(operation)?);
                self.value((root, Some(operation)), at)
            }
            Opcode::Convert | Opcode::Reshape => of(0, at),
            opcode if opcode.is_copy() => of(0, at),
            Opcode::Broadcast => of(0, 0),
            Opcode::Multiply => of(0, at)?.checked_mul(of(1, at)?),
            Opcode::Add => of(0, at)?.checked_add(of(1, at)?),
            Opcode::Subtract => of(0, at)?.checked_sub(of(1, at)?),
            Opcode::Divide => of(0, at)?.checked_div(of(1, at)?),
            Opcode::Remainder => of(0, at)?.checked_rem(of(1, at)?),
            Opcode::Clamp => Some(of(1, at)?.max(of(0, at)?).min(of(2, at)?)),
            // Of a table of all devices.
            Opcode::DynamicSlice => {
                let at = usize::try_from(of(1, 0)?).ok()?;
                of(0, at)
            }
            _ => None,
        }
    }
}
