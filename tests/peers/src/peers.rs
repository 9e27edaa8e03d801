//! The same copies by others: crates that permute dimensions, and loops as one writes them by hand.

use std::ops::Range;

use bytemuck::Pod;
use ndarray::{ArrayViewD, ArrayViewMutD, IxDyn};
use strided_view::{StridedView, StridedViewMut};

use crate::timing::Way;

/// Names of the peers, in the order of [`Peers::ways`].
pub const NAMES: &[&str] = &[
    "loops",
    "ndarray",
    "strided-perm",
    "transpose",
    #[cfg(feature = "hptt")]
    "hptt",
];

/// What the peers are told of a copy; nothing where they cannot do it.
pub struct Peers<T> {
    permuted: Option<Permuted>,
    by_hand: Option<Way<T>>,
}

/// The source as a row-major array of these dimensions, of which the destination is this permutation.
#[derive(Clone, Debug)]
struct Permuted {
    dims: Vec<usize>,
    permutation: Vec<usize>,
}

/// What the rows of a tile are in a row-major matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Major {
    /// Its rows, as in `{1,0}`.
    Rows,
    /// Its columns, as in `{0,1}`.
    Columns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From row-major.
    To,
    /// Back to row-major.
    From,
}

/// A copy that no peer does.
pub fn none<T>() -> Peers<T> {
    Peers { permuted: None, by_hand: None }
}

/// The destination is a permutation of the source's dimensions.
pub fn permuted<T>(dims: &[usize], permutation: &[usize]) -> Peers<T> {
    Peers { permuted: Some(Permuted::new(dims, permutation)), by_hand: None }
}

/// Between a row-major matrix and tiles of `R`×`C`, in which blocks of `P`×`Q` lie together:
/// `T(R,C)(P,Q)`.
pub fn tiles<T: Pod, const R: usize, const C: usize, const P: usize, const Q: usize>(
    dims: [usize; 2],
    major: Major,
    direction: Direction,
) -> Peers<T> {
    let [m, n] = dims;
    let (grid, strides, tile) = match major {
        Major::Rows => ([m, n], [n, 1], [R, C]),
        Major::Columns => ([n, m], [1, n], [C, R]),
    };
    let is_even = m.is_multiple_of(tile[0]) && n.is_multiple_of(tile[1]);
    let permuted = is_even.then(|| {
        let (of_rows, of_columns) = ([grid[0] / R, R / P, P], [grid[1] / C, C / Q, Q]);
        let to = match major {
            Major::Rows => Permuted::new(&[of_rows, of_columns].concat(), &[0, 3, 1, 4, 2, 5]),
            Major::Columns => Permuted::new(&[of_columns, of_rows].concat(), &[3, 0, 4, 1, 5, 2]),
        };
        if direction == Direction::To { to } else { to.inverse() }
    });
    let by_hand: Way<T> = match direction {
        Direction::To => Box::new(move |src, dst| {
            walk::<R, C, P, Q>(grid, strides, |slot, at| dst[slot] = src[at]);
        }),
        Direction::From => Box::new(move |src, dst| {
            walk::<R, C, P, Q>(grid, strides, |slot, at| dst[at] = src[slot]);
        }),
    };
    Peers { permuted, by_hand: Some(by_hand) }
}

/// Loops in the order of the tiles' memory.
#[inline]
fn walk<const R: usize, const C: usize, const P: usize, const Q: usize>(
    [rows, columns]: [usize; 2],
    strides: [usize; 2],
    mut copy: impl FnMut(usize, usize),
) {
    let mut slot = 0;
    for tile_row in (0..rows).step_by(R) {
        for tile_column in (0..columns).step_by(C) {
            for block_row in (tile_row..tile_row + R).step_by(P) {
                for block_column in (tile_column..tile_column + C).step_by(Q) {
                    for row in block_row..block_row + P {
                        for column in block_column..block_column + Q {
                            if row < rows && column < columns {
                                copy(slot, row * strides[0] + column * strides[1]);
                            }
                            slot += 1;
                        }
                    }
                }
            }
        }
    }
}

