//! Whose memory each buffer is in.

// Arguments and results count throughout. Off TPUs, memory of results and donated arguments holds temporaries
// while it is free: the largest first, each in an operand's place or in the smallest that is large enough.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::lifetimes::first::First;
use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Compiler, HandOver, Kind, Relations, Timeline};
use crate::program::Program;

/// Memory that the caller has: of a result, or of an argument that a result takes over.
#[derive(Default)]
struct CallerMemory {
    group: usize,
    color: i8,
    bytes: u64,
    /// The least of those of its arrays in XLA's order.
    position: u32,
    /// The steps from which and up to which it is in use throughout. Two such times share a step at most.
    times: BTreeMap<usize, usize>,
    /// The first and the last step of each buffer in it, with its number.
    starts: BTreeSet<(usize, usize)>,
    ends: BTreeSet<(usize, usize)>,
    /// The first and the last of these times, each with those that touch it.
    busy: Option<[[usize; 2]; 2]>,
}

impl CallerMemory {
    fn add(&mut self, number: usize, buffer: &Buffer) {
        let (mut first, mut last) = (buffer.first, buffer.last);
        self.starts.insert((first, number));
        self.ends.insert((last, number));
        let other = |times: &BTreeMap<usize, usize>, first, last| {
            let before = times.range(..last).next_back().filter(|(_, end)| **end > first);
            before.map(|(start, end)| (*start, *end))
        };
        while let Some((start, end)) = other(&self.times, first, last) {
            self.times.remove(&start);
            (first, last) = (first.min(start), last.max(end));
        }
        if first < last {
            self.times.insert(first, last);
            let [early, late] = self.busy.get_or_insert([[first, last]; 2]);
            for own in [&mut *early, &mut *late] {
                if first <= own[1] && own[0] <= last {
                    *own = [first.min(own[0]), last.max(own[1])];
                }
            }
            if last < early[0] {
                *early = [first, last];
            }
            if late[1] < first {
                *late = [first, last];
            }
        }
    }

    /// Whether nothing else is in use while a buffer is. At the first and last of its steps there may be what hands its memory
    /// over, one to the other.
    fn has_room(&self, number: usize, buffer: &Buffer, shares: &BTreeSet<(usize, usize)>) -> bool {
        let (first, last) = (buffer.first, buffer.last);
        let before = self.times.range(..last.min(first + 1)).next_back();
        let between = || self.times.range(first + 1..last.max(first + 1)).next();
        if before.filter(|(_, end)| first < **end).or_else(between).is_some() {
            return false;
        }
        let points = (first + 1, 0)..(last.max(first + 1), 0);
        if self.starts.range(points).next().is_some() {
            return false;
        }
        let at = |steps: &BTreeSet<(usize, usize)>, step| {
            let mut own = steps.range((step, 0)..(step + 1, 0));
            own.all(|(_, it)| shares.contains(&(*it, number)) || shares.contains(&(number, *it)))
        };
        at(&self.ends, first) && at(&self.starts, last)
    }
}

