//! Whose memory each buffer is in.

// Arguments and results count throughout. Off TPUs, memory of results and donated arguments holds temporaries
// while it is free: the largest first, each in an operand's place or in the smallest that is large enough.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Compiler, HandOver, Kind, Relations, Timeline};
use crate::program::Program;

/// Memory that the caller has: of a result, or of an argument that a result takes over.
struct CallerMemory {
    group: usize,
    /// When it is in use, in order.
    times: Vec<Time>,
    /// The longest of these times, which is in the way most often.
    longest: [usize; 2],
}

/// A time at which memory is in use throughout: its first and its last step. Two of them share a step at most.
struct Time {
    first: usize,
    last: usize,
    /// The buffers that it begins and ends with.
    begins: usize,
    ends: usize,
}

impl CallerMemory {
    fn add(&mut self, number: usize, buffer: &Buffer) {
        let (first, last) = (buffer.first, buffer.last);
        let mut new = Time { first, last, begins: number, ends: number };
        let start = self.times.partition_point(|it| it.last <= first);
        let end = self.times.partition_point(|it| it.last <= first || it.first < last);
        for it in self.times.drain(start..end) {
            if it.first <= new.first {
                (new.first, new.begins) = (it.first, it.begins);
            }
            if it.last >= new.last {
                (new.last, new.ends) = (it.last, it.ends);
            }
        }
        if new.last - new.first > self.longest[1] - self.longest[0] {
            self.longest = [new.first, new.last];
        }
        self.times.insert(start, new);
    }

    /// Whether nothing else is in use while a buffer is. At the first and last of its steps there may be what hands its memory
    /// over, one to the other.
    fn has_room(&self, number: usize, buffer: &Buffer, shares: &[(usize, usize)]) -> bool {
        let (first, last) = (buffer.first, buffer.last);
        if self.longest[0] < last && first < self.longest[1] {
            return false;
        }
        let start = self.times.partition_point(|it| it.last < first);
        let end = self.times.partition_point(|it| it.first <= last);
        let is_shared = |old, new| shares.binary_search(&(old, new)).is_ok();
        self.times[start..end].iter().all(|it| {
            it.last <= first && is_shared(it.ends, number)
                || last <= it.first && is_shared(number, it.begins)
        })
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
        let is_callers = |group: usize| {
            is_result[group] && matches!(owners[group], Kind::Argument | Kind::Result)
        };
        let most =
            (0..owners.len()).filter(|it| is_callers(*it)).map(|it| bytes[it]).max().unwrap_or(0);
        let group = |buffer: &usize| self.buffers[*buffer].group;
        let is_wanted = |buffer: &usize| {
            let group = group(buffer);
            let is_wanted = is_callers(group) || owners[group] == Kind::Temporary;
            is_wanted && 0 < bytes[group] && bytes[group] <= most
        };
        let mut members = (0..owners.len()).filter(is_wanted).collect::<Vec<_>>();
        members.sort_by_key(group);
        let order = program.post_order();
        let position =
            |buffers: &[usize]| buffers.iter().map(|it| order[self.buffers[*it].by as usize]).min();
        let groups = members.chunk_by(|a, b| group(a) == group(b));
        let groups = groups.map(|buffers| (group(&buffers[0]), position(buffers), buffers));
        let (mut temporaries, mut callers): (Vec<_>, Vec<_>) =
            groups.partition(|(group, ..)| owners[*group] == Kind::Temporary);
        temporaries.sort_by_key(|(group, position, _)| (Reverse(bytes[*group]), *position));
        callers.sort_by_key(|(group, position, _)| (bytes[*group], Reverse(*position)));
        let mut memories = Vec::with_capacity(callers.len());
        let mut memory_of = vec![None; owners.len()];
        for (group, _, buffers) in callers {
            let mut memory = CallerMemory { group, times: Vec::new(), longest: [0; 2] };
            for it in buffers {
                memory.add(*it, &self.buffers[*it]);
                memory_of[*it] = Some(memories.len());
            }
            memories.push(memory);
        }
        let mut shares = relations.hand_overs.iter().map(|it| (it.old, it.new)).collect::<Vec<_>>();
        shares.sort_unstable();
        for (group, _, buffers) in temporaries {
            let fits = |memory: &CallerMemory| {
                let has_room = |it: &usize| memory.has_room(*it, &self.buffers[*it], &shares);
                let is_alike = || {
                    let colors = [group, memory.group].map(|it| self.buffers[it].color);
                    colors[0] == colors[1] && bytes[group] <= bytes[memory.group]
                };
                buffers.iter().all(has_room) && is_alike()
            };
            let mut operands = buffers.iter().flat_map(|buffer| {
                let start = relations.operands.partition_point(|(new, _)| new < buffer);
                relations.operands[start..].iter().take_while(move |(new, _)| new == buffer)
            });
            let of_operand = operands.find_map(|(_, operand)| {
                memory_of[*operand].filter(|memory: &usize| fits(&memories[*memory]))
            });
            if let Some(found) = of_operand.or_else(|| memories.iter().position(fits)) {
                owners[group] = owners[memories[found].group];
                for it in buffers {
                    is_placed[*it] = true;
                    memories[found].add(*it, &self.buffers[*it]);
                    memory_of[*it] = Some(found);
                }
            }
        }
        is_placed
    }
}
