//! Walks along runs and rows of random layouts, and of random regions of them, against the naive model.

use layout::__private::base;
use layout::__private::core::{Position, Region, Walk, native};
use layout::ArrayShape;
use layout::shape::limits::MAX_DIMS;
use layout::shape::{Digits, Size};
use layout_tests::naive::{Naive, flatten, sizes};
use layout_tests::pairs::{self, ranges};
use layout_tests::random::Random;
use layout_tests::{lists, table};

/// An array, and a part of it.
struct Case {
    text: String,
    naive: Naive,
    /// The element of each slot.
    memory: Vec<Option<Size>>,
    region: Region,
}

impl Case {
    fn is_inside(&self, index: &[Size]) -> bool {
        let Region { start, limit } = &self.region;
        (0..index.len()).all(|dim| (start[dim]..limit[dim]).contains(&index[dim]))
    }

    fn start(&self) -> &[Size] {
        &self.region.start[..self.naive.dims.len()]
    }

    /// The elements of evenly spaced positions, in the order of memory.
    fn elements(&self, walk: &Walk, rows: &[Position]) -> Vec<(Size, Vec<Size>)> {
        let dims = &self.naive.dims;
        let mut found = Vec::new();
        for row in rows {
            for at in 0..row.length {
                let mut index = row.index[..dims.len()].to_vec();
                if let Some(coordinate) = index.get_mut(walk.dim()) {
                    *coordinate += at;
                }
                let offset = row.offset + at * walk.stride();
                let element = self.memory[native(offset)];
                assert_eq!(element, Some(flatten(&index, dims)), "{} {index:?}", self.text);
                found.push((offset, index));
            }
        }
        found.sort();
        found
    }

    /// All of the array, and the region: each element once, in the order of the first ones.
    fn check(&self, walk: &Walk) {
        let Case { text, memory, region, .. } = self;
        let whole = all(walk.start(), |position| walk.next(position));
        let part = all(walk.start_within(region), |at| walk.next_within(at, region));
        let part = part.iter().map(|&row| walk.clip(row, region)).collect::<Vec<_>>();
        assert!(whole.windows(2).all(|pair| pair[0].offset < pair[1].offset), "{text}");
        let of_whole = self.elements(walk, &whole);
        assert_eq!(of_whole.len(), memory.iter().flatten().count(), "{text}");
        let of_part = of_whole.into_iter().filter(|(_, index)| self.is_inside(index));
        assert!(self.elements(walk, &part).into_iter().eq(of_part), "{text} {region:?}");
        if walk.stride() == 1 {
            let is_empty = self.start().iter().zip(&region.limit).any(|(start, end)| start == end);
            let clipped = whole.iter().map(|position| walk.clip(*position, region));
            let expected = clipped.filter(|position| position.length > 0 && !is_empty);
            assert_eq!(part, expected.collect::<Vec<_>>(), "{text} {region:?}");
        }
    }

    /// Whether the region lies in memory as an array of its own sizes does.
    fn lies_alike(&self, digits: &Digits) -> Option<bool> {
        let start = self.start();
        let inside = self.naive.indices().filter(|index| self.is_inside(index));
        let first = digits.offset_unchecked(start);
        let mut local = inside.map(|index| {
            let local = index.iter().zip(start).map(|(i, start)| i - start).collect::<Vec<_>>();
            digits.offset_unchecked(&index) == first + digits.offset_unchecked(&local)
        });
        let is_alike = local.all(|is_alike| is_alike);
        match base(digits, &self.region) {
            Some(_) if start.iter().zip(&self.region.limit).any(|(start, end)| start == end) => {
                None
            }
            Some(base) => {
                assert!(base == first && is_alike, "{} {:?}", self.text, self.region);
                Some(true)
            }
            // Of digits of sums it is said only where it is seen from the sums' own.
            None => {
                assert!(
                    !is_alike || digits.straight().is_none(),
                    "{} {:?}",
                    self.text,
                    self.region
                );
                Some(false)
            }
        }
    }
}

/// The positions of a walk.
fn all(first: Position, next: impl Fn(Position) -> Position) -> Vec<Position> {
    std::iter::successors(Some(first), move |&position| Some(next(position)))
        .take_while(|position| position.length > 0)
        .collect()
}

