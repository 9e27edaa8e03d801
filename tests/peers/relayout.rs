//! Copies between layouts against other crates, as ratios to `memcpy` of the same bytes in the same run:
//! above 1 is faster. One core; `taskset` keeps it on one.
//! `cargo bench --manifest-path tests/peers/Cargo.toml --bench relayout`, with `--features hptt` for one
//! peer more, and part of a line's name as an argument for the lines that have it.

use std::time::Instant;

use layout::__private::{InstructionSet, Settings, relayout_with};
use layout::{AnyLayout, Layout, Padding, SameArray, StoredAs, layout};
use ndarray::{ArrayViewD, ArrayViewMutD, IxDyn};
use strided_view::{StridedView, StridedViewMut};

const ROUNDS: usize = 11;
/// Bytes that a timing goes over, so that small arrays are copied many times.
const WORK: usize = 64 << 20;

type Rows2 = layout!(F32[4096,4096]);
type Tiled = layout!(F32[4096,4096]{1,0:T(8,128)});
type BfRows = layout!(BF16[8192,4096]);
type BfTiled = layout!(BF16[8192,4096]{1,0:T(8,128)(2,1)});
type ByteRows = layout!(S8[8192,8192]);
type ByteTiled = layout!(S8[8192,8192]{1,0:T(32,128)(4,1)});
type Ragged = layout!(F32[4093,4099]);
type RaggedTiled = layout!(F32[4093,4099]{1,0:T(8,128)});
type BfRagged = layout!(BF16[8189,4099]);
type BfRaggedTiled = layout!(BF16[8189,4099]{1,0:T(8,128)(2,1)});
type Small = layout!(F32[256,256]);
type BfSmall = layout!(BF16[256,256]);
type ByteSmall = layout!(S8[256,256]);

fn main() {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    println!(
        "{:34} {:>7} {:>7} {:>7} {:>7} {:>7} | {:>7} {:>7} {:>7} {:>7} | ms",
        "ratio to memcpy",
        "stream",
        "avx512",
        "avx2",
        "sse2",
        "safe",
        "ndarray",
        "strided",
        "transp",
        "hptt"
    );
    let f32s = |number: usize| number as f32;
    let bf16s = |number: usize| (number % 65_521) as u16;
    let bytes = |number: usize| (number % 251) as i8;
    let bench = Bench { only };

    let tiles: Peer = Some((&[512, 8, 32, 128], &[0, 2, 1, 3]));
    let back: Peer = Some((&[512, 32, 8, 128], &[0, 2, 1, 3]));
    bench.line::<Rows2, Tiled, f32>("f32 to T(8,128)", f32s, tiles);
    bench.line::<Tiled, Rows2, f32>("f32 from T(8,128)", f32s, back);
    let tiles: Peer = Some((&[1024, 4, 2, 32, 128], &[0, 3, 1, 4, 2]));
    let back: Peer = Some((&[1024, 32, 4, 128, 2], &[0, 2, 4, 1, 3]));
    bench.line::<BfRows, BfTiled, u16>("bf16 to (8,128)(2,1)", bf16s, tiles);
    bench.line::<BfTiled, BfRows, u16>("bf16 from (8,128)(2,1)", bf16s, back);
    let tiles: Peer = Some((&[256, 8, 4, 64, 128], &[0, 3, 1, 4, 2]));
    let back: Peer = Some((&[256, 64, 8, 128, 4], &[0, 2, 4, 1, 3]));
    bench.line::<ByteRows, ByteTiled, i8>("i8 to (32,128)(4,1)", bytes, tiles);
    bench.line::<ByteTiled, ByteRows, i8>("i8 from (32,128)(4,1)", bytes, back);
    let flipped: Peer = Some((&[4096, 4096], &[1, 0]));
    bench.line::<Rows2, layout!(F32[4096,4096]{0,1}), f32>("f32 transpose", f32s, flipped);
    // [i/128][i/8%16][j/128][i%8][j/8%16][j%8] to [j/128][j/8%16][i/128][j%8][i/8%16][i%8].
    let flipped: Peer = Some((&[32, 16, 32, 8, 16, 8], &[2, 4, 0, 5, 1, 3]));
    bench.line::<Tiled, layout!(F32[4096,4096]{0,1:T(8,128)}), f32>(
        "f32 T(8,128) to its transpose",
        f32s,
        flipped,
    );
    bench.line::<BfTiled, layout!(BF16[8192,4096]{1,0:T(16,128)(2,1)}), u16>(
        "bf16 (8,128)(2,1) to (16,128)(2,1)",
        bf16s,
        Some((&[512, 2, 32, 1024], &[0, 2, 1, 3])),
    );
    bench.line::<Tiled, layout!(F32[4096,4096]{1,0:T(6,100)}), f32>(
        "f32 T(8,128) to T(6,100)",
        f32s,
        None,
    );
    bench.line::<Ragged, RaggedTiled, f32>("4093×4099 f32 to T(8,128)", f32s, None);
    bench.line::<RaggedTiled, Ragged, f32>("4093×4099 f32 from", f32s, None);
    bench.line::<BfRagged, BfRaggedTiled, u16>("8189×4099 bf16 to (8,128)(2,1)", bf16s, None);
    bench.line::<BfRaggedTiled, BfRagged, u16>("8189×4099 bf16 from", bf16s, None);
    let flipped: Peer = Some((&[4093, 4099], &[1, 0]));
    bench.line::<Ragged, layout!(F32[4093,4099]{0,1}), f32>(
        "4093×4099 f32 transpose",
        f32s,
        flipped,
    );
    let tiles: Peer = Some((&[32, 8, 2, 128], &[0, 2, 1, 3]));
    bench.line::<Small, layout!(F32[256,256]{1,0:T(8,128)}), f32>(
        "256² f32 to T(8,128)",
        f32s,
        tiles,
    );
    let tiles: Peer = Some((&[32, 4, 2, 2, 128], &[0, 3, 1, 4, 2]));
    bench.line::<BfSmall, layout!(BF16[256,256]{1,0:T(8,128)(2,1)}), u16>(
        "256² bf16 to (8,128)(2,1)",
        bf16s,
        tiles,
    );
    let tiles: Peer = Some((&[8, 8, 4, 2, 128], &[0, 3, 1, 4, 2]));
    bench.line::<ByteSmall, layout!(S8[256,256]{1,0:T(32,128)(4,1)}), i8>(
        "256² i8 to (32,128)(4,1)",
        bytes,
        tiles,
    );
    let flipped: Peer = Some((&[256, 256], &[1, 0]));
    bench.line::<Small, layout!(F32[256,256]{0,1}), f32>("256² f32 transpose", f32s, flipped);
}

