//! Functions of crates beside what their authors would write with the library: `ours` is that, one file a crate, and
//! `theirs` calls the crate as published, and says which arrays both are given.

pub mod ours;
pub mod theirs;

use std::hint::black_box;

use bytemuck::Pod;

/// The work of one side, made as often as it is timed.
pub trait Way {
    fn repeat(&mut self, times: usize);
    /// Does the work once, and gives the bytes of its result.
    fn bytes(&mut self) -> Vec<u8>;
}

/// Writes to memory that is there.
struct Writing<T, F> {
    memory: Vec<T>,
    call: F,
}

impl<T: Pod, F: FnMut(&mut [T])> Way for Writing<T, F> {
    fn repeat(&mut self, times: usize) {
        for _ in 0..times {
            (self.call)(black_box(&mut self.memory));
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        self.repeat(1);
        bytemuck::cast_slice(&self.memory).to_vec()
    }
}

/// Makes a value.
struct Making<F, B> {
    call: F,
    bytes: B,
}

impl<R, F: FnMut() -> R, B: FnMut(R) -> Vec<u8>> Way for Making<F, B> {
    fn repeat(&mut self, times: usize) {
        for _ in 0..times {
            black_box((self.call)());
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        (self.bytes)((self.call)())
    }
}

/// A side that writes to so many elements.
pub fn writing<T: Pod>(elements: usize, call: impl FnMut(&mut [T]) + 'static) -> Box<dyn Way> {
    // No zeros, so that what is not written shows.
    Box::new(Writing { memory: numbers::<T>(elements), call })
}

/// A side that makes its result.
pub fn making<R: 'static>(
    call: impl FnMut() -> R + 'static,
    bytes: impl FnMut(R) -> Vec<u8> + 'static,
) -> Box<dyn Way> {
    Box::new(Making { call, bytes })
}

/// So many elements, of bytes that repeat in no short period.
pub fn numbers<T: Pod>(elements: usize) -> Vec<T> {
    let mut numbers = vec![T::zeroed(); elements];
    for (number, byte) in bytemuck::cast_slice_mut::<T, u8>(&mut numbers).iter_mut().enumerate() {
        *byte = ((number as u32).wrapping_mul(0x9e37_79b1) >> 19) as u8;
    }
    numbers
}

/// The column of the table in which a case stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Up to 16 KiB.
    Small,
    /// Up to 1 MiB.
    Middle,
    Large,
}

impl Class {
    pub const ALL: [Class; 3] = [Class::Small, Class::Middle, Class::Large];

    fn of(bytes: usize) -> Class {
        match bytes {
            0..=0x4000 => Class::Small,
            0x4001..=0x10_0000 => Class::Middle,
            _ => Class::Large,
        }
    }
}

/// What is needed to do the work both ways: theirs, then ours.
type Both = [Box<dyn Way>; 2];

/// An array that both sides are given.
pub struct Case {
    pub name: String,
    pub class: Class,
    /// Makes both, and the memory of them.
    pub both: Box<dyn Fn() -> Both>,
}

/// A function of a crate: a line of the table.
pub struct Function {
    pub of: &'static str,
    pub layout: &'static str,
    /// Lines of code of the crate's function, and of those that only it calls.
    pub their_lines: usize,
    pub our_lines: usize,
    pub cases: Vec<Case>,
}

impl Function {
    fn new(
        of: &'static str,
        layout: &'static str,
        their_lines: usize,
        ours: &'static str,
    ) -> Function {
        Function { of, layout, their_lines, our_lines: lines(ours), cases: Vec::new() }
    }

    fn case(&mut self, name: String, bytes: usize, both: impl Fn() -> Both + 'static) {
        self.cases.push(Case { name, class: Class::of(bytes), both: Box::new(both) });
    }
}

/// Lines of code, without imports and comments.
fn lines(source: &str) -> usize {
    let code = source.lines().map(str::trim);
    code.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with("use "))
        .count()
}

/// All functions.
pub fn functions() -> Vec<Function> {
    let crates = [
        theirs::transpose::functions(),
        theirs::zarrs::functions(),
        theirs::tegra_swizzle::functions(),
        theirs::tract_linalg::functions(),
        theirs::rten_gemm::functions(),
        theirs::ssd1306::functions(),
    ];
    crates.into_iter().flatten().collect()
}
