//! A share of a file, for many machines.

pub(crate) mod digest;
pub(crate) mod join;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::map::with_end;

/// One of several shares of a file: consecutive stretches of its bytes, of about the same size.
///
/// Each is written to a file of its own, with a mark at its end, and [`join`](crate::join) makes one file of them. Where
/// one ends depends on the conversion alone, not on the machine.
///
/// # Examples
/// ```
/// use layout_files::Share;
///
/// let share: Share = "2/16".parse()?;
/// assert_eq!(share.path("model.npy".as_ref()), std::path::Path::new("model.npy.part-02-of-16"));
/// assert!("17/16".parse::<Share>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: u32,
    count: u32,
    /// The file itself, not a share of it.
    is_whole: bool,
}

impl Share {
    /// The whole file, at its own path. `1/1` has all of its bytes too, but is written where a share is.
    pub const WHOLE: Share = Share { number: 1, count: 1, is_whole: true };

    /// The `number`th of `count` shares, counted from 1; `None` if `number` is 0 or above `count`.
    pub const fn new(number: u32, count: u32) -> Option<Share> {
        let is_share = number > 0 && number <= count;
        if is_share { Some(Share { number, count, is_whole: false }) } else { None }
    }

    /// Which one it is, counted from 1.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many shares there are.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Whether it is the first, which has the header.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }

    /// Whether it is the file itself.
    pub const fn is_whole(self) -> bool {
        self.is_whole
    }

    /// The path of this share of a file; for the whole file, its own path.
    pub fn path(self, file: &Path) -> PathBuf {
        if self.is_whole() {
            return file.to_owned();
        }
        let digits = self.count.to_string().len();
        with_end(file, &format!(".part-{:0digits$}-of-{}", self.number, self.count))
    }

    /// The range of offsets at which pieces of this share begin, in a file of `bytes` bytes.
    pub(crate) fn starts(self, bytes: u64) -> Range<u64> {
        let [start, end] = [self.number - 1, self.number].map(|number| {
            let product = u128::from(number) * u128::from(bytes);
            // No more than `bytes`.
            product.div_ceil(u128::from(self.count)) as u64
        });
        start..end
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let share = text.split_once('/').and_then(|(number, count)| {
            Share::new(number.trim().parse().ok()?, count.trim().parse().ok()?)
        });
        share.ok_or_else(|| "expected K/N with 1 ≤ K ≤ N, as in `2/16`".to_owned())
    }
}
