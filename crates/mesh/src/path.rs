//! The reshard that moves the least in steps of one collective each: what to write where a compiler moves more.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::devices::{Devices, by_dim, refined};
use crate::mesh::Mesh;
use crate::sharding::Sharding;
use layout_core::Size;

/// Shardings that are looked at: those of real meshes have some hundred.
const MOST: usize = 20_000;

/// A step of a reshard: to another sharding by one collective.
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

impl Mesh {
    /// A mesh of which shardings without names use axes whole: `a`, `b`, … `None` if there is none.
    pub fn of_shardings(shardings: [&Sharding; 2]) -> Option<Mesh> {
        let count = shardings.iter().filter_map(|it| it.device_count()).max()?;
        let mut digits = Vec::new();
        for sharding in shardings {
            let Sharding::Grid(grid) = sharding else { continue };
            digits.extend(by_dim(grid.devices.digits()?, &grid.sizes())?.concat());
        }
        let sizes = refined(digits.iter(), count)?.into_iter().map(|digit| digit.size);
        let axes = ('a'..='z').map(String::from).zip(sizes).collect();
        Some(Mesh { axes, devices: Devices::first(count) })
    }

    /// The steps from one sharding to another that receive the fewest elements, and of these the fewest steps; axes are used whole. `None` if
    /// the shardings are not of this mesh, or if the search takes too long.
    pub fn path(&self, from: &Sharding, to: &Sharding, dims: &[Size]) -> Option<Vec<Step>> {
        let (start, goal) = (self.axes_along(from, dims.len())?, self.axes_along(to, dims.len())?);
        let size = |axis: &usize| self.axes[*axis].1 as Size;
        let count = |axes: &[usize]| axes.iter().map(size).product::<Size>();
        let shard = |at: &[Vec<usize>]| {
            let sizes = dims.iter().zip(at).map(|(size, axes)| size.div_ceil(count(axes)));
            sizes.fold(1, Size::saturating_mul)
        };
        // Of what a group has together, each has its share.
        let of_others = |at: &[Vec<usize>], group: Size| shard(at) / group * (group - 1);
        let mut open = BinaryHeap::from([Reverse((0 as Size, 0, start, Vec::new()))]);
        let mut done = BTreeSet::new();
        while let Some(Reverse((received, length, at, steps))) = open.pop() {
            if at == goal {
                return Some(steps);
            }
            if !done.insert(at.clone()) {
                continue;
            }
            if done.len() > MOST {
                return None;
            }
            let mut go = |collective, own: Size, next: Vec<Vec<usize>>| {
                let step = Step { collective, received: own, spec: self.spec(&next) };
                // Slices one after the other are one.
                let is_same = |last: &&Step| collective == "slice" && last.collective == collective;
                let kept = steps.len() - steps.last().iter().filter(|last| is_same(last)).count();
                let steps: Vec<Step> = steps[..kept].iter().cloned().chain([step]).collect();
                open.push(Reverse((received.saturating_add(own), length + 1, next, steps)));
            };
            let is_free = |axis: &usize| size(axis) > 1 && !at.concat().contains(axis);
            for dim in 0..at.len() {
                for axis in (0..self.axes.len()).filter(is_free) {
                    let mut next = at.clone();
                    next[dim].push(axis);
                    go("slice", 0, next);
                }
                for kept in 0..at[dim].len() {
                    let mut less = at.clone();
                    let moved = less[dim].split_off(kept);
                    for to in (0..at.len()).filter(|to| *to != dim) {
                        let mut next = less.clone();
                        next[to].extend(&moved);
                        go("all-to-all", of_others(&next, count(&moved)), next);
                    }
                    go("all-gather", of_others(&less, count(&moved)), less);
                }
            }
            if at.iter().zip(&goal).all(|(at, to)| count(at) == count(to)) {
                go("collective-permute", shard(&at), goal.clone());
            }
        }
        None
    }
}
