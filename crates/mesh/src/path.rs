//! The reshard that moves the least in steps of one collective each: what to write where a compiler moves more.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::mesh::Mesh;
use crate::sharding::Sharding;
use layout_core::Size;

/// Shardings that are looked at: those of real meshes have some hundred.
const MOST: usize = 20_000;

/// A step of a reshard: to another sharding by a slice, an all-to-all, an all-gather or a permutation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Step {
    /// Elements that each device gets from others, padding included.
    pub received: Size,
    /// The sharding after it, as JAX writes it: `P('x', None)`.
    pub spec: String,
}

/// The axes along each dimension.
type Axes = Vec<Vec<usize>>;

impl Mesh {
    /// The steps from one sharding to another that receive the fewest elements, and of these the fewest steps; axes are used whole. `None` if
    /// the shardings are not of this mesh, or if the search takes too long.
    pub fn path(&self, from: &Sharding, to: &Sharding, dims: &[Size]) -> Option<Vec<Step>> {
        let (start, goal) = (self.axes_along(from, dims.len())?, self.axes_along(to, dims.len())?);
        let mut open = BinaryHeap::from([Reverse((0 as Size, 0, start, Vec::<Step>::new()))]);
        let mut done = BTreeSet::new();
        while let Some(Reverse((all, _, at, steps))) = open.pop().filter(|_| done.len() < MOST) {
            if at == goal {
                return Some(steps);
            }
            if !done.insert(at.clone()) {
                continue;
            }
            for (received, next) in self.steps(&at, &goal, dims) {
                let mut steps = steps.clone();
                // Slices one after the other are one.
                let _ = steps.pop_if(|last| last.received == 0 && received == 0);
                steps.push(Step { received, spec: self.spec(&next) });
                open.push(Reverse((all.saturating_add(received), steps.len(), next, steps)));
            }
        }
        None
    }

    /// What each device receives in one collective, and the axes after it.
    fn steps(&self, at: &Axes, goal: &Axes, dims: &[Size]) -> Vec<(Size, Axes)> {
        let size = |axis: &usize| self.axes[*axis].1 as Size;
        let count = |axes: &[usize]| axes.iter().map(size).product::<Size>();
        let shard = |at: &Axes| {
            let sizes = dims.iter().zip(at).map(|(size, axes)| size.div_ceil(count(axes)));
            sizes.fold(1, Size::saturating_mul)
        };
        let mut steps = Vec::new();
        if at.iter().zip(goal).all(|(at, to)| count(at) == count(to)) {
            steps.push((shard(at), goal.clone()));
        }
        let is_free = |axis: &usize| size(axis) > 1 && !at.concat().contains(axis);
        for dim in 0..at.len() {
            for axis in (0..self.axes.len()).filter(is_free) {
                let mut next = at.clone();
                next[dim].push(axis);
                steps.push((0, next));
            }
            for kept in 0..at[dim].len() {
                let mut gathered = at.clone();
                let moved = gathered[dim].split_off(kept);
                let to = (0..at.len()).filter(|to| *to != dim).map(|to| {
                    let mut next = gathered.clone();
                    next[to].extend(&moved);
                    next
                });
                for next in to.collect::<Vec<_>>().into_iter().chain([gathered]) {
                    // Of what a group has together, each has its share.
                    let group = count(&moved);
                    steps.push((shard(&next) / group * (group - 1), next));
                }
            }
        }
        steps
    }
}
