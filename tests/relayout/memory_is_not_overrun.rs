//! Copies of slices that end or begin where memory does: a kernel that reads or writes a byte outside of them ends the
//! test, on every instruction set of the machine.
#![allow(unsafe_code, reason = "memory is asked for by the page")]

use layout::__private::core::native;
use layout::__private::{Memory as Bytes, Plain, copy};
use layout::copies::{InstructionSet, Placed, Settings};
use layout::shape::Size;
use layout::{ArrayShape, Padding, Plan, Strided, StridedMut};
use layout_tests::random::Random;
use region::Region;

/// Memory that cannot be accessed before and after it.
#[cfg(unix)]
mod region {
    use std::ptr::null_mut;

    #[derive(Debug)]
    pub(crate) struct Region {
        start: *mut u8,
        length: usize,
    }

    impl Region {
        /// Places that may be asked for: at the end and at the start.
        pub(crate) const PLACES: [bool; 2] = [true, false];

        pub(crate) fn new(length: usize) -> Region {
            // SAFETY: a new mapping, of which all but the first page and the last one becomes accessible.
            unsafe {
                let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).expect("a size");
                let length = length.next_multiple_of(page);
                let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
                let whole =
                    libc::mmap(null_mut(), length + 2 * page, libc::PROT_NONE, flags, -1, 0);
                assert_ne!(whole, libc::MAP_FAILED);
                let start = whole.cast::<u8>().add(page);
                let result =
                    libc::mprotect(start.cast(), length, libc::PROT_READ | libc::PROT_WRITE);
                assert_eq!(result, 0);
                Region { start, length }
            }
        }

        pub(crate) fn is_guarded(&self) -> bool {
            true
        }

        /// The last elements of the region, or its first ones.
        pub(crate) fn slice<const N: usize>(
            &mut self,
            count: usize,
            at_end: bool,
        ) -> &mut [[u8; N]] {
            let bytes = count * N;
            assert!(bytes <= self.length);
            let skipped = if at_end { self.length - bytes } else { 0 };
            // SAFETY: the bytes lie within the region, which is mapped, initialised as zeros and borrowed.
            unsafe { std::slice::from_raw_parts_mut(self.start.add(skipped).cast(), count) }
        }
    }
}

/// The end of the linear memory; beyond it every access is a trap.
#[cfg(target_arch = "wasm32")]
mod region {
    use std::arch::wasm32::{memory_grow, memory_size};

    const PAGE: usize = 1 << 16;

    #[derive(Debug)]
    pub(crate) struct Region {
        end: usize,
        length: usize,
    }

    impl Region {
        /// Places that may be asked for: at the end only.
        pub(crate) const PLACES: [bool; 1] = [true];

        pub(crate) fn new(length: usize) -> Region {
            let pages = length.div_ceil(PAGE);
            let before = memory_grow(0, pages);
            assert_ne!(before, usize::MAX, "memory grows");
            Region { end: (before + pages) * PAGE, length }
        }

        /// Whether memory has not grown since.
        pub(crate) fn is_guarded(&self) -> bool {
            self.end == memory_size(0) * PAGE
        }

        pub(crate) fn slice<const N: usize>(&mut self, count: usize, _: bool) -> &mut [[u8; N]] {
            let bytes = count * N;
            assert!(bytes <= self.length);
            // SAFETY: the bytes lie within the pages that were asked for here, so that nothing else has them; they are
            // borrowed with the region, and initialised as zeros.
            unsafe { std::slice::from_raw_parts_mut((self.end - bytes) as *mut _, count) }
        }
    }
}

const PAIRS: [[&str; 2]; 8] = [
    ["{1,0}", "{0,1}"],
    ["{1,0}", "{1,0:T(8,128)}"],
    ["{1,0}", "{1,0:T(8,128)(2,1)}"],
    ["{1,0}", "{1,0:T(32,128)(4,1)}"],
    ["{1,0}", "{0,1:T(8,128)(2,1)}"],
    ["{1,0}", "{0,1:T(32,128)(4,1)}"],
    ["{1,0:T(8,128)}", "{0,1:T(8,128)}"],
    ["{1,0:T(8,128)}", "{1,0:T(6,100)}"],
];

/// Elements of the largest array, its padding included, 16 bytes each.
const LARGEST: usize = 1 << 16;
const UNTOUCHED: u8 = 0xee;

fn all_settings() -> impl Iterator<Item = Settings> {
    InstructionSet::all().map(|set| Settings { set: Some(set), threads: Some(false) })
}

struct Memory {
    src: Region,
    dst: Region,
}

