//! A shape as a macro reads it: tuples of the core's own shapes need a heap there, which the crate that calls may not have.

use std::fmt;

use layout_core::__private::{ShapeSink, Written};
use layout_core::{ArrayShape, Shape};

/// A shape; an array with named tiles has no tiles in it, and a size that is an expression is `?`.
pub(crate) enum Tree {
    /// A shape that is not a tuple.
    Leaf(Shape),
    Tuple(Vec<Tree>),
}

impl Tree {
    /// The arrays in it, in the order in which they are written.
    pub(crate) fn arrays(&mut self) -> Vec<&mut ArrayShape> {
        match self {
            Tree::Leaf(Shape::Array(array) | Shape::Buffer(array)) => vec![array],
            Tree::Leaf(_) => Vec::new(),
            Tree::Tuple(parts) => parts.iter_mut().flat_map(Tree::arrays).collect(),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Leaf(shape) => shape.fmt(f),
            Tree::Tuple(parts) => {
                let parts = parts.iter().map(Tree::to_string).collect::<Vec<_>>();
                write!(f, "({})", parts.join(", "))
            }
        }
    }
}

/// A shape that is read from tokens.
#[derive(Default)]
pub(crate) struct Parsed {
    /// The parts so far of the tuples that are open.
    open: Vec<Vec<Tree>>,
    /// `None` until it is read whole.
    pub tree: Option<Tree>,
    /// What is written of each array, in the order in which they stand.
    pub arrays: Vec<Written>,
}

impl Parsed {
    fn push(&mut self, tree: Tree) {
        match self.open.last_mut() {
            Some(parts) => parts.push(tree),
            None => self.tree = Some(tree),
        }
    }
}

impl ShapeSink for Parsed {
    fn leaf(&mut self, shape: Shape) {
        self.push(Tree::Leaf(shape));
    }

    fn open(&mut self) {
        self.open.push(Vec::new());
    }

    fn close(&mut self) {
        let parts = self.open.pop().unwrap_or_default();
        self.push(Tree::Tuple(parts));
    }

    fn array(&mut self, written: &Written) {
        self.arrays.push(*written);
    }
}
