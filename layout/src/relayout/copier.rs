//! Copies between layouts whose sizes are known at the call.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::__private::Piece::Counted;
use layout_core::__private::Text;
use layout_core::Fault;

use crate::array::same_array::{SameArray, SameDims};
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::aligned::written_vec;
use crate::memory::stored::StoredIn;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::copy_sized;
use crate::relayout::error::RelayoutError;
use crate::relayout::padding::{Padding, padding_value};

/// A copy of arrays from the layout `A` to the layout `B`, planned by the compiler; sizes that are `?` in the layouts are given
/// at each call.
///
/// It holds no data. Small arrays are copied by loops in the caller's code, as fast as by loops by hand; the first element moves
/// some nanoseconds after the call. Larger ones are copied by the kernels of [`relayout`](crate::relayout()). Between layouts without
/// `?`, that function does the same without sizes.
///
/// [`map`](Self::map) makes something of each element on the way, [`run_tiles`](Self::run_tiles) tells of each tile while it is in the
/// first cache, [`gather`](Self::gather) and [`scatter`](Self::scatter) copy from and to planes that lie in memory of their own.
///
/// # Examples
/// ```
/// use layout::{Copier, Padding, layout};
///
/// type Rows = layout!(F32[?,?]);
/// type Panels = layout!(F32[?,?]{0,1:T(4,1)});
/// const PACK: Copier<Rows, Panels> = Copier::new();
///
/// let rows: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut panels = [1.0; 24];
/// PACK.run([3, 5], &rows, &mut panels, Padding::Zero)?;
/// assert_eq!(panels[..8], [0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0]);
/// assert_eq!(panels[12..16], [4.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), layout::copies::CopyError>(())
/// ```
pub struct Copier<A, B> {
    pair: PhantomData<fn(A) -> B>,
}

impl<A: AnyLayout, B: AnyLayout> Copier<A, B> {
    /// The copy. It does not compile for layouts of other dimensions.
    // The bound is the function's own: of one of the `impl` the compiler would say that there is no `new`.
    #[must_use]
    pub const fn new() -> Self
    where
        A: SameDims<B>,
    {
        let ((), ()) = (A::VALID, B::VALID);
        Copier { pair: PhantomData }
    }
}

impl<A: SameDims<B>, B: AnyLayout> Copier<A, B> {
    /// Both layouts with these sizes.
    #[inline(always)]
    pub(super) fn layouts(dims: &A::Index) -> Result<(WithDims<A>, WithDims<B>), CopyError> {
        let of_a = WithDims::<A>::checked(dims)?;
        Ok((of_a, WithDims::<B>::counterpart(&of_a)?))
    }

    /// Copies an array of these sizes, in elements, dimension 0 first. It reads the first slots of the source, and writes
    /// the first ones of the destination, as many as the layouts have with these sizes
    /// ([`padded_elements`](crate::WithDims::padded_elements)); `padding` says what it writes to the padding among them. The rest of
    /// the destination is not changed. A bounded dimension (`<=N`) is copied up to its size.
    ///
    /// # Errors
    /// If the sizes do not go with both layouts: see [`Array::with_dims`](crate::Array::with_dims). If a slice is too short. Nothing
    /// is written then.
    ///
    /// # Panics
    /// If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), there is padding, and it is asked to be `Zero`, or
    /// `Declared` with a `FILL`.
    #[inline]
    #[track_caller]
    pub fn run<T>(
        &self,
        dims: A::Index,
        src: &[T],
        dst: &mut [T],
        padding: Padding<T>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = RelayoutError::source(src, of_a.padded_elements())?;
        let dst = RelayoutError::destination(dst, of_b.padded_elements())?;
        let padding = padding_value::<B, T>(padding, dst.len() > of_a.elements());
        copy_sized::<A, B, T>(
            of_a,
            of_b,
            CopiedSlots::of(<T as StoredIn<B>>::PLAIN_HERE, src, dst, padding),
        );
        Ok(())
    }

