//! Memory with strides of its own.

use crate::random::Random;

/// Where the elements of an array lie by its strides.
#[derive(Clone, Debug)]
pub struct Place {
    /// One for each dimension.
    pub strides: Vec<isize>,
    /// The slot of each element, in row-major order.
    pub slots: Vec<usize>,
    /// Slots in all.
    pub length: usize,
}

impl Place {
    /// The lowest element lies in slot 0.
    pub fn of(dims: &[usize], strides: Vec<isize>) -> Place {
        let mut offsets = vec![0];
        for (dim, stride) in dims.iter().zip(&strides) {
            let along = |offset| (0..dim.cast_signed()).map(move |at| offset + at * stride);
            offsets = offsets.into_iter().flat_map(along).collect::<Vec<isize>>();
        }
        let lowest = offsets.iter().min().copied().unwrap_or(0);
        let slots = offsets.iter().map(|at| (at - lowest).cast_unsigned()).collect::<Vec<_>>();
        let length = slots.iter().max().map_or(0, |last| last + 1);
        Place { strides, slots, length }
    }

    /// Dimensions in any order, side by side or with gaps. Of a source also strides of 0, and others that let elements share
    /// memory.
    pub fn random(dims: &[usize], is_source: bool, random: &mut Random) -> Place {
        let mut strides = vec![0; dims.len()];
        let mut span = 1;
        for dim in random.order(dims.len()) {
            let gap = match random.below(4) {
                0 | 1 => 0,
                2 => random.below(3),
                _ => random.below(40),
            };
            let stride = match random.below(12) {
                0 if is_source => 0,
                1 if is_source => random.below(span + 3),
                _ => span + gap,
            };
            span = span.max(
                1 + stride * dims[dim].saturating_sub(1)
                    + if stride < span { span } else { span - 1 },
            );
            let sign = if random.below(4) == 0 { -1 } else { 1 };
            strides[dim] = sign * stride.cast_signed();
        }
        Place::of(dims, strides)
    }

    /// The slot of index 0.
    pub fn first(&self) -> usize {
        self.slots.first().copied().unwrap_or(0)
    }

    /// The strides of an array of this rank.
    ///
    /// # Panics
    /// If it has another one.
    pub fn strides<const R: usize>(&self) -> [isize; R] {
        self.strides[..].try_into().expect("a stride for each dimension")
    }
}