#[test]
fn random_layouts() {
    let random = &mut Random::new(23);
    let (mut strided, mut refused, mut alike, mut otherwise) = (0, 0, 0, 0);
    for _ in 0..10_000 {
        let rank = random.below(5);
        let dims = (0..rank).map(|_| 1 + random.below([1, 300, 40, 12, 7][rank]));
        let dims = dims.collect::<Vec<_>>();
        let is_wild = random.below(3) == 0;
        let naive = pairs::layout(random, &sizes(&dims), is_wild);
        if naive.size_within(1 << 12).is_none() {
            continue;
        }
        let text = naive.text("u32");
        let shape = text.parse::<ArrayShape>().unwrap();
        let digits = shape.digits().unwrap();
        let mut region = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        for (dim, range) in ranges(random, &dims).into_iter().enumerate() {
            (region.start[dim], region.limit[dim]) = (range.start as Size, range.end as Size);
        }
        let case = Case { text, memory: naive.memory(), naive, region };
        let minor = shape.minor_to_major().first().copied().unwrap_or(0);
        case.check(&Walk::new(&digits, minor));
        match Walk::rows(&digits, minor) {
            Some(rows) => {
                case.check(&rows);
                strided += usize::from(rows.stride() > 1);
            }
            None => {
                assert!(digits.straight().is_none(), "{}", case.text);
                refused += 1;
            }
        }
        match case.lies_alike(&digits) {
            Some(true) => alike += 1,
            Some(false) => otherwise += 1,
            None => {}
        }
    }
    let counts = [strided, refused, alike, otherwise];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Every region of small arrays.
#[test]
fn every_region() {
    let mut count = 0;
    for text in table::texts("layouts", "every region") {
        let shape = lists::array(&text);
        let digits = shape.digits().unwrap();
        let dims = lists::dims(&shape);
        let naive = Naive::of(&shape, &dims);
        let minor = shape.minor_to_major()[0];
        let walks = [Some(Walk::new(&digits, minor)), Walk::rows(&digits, minor)];
        let region = Region { start: [0; MAX_DIMS], limit: [0; MAX_DIMS] };
        let mut case = Case { text: shape.to_string(), memory: naive.memory(), naive, region };
        let counted = dims.iter().map(|size| (size + 1) * (size + 2) / 2).collect::<Vec<_>>();
        let all: Size = counted.iter().product();
        // Of the larger arrays some, evenly spaced.
        for number in (0..all).step_by(all.div_ceil(300) as usize) {
            let mut rest = number;
            for (dim, ranges) in counted.iter().enumerate() {
                let (mut start, mut left) = (0, rest % ranges);
                while left > dims[dim] - start {
                    left -= dims[dim] - start + 1;
                    start += 1;
                }
                (case.region.start[dim], case.region.limit[dim]) = (start, start + left);
                rest /= ranges;
            }
            walks.iter().flatten().for_each(|walk| case.check(walk));
            count += 1;
        }
    }
    assert!(count > 3_000, "{count}");
}

/// The end of an array that would take hours to walk to.
#[test]
fn a_walk_begins_anywhere() {
    for text in [
        "u8[1000000000000,512]{1,0:T(8,128)(4,1)}",
        "u8[512,1000000000000]{0,1}",
        "u8[1000000000000,512]{1,0:T(*,8,128)}",
    ] {
        let shape = text.parse::<ArrayShape>().unwrap();
        let digits = shape.digits().unwrap();
        let minor = shape.minor_to_major()[0];
        let [start, limit] = [0, 1].map(|add| {
            let mut coordinates = [0; MAX_DIMS];
            for (dim, size) in lists::dims(&shape).into_iter().enumerate() {
                coordinates[dim] = size - 5 + 4 * add;
            }
            coordinates
        });
        let region = Region { start, limit };
        for walk in [Some(Walk::new(&digits, minor)), Walk::rows(&digits, minor)] {
            let Some(walk) = walk else { continue };
            let part = all(walk.start_within(&region), |at| walk.next_within(at, &region));
            let mut found = 0;
            for row in part.iter().map(|&row| walk.clip(row, &region)) {
                assert_eq!(row.offset, digits.offset_unchecked(&row.index[..2]), "{text}");
                found += row.length;
            }
            assert_eq!(found, 16, "{text}");
        }
    }
}
