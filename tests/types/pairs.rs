//! Pairs of functions: the offset by the library, and the same formula by hand over variables.
//!
//! Compiled at several opt-levels by `tests/types/codegen.rs`, which compares their instructions. The
//! names are `<case>_layout` and `<case>_by_hand`.
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "nobody calls these, and their listings need names"
)]

use layout::layout;

macro_rules! pairs {
    ($($case:ident ($($i:ident)*) $shape:ty = $formula:expr;)*) => {
        $(mod $case {
            use layout::layout;

            #[unsafe(export_name = concat!(stringify!($case), "_layout"))]
            pub fn by_layout($($i: usize),*) -> usize {
                <$shape>::offset_unchecked([$($i),*])
            }

            #[unsafe(export_name = concat!(stringify!($case), "_by_hand"))]
            pub fn by_hand($($i: usize),*) -> usize {
                $formula
            }

            #[unsafe(export_name = concat!("u32_", stringify!($case), "_layout"))]
            pub fn by_layout_u32($($i: u32),*) -> u32 {
                <$shape>::offset_u32_unchecked([$($i),*])
            }

            #[unsafe(export_name = concat!("u32_", stringify!($case), "_by_hand"))]
            pub fn by_hand_u32($($i: u32),*) -> u32 {
                $formula
            }
        })*

        /// Whether the formulas are right, for indices that `below` draws below each dimension.
        #[cfg(test)]
        pub fn compare(mut below: impl FnMut(usize) -> usize) {
            $(for _ in 0..1000 {
                let index @ [$($i),*] = <$shape>::DIMS.map(&mut below);
                assert_eq!($case::by_layout($($i),*), $case::by_hand($($i),*), "{index:?}");
                assert_eq!($case::by_layout($($i),*), <$shape>::offset(index), "{index:?}");
                let [$($i),*] = index.map(|coordinate| coordinate as u32);
                let offset = $case::by_layout_u32($($i),*);
                assert_eq!(offset, $case::by_hand_u32($($i),*), "{index:?}");
                assert_eq!(offset as usize, <$shape>::offset(index), "{index:?}");
                assert_eq!(<$shape>::index_u32(offset), Some([$($i),*]));
            })*
        }
    };
}

pairs! {
    row_major(i j) layout!(F32[512,1024]) = i * 1024 + j;
    column_major(i j) layout!(F32[512,1000]{0,1}) = j * 512 + i;
    t22(i j) layout!(F32[300,500]{1,0:T(2,2)})
        = (i / 2 * 250 + j / 2) * 4 + i % 2 * 2 + j % 2;
    t8x128(i j) layout!(F32[512,1024]{1,0:T(8,128)})
        = (i / 8 * 8 + j / 128) * 1024 + i % 8 * 128 + j % 128;
    t8x128_ragged(i j) layout!(F32[509,1000]{1,0:T(8,128)})
        = (i / 8 * 8 + j / 128) * 1024 + i % 8 * 128 + j % 128;
    bf16(i j) layout!(BF16[512,1024]{1,0:T(8,128)(2,1)})
        = (i / 8 * 8 + j / 128) * 1024 + i / 2 % 4 * 256 + j % 128 * 2 + i % 2;
    s8(i j) layout!(S8[512,1024]{1,0:T(8,128)(4,1)})
        = (i / 8 * 8 + j / 128) * 1024 + i / 4 % 2 * 512 + j % 128 * 4 + i % 4;
    s8_large(i j) layout!(S8[512,1024]{1,0:T(32,128)(4,1)})
        = (i / 32 * 8 + j / 128) * 4096 + i / 4 % 8 * 512 + j % 128 * 4 + i % 4;
    one_dim(i) layout!(BF16[65536]{0:T(1024)(128)(2,1)})
        = i / 1024 * 1024 + i / 256 % 4 * 256 + i % 128 * 2 + i / 128 % 2;
    star(i j k) layout!(F32[16,32,256]{2,1,0:T(*,8,128)})
        = { let r = i * 32 + j; (r / 8 * 2 + k / 128) * 1024 + r % 8 * 128 + k % 128 };
    odd_tile(i j) layout!(F32[100,700]{1,0:T(5,7)})
        = (i / 5 * 100 + j / 7) * 35 + i % 5 * 7 + j % 7;
    rank4(n h w c) layout!(F32[8,64,64,256]{3,2,1,0:T(8,128)})
        = (((n * 64 + h) * 8 + w / 8) * 2 + c / 128) * 1024 + w % 8 * 128 + c % 128;
    rank4_permuted(n h w c) layout!(BF16[8,64,64,256]{0,3,2,1:T(8,128)(2,1)})
        = ((h * 64 + w) * 32 + c / 8) * 1024 + c / 2 % 4 * 256 + n * 2 + c % 2;
    large_second_minor(i j) layout!(BF16[512,1024]{1,0:T(16,128)(2,1)})
        = (i / 16 * 8 + j / 128) * 2048 + i / 2 % 8 * 256 + j % 128 * 2 + i % 2;
    swizzled(i j) layout!(F16[64,64], swizzle = 128B)
        = { let o = i * 64 + j; o ^ o >> 3 & 56 };
    panels(i j) layout!(F16[64,256]{1,0:T(64,64)}, swizzle = 128B)
        = { let o = j / 64 * 4096 + i * 64 + j % 64; o ^ o >> 3 & 56 };
    swizzled_up(i j) layout!(F32[60,60]{1,0:T(4,4)L(1024)}, swizzle = elements<4,1,-5>)
        = { let o = (i / 4 * 15 + j / 4) * 16 + i % 4 * 4 + j % 4; o ^ (o & 30) << 5 };
}

