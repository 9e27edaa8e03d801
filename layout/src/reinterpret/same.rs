//! Layouts that put every element in the same place.

use layout_core::__private::{COMPILE_TIME_LIMIT, same_bytes_within};
use layout_core::bitcast::NotBitcast;

use crate::array::same_array::SameArray;
use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
use crate::memory::view::View;
use crate::reinterpret::stays;

/// Whether two layouts of one array put every element in the same place and give it the same size:
/// [`same_bytes`](crate::ArrayShape::same_bytes) of the two layouts' values. How much padding they have is
/// not compared.
///
/// Bounded dimensions count with their bounds; with `?` only the same layout has the same bytes.
///
/// It does not compile where only comparing the elements one by one can tell, and there are too many of
/// them for the compiler: the error says so, and the function on values has no limit.
///
/// # Examples
/// ```
/// use layout::{layout, same_bytes};
///
/// type A = layout!(F32[16,128]);
/// type Tiled = layout!(F32[16,128]{1,0:T(8,128)});
/// const SAME: bool = same_bytes::<A, Tiled>();
/// assert!(SAME);
/// assert!(!same_bytes::<Tiled, layout!(F32[16,128]{1,0:T(8,64)})>());
/// ```
pub const fn same_bytes<A: SameArray<B>, B: AnyLayout>() -> bool {
    const {
        let ((), ()) = (A::VALID, B::VALID);
        same_bytes_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT).is_ok()
    }
}

/// Stops the build with what keeps a view of `A` from being one of `B`.
#[track_caller]
const fn check<A: SameArray<B>, B: AnyLayout>() {
    compiled::both_known::<A, B>();
    if let Err(moved) = same_bytes_within(A::VALUE, B::VALUE, COMPILE_TIME_LIMIT) {
        let mut text = stays::Message::new();
        let is_element = matches!(moved, NotBitcast::Moved { .. });
        say!(
            text,
            if is_element { "this bitcast would move elements: " } else { "" },
            moved.line().as_str(),
            if is_element { "; `relayout` copies" } else { "" }
        );
        panic!("{}", text.as_str())
    }
    stays::room::<A, B>();
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The same memory with another layout that puts every element in the same place, and that takes
    /// no more of it.
    ///
    /// It does not compile where an element would move: the error names the first one in row-major
    /// order and both offsets. What is padding may differ.
    ///
    /// Nor does it compile where only comparing the elements one by one can tell, and there are too many of
    /// them for the compiler.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,128]);
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?.bitcast::<layout!(F32[16,128]{1,0:T(8,128)})>();
    /// assert_eq!(view.tiles().count(), 2);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn bitcast<B>(self) -> View<'a, B, T>
    where
        L: SameArray<B>,
        B: AnyLayout,
    {
        const { check::<L, B>() };
        match View::of(WithDims::of(L::same_sizes(self.sizes())), self.as_slice()) {
            Ok(view) => view,
            Err(_) => unreachable!("the layout takes no more memory"),
        }
    }
}