impl Permuted {
    /// Without dimensions of size 1, and with neighbours joined that stay neighbours: what is easiest.
    fn new(dims: &[usize], permutation: &[usize]) -> Permuted {
        let kept = (0..dims.len()).filter(|&axis| dims[axis] != 1).collect::<Vec<_>>();
        let mut joined: Vec<Range<usize>> = Vec::new();
        for axis in permutation.iter().filter_map(|axis| kept.iter().position(|kept| kept == axis))
        {
            match joined.last_mut() {
                Some(last) if last.end == axis => last.end += 1,
                _ => joined.push(axis..axis + 1),
            }
        }
        let mut of_source = joined.clone();
        of_source.sort_by_key(|axes| axes.start);
        let size =
            |axes: &Range<usize>| kept[axes.clone()].iter().map(|&axis| dims[axis]).product();
        let number = |axes: &Range<usize>| {
            of_source.iter().position(|of_source| of_source == axes).expect("a permutation")
        };
        Permuted {
            dims: of_source.iter().map(size).collect(),
            permutation: joined.iter().map(number).collect(),
        }
    }

    /// Dimensions of the destination.
    fn to(&self) -> Vec<usize> {
        self.permutation.iter().map(|&axis| self.dims[axis]).collect()
    }

    fn inverse(&self) -> Permuted {
        let mut permutation = vec![0; self.dims.len()];
        for (to, from) in self.permutation.iter().enumerate() {
            permutation[*from] = to;
        }
        Permuted { dims: self.to(), permutation }
    }
}

impl<T: Pod + Send + Sync> Peers<T> {
    /// What each peer does, one after another as in [`NAMES`].
    pub fn ways(self) -> Vec<Option<Way<T>>> {
        let Peers { permuted, by_hand } = self;
        let of = |way: fn(Permuted) -> Option<Way<T>>| permuted.clone().and_then(way);
        vec![
            by_hand,
            of(by_ndarray),
            of(by_strided_perm),
            of(by_transpose),
            #[cfg(feature = "hptt")]
            of(by_hptt),
        ]
    }
}

fn by_ndarray<T: Pod>(permuted: Permuted) -> Option<Way<T>> {
    let to = permuted.to();
    let Permuted { dims, permutation } = permuted;
    Some(Box::new(move |src, dst| {
        let src = ArrayViewD::from_shape(IxDyn(&dims), src).expect("as long as the dimensions say");
        let mut dst =
            ArrayViewMutD::from_shape(IxDyn(&to), dst).expect("as long as the dimensions say");
        dst.assign(&src.permuted_axes(IxDyn(&permutation)));
    }))
}

fn by_strided_perm<T: Pod + Send + Sync>(permuted: Permuted) -> Option<Way<T>> {
    let strides = |dims: &[usize]| {
        let mut strides = vec![1; dims.len()];
        for axis in (1..dims.len()).rev() {
            strides[axis - 1] = strides[axis] * dims[axis] as isize;
        }
        strides
    };
    let to = permuted.to();
    let (of_source, of_destination) = (strides(&permuted.dims), strides(&to));
    let from = permuted.permutation.iter().map(|&axis| of_source[axis]).collect::<Vec<_>>();
    Some(Box::new(move |src, dst| {
        let src = StridedView::new(src, &to, &from, 0).expect("in bounds");
        let mut dst = StridedViewMut::new(dst, &to, &of_destination, 0).expect("in bounds");
        strided_perm::copy_into(&mut dst, &src, threadteam::Exec::serial()).expect("of one shape");
    }))
}

fn by_transpose<T: Pod>(Permuted { dims, permutation }: Permuted) -> Option<Way<T>> {
    (permutation == [1, 0]).then(|| {
        Box::new(move |src: &[T], dst: &mut [T]| transpose::transpose(src, dst, dims[1], dims[0]))
            as Way<T>
    })
}

#[cfg(feature = "hptt")]
fn by_hptt<T: Pod>(Permuted { dims, permutation }: Permuted) -> Option<Way<T>> {
    (std::any::TypeId::of::<T>() == std::any::TypeId::of::<f32>()).then(|| {
        Box::new(move |src: &[T], dst: &mut [T]| {
            let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
            let order = hptt::MemoryOrder::RowMajor;
            hptt::transpose_f32(&permutation, 1.0, src, &dims, 0.0, dst, 1, order).expect("fits");
        }) as Way<T>
    })
}
