//! Images: pixels to planes of their channels and back, of each width, number of channels and number of pixels that kernels tell
//! apart, by every instruction set.

use layout::__private::{Memory, Plain, copy};
use layout::ArrayShape;
use layout::copies::{InstructionSet, Settings};

const UNTOUCHED: u8 = 0xee;

/// The bytes of images in a row, each the other way round.
fn turned(src: &[u8], size: usize, [rows, columns]: [usize; 2]) -> Vec<u8> {
    let image = rows * columns;
    let from = |to: usize| to / image * image + to % image % rows * columns + to % image / rows;
    (0..src.len()).map(|byte| src[from(byte / size) * size + byte % size]).collect()
}

fn check(size: usize, images: usize, pixels: usize, channels: usize, offset: usize) {
    let [packed, planar] = ["{2,1,0}", "{1,2,0}"].map(|order| {
        format!("u8[{images},{pixels},{channels}]{order}").parse::<ArrayShape>().expect("a shape")
    });
    let [packed, planar] = [packed, planar].map(|shape| shape.digits().expect("known sizes"));
    let length = size * images * pixels * channels;
    let bytes = (0..offset + length)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 9) as u8)
        .collect::<Vec<_>>();
    let src = &bytes[offset..];
    for to_planes in [true, false] {
        let (layouts, dims) = match to_planes {
            true => ([&packed, &planar], [pixels, channels]),
            false => ([&planar, &packed], [channels, pixels]),
        };
        let expected = turned(src, size, dims);
        for set in InstructionSet::all() {
            let settings = Settings { set: Some(set), threads: Some(false) };
            let mut dst = vec![UNTOUCHED; length + 2 * offset];
            let memory = Memory::of(Plain::YES, src, &mut dst[offset..][..length]);
            copy(layouts, [0; 2], memory, size, &settings);
            let (before, rest) = dst.split_at(offset);
            let (found, after) = rest.split_at(length);
            let case = format!(
                "{images} of {pixels} by {channels}, {size} bytes, {to_planes}, {settings:?}"
            );
            assert!(found == expected, "{case}");
            assert!(before.iter().chain(after).all(|byte| *byte == UNTOUCHED), "{case}");
        }
    }
}

#[test]
fn every_number_of_channels() {
    for size in [1, 2, 4, 8] {
        for channels in 2..=16 {
            for pixels in 1..=100 {
                check(size, 1 + pixels % 3, pixels, channels, size * (pixels % 5));
            }
        }
    }
}

/// More than a lane has of a pixel, and what is held around the cache.
#[test]
fn more_channels_and_pixels() {
    for size in [1, 2, 4, 8] {
        for channels in [3, 5, 6, 7, 9, 12, 15, 17, 31, 33, 63] {
            for pixels in [255, 256, 257, 289, 511, 4099] {
                check(size, 1 + pixels % 2, pixels, channels, pixels % 7);
            }
        }
    }
}
