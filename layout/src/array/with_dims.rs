//! Layouts together with the sizes that are known at run time only.

use core::convert::identity;
use core::fmt;
use core::marker::PhantomData;

use layout_core::__private::{NATIVE, bytes_of, cut, native};
use layout_core::limits::MAX_SIZE;
use layout_core::{ArrayShape, Fault, Index, Size};

use crate::array::layout::each_walk;
use crate::compiled::check::MOST;
use crate::compiled::find;
use crate::compiled::{self, AnyLayout, Compiled, outside};
use crate::types::array::Array;
use crate::types::{DimList, Dims, Element, NumberList, Properties, TileSpec};
use crate::walk::grid;
use crate::walk::indices::{Indices, IndicesRowMajor, Paddings};
use crate::walk::run::Runs;
use crate::walk::tiles::LayoutTiles;

/// The layout `L` with the sizes of its dimensions: [`with_dims`](Array::with_dims) makes it.
///
/// It has the functions that a layout's type has where all sizes are part of the type. Its own sizes
/// are all that it holds: two words for a dimension `?`, one for `<=N`, none for the others; what
/// depends on tiles alone is a constant here too.
///
/// # Examples
/// ```
/// use layout::{WithDims, layout};
///
/// type A = layout!(F32[?,1024]{1,0:T(8,128)});
/// let rows = 5;
/// let a = A::with_dims([rows, 1024])?;
/// assert_eq!(a.offset([4, 700]), 5692);
/// assert_eq!((a.dims(), a.elements(), a.padded_elements()), ([5, 1024], 5120, 8192));
///
/// let data = vec![1.0; a.padded_elements()];
/// let view = a.view(&data)?;
/// let mut sum = 0.0;
/// for (_, run) in view.runs() {
///     sum += run.iter().sum::<f32>();
/// }
/// assert_eq!((view[[4, 700]], sum), (1.0, 5120.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Structs whose last field asks nothing private of `L` are `Sized` for every `L`. Where a user forgot the bound, the
// compiler then names `AnyLayout` alone.
pub struct WithDims<L: AnyLayout> {
    sizes: L::Sizes,
    of: PhantomData<fn() -> L>,
}

/// Whether sizes go with a layout, and the array fits in the target's memory.
const fn go_with(shape: &ArrayShape, dims: &[usize]) -> Result<(), Fault> {
    match shape.with_dims(Index::of_native(dims).as_slice()) {
        Err(error) => Err(error),
        // The limit of values is that of 64-bit targets.
        Ok(_) if MOST == MAX_SIZE => Ok(()),
        Ok(shape) => match shape.fault_within(MOST) {
            Some(fault) => Err(fault),
            None => Ok(()),
        },
    }
}

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
    #[inline(always)]
    pub(crate) const fn sizes(&self) -> L::Sizes {
        self.sizes
    }

    #[inline(always)]
    pub(crate) const fn of(sizes: L::Sizes) -> Self {
        WithDims { sizes, of: PhantomData }
    }

    /// The layout whose type says all sizes; stops the build where it does not.
    pub(crate) const fn known() -> Self {
        Self::of(compiled::known::<L>())
    }

    /// The layout with sizes that go with it: see [`Array::with_dims`].
    pub(crate) fn checked(dims: &[usize]) -> Result<Self, Fault> {
        go_with(L::VALUE, dims)?;
        let mut index = L::ORIGIN;
        index.as_mut().copy_from_slice(dims);
        Ok(Self::of(L::sizes(&index)))
    }

    /// The layout as a value, with all sizes. A bounded dimension stays one: its bound is what
    /// it is laid out with.
    #[must_use]
    pub fn shape(&self) -> ArrayShape {
        match L::VALUE.with_dims(&Index::of_native(self.dims().as_ref())) {
            Ok(shape) => shape,
            Err(error) => unreachable!("{error}"),
        }
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
    #[must_use]
    pub fn tile_counts(&self) -> L::Index {
        let () = L::HAS_GRID;
        let mut counts = L::ORIGIN;
        for (dim, count) in counts.as_mut().iter_mut().enumerate() {
            *count = grid::count::<L>(&self.sizes, dim);
        }
        counts
    }

    each_walk! { walks_of_value }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The layout with sizes for all its dimensions, in elements, dimension 0 first.
    ///
    /// A dimension `?` can have any size. A bounded dimension, `<=N`, takes the memory of its bound; its size
    /// is the number of valid elements. A static dimension must be given its own size.
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
    /// # Ok::<(), layout::Fault>(())
    /// ```
    pub fn with_dims(dims: D::Index) -> Result<WithDims<Self>, Fault> {
        let () = <Self as Compiled>::VALID;
        WithDims::checked(dims.as_ref())
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
