//! Which rows and columns of a large array are shown.
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_core::Size;

/// A row or a column of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Track {
    /// The one with this coordinate.
    At(Size),
    /// Those from the first coordinate to the last, which are left out.
    Gap(Size, Size),
}

impl Track {
    /// The first coordinate.
    pub const fn first(self) -> Size {
        match self {
            Track::At(at) | Track::Gap(at, _) => at,
        }
    }

    /// The last coordinate.
    pub const fn last(self) -> Size {
        match self {
            Track::At(at) | Track::Gap(_, at) => at,
        }
    }

    /// Its coordinate as text, or what stands for those that are left out.
    pub(crate) fn label(self, gap: &str) -> String {
        match self {
            Track::At(at) => at.to_string(),
            Track::Gap(..) => gap.to_string(),
        }
    }

    /// Whether it is a gap: rows or columns that are left out.
    pub const fn is_gap(self) -> bool {
        matches!(self, Track::Gap(..))
    }
}

/// At most `most` tracks for the coordinates below `extent`: all of them, or those at `marks` as long
/// as there is room, then the first ones. There are always the first, a gap, and the last.
pub(crate) fn tracks(extent: Size, marks: &[Size], most: Size) -> Vec<Track> {
    if extent <= most.max(3) {
        return (0..extent).map(Track::At).collect();
    }
    let mut shown = Vec::from([0, extent - 1]);
    let marks = marks.iter().copied().filter(|mark| *mark < extent);
    for mark in marks.chain(0..most) {
        if let Err(at) = shown.binary_search(&mark) {
            shown.insert(at, mark);
            if with_gaps(&shown).len() as Size > most {
                shown.remove(at);
            }
        }
    }
    with_gaps(&shown)
}

/// The tracks of coordinates in ascending order. A single coordinate is not left out, since a gap takes as
/// much room.
fn with_gaps(shown: &[Size]) -> Vec<Track> {
    let mut tracks = Vec::new();
    let mut next = 0;
    for at in shown {
        match at - next {
            0 => {}
            1 => tracks.push(Track::At(next)),
            _ => tracks.push(Track::Gap(next, at - 1)),
        }
        tracks.push(Track::At(*at));
        next = at + 1;
    }
    tracks
}

/// The coordinates that say most: both ends of the array and of its padding, and where tiles meet.
pub(crate) fn marks(size: Size, extent: Size, breaks: &[Size]) -> Vec<Size> {
    let mut marks = Vec::from([1]);
    if size < extent {
        marks.extend([size.saturating_sub(1), size]);
    }
    for at in breaks.iter().filter(|at| **at > 1) {
        marks.extend([at - 1, *at]);
    }
    marks.push(2);
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_is_in_one_track() {
        for extent in 0..40 {
            for most in 0..24 {
                for size in 0..=extent {
                    let marks = marks(size, extent, &[1, 4, 12]);
                    let tracks = tracks(extent, &marks, most);
                    let mut next = 0;
                    for track in &tracks {
                        assert_eq!(track.first(), next);
                        assert!(!track.is_gap() || track.last() > track.first());
                        next = track.last() + 1;
                    }
                    assert_eq!(next, extent);
                    assert!(tracks.len() as Size <= most.max(3), "{extent} {most} {tracks:?}");
                    assert!(extent > most.max(3) || !tracks.iter().any(|track| track.is_gap()));
                }
            }
        }
    }
}
