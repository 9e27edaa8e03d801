//! Layouts together with the sizes that are known at run time only.

use core::convert::identity;
use core::fmt;
use core::ops::Range;

use layout_core::__private::{NATIVE, bytes_of, cut, native};
use layout_core::analysis::NotAddressable;
use layout_core::{ArrayShape, Fault, Index, Size};

use crate::array::layout::each_walk;
pub use crate::compiled::WithDims;
use crate::compiled::{self, AnyLayout, Compiled, find, outside, sized::go_with};
use crate::order::grid;
use crate::order::indices::{Indices, IndicesRowMajor, Paddings};
use crate::order::run::Runs;
use crate::order::tiles::LayoutTiles;
use crate::spec::{DimList, Dims, Element, NumberList, Properties, TileSpec, array::Array};

/// What is counted in words of the target or in 32 bits.
macro_rules! counted {
    ($of:ident: $word:ident, $bits:expr, $index:ty, $wide:expr, $narrow:expr) => {
        impl<L: AnyLayout> $of<L> {
            /// Sizes of the dimensions in elements, dimension 0 first.
            #[doc(alias = "shape")]
            #[inline(always)]
            #[must_use]
            pub fn dims(&self) -> $index {
                $narrow(L::dims(&self.sizes))
            }

            /// Slots for elements in memory: the padding of `PAD`, of all tiles and of `L` counted.
            #[inline(always)]
            #[must_use]
            pub fn padded_elements(&self) -> $word {
                cut::<$bits>(compiled::slots::<L>(&self.sizes) as Size) as $word
            }

            /// Position of the element at `index` in memory, in elements, padding counted.
            ///
            /// # Panics
            /// If a coordinate is not below its dimension.
            #[inline(always)]
            #[track_caller]
            #[must_use]
            pub fn offset(&self, index: $index) -> $word {
                match self.checked_offset(index) {
                    Some(offset) => offset,
                    None => outside::<L>(&self.sizes, &$wide(index)),
                }
            }

            /// Like [`offset`](Self::offset), without the check that the index is in range:
            /// unspecified if out of bounds.
            #[inline(always)]
            #[must_use]
            pub fn offset_unchecked(&self, index: $index) -> $word {
                find::find_unchecked::<L, { $bits }>(&self.sizes, &$wide(index)) as $word
            }

            /// Like [`offset`](Self::offset), but `None` where a coordinate is not below its dimension.
            #[inline(always)]
            #[must_use]
            pub fn checked_offset(&self, index: $index) -> Option<$word> {
                Some(find::find::<L, { $bits }>(&self.sizes, &$wide(index))? as $word)
            }

            /// The element at a position in memory, in elements; `None` for padding and beyond the end.
            #[inline(always)]
            #[must_use]
            pub fn index(&self, offset: $word) -> Option<$index> {
                Some($narrow(find::element::<L, { $bits }>(&self.sizes, offset as usize)?))
            }

            /// Whether a slot of memory holds no element. `false` past the end.
            #[inline(always)]
            #[must_use]
            pub fn is_padding(&self, offset: $word) -> bool {
                offset < self.padded_elements() && self.index(offset).is_none()
            }
        }
    };
}

pub(super) use counted;

counted! { WithDims: usize, NATIVE, L::Index, identity, identity }

macro_rules! walks_of_value {
    ($($(#[$doc:meta])* fn $name:ident -> $walk:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> $walk<L> {
            $walk::new(self.sizes)
        }
    )*};
}

