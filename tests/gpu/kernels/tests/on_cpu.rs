//! The kernels' threads, run one after another on a processor: the results are those of the library's own copies.

use std::array;
use std::cell::RefCell;

use kernels::access::access;
use kernels::arrays::{HalfRows, HalfSquare, Matrix, Operands, Rows as AnyRows, Square};
use kernels::product::{self, Product};
use kernels::shared::{self, Shared};
use kernels::thread::Thread;
use kernels::{copy, tensor, transpose};
use layout::shape::{Size, Swizzle};
use layout::{ArrayShape, Layout, Padding, copy, layout};
use layout_gpu::banks::{LANES, WarpAccess};
use layout_gpu::fragment::{Axis, Fragment, FragmentError, Holder, Instruction, Operand};

layout! {
    type Rows = F32[37,300];
    type Tiled = F32[37,300]{1,0:T(8,128)};
    type Odd = F32[37,300]{1,0:T(6,100)};
    type Full = F32[16,256]{1,0:T(8,128)};
    type FullRows = F32[16,256];
    type PackedRows = BF16[21,300];
    type Packed = BF16[21,300]{1,0:T(8,128)(2,1)};
}

/// What tensor cores do.
const MMA: Instruction = Instruction::mma([16, 8, 16], 16);

/// The memory of a block: NaN until something is stored. It notes what a thread accesses: how many bytes, and where.
struct Memory {
    words: RefCell<Vec<u32>>,
    accesses: RefCell<Vec<(usize, u32)>>,
}

impl Memory {
    fn new() -> Memory {
        let words = vec![u32::MAX; shared::SIZES[1] / 4];
        Memory { words: RefCell::new(words), accesses: RefCell::default() }
    }

    /// Does something for each thread, and checks that no warp has bank conflicts. A block has whole warps.
    fn each<T>(&self, threads: impl IntoIterator<Item = T>, mut action: impl FnMut(T)) {
        let accesses = threads.into_iter().map(|thread| {
            action(thread);
            self.accesses.take()
        });
        for warp in accesses.collect::<Vec<_>>().chunks(LANES) {
            for number in 0..warp.iter().map(Vec::len).max().unwrap_or(0) {
                let bytes = warp.iter().find_map(|lane| lane.get(number)).unwrap().0;
                let address = |lane: usize| warp[lane].get(number).map(|&(_, at)| at as Size);
                let access = WarpAccess::new(&array::from_fn(address), bytes).unwrap();
                assert_eq!(access.conflicts(), 0, "access {number}: {access:?}");
            }
        }
    }

    fn note(&self, bytes: usize, at: u32) -> usize {
        self.accesses.borrow_mut().push((bytes, at));
        at as usize / 4
    }

    /// The 16-bit element at a position.
    fn half(&self, at: u32) -> u32 {
        self.words.borrow()[at as usize / 4] >> (at % 4 * 8) & 0xffff
    }
}

fn half_to_f32(half: u32) -> f32 {
    f32::from_bits(half << 16)
}

impl Shared for Memory {
    /// Of all lanes.
    type Matrices = [[u32; 4]; LANES];

    unsafe fn load(&self, at: u32) -> u32 {
        let word = self.note(4, at);
        self.words.borrow()[word]
    }

    unsafe fn store(&self, at: u32, word: u32) {
        let at = self.note(4, at);
        self.words.borrow_mut()[at] = word;
    }

    unsafe fn copy(&self, at: u32, from: Option<*const u16>) {
        let words = from.map_or([0; 4], |from| unsafe { from.cast::<[u32; 4]>().read_unaligned() });
        let at = self.note(16, at);
        self.words.borrow_mut()[at..at + 4].copy_from_slice(&words);
    }