/// The source as an array of these dimensions, of which the destination is this permutation.
type Peer = Option<(&'static [usize], &'static [usize])>;

struct Bench {
    only: Option<String>,
}

/// Memory that begins at a border of a line.
struct Aligned<T> {
    data: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy> Aligned<T> {
    fn new(value: T, length: usize) -> Aligned<T> {
        let data = vec![value; length + 64];
        let start = data.as_ptr().align_offset(64);
        Aligned { data, start, length }
    }

    fn get(&self) -> &[T] {
        &self.data[self.start..][..self.length]
    }

    fn get_mut(&mut self) -> &mut [T] {
        &mut self.data[self.start..][..self.length]
    }
}

impl Bench {
    fn line<A, B, T>(&self, name: &str, value: fn(usize) -> T, peer: Peer)
    where
        A: SameArray<B> + Layout<2>,
        B: Layout<2>,
        T: StoredAs<<B as AnyLayout>::Element> + Default + PartialEq + Send + Sync,
    {
        if self.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            return;
        }
        let mut src = Aligned::new(T::default(), A::PADDED_ELEMENTS);
        let mut dst = Aligned::new(T::default(), B::PADDED_ELEMENTS);
        let columns = A::DIMS[1];
        for i in 0..A::DIMS[0] {
            for j in 0..columns {
                src.get_mut()[A::offset_unchecked([i, j])] = value(i * columns + j);
            }
        }
        let is_right = |dst: &[T]| {
            (0..A::DIMS[0]).all(|i| {
                (0..columns).all(|j| dst[B::offset_unchecked([i, j])] == value(i * columns + j))
            })
        };

