//! The digest of all bytes of a stretch.

use sha2::{Digest as _, Sha256};

/// SHA-256, made as bytes are read or written.
#[derive(Clone, Debug)]
pub(crate) struct Digest(Sha256);

/// Hexadecimal digits of a digest.
pub(crate) const DIGITS: usize = 64;

impl Digest {
    pub(crate) fn new() -> Digest {
        Digest(Sha256::new())
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> String {
        let mut digest = Digest::new();
        digest.add(bytes);
        digest.text()
    }

    /// The digest as hexadecimal digits.
    pub(crate) fn text(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
