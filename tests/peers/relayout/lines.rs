//! A line of the report: an array in memory, filled in several ways, each of which is checked.

use bytemuck::Pod;
use layout::Layout;
use layout::types::SameArray;
use tiled_layout_peers::reference::{memcpy, streaming};
use tiled_layout_peers::report::Report;
use tiled_layout_peers::timing::{Aligned, Way, race};

/// From here on an array and its copy do not fit in a cache, and are compared with streaming stores too.
pub const LARGE: usize = 32 << 20;

/// An element of the arrays that are copied.
pub trait Sample: Pod + Default + PartialEq + Send + Sync {
    fn sample(number: usize) -> Self;
}

impl Sample for f32 {
    fn sample(number: usize) -> f32 {
        number as f32
    }
}

impl Sample for u16 {
    fn sample(number: usize) -> u16 {
        (number % 65_521) as u16
    }
}

impl Sample for i8 {
    fn sample(number: usize) -> i8 {
        (number % 251) as i8
    }
}

/// An array, and what its copy has to become.
pub struct Memory<T> {
    pub src: Aligned<T>,
    pub expected: Vec<T>,
}

impl<T: Sample> Memory<T> {
    /// An array in the layout `A` that becomes one in the layout `B`.
    pub fn new<A: SameArray<B> + Layout<R>, B: Layout<R>, const R: usize>() -> Memory<T> {
        let mut src = Aligned::new(A::PADDED_ELEMENTS);
        let mut expected = vec![T::default(); B::PADDED_ELEMENTS];
        for (number, index) in indices(A::DIMS).enumerate() {
            let value = T::sample(number);
            src.get_mut()[A::offset_unchecked(index)] = value;
            expected[B::offset_unchecked(index)] = value;
        }
        Memory { src, expected }
    }

    /// Runs `memcpy` and, where that is faster, a copy with streaming stores of this many elements; then the ways.
    pub fn race(
        &self,
        report: &mut Report,
        name: &str,
        elements: usize,
        ways: impl IntoIterator<Item = Option<Way<T>>>,
    ) {
        let bytes = elements * size_of::<T>();
        let stream = if bytes >= LARGE { streaming(elements) } else { None };
        let ways = [Some(memcpy(elements)), stream].into_iter().chain(ways);
        self.run(report, name, bytes, 2, &ways.collect::<Vec<_>>());
    }

    /// Runs the ways, of which the first `references` need not make the copy, and reports their speeds.
    pub fn run(
        &self,
        report: &mut Report,
        name: &str,
        bytes: usize,
        references: usize,
        ways: &[Option<Way<T>>],
    ) {
        let src = self.src.get();
        let mut dst = Aligned::new(self.expected.len());
        for (number, way) in ways.iter().enumerate().skip(references) {
            dst.get_mut().fill(T::default());
            if let Some(way) = way {
                way(src, dst.get_mut());
                assert!(*dst.get() == self.expected, "{name}: way {number} copies wrongly");
            }
        }
        report.row(name, &race(src, dst.get_mut(), bytes, ways));
    }
}

/// All indices, the last dimension running fastest.
pub fn indices<const R: usize>(dims: [usize; R]) -> impl Iterator<Item = [usize; R]> {
    let mut next = [0; R];
    (0..dims.iter().product()).map(move |_| {
        let this = next;
        for axis in (0..R).rev() {
            next[axis] += 1;
            if next[axis] < dims[axis] {
                break;
            }
            next[axis] = 0;
        }
        this
    })
}
