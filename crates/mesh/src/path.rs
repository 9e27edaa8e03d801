//! The reshard that moves the least in steps of one collective each: what to write where a compiler moves more.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::mesh::Mesh;
use crate::sharding::Sharding;
use layout_core::Size;

/// States that are looked at: axes over dimensions of real meshes have some hundred.
const MAX_STATES: usize = 20_000;

/// A step of a reshard: to shard otherwise by one collective.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Step {
    /// `slice`, `all-to-all`, `all-gather` or `collective-permute`.
    pub collective: &'static str,
    /// Elements that each device gets from others, padding included.
    pub received: Size,
    /// The sharding after it, as JAX writes it: `P('x', None)`.
    pub spec: String,
}

type Axes = Vec<Vec<usize>>;

impl Mesh {
    /// The mesh of two shardings without names: axes `a`, `b`, … that both use whole. `None` if there are none.
    pub fn of_shardings(from: &Sharding, to: &Sharding) -> Option<Mesh> {
        let mut devices = 1;
        let mut cuts = Vec::from([1]);
        for sharding in [from, to] {
            if let Sharding::Grid(grid) = sharding {
                devices = devices.max(grid.devices().len());
                let digits = grid.digits_by_dim()?.concat();
                cuts.extend(digits.iter().flat_map(|it| [it.stride, it.stride * it.size]));
            }
        }
        cuts.push(devices);
        cuts.sort_unstable();
        cuts.dedup();
        let sizes = cuts
            .windows(2)
            .rev()
            .map(|pair| (pair[1].is_multiple_of(pair[0])).then_some(pair[1] / pair[0]));
        let sizes = sizes.collect::<Option<Vec<usize>>>()?;
        let axes = ('a'..='z').map(String::from).zip(sizes.iter().copied()).collect::<Vec<_>>();
        let is_named = axes.len() == sizes.len();
        is_named.then(|| Mesh { axes, devices: (0..devices as u32).collect(), is_list: false })
    }

    /// The steps from one sharding to another that receive the fewest elements, and of these the fewest steps; axes are used whole. `None` if
    /// the shardings are not of this mesh, or if the search takes too long.
    pub fn path(&self, from: &Sharding, to: &Sharding, dims: &[Size]) -> Option<Vec<Step>> {
        let goal = self.axes_of(to, dims.len())?;
        let digits = self.digits();
        let count =
            |axes: &[usize]| axes.iter().map(|axis| digits[*axis].size).product::<usize>() as Size;
        let shard = |at: &Axes| {
            let sizes = dims.iter().zip(at).map(|(size, axes)| size.div_ceil(count(axes)));
            sizes.fold(1, Size::saturating_mul)
        };
        let mut open = BinaryHeap::from([Reverse((
            0 as Size,
            0,
            self.axes_of(from, dims.len())?,
            Vec::new(),
        ))]);
        let mut done = BTreeSet::new();
        while let Some(Reverse((received, length, at, steps))) = open.pop() {
            if at == goal {
                return Some(steps);
            }
            if done.len() == MAX_STATES {
                return None;
            }
            if !done.insert(at.clone()) {
                continue;
            }
            let mut go = |collective, own: Size, next: Axes| {
                let step = Step { collective, received: own, spec: self.spec(&next) };
                let steps = steps.iter().cloned().chain([step]).collect();
                open.push(Reverse((received.saturating_add(own), length + 1, next, steps)));
            };
            // Of what a group has together, each has its share.
            let of_others = |all: &Axes, group: Size| shard(all) / group * (group - 1);
            let is_free = |axis: &usize| {
                digits[*axis].size > 1 && !at.iter().flatten().any(|own| own == axis)
            };
            for dim in 0..at.len() {
                for axis in (0..digits.len()).filter(is_free) {
                    let mut next = at.clone();
                    next[dim].push(axis);
                    go("slice", 0, next);
                }
                for kept in 0..at[dim].len() {
                    let mut less = at.clone();
                    let moved = less[dim].split_off(kept);
                    let group = count(&moved);
                    for to in (0..at.len()).filter(|to| *to != dim) {
                        let mut next = less.clone();
                        next[to].extend(&moved);
                        go("all-to-all", of_others(&next, group), next);
                    }
                    go("all-gather", of_others(&less, group), less);
                }
            }
            if at.iter().zip(&goal).all(|(at, to)| count(at) == count(to)) {
                go("collective-permute", shard(&at), goal.clone());
            }
        }
        None
    }
}
