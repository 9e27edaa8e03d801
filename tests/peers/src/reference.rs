//! What copies are measured against: `memcpy`, and a copy whose stores go around the cache.

use bytemuck::Pod;

use crate::timing::Way;

/// Copies as many elements, in order.
pub fn memcpy<T: Pod>(elements: usize) -> Way<T> {
    Box::new(move |src, dst| dst[..elements].copy_from_slice(&src[..elements]))
}

/// The same with streaming stores: the ceiling for arrays that do not fit in the caches. The destination
/// begins at a border of a cache line. None where there are no such stores.
pub fn streaming<T: Pod>(elements: usize) -> Option<Way<T>> {
    cfg!(target_arch = "x86_64").then(|| {
        Box::new(move |src: &[T], dst: &mut [T]| stream(&src[..elements], &mut dst[..elements]))
            as Way<T>
    })
}

/// A way, and then the sum of what it has written.
pub fn then_summed<T: Pod>(way: Way<T>) -> Way<T> {
    Box::new(move |src, dst| {
        way(src, dst);
        sum(dst);
    })
}

/// Reads everything.
pub fn sum<T: Pod>(data: &[T]) {
    let words: &[u32] = bytemuck::cast_slice(data);
    std::hint::black_box(words.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word)));
}

/// Halves of the array by two threads at a time.
#[cfg(feature = "rayon")]
pub fn side_by_side<T: Pod + Send + Sync>(elements: usize, copy: fn(&[T], &mut [T])) -> Way<T> {
    let half = (elements / 2).next_multiple_of(64);
    Box::new(move |src, dst| {
        let (src, dst) = (src[..elements].split_at(half), dst[..elements].split_at_mut(half));
        rayon::join(|| copy(src.0, dst.0), || copy(src.1, dst.1));
    })
}

#[cfg(target_arch = "x86_64")]
pub fn stream<T: Pod>(src: &[T], dst: &mut [T]) {
    use std::arch::x86_64::*;

    // SAFETY (of both): the caller has as many whole lines on both sides, the destination's aligned, and
    // the processor has the instructions.
    #[target_feature(enable = "avx512f")]
    unsafe fn by_512(src: *const u8, dst: *mut u8, bytes: usize) {
        for at in (0..bytes).step_by(64) {
            unsafe {
                _mm512_stream_si512(dst.add(at).cast(), _mm512_loadu_si512(src.add(at).cast()));
            }
        }
        _mm_sfence();
    }
    #[target_feature(enable = "sse2")]
    unsafe fn by_128(src: *const u8, dst: *mut u8, bytes: usize) {
        for at in (0..bytes).step_by(16) {
            unsafe { _mm_stream_si128(dst.add(at).cast(), _mm_loadu_si128(src.add(at).cast())) };
        }
        _mm_sfence();
    }

    assert!(src.len() == dst.len() && dst.as_ptr().addr().is_multiple_of(64));
    let whole = size_of_val(src) / 64 * 64;
    let (from, to) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
    // SAFETY: both slices have `whole` bytes, and the alignment and the instructions were looked for.
    unsafe {
        match is_x86_feature_detected!("avx512f") {
            true => by_512(from, to, whole),
            false => by_128(from, to, whole),
        }
    }
    let elements = whole / size_of::<T>();
    dst[elements..].copy_from_slice(&src[elements..]);
}

#[cfg(not(target_arch = "x86_64"))]
pub fn stream<T: Pod>(src: &[T], dst: &mut [T]) {
    dst.copy_from_slice(src);
}
