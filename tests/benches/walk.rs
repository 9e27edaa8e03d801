//! Walking over views, beside loops by hand: what counts are ratios to `by_hand`, and for rows to `rows_by_hand`.
//! `cargo bench -p tiled-layout-tests --bench walk`.

use divan::{Bencher, black_box, counter::ItemsCount};
use layout::dynamic::{DynLayout, DynStored};
use layout::types::StoredIn;
use layout::{AnyLayout, WithDims, layout};

fn main() {
    divan::main();
}

/// A layout of 8 by 128 tiles with its sizes, and what stores its elements.
trait Case: Sync + 'static {
    type Number: Number + DynStored + StoredIn<Self::Layout>;
    type Layout: AnyLayout<Index = [usize; 2]>;
    fn layout() -> WithDims<Self::Layout>;
}

macro_rules! cases {
    ($($name:ident: $number:ty, $layout:ty, $dims:expr;)*) => {$(
        struct $name;
        impl Case for $name {
            type Number = $number;
            type Layout = $layout;
            fn layout() -> WithDims<$layout> {
                <$layout>::with_dims($dims).expect("the sizes go with it")
            }
        }
    )*};
}
cases! {
    F32: f32, layout!(F32[4096,4096]{1,0:T(8,128)}), [4096, 4096];
    F32Cached: f32, layout!(F32[256,256]{1,0:T(8,128)}), [256, 256];
    F32Rows: f32, layout!(F32[?,4096]{1,0:T(8,128)}), [4096, 4096];
    F32RowsCached: f32, layout!(F32[?,256]{1,0:T(8,128)}), [256, 256];
    U16: u16, layout!(U16[4096,4096]{1,0:T(8,128)(2,1)}), [4096, 4096];
    U16Cached: u16, layout!(U16[256,256]{1,0:T(8,128)(2,1)}), [256, 256];
    Tiles: u16, layout!(U16[16384,1024]{1,0:T(8,128)}), [16384, 1024];
    Pairs: u16, layout!(U16[16384,1024]{1,0:T(8,128)(2,1)}), [16384, 1024];
    PairsRows: u16, layout!(U16[?,1024]{1,0:T(8,128)(2,1)}), [16384, 1024];
    Columns: u16, layout!(U16[16384,1024]{0,1}), [16384, 1024];
}

/// What is summed and scaled.
trait Number: Copy + Default + Send + Sync {
    const ONE: Self;
    /// Rows that a tile of 8 rows has side by side in 32 bits.
    const PACKED: usize = 4 / size_of::<Self>();
    fn plus(self, other: Self) -> Self;
    fn scaled(self) -> Self;
}

impl Number for f32 {
    const ONE: f32 = 1.0;
    fn plus(self, other: f32) -> f32 {
        self + other
    }
    fn scaled(self) -> f32 {
        self * 1.000_001
    }
}

/// The bits of 16-bit floats, summed and scaled as integers.
impl Number for u16 {
    const ONE: u16 = 1;
    fn plus(self, other: u16) -> u16 {
        self.wrapping_add(other)
    }
    fn scaled(self) -> u16 {
        self.wrapping_mul(3)
    }
}

/// Sums of columns, so that additions do not wait for one another.
struct Sums<N, const COLUMNS: usize>([N; COLUMNS]);

impl<N: Number, const COLUMNS: usize> Sums<N, COLUMNS> {
    fn zero() -> Self {
        Sums([N::default(); COLUMNS])
    }

    #[inline(always)]
    fn add<'a>(&mut self, numbers: impl IntoIterator<Item = &'a N>)
    where
        N: 'a,
    {
        for (sum, number) in self.0.iter_mut().zip(numbers) {
            *sum = sum.plus(*number);
        }
    }

    #[inline(always)]
    fn add_all(&mut self, run: &[N]) {
        run.chunks(COLUMNS).for_each(|chunk| self.add(chunk));
    }

    fn total(&self) -> N {
        self.0.iter().copied().fold(N::default(), N::plus)
    }
}

#[inline(always)]
fn scale<'a, N: Number + 'a>(numbers: impl IntoIterator<Item = &'a mut N>) {
    for number in numbers {
        *number = number.scaled();
    }
}

/// The slots of a row of a tile, by hand.
fn row_by_hand<N: Number>(row: usize) -> impl Iterator<Item = usize> {
    let start = row / N::PACKED * N::PACKED * 128 + row % N::PACKED;
    (0..128).map(move |column| start + column * N::PACKED)
}

/// Ways to walk: a function for each, for every case. `$view` is the view that a buffer gives, `$value` its layout as a value.
macro_rules! ways {
    ($as_view:ident, |$view:ident, $value:ident| $($name:ident: $walk:expr;)*) => {$(
        #[divan::bench(types = [F32, F32Cached, F32Rows, F32RowsCached, U16, U16Cached])]
        fn $name<C: Case>(bencher: Bencher) {
            let layout = C::layout();
            #[allow(unused_mut, reason = "some write")]
            let mut buffer = layout.filled(C::Number::ONE);
            let $value = &DynLayout::new(&layout.shape()).unwrap();
            bencher.counter(ItemsCount::new(layout.elements())).bench_local(|| {
                let ($view, _) = (&mut black_box(buffer.$as_view()), $value);
                $walk
            });
        }
    )*};
}

mod sum {
    use super::*;

