//! Elements found without a check at run time: proved by the compiler, or by the caller.

use core::fmt;
use core::marker::PhantomData;

use crate::compiled::stop;
use crate::types::array::Array;
use crate::types::{DimList, Dims, Element, NumberList, Properties, StaticDims, TileSpec};

/// The place of an element of the layout `L`, known to be in range; [`Array::slot`] makes it.
pub struct Slot<L> {
    /// The offset of an element.
    offset: usize,
    layout: PhantomData<L>,
}

impl<L> Slot<L> {
    /// Position in memory, in elements.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }
}

copy! { Slot<L> }

impl<L> fmt::Debug for Slot<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(&self.offset).finish()
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The place of an element, for [`View::at`](crate::View::at): in a `const`, the compiler checks the index.
    ///
    /// Does not compile for a layout with bounded dimensions, of which a view can have fewer elements.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// assert_eq!(view.at(const { A::slot([2, 3]) }), &1.0);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn slot<const R: usize>(index: [usize; R]) -> Slot<Self>
    where
        D: StaticDims + Dims<R>,
    {
        const {
            if size_of::<D::Sizes>() != 0 {
                stop("a bounded dimension has as many elements as a view says: index the view");
            }
        }
        Slot { offset: Self::offset(index), layout: PhantomData }
    }
}
