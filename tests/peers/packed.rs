//! Copies between layouts of 4-, 2- and 1-bit elements, as ratios to a streaming copy of the destination's bytes in
//! the same run: above 1 is faster. All arrays that are too large for the second cache come from memory: before each
//! measurement other memory is read. One core; `taskset` keeps it on one.
//! `cargo bench --manifest-path tests/peers/Cargo.toml --bench packed`, with part of a line's name as an argument for
//! the lines that have it.

use std::hint::black_box;
use std::time::Instant;

use layout::__private::core::native;
use layout::copies::{InstructionSet, Settings};
use layout::shape::Size;
use layout::{ArrayShape, Padding, Plan};
use tiled_layout_peers::reference::stream;
use tiled_layout_peers::timing::{Aligned, Seconds};

const ROUNDS: usize = 9;
/// Bytes that drive arrays out of the caches when they are read.
const OTHERS: usize = 64 << 20;
/// Sizes of the weights: inputs and outputs.
const K: usize = 4096;
const N: usize = 11008;

/// A loop that one would write.
type ByHand = fn(&[u8], &mut [u8]);

fn main() {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    println!(
        "{:32} {:>7} {:>7} {:>7} {:>7} {:>7} | {:>7} | ms of the streaming copy",
        "ratio to streaming", "memcpy", "avx512", "avx2", "sse2", "safe", "by hand"
    );
    let lines = include_str!("packed.txt").lines().filter(|line| line.contains('|'));
    for line in lines {
        let [name, from, to] = [0, 1, 2].map(|at| line.split('|').nth(at).expect("three").trim());
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            measure(name, from, to, by_hand(name));
        }
    }
}

/// The loop of a line that one would write.
fn by_hand(name: &str) -> Option<ByHand> {
    Some(match name {
        "rows to GPTQ" => gptq,
        "rows to AWQ" => awq,
        "rows to Q4_0" => q4_0,
        "transpose" => transpose,
        "E(4) to bytes" => unpack,
        "bytes to E(4)" => pack,
        "NES tiles" => |src, dst| pixels::<2>(src, dst, |y, plane| 8 * plane + y),
        "Game Boy tiles" => |src, dst| pixels::<2>(src, dst, |y, plane| 2 * y + plane),
        "SNES tiles" => |src, dst| pixels::<4>(src, dst, |y, of| 16 * (of / 2) + 2 * y + of % 2),
        "pack 4 bits of 16" => pack_values::<4>,
        "pack 11 bits of 16" => pack_values::<11>,
        "unpack 4 bits of 16" => unpack_values::<4>,
        "unpack 11 bits of 16" => unpack_values::<11>,
        _ => return None,
    })
}

fn measure(name: &str, from: &str, to: &str, by_hand: Option<ByHand>) {
    let [from, to]: [ArrayShape; 2] = [from, to].map(|text| text.parse().expect("a layout"));
    let plan = Plan::new(&from, &to).expect("a copy");
    let mut src = Aligned::new(plan.source_bytes());
    let mut dst = Aligned::new(plan.destination_bytes());
    let mut other = Aligned::new(plan.destination_bytes());
    // Pages that were never written are all one page.
    other.get_mut().fill(1);
    let narrow = native(from.element_bits().min(to.element_bits()));
    let mask = if from.element_bits() == 8 { (1u8 << narrow) - 1 } else { 0xff };
    for (i, byte) in src.get_mut().iter_mut().enumerate() {
        *byte = ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8 & mask;
    }
    let is_right = |src: &[u8], dst: &[u8]| {
        let digits = [&from, &to].map(|shape| shape.digits().expect("sizes are known"));
        let get = |memory: &[u8], slot: Size, bits: Size| {
            let per_byte = 8 / bits;
            memory[native(slot / per_byte)] >> native(slot % per_byte * bits)
                & ((1u16 << narrow) - 1) as u8
        };
        (0..100_000 as Size).all(|i| {
            let primes = [7919, 104_729, 31, 37, 41];
            let dims = (0..digits[0].rank()).map(|dim| digits[0].dim(dim));
            let index: Vec<Size> = dims.zip(primes).map(|(dim, prime)| i * prime % dim).collect();
            get(src, digits[0].offset_unchecked(&index), from.element_bits())
                == get(dst, digits[1].offset_unchecked(&index), to.element_bits())
        })
    };

    // What fits in a cache is copied there, again and again.
    let length = plan.destination_bytes();
    let is_large = length > 1 << 20;
    let times = if is_large { 1 } else { (8usize << 20).div_ceil(length) };
    let others = vec![1u8; if is_large { OTHERS } else { 0 }];
    let forced = [
        InstructionSet::Avx512,
        InstructionSet::Avx2,
        InstructionSet::Sse2,
        InstructionSet::Portable,
    ]
    .map(|set| {
        let settings = Settings { set: Some(set), threads: Some(false) };
        plan.clone().with_settings(settings)
    });
    let mut run = |which: usize, src: &[u8], dst: &mut [u8]| -> bool {
        match which {
            0 => stream(other.get(), dst),
            1 => dst.copy_from_slice(black_box(other.get_mut())),
            2..6 => forced[which - 2].run_bytes(src, dst, Padding::Zero).expect("long enough"),
            _ => match by_hand {
                Some(by_hand) => by_hand(src, dst),
                None => return false,
            },
        }
        true
    };
    let mut seconds: [Seconds; 7] = Default::default();
    let mut measured = [false; 7];
    for (which, measured) in measured.iter_mut().enumerate() {
        dst.get_mut().fill(0);
        *measured = run(which, src.get(), dst.get_mut());
        assert!(which < 2 || !*measured || is_right(src.get(), dst.get()), "{name}: {which}");
    }
    for _ in 0..ROUNDS {
        for which in (0..7).filter(|&which| measured[which]) {
            black_box(others.iter().step_by(64).map(|byte| u64::from(*byte)).sum::<u64>());
            let start = Instant::now();
            for _ in 0..times {
                run(which, black_box(src.get()), black_box(dst.get_mut()));
            }
            seconds[which].push(start.elapsed().as_secs_f64() / times as f64);
        }
    }
    let ratio = |which: usize| {
        let ratio = seconds[which].speed(&seconds[0]);
        ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
    };
    let [memcpy, avx512, avx2, sse2, safe, by_hand] = [1, 2, 3, 4, 5, 6].map(ratio);
    let stream = seconds[0].median().expect("it was run");
    println!(
        "{name:32} {memcpy:>7} {avx512:>7} {avx2:>7} {sse2:>7} {safe:>7} | {by_hand:>7} | {:.4}",
        stream * 1e3
    );
}

