//! Memory between pages that cannot be accessed: a kernel that reads or writes a byte past its ends ends the test.
#![allow(unsafe_code, reason = "memory is asked for by the page")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Mutex, PoisonError};

use crate::random::Random;

type Bytes = &'static mut [MaybeUninit<u8>];

/// Regions that nobody holds.
static FREE: Mutex<Vec<Bytes>> = Mutex::new(Vec::new());

#[cfg(all(unix, not(miri)))]
mod pages {
    use std::ptr::null_mut;

    /// Pages of at least `length` bytes, of which those before and after cannot be accessed.
    pub(super) fn new(length: usize) -> super::Bytes {
        // SAFETY: a new mapping that stays, of zeros; all but the first page and the last one become accessible.
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).expect("a size");
            let length = length.next_multiple_of(page);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            let whole = libc::mmap(null_mut(), length + 2 * page, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(whole, libc::MAP_FAILED);
            let start = whole.byte_add(page);
            let result = libc::mprotect(start, length, libc::PROT_READ | libc::PROT_WRITE);
            assert_eq!(result, 0);
            std::slice::from_raw_parts_mut(start.cast(), length)
        }
    }
}

/// The end of the linear memory, until it grows: beyond it every access is a trap.
#[cfg(target_arch = "wasm32")]
mod pages {
    use std::arch::wasm32::memory_grow;

    const PAGE: usize = 1 << 16;

    pub(super) fn new(length: usize) -> super::Bytes {
        let pages = length.div_ceil(PAGE);
        let before = memory_grow(0, pages);
        assert_ne!(before, usize::MAX, "memory grows");
        // SAFETY: the pages were asked for here, so that nothing else has them; they stay, and are zeros.
        unsafe { std::slice::from_raw_parts_mut((before * PAGE) as *mut _, pages * PAGE) }
    }
}

/// Memory without pages.
#[cfg(any(miri, not(any(unix, target_arch = "wasm32"))))]
mod pages {
    use std::mem::MaybeUninit;

    #[derive(Clone)]
    #[repr(align(64))]
    struct Line([MaybeUninit<u8>; 64]);

    pub(super) fn new(length: usize) -> super::Bytes {
        let lines = vec![Line([MaybeUninit::uninit(); 64]); length.div_ceil(64)].leak();
        // SAFETY: the bytes of the lines, which nothing else has.
        unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), 64 * lines.len()) }
    }
}

/// Bytes around what is held that have to stay.
const AROUND: usize = 128;
const KEPT: u8 = 0x5a;

/// Elements in a region of their own.
#[derive(Debug)]
pub struct Held<T> {
    region: Bytes,
    start: usize,
    count: usize,
    place: Option<usize>,
    elements: PhantomData<T>,
}

/// A place for [`Held::new`].
pub fn anywhere(random: &mut Random) -> Option<usize> {
    match random.below(4) {
        0 => None,
        1 => Some(0),
        _ => Some(random.below(64)),
    }
}

impl<T: Copy> Held<T> {
    /// Copies of elements in a region of pages: `place` elements after its start, or at its end.
    pub fn new(elements: &[T], place: Option<usize>) -> Held<T> {
        let bytes = size_of_val(elements);
        let start = place.unwrap_or(0) * size_of::<T>();
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let region = free.iter().position(|region| region.len() >= start + bytes);
        let region = match region {
            Some(at) => free.swap_remove(at),
            None => pages::new((start + bytes).next_power_of_two()),
        };
        let start = if place.is_some() { start } else { region.len() - bytes };
        let count = elements.len();
        let held = Held { region, start, count, place, elements: PhantomData };
        // SAFETY: the region has as many bytes from there on, which the elements do not lie in.
        unsafe {
            let to = held.region[start..].as_mut_ptr().cast::<T>();
            to.copy_from_nonoverlapping(elements.as_ptr(), count);
        }
        for range in held.around() {
            held.region[range].fill(MaybeUninit::new(KEPT));
        }
        held
    }

    fn around(&self) -> [Range<usize>; 2] {
        let end = self.start + self.count * size_of::<T>();
        let after = self.region.len().min(end + AROUND);
        [self.start.saturating_sub(AROUND)..self.start, end..after]
    }

    /// Whether the bytes around the elements are as they were.
    pub fn is_kept(&self) -> bool {
        let mut bytes = self.around().into_iter().flat_map(|range| &self.region[range]);
        // SAFETY: they were written when the memory was taken.
        bytes.all(|byte| unsafe { byte.assume_init() } == KEPT)
    }
}

impl<T: Copy> Deref for Held<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let start = self.region[self.start..].as_ptr().cast::<T>();
        assert!(start.is_aligned());
        // SAFETY: the elements were written here, and are borrowed with the region.
        unsafe { std::slice::from_raw_parts(start, self.count) }
    }
}

impl<T: Copy> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let start = self.region[self.start..].as_mut_ptr().cast::<T>();
        assert!(start.is_aligned());
        // SAFETY: as above; pages begin and end with whole elements.
        unsafe { std::slice::from_raw_parts_mut(start, self.count) }
    }
}

impl<T: Copy> Clone for Held<T> {
    fn clone(&self) -> Held<T> {
        Held::new(self, self.place)
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        let region = std::mem::take(&mut self.region);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(region);
    }
}
