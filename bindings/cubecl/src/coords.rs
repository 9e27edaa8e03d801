//! The types of coordinates that a layout takes in a kernel.

use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coordinates, Coords1d, CoordsDyn};

/// How many coordinates a type of coordinates holds.
pub trait Rank {
    /// The number of coordinates; `None` if values of the type differ in it.
    const RANK: Option<usize>;
}

/// Coordinates of an array's element, dimension 0 first: those of cubecl-std that are not signed.
///
/// [`CoordsDyn`] goes with arrays of any rank, `Coords1d` to `Coords5d` with those of 1 to 5 dimensions.
#[cube]
pub trait IndexCoords: Coordinates + Rank + Send + Sync + 'static {
    /// The coordinates in a sequence.
    fn into_sequence(this: Self) -> Sequence<u32>;

    /// Coordinates from a sequence of as many.
    fn from_sequence(sequence: Sequence<u32>) -> Self;
}

impl Rank for CoordsDyn {
    const RANK: Option<usize> = None;
}

#[cube]
impl IndexCoords for Sequence<u32> {
    fn into_sequence(this: Self) -> Sequence<u32> {
        this
    }

    fn from_sequence(sequence: Sequence<u32>) -> Self {
        sequence
    }
}

impl Rank for Coords1d {
    const RANK: Option<usize> = Some(1);
}

#[cube]
impl IndexCoords for usize {
    fn into_sequence(this: Self) -> Sequence<u32> {
        let mut sequence = Sequence::new();
        // Where addresses have 64 bits, what is too large stays out of bounds.
        sequence.push(this.min(0xffff_ffff) as u32);
        sequence
    }

    fn from_sequence(sequence: Sequence<u32>) -> Self {
        sequence[0] as usize
    }
}

macro_rules! tuple {
    ($rank:literal: $(($type:ident, $coord:ident, $number:tt)),*) => {
        impl Rank for ($($type),*) {
            const RANK: Option<usize> = Some($rank);
        }

        #[cube(no_debug_symbols)]
        impl IndexCoords for ($($type),*) {
            fn into_sequence(this: Self) -> Sequence<u32> {
                let ($($coord),*) = this;
                let mut sequence = Sequence::new();
                $(sequence.push($coord);)*
                sequence
            }

            fn from_sequence(sequence: Sequence<u32>) -> Self {
                ($(sequence[$number]),*)
            }
        }
    };
}

tuple!(2: (u32, a, 0), (u32, b, 1));
tuple!(3: (u32, a, 0), (u32, b, 1), (u32, c, 2));
tuple!(4: (u32, a, 0), (u32, b, 1), (u32, c, 2), (u32, d, 3));
tuple!(5: (u32, a, 0), (u32, b, 1), (u32, c, 2), (u32, d, 3), (u32, e, 4));