/// A checked offset: nothing but the comparisons is added.
#[unsafe(no_mangle)]
pub fn checked_by_layout(index: &[(usize, usize)], sum: &mut usize) {
    for &(i, j) in index {
        *sum += <layout!(F32[100,300]{1,0:T(8,128)})>::offset([i, j]);
    }
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn checked_by_hand(index: &[(usize, usize)], sum: &mut usize) {
    for &(i, j) in index {
        assert!(i < 100, "{i} is out of range");
        assert!(j < 300, "{j} is out of range");
        *sum += (i / 8 * 3 + j / 128) * 1024 + i % 8 * 128 + j % 128;
    }
}

/// A constant index: the offset is a number in the code.
#[unsafe(no_mangle)]
pub fn constant_index() -> usize {
    <layout!(BF16[512,1024]{1,0:T(8,128)(2,1)})>::offset([300, 700])
}

/// The loop bounds are the dimensions, so that no check is left of `offset`.
#[unsafe(no_mangle)]
pub fn loop_over_dims(data: &mut [f32; 512 * 1024]) {
    type A = layout!(F32[512,1024]{1,0:T(8,128)});
    for i in 0..A::DIMS[0] {
        for j in 0..A::DIMS[1] {
            data[A::offset([i, j])] += 1.0;
        }
    }
}

/// What the test has to find fault with: a check at run time, a division, more instructions.
#[unsafe(no_mangle)]
pub fn control_layout(i: usize, j: usize) -> usize {
    <layout!(F32[500,1000]{1,0:T(8,100)})>::offset([i, j])
}

/// The same by hand, with tiles of a power of two and no check.
#[unsafe(no_mangle)]
pub fn control_by_hand(i: usize, j: usize) -> usize {
    (i / 8 * 8 + j / 128) * 1024 + i % 8 * 128 + j % 128
}

#[inline(always)]
fn scale(numbers: &mut [f32]) {
    for x in numbers {
        *x *= 3.0;
    }
}

#[inline(always)]
fn add(parts: &mut [f32; 32], numbers: &[f32]) {
    for chunk in numbers.as_chunks::<32>().0 {
        for (part, x) in parts.iter_mut().zip(chunk) {
            *part += x;
        }
    }
}

/// A view in place, tile by tile.
#[unsafe(no_mangle)]
pub fn scale_by_tiles(data: &mut [f32; 512 * 1024]) {
    let mut view = layout::ViewMut::<layout!(F32[512,1024]{1,0:T(8,128)}), f32>::new(data).unwrap();
    for mut tile in view.tiles_mut() {
        scale(tile.as_mut_slice());
    }
}

/// The same run by run.
#[unsafe(no_mangle)]
pub fn scale_by_runs(data: &mut [f32; 512 * 1024]) {
    let mut view = layout::ViewMut::<layout!(F32[512,1024]{1,0:T(8,128)}), f32>::new(data).unwrap();
    for (_, run) in view.runs_mut() {
        scale(run);
    }
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn scale_nest(data: &mut [f32; 512 * 1024]) {
    for i in 0..64 {
        for j in 0..8 {
            scale(&mut data[(i * 8 + j) * 1024..][..1024]);
        }
    }
}

/// Runs by hand, of a length that is known at run time only.
#[unsafe(no_mangle)]
pub fn scale_slice(run: &mut [f32]) {
    scale(run);
}

/// The sum of a view, tile by tile, in 32 parts.
#[unsafe(no_mangle)]
pub fn sum_by_tiles(data: &[f32; 512 * 1024], sum: &mut [f32; 32]) {
    let view = layout::View::<layout!(F32[512,1024]{1,0:T(8,128)}), f32>::new(data).unwrap();
    let mut parts = [0.0; 32];
    for tile in view.tiles() {
        add(&mut parts, tile.as_slice());
    }
    *sum = parts;
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn sum_nest(data: &[f32; 512 * 1024], sum: &mut [f32; 32]) {
    let mut parts = [0.0; 32];
    for i in 0..64 {
        for j in 0..8 {
            add(&mut parts, &data[(i * 8 + j) * 1024..][..1024]);
        }
    }
    *sum = parts;
}

/// Two channels in turns become planes of numbers.
#[unsafe(no_mangle)]
pub fn split_by_map(size: usize, frames: &[i16], planes: &mut [f32]) {
    layout::Copier::<layout!(S16[2,?]{0,1}), layout!(F32[2,?])>::new()
        .map([2, size], frames, planes, layout::Padding::Leave, |_, x| f32::from(x) * 3.0)
        .unwrap();
}

/// One of them by hand.
#[unsafe(no_mangle)]
pub fn split_slice(frames: &[[i16; 2]], plane: &mut [f32]) {
    for (to, frame) in plane.iter_mut().zip(frames) {
        *to = f32::from(frame[0]) * 3.0;
    }
}

/// Blocks with a scale each.
#[unsafe(no_mangle)]
pub fn dequantize_by_map(codes: &[i8; 8192], numbers: &mut [f32; 8192], scales: &[u16; 64]) {
    layout::Copier::<layout!(S8[64,128]), layout!(F32[64,128])>::new()
        .map([64, 128], codes, numbers, layout::Padding::Leave, |[block, _], code| {
            f32::from_bits(u32::from(scales[block]) << 16) * f32::from(code)
        })
        .unwrap();
}

/// The same by hand.
#[unsafe(no_mangle)]
pub fn dequantize_nest(codes: &[i8; 8192], numbers: &mut [f32; 8192], scales: &[u16; 64]) {
    for block in 0..64 {
        let scale = f32::from_bits(u32::from(scales[block]) << 16);
        for at in 0..128 {
            numbers[block * 128 + at] = scale * f32::from(codes[block * 128 + at]);
        }
    }
}

macro_rules! inverses {
    ($($layout:ident $by_hand:ident $number:ty: $index:ident;)*) => {$(
        /// The inverse: taking an offset apart, and comparing with the dimensions.
        #[unsafe(no_mangle)]
        pub fn $layout(offset: $number, into: &mut [$number; 2]) -> bool {
            match <layout!(F32[509,1000]{1,0:T(8,128)})>::$index(offset) {
                Some(index) => {
                    *into = index;
                    true
                }
                None => false,
            }
        }

        /// The same by hand, with the same result.
        #[unsafe(no_mangle)]
        pub fn $by_hand(offset: $number, into: &mut [$number; 2]) -> bool {
            let find = |offset: $number| {
                if offset >= 512 * 1024 {
                    return None;
                }
                let i = offset / 8192 * 8 + offset / 128 % 8;
                let j = offset / 1024 % 8 * 128 + offset % 128;
                if i >= 509 || j >= 1000 { None } else { Some([i, j]) }
            };
            match find(offset) {
                Some(index) => {
                    *into = index;
                    true
                }
                None => false,
            }
        }
    )*};
}

inverses! {
    inverse_by_layout inverse_by_hand usize: index;
    u32_inverse_by_layout u32_inverse_by_hand u32: index_u32;
}

/// A row gathered by offsets of 32 bits, which vectors hold twice as many of as of 64.
#[unsafe(no_mangle)]
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
pub fn u32_gather_by_layout(data: &[f32; 512 * 1024], row: u32, to: &mut [f32; 1024]) {
    for j in 0..1024 {
        let offset =
            <layout!(F32[512,1024]{1,0:T(8,128)(2,1)})>::offset_u32_unchecked([row % 512, j]);
        to[j as usize] = data[offset as usize];
    }
}

/// The same by hand.
#[unsafe(no_mangle)]
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
pub fn u32_gather_by_hand(data: &[f32; 512 * 1024], row: u32, to: &mut [f32; 1024]) {
    let i = row % 512;
    for j in 0..1024 {
        let offset = (i / 8 * 8 + j / 128) * 1024 + i / 2 % 4 * 256 + j % 128 * 2 + i % 2;
        to[j as usize] = data[offset as usize];
    }
}

/// Padding, by the same.
#[unsafe(no_mangle)]
pub fn padding_by_layout(offset: usize) -> bool {
    <layout!(F32[509,1000]{1,0:T(8,128)})>::is_padding(offset)
}

macro_rules! unknown {
    ($($case:ident $shape:ty = |$sizes:ident, $i:ident, $j:ident| $formula:expr;)*) => {
        $(mod $case {
            use layout::types::WithDimsU32;
            use layout::{WithDims, layout};

            #[unsafe(export_name = concat!(stringify!($case), "_layout"))]
            pub fn by_layout(a: &WithDims<$shape>, $i: usize, $j: usize) -> usize {
                a.offset_unchecked([$i, $j])
            }

            // Sizes of unknown dimensions, each with its number of tiles.
            #[unsafe(export_name = concat!(stringify!($case), "_by_hand"))]
            pub fn by_hand($sizes: &[[usize; 2]; 2], $i: usize, $j: usize) -> usize {
                $formula
            }

            #[unsafe(export_name = concat!("u32_", stringify!($case), "_layout"))]
            pub fn by_layout_u32(a: &WithDimsU32<$shape>, $i: u32, $j: u32) -> u32 {
                a.offset_unchecked([$i, $j])
            }

            #[unsafe(export_name = concat!("u32_", stringify!($case), "_by_hand"))]
            pub fn by_hand_u32($sizes: &[[u32; 2]; 2], $i: u32, $j: u32) -> u32 {
                $formula
            }
        })*
    };
}

unknown! {
    unknown_rows layout!(F32[?,1024]{1,0:T(8,128)})
        = |_sizes, i, j| (i / 8 * 8 + j / 128) * 1024 + i % 8 * 128 + j % 128;
    unknown_columns layout!(F32[1024,?]{1,0:T(8,128)})
        = |sizes, i, j| (i / 8 * sizes[0][1] + j / 128) * 1024 + i % 8 * 128 + j % 128;
    unknown_major layout!(F32[1024,?]{0,1:T(8,128)})
        = |_sizes, i, j| (j / 8 * 8 + i / 128) * 1024 + j % 8 * 128 + i % 128;
    unknown_both layout!(F32[?,?]{1,0:T(8,128)})
        = |sizes, i, j| (i / 8 * sizes[1][1] + j / 128) * 1024 + i % 8 * 128 + j % 128;
    unknown_bf16 layout!(BF16[?,?]{1,0:T(8,128)(2,1)})
        = |sizes, i, j| (i / 8 * sizes[1][1] + j / 128) * 1024 + i / 2 % 4 * 256 + j % 128 * 2 + i % 2;
    unknown_untiled layout!(F32[?,?]) = |sizes, i, j| i * sizes[1][0] + j;
}

/// The sum of a view, run by run, in 32 parts.
#[unsafe(no_mangle)]
pub fn sum_by_runs(data: &[f32; 512 * 1024], sum: &mut [f32; 32]) {
    let view = layout::View::<layout!(F32[512,1024]{1,0:T(8,128)}), f32>::new(data).unwrap();
    let mut parts = [0.0; 32];
    for (_, run) in view.runs() {
        add(&mut parts, run);
    }
    *sum = parts;
}

/// The same by hand, of a length that is known at run time only.
#[unsafe(no_mangle)]
pub fn sum_slice(run: &[f32], sum: &mut [f32; 32]) {
    let mut parts = *sum;
    add(&mut parts, run);
    *sum = parts;
}

/// Rows into tiles, each element multiplied so that it is no copy.
#[unsafe(no_mangle)]
pub fn gather_by_tiles(rows: &[f32; 512 * 1024], data: &mut [f32; 512 * 1024]) {
    let mut view = layout::ViewMut::<layout!(F32[512,1024]{1,0:T(8,128)}), f32>::new(data).unwrap();
    for mut tile in view.tiles_mut() {
        for ([i, j], row) in tile.rows_mut() {
            for (x, from) in row.iter_mut().zip(&rows[i * 1024 + j..]) {
                *x = from * 3.0;
            }
        }
    }
}

/// The same by hand, of a length that is known at run time only.
#[unsafe(no_mangle)]
pub fn gather_slice(from: &[f32], to: &mut [f32]) {
    for (x, from) in to.iter_mut().zip(from) {
        *x = from * 3.0;
    }
}

/// A layout with unknown rows, scaled tile by tile: the length of a tile is a constant all the same.
#[unsafe(no_mangle)]
pub fn scale_unknown_by_tiles(rows: usize, data: &mut [f32]) {
    let a = <layout!(F32[?,1024]{1,0:T(8,128)})>::with_dims([rows, 1024]).unwrap();
    let Ok(mut view) = a.view_mut(data) else { return };
    for mut tile in view.tiles_mut() {
        scale(tile.as_mut_slice());
    }
}
