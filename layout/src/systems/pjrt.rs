//! Constants in the notations of other systems.

use layout_notation::notation::{Pjrt, PjrtMemoryLayout};

use crate::compiled::stop;
use crate::types::array::Array;
use crate::types::{DimList, Element, NumberList, Properties, TileSpec};

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The numbers to which [`PJRT`](Self::PJRT) points.
    const PJRT_NUMBERS: &'static Pjrt = &match Pjrt::of(Self::SHAPE) {
        Ok(pjrt) => pjrt,
        Err(_) => stop(
            "PJRT's struct says the order and the tiles of an array alone: leave out `PAD`, `L` and `E`",
        ),
    };

    /// The layout as PJRT's C struct `PJRT_Buffer_MemoryLayout`, for functions that take a layout on
    /// the device: see [`Pjrt::of`]. Does not compile where
    /// the struct cannot say the layout.
    ///
    /// A struct with pointers can be a `const` and no `static`. A reference to the `const` lives as long
    /// as a `static` does.
    ///
    /// # Examples
    /// ```
    /// use layout::notation::PjrtMemoryLayout;
    ///
    /// type A = layout::layout!(BF16[20,300]{1,0:T(8,128)(2,1)});
    /// const LAYOUT: PjrtMemoryLayout<'static> = A::PJRT;
    /// let device_layout: *const PjrtMemoryLayout<'static> = &LAYOUT;
    /// assert_eq!((LAYOUT.tiled.minor_to_major_size, LAYOUT.tiled.num_tiles), (2, 2));
    /// ```
    pub const PJRT: PjrtMemoryLayout<'static> = Self::PJRT_NUMBERS.memory_layout();
}
