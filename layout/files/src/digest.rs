//! A number for all bytes of a stretch.

/// 128 bits that depend on every byte, made as bytes are read or written.
///
/// Bytes that differ within one word of 8 always have different digests; others have the same one with a chance of about
/// 1 in 2^64. It finds faults of disks and networks, and files that were taken for one another. It does not protect
/// against somebody who crafts a file to match.
#[derive(Clone, Debug)]
pub(crate) struct Digest {
    lanes: [u64; LANES],
    /// The bytes of a block that is not whole yet.
    rest: Vec<u8>,
    bytes: u64,
}

/// Hexadecimal digits of a digest.
pub(crate) const DIGITS: usize = 32;
const LANES: usize = 8;
const BLOCK: usize = 8 * LANES;
/// The fractional parts of the golden ratio and of the square root of 3, made odd.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbb67_ae85_84ca_a73b];

impl Digest {
    pub(crate) fn new() -> Digest {
        let lanes = std::array::from_fn(|lane| FACTORS[1].wrapping_mul(lane as u64 + 1));
        Digest { lanes, rest: Vec::new(), bytes: 0 }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.bytes = self.bytes.wrapping_add(bytes.len() as u64);
        if !self.rest.is_empty() {
            let (more, after) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend(more);
            bytes = after;
            if self.rest.len() < BLOCK {
                return;
            }
            let block = std::mem::take(&mut self.rest);
            self.add_blocks(&block);
        }
        let (blocks, rest) = bytes.split_at(bytes.len() / BLOCK * BLOCK);
        self.add_blocks(blocks);
        self.rest.extend(rest);
    }

    fn add_blocks(&mut self, blocks: &[u8]) {
        let mut lanes = self.lanes;
        for block in blocks.as_chunks::<BLOCK>().0 {
            for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                // Each step is one to one, in the word and in what was before.
                let mixed = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(FACTORS[0]);
                *lane = mixed.rotate_left(29);
            }
        }
        self.lanes = lanes;
    }

    /// Of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> String {
        let mut digest = Digest::new();
        digest.add(bytes);
        digest.text()
    }

    /// The digest as hexadecimal digits.
    pub(crate) fn text(mut self) -> String {
        let mut last = std::mem::take(&mut self.rest);
        last.resize(BLOCK, 0);
        self.add_blocks(&last);
        let mix = |factor: u64| {
            let words = self.lanes.iter().chain([&self.bytes]);
            words.fold(factor, |mixed, word| {
                let mixed = (mixed ^ word).wrapping_mul(factor);
                mixed ^ mixed >> 31
            })
        };
        FACTORS.map(|factor| format!("{:016x}", mix(factor))).concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(parts: &[&[u8]]) -> String {
        let mut digest = Digest::new();
        parts.iter().for_each(|part| digest.add(part));
        digest.text()
    }

    #[test]
    fn every_bit_counts_and_no_bound_of_parts() {
        for length in [0, 1, 7, 8, 63, 64, 65, 200] {
            let bytes = (0..length).map(|at| (at * 7 + at / 50) as u8).collect::<Vec<_>>();
            let whole = digest(&[&bytes]);
            for at in 0..=bytes.len() {
                let (first, second) = bytes.split_at(at);
                assert_eq!(digest(&[first, second]), whole, "{length} {at}");
                assert_eq!(digest(&[&first[..at / 2], &first[at / 2..], second]), whole);
            }
            for bit in 0..8 * bytes.len() {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                let other = digest(&[&other]);
                assert!(whole[..16] != other[..16] && whole[16..] != other[16..], "{length} {bit}");
            }
            // Zeros at the end, and blocks in another order.
            assert_ne!(digest(&[&bytes, &[0]]), whole);
            assert_ne!(digest(&[&[0], &bytes]), whole);
            assert_ne!(
                digest(&[&[1; 64], &[2; 64], &bytes]),
                digest(&[&[2; 64], &[1; 64], &bytes])
            );
        }
    }
}
