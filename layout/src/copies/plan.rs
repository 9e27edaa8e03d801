//! Copies that are planned at run time.

pub(crate) mod blocks;
pub(crate) mod element_bits;
mod moving;
pub(crate) mod parts;
pub(crate) mod placed;
mod planning;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

use layout_copy::__private::packed::Blocks;
use layout_copy::__private::{PaddingPlan, PreparedPlan};
use layout_copy::Settings;
use layout_core::ArrayShape;

use crate::copies::{plan::element_bits::ElementBits, plan::placed::SideStrides};

/// A planned copy of an array between two places that are known at run time: layouts, strides, parts of blocks.
///
/// [`new`](Self::new) and [`between`](Self::between) plan the copy, which takes a third to two thirds of a microsecond, one and a half to
/// three where bits are rearranged, and some kilobytes of memory; [`run`](Self::run) makes it. A plan takes as long as a copy of some ten
/// kilobytes: make it where the layouts become known, and keep it, in a field or in a `OnceLock`. Any number of threads can run it, any
/// number of times. Where the layouts are types and only sizes are known late, a [`Copier`](crate::Copier) needs no plan at run time.
///
/// It takes memory as bytes, aligned or not, or as values ([`run`](Self::run)), and copies as fast as
/// [`copy`](crate::copy()). It copies elements of 1, 2, 4, 8 and 16 bytes, those of any size if it is
/// [told](crate::copies::Placed::element_bytes), and packed elements of 1, 2 and 4 bits (the first element of a byte in its low bits),
/// also to and from bytes. Per byte, copies of packed elements take about twice as long, and transposes of them four times.
///
/// # Examples
/// ```
/// use layout::{ArrayShape, Padding, Plan};
///
/// let host: ArrayShape = "s8[3,5]".parse()?;
/// let device: ArrayShape = "s8[3,5]{1,0:T(2,2)}".parse()?;
/// let plan = Plan::new(&host, &device)?;
///
/// let bytes: Vec<u8> = (0..15).collect();
/// let mut tiles = [9; 24];
/// plan.run_bytes(&bytes, &mut tiles, Padding::Zero)?;
/// assert_eq!(tiles[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
///
/// // Parts of the destination, for instance to show progress or to save memory: any ranges of bytes.
/// let mut again = [9; 24];
/// for range in [0..7, 7..24] {
///     plan.part(range.clone())?.run_bytes(&bytes, &mut again[range], Padding::Zero)?;
/// }
/// assert_eq!(again, tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Plan {
    source: ArrayShape,
    destination: ArrayShape,
    prepared: PreparedPlan,
    /// What takes longest to plan, if the copy needs it.
    #[cfg(feature = "alloc")]
    blocks: Option<Box<Blocks>>,
    /// Where the destination has padding, if that can be planned.
    padding: Option<PaddingPlan>,
    has_padding: bool,
    bits: ElementBits,
    /// Slots in memory.
    slots: [usize; 2],
    /// Those of sides whose elements do not lie as their layouts say. The plan has them only if its layouts share no split.
    strides: [Option<SideStrides>; 2],
    settings: Settings,
}

impl Plan {
    /// This copy with other settings.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Plan {
        self.settings = settings;
        self
    }

    /// The layout that is read: of one block, if it is a part of blocks.
    pub const fn source(&self) -> &ArrayShape {
        &self.source
    }

    /// The layout that is written, likewise.
    pub const fn destination(&self) -> &ArrayShape {
        &self.destination
    }

    /// Bytes of the source, padding counted; with strides or blocks, up to its last element.
    pub fn source_bytes(&self) -> usize {
        self.bytes(0)
    }

    /// Bytes of the destination, likewise.
    pub fn destination_bytes(&self) -> usize {
        self.bytes(1)
    }

    fn bytes(&self, side: usize) -> usize {
        self.before(side) + self.bits.bytes(self.slots[side], side)
    }

    /// Bytes of a side before its lowest element.
    fn before(&self, side: usize) -> usize {
        self.strides[side].as_ref().map_or(0, SideStrides::before)
    }

    /// The blocks of a copy that exchanges bits, if they are kept.
    fn blocks(&self) -> Option<&Blocks> {
        #[cfg(feature = "alloc")]
        return self.blocks.as_deref();
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// The bits that the destination declares for its padding.
    pub(crate) fn declared(&self) -> Option<u128> {
        let to = self.destination();
        to.fill().and_then(|fill| fill.bits(to.element_type()))
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({} -> {}", self.source, self.destination)?;
        for (name, strides) in ["source", "destination"].iter().zip(&self.strides) {
            if let Some(strides) = strides {
                write!(f, ", {name} at {strides:?}")?;
            }
        }
        f.write_str(")")
    }
}