impl<L: AnyLayout> WithDims<L> {
    /// The layout as a value, with all sizes. A bounded dimension stays one: its bound is what
    /// it is laid out with.
    #[must_use]
    pub fn shape(&self) -> ArrayShape {
        L::VALUE
            .with_dims(&Index::of_native(self.dims().as_ref()))
            .unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// Elements of the array; of a bounded dimension those that are valid.
    #[doc(alias = "len")]
    #[inline(always)]
    #[must_use]
    pub fn elements(&self) -> usize {
        self.dims().as_ref().iter().product()
    }

    /// Bytes of the elements alone, without any padding.
    #[must_use]
    pub fn unpadded_bytes(&self) -> usize {
        native(bytes_of(self.elements() as Size, const { L::VALUE.unpadded_element_bits() }))
    }

    /// Bytes in memory: all padding and `L` counted, packed as `E` says.
    #[must_use]
    pub fn bytes(&self) -> usize {
        compiled::bytes::<L>(self.padded_elements())
    }

    /// Elements in memory from one index to the next along each dimension, dimension 0 first, if the
    /// offset is the sum of the coordinates times these: see [`Array::strides`].
    #[must_use]
    pub fn strides(&self) -> Option<L::Index> {
        let all = const { L::DIGITS.strides() }?;
        let counts = L::counts(&self.sizes);
        let mut strides = L::ORIGIN;
        let dims = self.dims();
        if dims.as_ref().contains(&0) {
            return Some(strides);
        }
        for (dim, stride) in strides.as_mut().iter_mut().enumerate() {
            *stride = if dims.as_ref()[dim] > 1 { native(all[dim].value(&counts)) } else { 0 };
        }
        Some(strides)
    }

    /// Number of tiles of the outermost tiling along each dimension, dimension 0 first. Compile error if
    /// tiles are not contiguous.
    ///
    /// # Examples
    /// ```
    /// let rows = <layout::layout!(F32[?,1024]{1,0:T(8,128)})>::with_dims([20, 1024])?;
    /// assert_eq!(rows.tile_counts(), [3, 8]);
    /// # Ok::<(), layout::shape::Fault>(())
    /// ```
    #[must_use]
    pub fn tile_counts(&self) -> L::Index {
        let () = L::HAS_GRID;
        grid::counts::<L>(&self.sizes)
    }

    /// Where the elements with these first coordinates lie in memory, in bytes, if they lie together: a page of a cache, a matrix of a batch.
    /// Padding between them is counted.
    ///
    /// # Errors
    /// If other elements lie between them, an index is out of bounds, or there are more coordinates than dimensions.
    ///
    /// # Examples
    /// ```
    /// use layout::layout;
    ///
    /// let pages = <layout!(BF16[?,16,128]{2,1,0:T(8,128)(2,1)})>::with_dims([4, 16, 128])?;
    /// assert_eq!(pages.slice_bytes(&[1])?, 4096..8192);
    /// assert!(<layout!(F32[?,?]{0,1})>::with_dims([4, 16])?.slice_bytes(&[1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slice_bytes(&self, index: &[usize]) -> Result<Range<usize>, NotAddressable> {
        let range = self.shape().slice_bytes(&Index::of_native(index))?;
        Ok(native(range.start)..native(range.end))
    }

    each_walk! { walks_of_value }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The layout with sizes for all its dimensions, in elements, dimension 0 first.
    ///
    /// A dimension `?` can have any size. A bounded dimension, `<=N`, takes the memory of its bound; its size
    /// is the number of valid elements. A static dimension must be given its own size. It takes some nanoseconds: a
    /// multiplication for each dimension. Generic code has it from the trait ([`AnyLayout::with_dims`]).
    ///
    /// # Errors
    /// If a size is another than a static dimension's or above a bound, or if a count is above
    /// `isize::MAX` with the sizes.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,<=1000]{1,0:T(8,128)});
    /// let a = A::with_dims([20, 900])?;
    /// assert_eq!((a.elements(), a.padded_elements()), (18000, 24576));
    /// let error = A::with_dims([20, 1001]).unwrap_err();
    /// assert_eq!(error.to_string(), "dimension 1 has size at most 1000, but was given 1001");
    /// # Ok::<(), layout::shape::Fault>(())
    /// ```
    #[inline(always)]
    pub fn with_dims(dims: D::Index) -> Result<WithDims<Self>, Fault> {
        let () = <Self as Compiled>::VALID;
        <Self as AnyLayout>::with_dims(dims)
    }

    /// Panics if the layout cannot have these sizes. For sizes that are constants, call it in a `const`: the compiler then
    /// checks that [`with_dims`](Self::with_dims) succeeds.
    ///
    /// # Panics
    /// If `with_dims` would give an error; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[?,1024]{1,0:T(8,128)});
    /// const ROWS: usize = 20;
    /// const { A::assert_dims([ROWS, 1024]) }
    /// ```
    #[track_caller]
    pub const fn assert_dims<const R: usize>(dims: [usize; R])
    where
        D: Dims<R>,
    {
        if let Err(error) = go_with(Self::SHAPE, &dims) {
            panic!("{}", error.line().as_str())
        }
    }
}

copy! { WithDims<L: AnyLayout> }

impl<L: AnyLayout> PartialEq for WithDims<L> {
    fn eq(&self, other: &Self) -> bool {
        self.dims() == other.dims()
    }
}

impl<L: AnyLayout> Eq for WithDims<L> {}

impl<L: AnyLayout> fmt::Debug for WithDims<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", L::VALUE)?;
        if size_of::<L::Sizes>() == 0 {
            return Ok(());
        }
        write!(f, " of {:?}", self.dims())
    }
}
