//! The first of many that will do, without a look at each.

use alloc::vec;
use alloc::vec::Vec;

/// A tree over values, each node of which has what those below it have in common.
pub(crate) struct First<T> {
    nodes: Vec<T>,
    join: fn(T, T) -> T,
}

impl<T: Copy> First<T> {
    /// `none` is a value that will never do.
    pub(crate) fn new(values: &[T], none: T, join: fn(T, T) -> T) -> First<T> {
        let leaves = values.len().next_power_of_two();
        let mut nodes = vec![none; 2 * leaves];
        nodes[leaves..leaves + values.len()].copy_from_slice(values);
        for node in (1..leaves).rev() {
            nodes[node] = join(nodes[2 * node], nodes[2 * node + 1]);
        }
        First { nodes, join }
    }

    pub(crate) fn set(&mut self, number: usize, value: T) {
        let mut node = self.nodes.len() / 2 + number;
        self.nodes[node] = value;
        while node > 1 {
            node /= 2;
            self.nodes[node] = (self.join)(self.nodes[2 * node], self.nodes[2 * node + 1]);
        }
    }

    /// The first that will do, of those that may by their values and by what they have in common with others.
    pub(crate) fn find(
        &self,
        may: impl Fn(T) -> bool,
        will: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let leaves = self.nodes.len() / 2;
        let mut open = Vec::from([1_usize]);
        while let Some(node) = open.pop() {
            match node.checked_sub(leaves) {
                _ if !may(self.nodes[node]) => {}
                Some(number) if will(number) => return Some(number),
                Some(_) => {}
                None => open.extend([2 * node + 1, 2 * node]),
            }
        }
        None
    }
}
