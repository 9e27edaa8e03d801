//! The kernels' threads, run one after another on a processor: the results are those of the library's own copies.

use std::cell::RefCell;

use kernels::arrays::Matrix;
use kernels::copy;
use kernels::product::{self, Product};
use kernels::shared::{self, Shared};
use kernels::thread::Thread;
use layout::{Padding, layout, relayout};

layout! {
    type Rows = F32[37,300];
    type Tiled = F32[37,300]{1,0:T(8,128)};
    type Odd = F32[37,300]{1,0:T(6,100)};
    type Full = F32[16,256]{1,0:T(8,128)};
    type FullRows = F32[16,256];
    type PackedRows = BF16[21,300];
    type Packed = BF16[21,300]{1,0:T(8,128)(2,1)};
}

/// The memory of a block, here of all: NaN until something is stored.
struct Memory(RefCell<Vec<f32>>);

impl Memory {
    fn new() -> Memory {
        Memory(RefCell::new(vec![f32::NAN; shared::SIZE]))
    }
}

impl Shared for Memory {
    unsafe fn load(&self, at: u32) -> f32 {
        self.0.borrow()[at as usize]
    }

    unsafe fn store(&self, at: u32, number: f32) {
        self.0.borrow_mut()[at as usize] = number;
    }
}

/// The positions in a grid of so many along x and y.
fn grid([x, y]: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    (0..y).flat_map(move |y| (0..x).map(move |x| [x, y]))
}

/// The threads of a block of so many along x and y.
fn threads([x, y]: [u32; 2], threads: [u32; 2]) -> impl Iterator<Item = Thread> {
    grid(threads).map(move |thread| Thread { thread, block: [x, y, 0] })
}

/// The threads of a copy of so many slots.
fn threads_of_copy(slots: usize) -> impl Iterator<Item = Thread> {
    let blocks = grid([copy::blocks(slots), 1]);
    blocks.flat_map(|block| threads(block, [copy::THREADS, 1]))
}

macro_rules! to_tiles_and_back {
    ($($name:ident: $rows:ty, $tiled:ty, $element:ty;)*) => {$(
        #[test]
        fn $name() {
            let rows: Vec<$element> = (1..=<$rows>::ELEMENTS).map(|number| number as $element).collect();
            let mut expected = vec![0 as $element; <$tiled>::PADDED_ELEMENTS];
            relayout::<$rows, $tiled, _>(&rows, &mut expected, Padding::Fill(0 as $element)).unwrap();

            let mut tiled = vec![7 as $element; <$tiled>::PADDED_ELEMENTS];
            for thread in threads_of_copy(tiled.len()) {
                unsafe {
                    let (src, dst) = (rows.as_ptr(), tiled.as_mut_ptr());
                    copy::to_tiles::<$tiled, $element>(thread, src, dst, 0 as $element);
                }
            }
            assert_eq!(tiled, expected);

            let mut back = vec![0 as $element; rows.len()];
            for thread in threads_of_copy(back.len()) {
                unsafe {
                    copy::from_tiles::<$tiled, $element>(thread, tiled.as_ptr(), back.as_mut_ptr());
                }
            }
            assert_eq!(back, rows);
        }
    )*};
}

to_tiles_and_back! {
    tiles: Rows, Tiled, f32;
    odd_tiles: Rows, Odd, f32;
    full_tiles: FullRows, Full, f32;
    packed_tiles: PackedRows, Packed, u16;
}

#[test]
fn a_product() {
    for [rows, depth, columns] in [[45, 70, 300], [32, 32, 32], [1, 200, 9], [8, 0, 8]] {
        let [a, b, c] = [[rows, depth], [depth, columns], [rows, columns]]
            .map(|dims| Matrix::with_dims(dims).unwrap());
        let fill = |layout: &layout::WithDims<Matrix>, factor: usize| {
            let mut data = vec![f32::NAN; layout.padded_elements()];
            for (index, offset) in layout.indices_row_major() {
                data[offset] = ((index[0] * factor + index[1] * 3) % 7) as f32 - 3.0;
            }
            data
        };
        let (first, second) = (fill(&a, 5), fill(&b, 2));
        let mut result = vec![f32::NAN; c.padded_elements()];

        let product = Product::new(rows as u32, depth as u32, columns as u32);
        for block in grid(Product::blocks(rows as u32, columns as u32)) {
            let memory = Memory::new();
            let threads: Vec<_> = threads(block, [product::SQUARE, product::THREADS_Y]).collect();
            let mut sums = vec![[0.0; product::PER_THREAD]; threads.len()];
            for step in 0..product.steps() {
                for thread in &threads {
                    let operands = [first.as_ptr(), second.as_ptr()];
                    unsafe { product.load(*thread, step, operands, &memory) }
                }
                for (thread, sums) in threads.iter().zip(&mut sums) {
                    unsafe { product.add(*thread, &memory, sums) }
                }
            }
            for (thread, sums) in threads.iter().zip(&sums) {
                unsafe { product.store(*thread, sums, result.as_mut_ptr()) }
            }
        }

        for (index, offset) in c.indices_row_major() {
            let expected: f32 = (0..depth)
                .map(|k| first[a.offset([index[0], k])] * second[b.offset([k, index[1]])])
                .sum();
            assert_eq!(result[offset], expected, "{index:?} of {rows}×{depth}×{columns}");
        }
    }
}