    /// Copies as [`run`](Self::run) does, to memory that may hold nothing yet. All of the destination's slots are written, and returned:
    /// the padding becomes `padding`.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    ///
    /// # Examples
    /// ```
    /// use layout::{Copier, layout};
    ///
    /// type Rows = layout!(F32[?,?]);
    /// type Panels = layout!(F32[?,?]{0,1:T(2,1)});
    /// const PACK: Copier<Rows, Panels> = Copier::new();
    ///
    /// let mut memory = Vec::with_capacity(8);
    /// let panels = PACK.run_uninit([2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], memory.spare_capacity_mut(), 9.0)?;
    /// assert_eq!(panels, [0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0]);
    /// # Ok::<(), layout::copies::CopyError>(())
    /// ```
    #[inline]
    pub fn run_uninit<'a, T>(
        &self,
        dims: A::Index,
        src: &[T],
        dst: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<&'a mut [T], CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = RelayoutError::source(src, of_a.padded_elements())?;
        let dst = RelayoutError::destination(dst, of_b.padded_elements())?;
        let slots = CopiedSlots::of_uninit(<T as StoredIn<B>>::PLAIN_HERE, src, dst, padding);
        Ok(copy_sized::<A, B, T>(of_a, of_b, slots))
    }

    /// Copies as [`run`](Self::run) does, to a new `Vec` that is written once: all slots of `B`, in the order of memory. The padding among
    /// them becomes `padding`.
    ///
    /// The vector is not in row-major order, unlike that of [`View::to_vec`](crate::View::to_vec), unless `B` is. It is aligned as its
    /// elements are; [`View::to_layout`](crate::View::to_layout) makes a buffer aligned to 64 bytes.
    ///
    /// # Errors
    /// If the sizes do not go with both layouts, or the source is too short. Nothing is allocated then.
    ///
    /// # Examples
    /// ```
    /// use layout::{Copier, layout};
    ///
    /// type Rows = layout!(F32[?,?]);
    /// type Panels = layout!(F32[?,?]{0,1:T(2,1)});
    /// const PACK: Copier<Rows, Panels> = Copier::new();
    ///
    /// let panels: Vec<f32> = PACK.run_to_vec([2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 9.0)?;
    /// assert_eq!(panels, [0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0]);
    /// # Ok::<(), layout::copies::CopyError>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn run_to_vec<T>(
        &self,
        dims: A::Index,
        src: &[T],
        padding: T,
    ) -> Result<alloc::vec::Vec<T>, CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = RelayoutError::source(src, of_a.padded_elements())?;
        Ok(written_vec(padding, of_b.padded_elements(), |memory| {
            let slots =
                CopiedSlots::of_uninit(<T as StoredIn<B>>::PLAIN_HERE, src, memory, padding);
            copy_sized::<A, B, T>(of_a, of_b, slots)
        }))
    }
}

// No parameter has to be anything for that.
copy! { Copier<A, B> }

impl<A: SameDims<B>, B: AnyLayout> Default for Copier<A, B> {
    fn default() -> Self {
        Copier::new()
    }
}

impl<A: AnyLayout, B: AnyLayout> fmt::Debug for Copier<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copier({} -> {})", A::VALUE, B::VALUE)
    }
}

/// Why a [`Copier`] copies nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyError {
    /// The sizes do not go with a layout.
    Dims(Fault),
    /// A slice is too short.
    TooShort(RelayoutError),
    /// There are more or fewer planes than the array has along its most major dimension.
    Planes {
        /// Planes of the array.
        needed: usize,
        /// Slices.
        given: usize,
    },
}

impl From<Fault> for CopyError {
    fn from(fault: Fault) -> Self {
        CopyError::Dims(fault)
    }
}

impl From<RelayoutError> for CopyError {
    fn from(error: RelayoutError) -> Self {
        CopyError::TooShort(error)
    }
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyError::Dims(fault) => write!(f, "the sizes do not go with the layout: {fault}"),
            CopyError::TooShort(error) => error.fmt(f),
            CopyError::Planes { needed, given } => {
                let counted = [Counted(*needed, "plane"), Counted(*given, "slice")];
                let text: Text<96> = text!("the array has ", counted[0], ", and got ", counted[1]);
                f.write_str(text.as_str())
            }
        }
    }
}

impl core::error::Error for CopyError {}