        let mut seconds = [const { Vec::new() }; 10];
        let times = WORK.div_ceil(A::ELEMENTS * size_of::<T>());
        let run = |which: usize, src: &[T], dst: &mut [T]| -> bool {
            let forced = |set| Settings { set: Some(set), streams: None, threads: Some(false) };
            let sets = [
                InstructionSet::Avx512,
                InstructionSet::Avx2,
                InstructionSet::Sse2,
                InstructionSet::Portable,
            ];
            match which {
                0 => dst[..A::ELEMENTS].copy_from_slice(&src[..A::ELEMENTS]),
                1 => streaming(&src[..A::ELEMENTS], &mut dst[..A::ELEMENTS]),
                2..6 => {
                    relayout_with::<A, B, T>(src, dst, Padding::Zero, &forced(sets[which - 2]))
                        .unwrap();
                }
                _ => return by_peer(which - 6, peer, src, dst),
            }
            true
        };
        for (which, seconds) in seconds.iter_mut().enumerate() {
            dst.get_mut().fill(T::default());
            if run(which, src.get(), dst.get_mut()) {
                assert!(which < 2 || is_right(dst.get()), "{name}: {which}");
                seconds.push(0.0);
            }
        }
        let measured = seconds.each_mut().map(|seconds| seconds.pop().is_some());
        for _ in 0..ROUNDS {
            for which in (0..10).filter(|&which| measured[which]) {
                let start = Instant::now();
                for _ in 0..times {
                    run(
                        which,
                        std::hint::black_box(src.get()),
                        std::hint::black_box(dst.get_mut()),
                    );
                }
                seconds[which].push(start.elapsed().as_secs_f64() / times as f64);
            }
        }
        // The ratio in each round, then the median of those.
        let ratio = |which: usize| {
            let mut ratios = seconds[which]
                .iter()
                .zip(&seconds[0])
                .map(|(seconds, memcpy)| memcpy / seconds)
                .collect::<Vec<_>>();
            ratios.sort_by(f64::total_cmp);
            ratios.get(ratios.len() / 2).map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
        };
        let [stream, avx512, avx2, sse2, safe, ndarray, strided, transpose, hptt] =
            [1, 2, 3, 4, 5, 6, 7, 8, 9].map(ratio);
        let mut memcpy = seconds[0].clone();
        memcpy.sort_by(f64::total_cmp);
        println!(
            "{name:34} {stream:>7} {avx512:>7} {avx2:>7} {sse2:>7} {safe:>7} | {ndarray:>7} {strided:>7} {transpose:>7} {hptt:>7} | {:.3}",
            memcpy[ROUNDS / 2] * 1e3
        );
    }
}

/// The other crates. False if one cannot do it.
fn by_peer<T: Copy + Send + Sync + 'static>(
    which: usize,
    peer: Peer,
    src: &[T],
    dst: &mut [T],
) -> bool {
    let Some((dims, permutation)) = peer else { return false };
    let to = permutation.iter().map(|&axis| dims[axis]).collect::<Vec<_>>();
    match which {
        0 => {
            let src =
                ArrayViewD::from_shape(IxDyn(dims), src).expect("as long as the dimensions say");
            let mut dst =
                ArrayViewMutD::from_shape(IxDyn(&to), dst).expect("as long as the dimensions say");
            dst.assign(&src.permuted_axes(IxDyn(permutation)));
        }
        1 => {
            let strides = |dims: &[usize]| {
                let mut stride = 1;
                let mut strides = dims
                    .iter()
                    .rev()
                    .map(|dim| {
                        let this = stride;
                        stride *= *dim as isize;
                        this
                    })
                    .collect::<Vec<_>>();
                strides.reverse();
                strides
            };
            let from = strides(dims);
            let from = permutation.iter().map(|&axis| from[axis]).collect::<Vec<_>>();
            let src = StridedView::new(src, &to, &from, 0).expect("in bounds");
            let mut dst = StridedViewMut::new(dst, &to, &strides(&to), 0).expect("in bounds");
            strided_perm::copy_into(&mut dst, &src, threadteam::Exec::serial())
                .expect("of one shape");
        }
        2 if *permutation == [1, 0] => transpose::transpose(src, dst, dims[1], dims[0]),
        #[cfg(feature = "hptt")]
        3 if std::any::TypeId::of::<T>() == std::any::TypeId::of::<f32>() => {
            // SAFETY: `T` is `f32`.
            let (src, dst) = unsafe {
                (
                    std::slice::from_raw_parts(src.as_ptr().cast::<f32>(), src.len()),
                    std::slice::from_raw_parts_mut(dst.as_mut_ptr().cast::<f32>(), dst.len()),
                )
            };
            let order = hptt::MemoryOrder::RowMajor;
            hptt::transpose_f32(permutation, 1.0, src, dims, 0.0, dst, 1, order).expect("fits");
        }
        _ => return false,
    }
    true
}

/// A copy around the cache: the ceiling.
fn streaming<T: Copy>(src: &[T], dst: &mut [T]) {
    let bytes = size_of_val(src);
    if !dst.as_ptr().addr().is_multiple_of(64) {
        return dst.copy_from_slice(src);
    }
    // SAFETY: the vectors lie within the slices, the streams are aligned, and AVX-512 was looked for.
    #[target_feature(enable = "avx512f")]
    unsafe fn lines(src: *const u8, dst: *mut u8, bytes: usize) {
        use std::arch::x86_64::*;
        unsafe {
            for at in (0..bytes).step_by(64) {
                _mm512_stream_si512(dst.add(at).cast(), _mm512_loadu_si512(src.add(at).cast()));
            }
            _mm_sfence();
        }
    }
    let whole = bytes / 64 * 64;
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: as above.
        unsafe { lines(src.as_ptr().cast(), dst.as_mut_ptr().cast(), whole) };
    }
    let elements = whole / size_of::<T>();
    dst[elements..].copy_from_slice(&src[elements..]);
}