impl Timeline {
    /// Says whose the buffers are, and makes one of those that are in the same memory at the same step.
    pub(crate) fn finish(
        mut self,
        results: &[usize],
        mut relations: Relations,
        compiler: Compiler,
        program: &Program<'_>,
    ) -> Timeline {
        let mut members = vec![0u32; self.buffers.len()];
        for (i, buffer) in self.buffers.iter_mut().enumerate() {
            buffer.group = relations.groups.first(i);
            members[buffer.group] += 1;
        }
        let mut places = core::mem::take(&mut relations.groups);
        let mut owners = self.owners(results);
        let is_placed = match compiler.reuses_results {
            true => self.place_in_caller_memory(results, &mut owners, &relations, program),
            false => Vec::new(),
        };
        let mut is_taken_over = vec![false; owners.len()];
        // Of the arrays that begin together those that end first take first.
        relations.hand_overs.sort_by_key(|it| (it.step, self.buffers[it.new].last, it.new));
        for &HandOver { old, new, step, in_order } in &relations.hand_overs {
            // What is in the same memory as others, such as what a loop carries, neither gives nor takes.
            let own = |it: usize| {
                let group = self.buffers[it].group;
                // What is in the chip's memory has its places before, each of its own.
                let is_placed = compiler.is_tpu && self.buffers[it].color != HBM;
                owners[group] == Kind::Temporary && members[group] == 1 && !is_placed
            };
            let may = in_order && !is_taken_over[new] && own(old) && own(new);
            if may && self.buffers[old].last == step {
                is_taken_over[new] = true;
                places.join(old, new);
                // An operand is made at an earlier step.
                self.buffers[old].last = step - 1;
            }
        }
        self.results = results.iter().map(|result| self.buffers[*result].group).collect();
        let end = self.steps.len().saturating_sub(1);
        for i in 0..owners.len() {
            let buffer = &mut self.buffers[i];
            let owner = owners[buffer.group];
            (buffer.owner, buffer.used) = (owner, [buffer.first, buffer.last].map(|it| it as u32));
            buffer.place = places.first(i) as u32;
            if owner != Kind::Temporary {
                (buffer.first, buffer.last) = (0, end);
            }
        }
        drop((places, owners));
        // The caller's memory counts once.
        let mut placed = is_placed.iter();
        self.buffers.retain(|_| placed.next() != Some(&true));
        self.buffers.sort_by_key(|buffer| (buffer.group, buffer.first));
        self.buffers.dedup_by(|later, earlier| {
            let is_same = later.group == earlier.group && later.first <= earlier.last;
            if is_same {
                earlier.last = earlier.last.max(later.last);
                let [a, b] = [earlier.used, later.used];
                earlier.used = [a[0].min(b[0]), a[1].max(b[1])];
            }
            is_same
        });
        self
    }

    /// Of each group whose memory it is.
    fn owners(&self, results: &[usize]) -> Vec<Kind> {
        let mut owners = vec![Kind::Temporary; self.buffers.len()];
        results.iter().for_each(|result| owners[self.buffers[*result].group] = Kind::Result);
        for buffer in self.buffers.iter().filter(|it| it.owner != Kind::Temporary) {
            let own = &mut owners[buffer.group];
            if *own != Kind::Argument {
                *own = buffer.owner;
            }
        }
        owners
    }