fn check<const N: usize>(
    random: &mut Random,
    memory: &mut Memory,
    texts: &[String; 2],
    dims: [Size; 2],
) {
    let shapes = texts.each_ref().map(|text| text.parse::<ArrayShape>().expect("a shape"));
    let [a_slots, b_slots] = shapes.map(|shape| native(shape.padded_elements().expect("known")));
    let [a, b] = shapes.map(|shape| shape.digits().expect("known sizes"));
    assert!(a_slots.max(b_slots) <= LARGEST, "{texts:?}");
    let elements = (0..a_slots).map(|_| [(); N].map(|()| random.below(256) as u8));
    let elements = elements.collect::<Vec<_>>();
    let mut expected = vec![[UNTOUCHED; N]; b_slots];
    for row in 0..dims[0] {
        for column in 0..dims[1] {
            let [from, to] = [&a, &b].map(|digits| native(digits.offset_unchecked(&[row, column])));
            expected[to] = elements[from];
        }
    }
    let plan = Plan::between(Placed::from(&shapes[0]).element_bytes(N), &shapes[1]);
    let plan = plan.expect("a copy");
    // With each of the settings, and by a plan, as users copy.
    for settings in all_settings().map(Some).chain([None]) {
        for at_end in Region::PLACES {
            let dst = memory.dst.slice::<N>(b_slots, at_end);
            dst.fill([UNTOUCHED; N]);
            if !memory.src.is_guarded() {
                memory.src = Region::new(16 * LARGEST);
            }
            let src = memory.src.slice::<N>(a_slots, at_end);
            src.copy_from_slice(&elements);
            match settings {
                Some(settings) => {
                    let bytes = Bytes::of(Plain::YES, src.as_flattened(), dst.as_flattened_mut());
                    copy([&a, &b], [0; 2], bytes, N, &settings);
                }
                None => plan.run(src, dst, Padding::Leave).expect("slots"),
            }
            assert!(dst == expected.as_slice(), "{texts:?}, {N} bytes, {settings:?}");
        }
    }
}

#[test]
fn nothing_outside_is_touched() {
    let mut random = Random::new(11);
    let mut memory = Memory { src: Region::new(16 * LARGEST), dst: Region::new(16 * LARGEST) };
    for _ in 0..2000 {
        let layouts = PAIRS[random.below(PAIRS.len())];
        let rows = *random.pick(&[1, 2, 3, 4, 7, 8, 16, 17, 33, 64, 70]);
        let columns = *random.pick(&[1, 2, 4, 5, 8, 15, 16, 31, 33, 64, 100, 127, 129, 200, 260]);
        let mut texts = layouts.map(|layout| format!("f32[{rows},{columns}]{layout}"));
        if random.below(2) == 0 {
            texts.reverse();
        }
        let dims = [rows, columns];
        match random.below(8) {
            0 => check::<1>(&mut random, &mut memory, &texts, dims),
            5 => check::<3>(&mut random, &mut memory, &texts, dims),
            6 => check::<6>(&mut random, &mut memory, &texts, dims),
            7 => check::<12>(&mut random, &mut memory, &texts, dims),
            1 => check::<2>(&mut random, &mut memory, &texts, dims),
            2 => check::<4>(&mut random, &mut memory, &texts, dims),
            3 => check::<8>(&mut random, &mut memory, &texts, dims),
            _ => check::<16>(&mut random, &mut memory, &texts, dims),
        }
    }
}

#[test]
fn nothing_outside_of_small_matrices_is_touched() {
    let mut random = Random::new(12);
    let mut memory = Memory { src: Region::new(16 * LARGEST), dst: Region::new(16 * LARGEST) };
    for _ in 0..100 {
        let dims = [1 + random.below_size(70), 4 * (1 + random.below_size(18))];
        for to in ["{0,1:T(4,1)}", "{0,1}"] {
            let texts = ["{1,0}", to].map(|layout| format!("f32[{},{}]{layout}", dims[0], dims[1]));
            check::<1>(&mut random, &mut memory, &texts, dims);
            check::<2>(&mut random, &mut memory, &texts, dims);
            check::<3>(&mut random, &mut memory, &texts, dims);
            check::<4>(&mut random, &mut memory, &texts, dims);
            check::<6>(&mut random, &mut memory, &texts, dims);
            check::<8>(&mut random, &mut memory, &texts, dims);
            check::<12>(&mut random, &mut memory, &texts, dims);
            check::<16>(&mut random, &mut memory, &texts, dims);
            check::<24>(&mut random, &mut memory, &texts, dims);
        }
    }
}

/// Bytes of elements, and a type that has as many.
const NAMES: [(usize, &str); 5] = [(1, "u8"), (2, "u16"), (4, "u32"), (8, "u64"), (16, "c128")];

/// Strides of rows or columns, with others' columns between them.
fn leading(random: &mut Random, dims: [usize; 2]) -> [isize; 2] {
    let minor = random.below(2);
    let mut strides = [1; 2];
    strides[1 - minor] = (dims[minor] + random.below(2) * random.below(70)).cast_signed();
    strides.map(|stride| if random.below(3) == 0 { -stride } else { stride })
}

