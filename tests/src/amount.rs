//! How much of long tests runs: a fifth, or all of it with `LAYOUT_TESTS=full`. Under Miri, which takes hundreds of times as long,
//! it is a hundredth.

/// The part that runs is one of so many.
const PARTS: usize = if cfg!(miri) { 100 } else { 5 };

/// Whether all of it runs.
pub fn is_full() -> bool {
    std::env::var_os("LAYOUT_TESTS").is_some_and(|tests| tests == "full")
}

/// How often to repeat what is repeated so often in full.
pub fn times(full: usize) -> usize {
    if is_full() { full } else { full.div_ceil(PARTS) }
}

/// Those of a list, or a part of them that is spread over it.
#[derive(Debug)]
pub struct Part {
    step: usize,
    number: usize,
}

impl Part {
    /// Before the first one.
    #[expect(clippy::new_without_default, reason = "it reads the environment")]
    pub fn new() -> Part {
        Part { step: if is_full() { 1 } else { PARTS }, number: 0 }
    }

    /// Whether the next one is among them. The first one is.
    pub fn takes(&mut self) -> bool {
        self.number += 1;
        (self.number - 1).is_multiple_of(self.step)
    }
}
