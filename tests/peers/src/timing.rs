//! Several ways to fill one array, timed in turn.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use bytemuck::Pod;
use memmap2::MmapMut;

/// Rounds in which every way has its turn.
const ROUNDS: usize = 11;
/// Rounds for a way that is slow, and the seconds from which on it is.
const SLOW_ROUNDS: usize = 3;
const SLOW: f64 = 0.05;
/// Bytes that a timing goes over, so that small arrays are copied many times.
const WORK: usize = 64 << 20;

/// Bytes.
const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

/// Fills the destination from the source.
pub type Way<T> = Box<dyn Fn(&[T], &mut [T])>;

/// Memory that begins at a page, so that two arrays lie alike in every run.
pub struct Aligned<T> {
    data: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    pub fn new(length: usize) -> Aligned<T> {
        let data = vec![T::default(); length + PAGE];
        let start = data.as_ptr().align_offset(PAGE);
        Aligned { data, start, length }
    }

    pub fn get(&self) -> &[T] {
        &self.data[self.start..][..self.length]
    }

    pub fn get_mut(&mut self) -> &mut [T] {
        &mut self.data[self.start..][..self.length]
    }
}

/// The way from and to memory of its own, in huge pages (2 MiB on x86-64) as far as the system has them. Its first run leaves the
/// copy in the destination too, to be compared.
pub fn on_huge_pages<T: Pod>(way: Way<T>, src: &[T], slots: usize) -> Way<T> {
    let mut from = huge::<T>(src.len());
    bytemuck::cast_slice_mut::<u8, T>(&mut from)[..src.len()].copy_from_slice(src);
    let (length, state) = (src.len(), RefCell::new((huge::<T>(slots), true)));
    Box::new(move |_, dst| {
        let (to, is_first) = &mut *state.borrow_mut();
        let to = &mut bytemuck::cast_slice_mut::<u8, T>(to)[..slots];
        way(&bytemuck::cast_slice::<u8, T>(&from)[..length], to);
        if std::mem::take(is_first) {
            dst[..slots].copy_from_slice(to);
        }
    })
}

/// Memory for as many elements, which asks for huge pages before it is touched.
fn huge<T>(length: usize) -> MmapMut {
    let bytes = (length * size_of::<T>()).next_multiple_of(HUGE_PAGE);
    let memory = MmapMut::map_anon(bytes).expect("there is memory");
    #[cfg(target_os = "linux")]
    memory.advise(memmap2::Advice::HugePage).expect("the advice is known");
    memory
}

/// Seconds of a way in each round.
#[derive(Clone, Debug, Default)]
pub struct Seconds(Vec<f64>);

impl Seconds {
    pub fn push(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    /// How many times as fast it is as another: the ratio in each round, then the median of those.
    pub fn speed(&self, other: &Seconds) -> Option<f64> {
        median(self.0.iter().zip(&other.0).map(|(this, other)| other / this))
    }

    pub fn median(&self) -> Option<f64> {
        median(self.0.iter().copied())
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers = numbers.collect::<Vec<_>>();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// Times each way that there is; the first is the reference. `bytes` is what one run moves.
pub fn race<T>(
    src: &[T],
    dst: &mut [T],
    bytes: usize,
    ways: &[Option<Way<T>>],
) -> Vec<Option<Seconds>> {
    let times = WORK.div_ceil(bytes.max(1));
    let mut seconds: Vec<_> =
        ways.iter().map(|way| way.as_ref().map(|_| Seconds::default())).collect();
    let mut rounds = vec![ROUNDS; ways.len()];
    for round in 0..ROUNDS {
        // Each comes after each other: what the one before has left in the caches, such as page tables, favours a way.
        for number in (0..ways.len()).map(|number| (number + round) % ways.len()) {
            let Some((way, seconds)) = ways[number].as_ref().zip(seconds[number].as_mut()) else {
                continue;
            };
            if round >= rounds[number] {
                continue;
            }
            // What fits in a cache is there before the clock runs.
            if times > 1 {
                way(src, dst);
            }
            let start = Instant::now();
            for _ in 0..times {
                way(black_box(src), black_box(&mut *dst));
            }
            let took = start.elapsed().as_secs_f64();
            seconds.push(took / times as f64);
            if round == 0 && took > SLOW && number > 0 {
                rounds[number] = SLOW_ROUNDS;
            }
        }
    }
    seconds
}