/// Copies a matrix of strides to one of other strides.
fn strides<const N: usize, T: Copy + PartialEq + 'static>(
    random: &mut Random,
    memory: &mut Memory,
    dims: [usize; 2],
    [from, to]: [[isize; 2]; 2],
    of: fn([u8; N]) -> T,
) {
    let slots = |strides: [isize; 2]| {
        1 + (0..2).map(|dim| (dims[dim] - 1) * strides[dim].unsigned_abs()).sum::<usize>()
    };
    for at_end in Region::PLACES {
        if !memory.src.is_guarded() {
            memory.src = Region::new(32 * LARGEST);
        }
        let src = memory.src.slice::<N>(slots(from), at_end);
        let dst = memory.dst.slice::<N>(slots(to), at_end);
        src.iter_mut().for_each(|bytes| *bytes = [(); N].map(|()| random.below(256) as u8));
        dst.fill([UNTOUCHED; N]);
        // By any instruction set and around the cache too, where there is such an element type.
        let by_value = NAMES.iter().find(|(bytes, _)| *bytes == N && random.below(2) == 0);
        if let Some((_, name)) = by_value {
            let shape = format!("{name}[{},{}]", dims[0], dims[1]);
            let shape = shape.parse::<ArrayShape>().expect("a shape");
            let places = [&from, &to].map(|strides| Placed::strides(&shape, strides));
            let plan = Plan::between(places[0], places[1]).expect("apart");
            let settings = *random.pick(&all_settings().collect::<Vec<_>>());
            let (src, dst) = (src.as_flattened(), dst.as_flattened_mut());
            plan.with_settings(settings)
                .run_bytes(src, dst, Padding::Leave)
                .expect("they are long enough");
        }
        // The same memory, aligned for the type: regions begin with pages, and slices end with them.
        let src = in_place(src, of);
        let dst = in_place(dst, of);
        let from = Strided::new(src, dims, from).expect("it is long enough");
        let mut to = StridedMut::new(dst, dims, to).expect("it is long enough");
        if by_value.is_none() {
            from.copy_to(&mut to, Padding::Leave).unwrap();
        }
        let untouched = of([UNTOUCHED; N]);
        let mut written = 0;
        for row in 0..dims[0] {
            for column in 0..dims[1] {
                assert!(
                    to[[row, column]] == from[[row, column]],
                    "{from:?}",
                    from = from.strides()
                );
                written += usize::from(untouched != to[[row, column]]);
            }
        }
        let kept = dst.iter().filter(|element| **element == untouched).count();
        assert_eq!(kept, dst.len() - written, "what lies between elements is written");
    }
}

/// Memory as elements of a type that has as many bytes, any of them.
fn in_place<const N: usize, T>(memory: &mut [[u8; N]], _: fn([u8; N]) -> T) -> &mut [T] {
    assert_eq!(size_of::<T>(), N);
    let at = memory.as_mut_ptr().cast::<T>();
    assert!(at.is_aligned());
    // SAFETY: the same bytes, aligned; the types of this file have values for all bytes.
    unsafe { std::slice::from_raw_parts_mut(at, memory.len()) }
}

/// Strides that end with the last element.
#[test]
fn nothing_outside_of_strides_is_touched() {
    let mut random = Random::new(12);
    let mut memory = Memory { src: Region::new(32 * LARGEST), dst: Region::new(32 * LARGEST) };
    let sizes = [1, 2, 3, 4, 8, 15, 16, 17, 33, 64, 100, 129, 200, 257, 300];
    for _ in 0..1000 {
        let dims = [(); 2].map(|()| *random.pick(&sizes));
        let places = [leading(&mut random, dims), leading(&mut random, dims)];
        match random.below(7) {
            0 => strides(&mut random, &mut memory, dims, places, |[byte]: [u8; 1]| byte),
            1 => strides(&mut random, &mut memory, dims, places, u16::from_ne_bytes),
            2 => strides(&mut random, &mut memory, dims, places, |bytes: [u8; 3]| bytes),
            3 => strides(&mut random, &mut memory, dims, places, u32::from_ne_bytes),
            4 => strides(&mut random, &mut memory, dims, places, |bytes: [u8; 12]| bytes),
            5 => strides(&mut random, &mut memory, dims, places, u128::from_ne_bytes),
            _ => strides(&mut random, &mut memory, dims, places, u64::from_ne_bytes),
        }
    }
}

/// Groups of a few elements at small steps, forward and backward, side by side or with gaps: channels of pixels.
#[test]
fn nothing_outside_of_groups_is_touched() {
    let mut random = Random::new(13);
    let mut memory = Memory { src: Region::new(16 * LARGEST), dst: Region::new(16 * LARGEST) };
    for _ in 0..2000 {
        let elements = 1 + random.below(8);
        let dims = [15 + random.below(90), elements];
        let mut step = |most: usize| {
            let step = (1 + random.below(most)).cast_signed();
            if random.below(2) == 0 { step } else { -step }
        };
        let from = [step(9), step(3)];
        let gap = random.below(4) * random.below(2);
        let places = [from, [(elements + gap).cast_signed(), 1]];
        match random.below(4) {
            0 => strides(&mut random, &mut memory, dims, places, |[byte]: [u8; 1]| byte),
            1 => strides(&mut random, &mut memory, dims, places, u16::from_ne_bytes),
            2 => strides(&mut random, &mut memory, dims, places, |bytes: [u8; 3]| bytes),
            _ => strides(&mut random, &mut memory, dims, places, u32::from_ne_bytes),
        }
    }
}