    unsafe fn matrices<const TRANSPOSED: bool>(
        &self,
        lane: u32,
        at: impl Fn(u32) -> u32,
    ) -> Self::Matrices {
        self.note(16, at(lane));
        let element = |lane: u32, matrix: u32, k: u32| {
            let [row, column] = [lane / 4, lane % 4 * 2 + k];
            let [row, column] = if TRANSPOSED { [column, row] } else { [row, column] };
            self.half(at(matrix * 8 + row) + column * 2)
        };
        let pair = |lane, matrix| element(lane, matrix, 0) | element(lane, matrix, 1) << 16;
        array::from_fn(|lane| array::from_fn(|matrix| pair(lane as u32, matrix as u32)))
    }

    unsafe fn multiply(
        lane: u32,
        a: Self::Matrices,
        b: Self::Matrices,
        half: usize,
        sums: &mut [f32; 4],
    ) {
        const A: Fragment = FragmentError::or_panic(MMA.operand(Operand::A));
        const B: Fragment = FragmentError::or_panic(MMA.operand(Operand::B));
        const D: Fragment = FragmentError::or_panic(MMA.operand(Operand::D));
        let element = |of: &Fragment, index: [Size; 2], words: &[&[u32]; LANES]| {
            let holder = of.holder(&index).unwrap();
            let (lane, register) = (holder.at(Axis::Lane), holder.at(Axis::Register));
            half_to_f32(words[lane][register / 2] >> (register % 2 * 16) & 0xffff)
        };
        let a = a.each_ref().map(|words| &words[..]);
        let b = b.each_ref().map(|words| &words[half * 2..][..2]);
        for (register, sum) in sums.iter_mut().enumerate() {
            let index = D.index(Holder::register(0, lane as Size, register)).unwrap();
            for k in 0..16 {
                *sum += element(&A, [index[0], k], &a) * element(&B, [k, index[1]], &b);
            }
        }
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
            copy::<$rows, $tiled, _>(&rows, &mut expected, Padding::Fill(0 as $element)).unwrap();

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
                data[offset] = small_integer(index, factor);
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
                let operands = [first.as_ptr(), second.as_ptr()];
                memory.each(&threads, |thread| unsafe {
                    product.load(*thread, step, operands, &memory);
                });
                memory.each(threads.iter().zip(&mut sums), |(thread, sums)| unsafe {
                    product.add(*thread, &memory, sums);
                });
            }
            for (thread, sums) in threads.iter().zip(&sums) {
                unsafe { product.store(*thread, sums, result.as_mut_ptr()) }
            }
        }

        assert_product(c.indices_row_major().map(|(index, at)| (index, result[at])), depth);
    }
}

/// An element of an operand. Sums of products of small integers are exact in any order.
fn small_integer([i, j]: [usize; 2], factor: usize) -> f32 {
    ((i * factor + j * 3) % 7) as f32 - 3.0
}

/// Elements of a product of operands that were filled with the factors 5 and 2.
fn assert_product(elements: impl Iterator<Item = ([usize; 2], f32)>, depth: usize) {
    for ([i, j], found) in elements {
        let term = |k| small_integer([i, k], 5) * small_integer([k, j], 2);
        assert_eq!(found, (0..depth).map(term).sum::<f32>(), "[{i}, {j}] of depth {depth}");
    }
}

fn transposed<S: Layout<2>, const N: usize>() {
    for [rows, columns] in [[32, 32], [64, 192], [70, 134], [2, 4]] {
        let sizes = [rows, columns].map(|size| size as u32);
        let word = |i: usize| {
            array::from_fn::<u32, N, _>(|k| (i * N + k) as u32 & (u32::MAX >> (32 - 32 / N)))
        };
        let join = |parts: [u32; N]| {
            parts.iter().rev().fold(0, |word, part| word << (32 / N - 1) << 1 | part)
        };
        let source: Vec<u32> = (0..rows * columns / N).map(|i| join(word(i))).collect();
        let mut result = vec![0; source.len()];
        for block in grid(transpose::blocks::<N>(sizes)) {
            let memory = Memory::new();
            let threads: Vec<_> = threads(block, transpose::THREADS).collect();
            memory.each(&threads, |thread| unsafe {
                transpose::load::<S, N>(*thread, sizes, source.as_ptr(), &memory);
            });
            memory.each(&threads, |thread| unsafe {
                transpose::store::<S, N>(*thread, sizes, &memory, result.as_mut_ptr());
            });
        }
        let expected = (0..columns * rows / N).map(|i| {
            join(array::from_fn(|k| {
                let (column, row) = ((i * N + k) / rows, (i * N + k) % rows);
                word((row * columns + column) / N)[(row * columns + column) % N]
            }))
        });
        assert_eq!(result, expected.collect::<Vec<_>>(), "{rows}×{columns}");
    }
}