fn nibble(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 2] >> (at % 2 * 4) & 15
}

fn gptq(src: &[u8], dst: &mut [u8]) {
    for (k, words) in dst.chunks_exact_mut(4 * N).enumerate() {
        for (n, word) in words.chunks_exact_mut(4).enumerate() {
            let mut value = 0;
            for i in 0..8 {
                value |= u32::from(nibble(src, (8 * k + i) * N + n)) << (4 * i);
            }
            word.copy_from_slice(&value.to_le_bytes());
        }
    }
}

fn awq(src: &[u8], dst: &mut [u8]) {
    for (to, from) in dst.chunks_exact_mut(4).zip(src.chunks_exact(4)) {
        let mut value = 0;
        for (i, n) in [0, 2, 4, 6, 1, 3, 5, 7].into_iter().enumerate() {
            value |= u32::from(nibble(from, n)) << (4 * i);
        }
        to.copy_from_slice(&value.to_le_bytes());
    }
}

fn q4_0(src: &[u8], dst: &mut [u8]) {
    for (to, from) in dst.chunks_exact_mut(16).zip(src.chunks_exact(16)) {
        for (i, to) in to.iter_mut().enumerate() {
            *to = nibble(from, i) | nibble(from, i + 16) << 4;
        }
    }
}

fn transpose(src: &[u8], dst: &mut [u8]) {
    for (n, row) in dst.chunks_exact_mut(K / 2).enumerate() {
        for (k, to) in row.iter_mut().enumerate() {
            *to = nibble(src, 2 * k * N + n) | nibble(src, (2 * k + 1) * N + n) << 4;
        }
    }
}

fn unpack(src: &[u8], dst: &mut [u8]) {
    for (to, from) in dst.chunks_exact_mut(2).zip(src) {
        to.copy_from_slice(&[from & 15, from >> 4]);
    }
}

fn pack(src: &[u8], dst: &mut [u8]) {
    for (to, from) in dst.iter_mut().zip(src.chunks_exact(2)) {
        *to = from[0] & 15 | from[1] << 4;
    }
}

/// Planes of tiles of 8 by 8 pixels, of each row of a plane a byte, to pixels of a byte.
fn pixels<const PLANES: usize>(src: &[u8], dst: &mut [u8], byte: impl Fn(usize, usize) -> usize) {
    for (tile, pixels) in src.chunks_exact(8 * PLANES).zip(dst.chunks_exact_mut(64)) {
        for (y, row) in pixels.chunks_exact_mut(8).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = (0..PLANES).map(|plane| (tile[byte(y, plane)] >> x & 1) << plane).sum();
            }
        }
    }
}

fn pack_values<const BITS: usize>(src: &[u8], dst: &mut [u8]) {
    let (mut bits, mut len, mut at) = (0_u32, 0, 0);
    for value in src.as_chunks().0 {
        bits |= (u32::from(u16::from_le_bytes(*value)) & ((1 << BITS) - 1)) << len;
        len += BITS;
        while len >= 8 {
            dst[at] = bits as u8;
            (bits, len, at) = (bits >> 8, len - 8, at + 1);
        }
    }
}

fn unpack_values<const BITS: usize>(src: &[u8], dst: &mut [u8]) {
    let (mut bits, mut len, mut bytes) = (0_u32, 0, src.iter());
    for value in dst.as_chunks_mut().0 {
        while len < BITS {
            bits |= u32::from(*bytes.next().expect("as many bits")) << len;
            len += 8;
        }
        *value = (bits as u16 & ((1 << BITS) - 1)).to_le_bytes();
        (bits, len) = (bits >> BITS, len - BITS);
    }
}