    /// Puts temporaries into memory of the caller where it is not in use, the largest first, as XLA's buffer assignment does:
    /// into that of an operand, or else into that of a result, the smallest that is large enough.
    fn place_in_caller_memory(
        &mut self,
        results: &[usize],
        owners: &mut [Kind],
        relations: &Relations,
        program: &Program<'_>,
    ) -> Vec<bool> {
        let mut is_placed = vec![false; owners.len()];
        let mut is_result = vec![false; owners.len()];
        results.iter().for_each(|result| is_result[self.buffers[*result].group] = true);
        let mut bytes = vec![0; owners.len()];
        for buffer in self.buffers.iter().filter(|it| it.leaf.space == HBM) {
            let own: &mut u64 = &mut bytes[buffer.group];
            *own = buffer.leaf.bytes.max(*own);
        }
        // An argument that no result takes over is only read.
        let is_callers = |group: usize| owners[group] != Kind::Temporary && is_result[group];
        let most =
            (0..owners.len()).filter(|it| is_callers(*it)).map(|it| bytes[it]).max().unwrap_or(0);
        let group = |buffer: &usize| self.buffers[*buffer].group;
        let is_wanted = |buffer: &usize| {
            let group = group(buffer);
            let is_callers = is_callers(group) && owners[group] != Kind::Constant;
            let is_kind = is_callers || owners[group] == Kind::Temporary;
            is_kind && 0 < bytes[group] && bytes[group] <= most
        };
        let mut members = (0..owners.len()).filter(is_wanted).collect::<Vec<_>>();
        if members.iter().all(|it| owners[group(it)] != Kind::Temporary) {
            return is_placed;
        }
        members.sort_by_key(group);
        let order = program.post_order();
        let position = |buffers: &[usize]| {
            buffers.iter().map(|it| order[self.buffers[*it].by as usize]).min().unwrap_or(0)
        };
        let mut memories = Vec::new();
        let mut temporaries = Vec::with_capacity(members.len());
        for buffers in members.chunk_by(|a, b| group(a) == group(b)) {
            let group = group(&buffers[0]);
            let bytes = bytes[group];
            match owners[group] {
                Kind::Temporary => temporaries.push((group, position(buffers), buffers)),
                _ => {
                    let position = position(buffers);
                    let color = self.buffers[group].color;
                    let mut memory =
                        CallerMemory { group, color, bytes, position, ..Default::default() };
                    buffers.iter().for_each(|it| memory.add(*it, &self.buffers[*it]));
                    memories.push(memory);
                }
            }
        }
        memories.sort_by_key(|memory| (memory.bytes, Reverse(memory.position)));
        temporaries.sort_unstable_by_key(|(group, position, _)| {
            (Reverse(bytes[*group]), *position, *group)
        });
        let mut memory_of = vec![None; owners.len()];
        for (number, memory) in memories.iter().enumerate() {
            memory.starts.iter().for_each(|(_, buffer)| memory_of[*buffer] = Some(number));
        }
        let shares =
            relations.hand_overs.iter().map(|it| (it.old, it.new)).collect::<BTreeSet<_>>();
        let mut is_shared = vec![false; owners.len()];
        shares.iter().for_each(|(a, b)| [*a, *b].iter().for_each(|it| is_shared[*it] = true));
        // Of many memories the most bytes, and of the times at which they are busy the last start and the first end: what begins
        // before that end and ends after that start has room in none.
        let room = |it: &CallerMemory| (it.bytes, it.busy.unwrap_or_default());
        let rooms = memories.iter().map(room).collect::<Vec<_>>();
        let mut rooms = First::new(&rooms, (0, [[0, usize::MAX]; 2]), |a, b| {
            let both = |at: usize| [a.1[at][0].max(b.1[at][0]), a.1[at][1].min(b.1[at][1])];
            (a.0.max(b.0), [both(0), both(1)])
        });
        for (group, _, buffers) in temporaries {
            let bytes = bytes[group];
            let fits = |memory: &CallerMemory| {
                let has_room = |it: &usize| memory.has_room(*it, &self.buffers[*it], &shares);
                let color = self.buffers[group].color;
                bytes <= memory.bytes && color == memory.color && buffers.iter().all(has_room)
            };
            let mut own = buffers.iter().flat_map(|buffer| {
                let start = relations.operands.partition_point(|(new, _)| new < buffer);
                relations.operands[start..].iter().take_while(move |(new, _)| new == buffer)
            });
            let of_operand = own.find_map(|(_, operand)| {
                memory_of[*operand].filter(|memory: &usize| fits(&memories[*memory]))
            });
            let may_fit = |(room, busy): (u64, [[usize; 2]; 2])| {
                let is_in = |it: &usize, [start, end]: [usize; 2]| {
                    let (first, last) = (self.buffers[*it].first, self.buffers[*it].last);
                    // What begins and ends in one step may share it with what ends and begins there.
                    (first < last || !is_shared[*it]) && start < last && first < end
                };
                let is_busy = |own| buffers.iter().any(|it| is_in(it, own));
                bytes <= room && !busy.into_iter().any(is_busy)
            };
            let any = || rooms.find(may_fit, |it| fits(&memories[it]));
            if let Some(found) = of_operand.or_else(any) {
                owners[group] = owners[memories[found].group];
                buffers.iter().for_each(|buffer| is_placed[*buffer] = true);
                for it in buffers {
                    memories[found].add(*it, &self.buffers[*it]);
                    memory_of[*it] = Some(found);
                }
                rooms.set(found, room(&memories[found]));
            }
        }
        is_placed
    }
}