#[test]
fn transposes() {
    transposed::<Square, 1>();
    transposed::<HalfSquare, 2>();
}

#[test]
fn a_product_on_tensor_cores() {
    for [rows, depth, columns] in [[64, 64, 64], [45, 72, 136], [1, 200, 8], [8, 0, 8]] {
        let a = HalfRows::with_dims([rows, depth]).unwrap();
        let b = HalfRows::with_dims([depth, columns]).unwrap();
        let c = AnyRows::with_dims([rows, columns]).unwrap();
        let fill = |layout: &layout::WithDims<HalfRows>, factor: usize| -> Vec<u16> {
            let all = layout.indices_row_major();
            all.map(|(index, _)| (small_integer(index, factor).to_bits() >> 16) as u16).collect()
        };
        let (first, second) = (fill(&a, 5), fill(&b, 2));
        let mut result = vec![f32::NAN; c.padded_elements()];

        let product = tensor::Product::new(rows as u32, depth as u32, columns as u32);
        for block in grid(tensor::Product::blocks(rows as u32, columns as u32)) {
            let memory = Memory::new();
            let threads: Vec<_> = threads(block, [LANES as u32, tensor::WARPS]).collect();
            let mut sums = vec![tensor::Sums::default(); threads.len()];
            let copy = |step| {
                let operands = [first.as_ptr(), second.as_ptr()];
                memory.each(&threads, |thread| unsafe {
                    product.copy(*thread, step, operands, &memory);
                });
            };
            copy(0);
            for step in 0..product.steps() {
                copy(step + 1);
                memory.each(threads.iter().zip(&mut sums), |(thread, sums)| unsafe {
                    product.add(*thread, step, &memory, sums);
                });
            }
            for (thread, sums) in threads.iter().zip(&sums) {
                unsafe { product.store(*thread, sums, result.as_mut_ptr()) }
            }
        }

        assert_product(c.indices_row_major().map(|(index, at)| (index, result[at])), depth);
    }
}

/// Wavefronts of an access, with the swizzle and without.
fn wavefronts<const R: usize>(
    shape: &ArrayShape,
    bytes: usize,
    index: impl Fn(u32, u32) -> [u32; R],
) -> [usize; 2] {
    let access = access(bytes, &array::from_fn(|lane| index(lane as u32, 0)));
    let rows = shape.with_swizzle(Swizzle::NONE).unwrap();
    [shape, &rows].map(|shape| access.addresses(shape).unwrap().wavefronts())
}

#[test]
fn swizzles_remove_conflicts() {
    assert_eq!(wavefronts(Square::SHAPE, 4, transpose::row::<1>), [1, 1]);
    assert_eq!(wavefronts(Square::SHAPE, 4, transpose::column::<1>), [1, 32]);
    assert_eq!(wavefronts(HalfSquare::SHAPE, 4, transpose::row::<2>), [1, 1]);
    assert_eq!(wavefronts(HalfSquare::SHAPE, 4, transpose::column::<2>), [1, 32]);
    // 16 bytes a lane are four phases.
    assert_eq!(wavefronts(Operands::SHAPE, 16, tensor::copied), [4, 4]);
    assert_eq!(wavefronts(Operands::SHAPE, 16, tensor::loaded), [4, 32]);
}