    ways! { as_view, |view, value|
        by_hand: {
            let mut sums = Sums::<_, 32>::zero();
            view.as_slice().chunks_exact(128).for_each(|row| sums.add_all(row));
            sums.total()
        };
        index: {
            let (mut sums, [rows, columns]) = (Sums::<C::Number, 32>::zero(), view.dims());
            for i in 0..rows {
                for j in 0..columns {
                    sums.0[j % 32] = sums.0[j % 32].plus(view[[i, j]]);
                }
            }
            sums.total()
        };
        runs: {
            let mut sums = Sums::<_, 32>::zero();
            view.runs().for_each(|(_, run)| sums.add_all(run));
            sums.total()
        };
        tiles: {
            let mut sums = Sums::<_, 32>::zero();
            for tile in view.tiles() {
                tile.as_slice().chunks_exact(128).for_each(|row| sums.add_all(row));
            }
            sums.total()
        };
        rows_by_hand: {
            let mut sums = Sums::<_, 128>::zero();
            for tile in view.as_slice().chunks_exact(1024) {
                (0..8).for_each(|row| sums.add(row_by_hand::<C::Number>(row).map(|slot| &tile[slot])));
            }
            sums.total()
        };
        rows: {
            let mut sums = Sums::<_, 128>::zero();
            view.rows().for_each(|row| sums.add(row.indexed_iter().map(|(_, x)| x)));
            sums.total()
        };
        runs_of_value: {
            let mut sums = Sums::<_, 32>::zero();
            value.view(view.as_slice()).unwrap().runs().for_each(|(_, run)| sums.add_all(run));
            sums.total()
        };
        tiles_of_value: {
            let mut sums = Sums::<_, 32>::zero();
            for tile in value.view(view.as_slice()).unwrap().tiles().unwrap() {
                tile.as_slice().chunks_exact(128).for_each(|row| sums.add_all(row));
            }
            sums.total()
        };
        rows_of_value: {
            let mut sums = Sums::<_, 128>::zero();
            value.view(view.as_slice()).unwrap().rows().unwrap().for_each(|row| sums.add(row.indexed_iter().map(|(_, x)| x)));
            sums.total()
        };
    }
}

mod scale {
    use super::*;

    ways! { as_view_mut, |view, value|
        by_hand: view.as_mut_slice().chunks_exact_mut(128).for_each(scale);
        index: {
            let [rows, columns] = view.dims();
            for i in 0..rows {
                for j in 0..columns {
                    view[[i, j]] = view[[i, j]].scaled();
                }
            }
        };
        runs: view.runs_mut().for_each(|(_, run)| scale(run));
        tiles: view.tiles_mut().for_each(|mut tile| tile.as_mut_slice().chunks_exact_mut(128).for_each(scale));
        rows_by_hand: {
            for tile in view.as_mut_slice().chunks_exact_mut(1024) {
                for row in 0..8 {
                    row_by_hand::<C::Number>(row).for_each(|slot| tile[slot] = tile[slot].scaled());
                }
            }
        };
        rows: view.rows_mut().for_each(|row| scale(row.into_iter().map(|(_, x)| x)));
        runs_of_value: {
            value.view_mut(view.as_mut_slice()).unwrap().runs_mut().for_each(|(_, run)| scale(run));
        };
        tiles_of_value: {
            let mut view = value.view_mut(view.as_mut_slice()).unwrap();
            let tiles = view.tiles_mut().unwrap();
            tiles.for_each(|mut tile| tile.as_mut_slice().chunks_exact_mut(128).for_each(scale));
        };
        rows_of_value: {
            let mut view = value.view_mut(view.as_mut_slice()).unwrap();
            let rows = view.rows_mut().unwrap();
            rows.for_each(|row| scale(row.into_iter().map(|(_, x)| x)));
        };
    }
}

/// Sums of four by four elements at both ends: a walk of a slice begins in the same time wherever it is.
mod slice {
    use super::*;

    macro_rules! slices {
        (|$view:ident, $value:ident, $ranges:ident| $($name:ident: $walk:expr;)*) => {$(
            #[divan::bench(types = [Tiles, Pairs, PairsRows, Columns], args = [false, true])]
            fn $name<C: Case<Number = u16>>(bencher: Bencher, is_last: bool)
            where
                u16: StoredIn<C::Layout>,
            {
                let layout = C::layout();
                let buffer = layout.filled(C::Number::ONE);
                let $value = DynLayout::new(&layout.shape()).unwrap();
                let [i, j] = if is_last { layout.dims().map(|size| size - 4) } else { [0, 0] };
                bencher.bench_local(|| {
                    let ($view, $ranges) = (buffer.as_view(), black_box([i..i + 4, j..j + 4]));
                    let sum: u16 = $walk;
                    assert_eq!(sum, 16);
                });
            }
        )*};
    }

    slices! { |view, _value, ranges|
        runs: view.slice(ranges).unwrap().runs().map(|(_, run)| run.iter().sum::<u16>()).sum();
        rows: view.slice(ranges).unwrap().rows().map(|row| row.indexed_iter().map(|(_, x)| x).sum::<u16>()).sum();
    }
    slices! { |view, value, ranges|
        runs_of_value: {
            let view = value.view(view.as_slice()).unwrap();
            view.slice(ranges).unwrap().runs().map(|(_, run)| run.iter().sum::<u16>()).sum()
        };
        rows_of_value: {
            let view = value.view(view.as_slice()).unwrap();
            view.slice(ranges).unwrap().rows().unwrap().map(|row| row.indexed_iter().map(|(_, x)| x).sum::<u16>()).sum()
        };
    }
}
