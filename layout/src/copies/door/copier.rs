//! Copies between layouts whose sizes are known at the call.

use core::fmt;
use core::marker::PhantomData;

use crate::array::{same_array::SameArray, same_array::SameDims, with_dims::WithDims};
use crate::compiled::AnyLayout;
use crate::copies::{
    choose::between, door::dest::Dest, door::dest::DestSlots, error::CopyError, padding::Padding,
    pair::Pair,
};
use crate::memory::stored::StoredIn;

/// A copy of arrays from the layout `A` to the layout `B`, planned by the compiler; sizes that are `?` in the layouts are given
/// at each call.
///
/// It holds no data. Small arrays are copied by loops in the caller's code, as fast as by loops by hand; the first element moves
/// some nanoseconds after the call. Larger ones are copied by the kernels of [`copy`](crate::copy()). The destination is a slice, an
/// array, a `Vec`, which grows, or memory that is not initialised: see [`Dest`].
///
/// [`map`](Self::map) makes something of each element on the way, [`gather`](Self::gather) and [`scatter`](Self::scatter) copy from
/// and to planes that lie in memory of their own.
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
/// # Ok::<(), layout::CopyError>(())
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
        Ok((of_a, WithDims::<B>::counterpart::<A>(A::same_sizes(of_a.sizes))?))
    }

    /// Copies an array of these sizes, in elements, dimension 0 first. It reads the first slots of the source, and writes
    /// the first ones of the destination, as many as the layouts have with these sizes
    /// ([`padded_elements`](crate::WithDims::padded_elements)); `padding` says what it writes to the padding among them, a value or a
    /// [`Padding`]. The rest of the destination is not changed. A bounded dimension (`<=N`) is copied up to its size.
    ///
    /// # Errors
    /// If the sizes do not go with both layouts: see [`Array::with_dims`](crate::Array::with_dims). If a slice is too short. If there is
    /// padding, `padding` is `Zero`, or `Declared` with a `FILL`, and `T` is a type of your own, whose 0
    /// nobody knows: give the value. Nothing is written then.
    #[inline]
    pub fn run<'d, T: StoredIn<A> + StoredIn<B>, D: Dest<T> + ?Sized>(
        &self,
        dims: A::Index,
        src: &[T],
        dst: &'d mut D,
        padding: impl Into<Padding<T>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        A: SameArray<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        Self::copy(Self::layouts(&dims)?, src, dst, padding)
    }

    /// Copies between layouts with their sizes.
    #[inline(always)]
    pub(super) fn copy<'d, T: Copy + 'static, D: Dest<T> + ?Sized>(
        (of_a, of_b): (WithDims<A>, WithDims<B>),
        src: &[T],
        dst: &'d mut D,
        padding: impl Into<Padding<T>>,
    ) -> Result<D::Out<'d>, CopyError> {
        let src = CopyError::source(src, of_a.padded_elements())?;
        dst.write(
            DestSlots::of(src, &of_b, padding)?,
            #[inline(always)]
            |slots| between(Pair::of(of_a, of_b), slots),
        )
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
