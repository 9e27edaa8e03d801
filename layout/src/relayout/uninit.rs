//! Copies to memory that may hold nothing yet, all of which they write.

use core::mem::MaybeUninit;

use layout_copy::__private::{Memory, Plain};
use layout_copy::Settings;

use crate::array::same_array::SameArray;
use crate::compiled::{AnyLayout, StaticLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::aligned::written_vec;
use crate::memory::stored::StoredIn;
use crate::memory::view::{Needs, TooShort, View};
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::{OfConstants, copy_sized};
use crate::relayout::choice::{ByKernels, copy, copy_by_kernels};
use crate::relayout::copy::counterpart;
use crate::relayout::error::RelayoutError;
use crate::relayout::padding::pad;
use crate::relayout::value::{NO_STRIDES, Relayout};

/// Copies an array as [`relayout`](crate::relayout()) does, to memory that may hold nothing yet. All of `B`'s slots are written: the padding becomes
/// `padding`. They are returned.
///
/// # Errors
/// If a slice is too short; nothing is written then.
///
/// # Examples
/// ```
/// use core::mem::MaybeUninit;
/// use layout::{layout, relayout_uninit};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut memory = [MaybeUninit::uninit(); Device::PADDED_ELEMENTS];
/// let device: &mut [f32] = relayout_uninit::<Host, Device, f32>(&host, &mut memory, 0.0)?;
/// assert_eq!(device[..10], [0.0, 1.0, 5.0, 6.0, 2.0, 3.0, 7.0, 8.0, 4.0, 0.0]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
pub fn relayout_uninit<'a, A, B, T>(
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    padding: T,
) -> Result<&'a mut [T], RelayoutError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    let src = RelayoutError::source(src, A::SLOTS)?;
    let dst = RelayoutError::destination(dst, B::SLOTS)?;
    let slots = CopiedSlots::of_uninit(<T as StoredIn<B>>::PLAIN_HERE, src, dst, padding);
    Ok(copy(OfConstants::<A, B>::PAIR, slots))
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to memory that may hold nothing yet: a view of it with the layout `B`, whose padding becomes `padding`. Its
    /// [`as_slice`](ViewMut::as_slice) is the memory that was written. More memory than the layout takes is left as it is.
    ///
    /// # Errors
    /// If the memory is too short; nothing is written then.
    ///
    /// # Panics
    /// If the array does not fit in 2⁶³−1 bytes with the padding of `B`, where sizes are known at run time only.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::{View, layout};
    ///
    /// type Rows = layout!(S32[?,?]);
    /// type Panels = layout!(S32[?,?]{1,0:T(2,1)});
    /// let rows = Rows::with_dims([3, 2])?;
    /// let mut memory = [MaybeUninit::uninit(); 8];
    /// let view = rows.view(&[0, 1, 2, 3, 4, 5])?;
    /// let panels = view.relayout_uninit::<Panels>(&mut memory, 9)?;
    /// assert_eq!(panels.as_slice(), [0, 2, 1, 3, 4, 9, 5, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn relayout_uninit<'a, B>(
        &self,
        memory: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<ViewMut<'a, B, T>, TooShort>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: StoredIn<B>,
    {
        let () = T::HAS_SIZE;
        let to = counterpart::<L, B>(&self.layout());
        let memory = TooShort::first_mut(memory, to.padded_elements(), Needs::elements::<B>())?;
        let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, self.as_slice(), memory, padding);
        Ok(ViewMut::of_slots(to, copy_sized::<L, B, T>(self.layout(), to, slots)))
    }
}

impl Relayout {
    /// Copies the array as [`run`](Self::run) does, to memory that may hold nothing yet. All bytes of the destination's layout are written, and are
    /// returned: the padding becomes the value with these bits. Of packed elements, bits after the last one are 0.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::Relayout;
    ///
    /// let relayout = Relayout::new(&"s8[3,5]".parse()?, &"s8[3,5]{1,0:T(2,2)}".parse()?)?;
    /// let bytes: Vec<u8> = (0..15).collect();
    /// let mut memory = vec![MaybeUninit::uninit(); relayout.destination_bytes()];
    /// let tiles: &mut [u8] = relayout.run_uninit(&bytes, &mut memory, 0)?;
    /// assert_eq!(tiles[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_uninit<'a>(
        &self,
        src: &[u8],
        dst: &'a mut [MaybeUninit<u8>],
        padding: u128,
    ) -> Result<&'a mut [u8], RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        let dst = RelayoutError::destination(dst, self.destination_bytes())?;
        Ok(self.copy_uninit(src, dst, padding))
    }

    /// Copies the array as [`run`](Self::run) does, to a new `Vec` that is written once: all bytes of the destination's layout, as
    /// [`run_uninit`](Self::run_uninit) writes them.
    ///
    /// # Errors
    /// If the source is too short. Nothing is allocated then.
    ///
    /// # Examples
    /// ```
    /// use layout::Relayout;
    ///
    /// let relayout = Relayout::new(&"s8[3,5]".parse()?, &"s8[3,5]{1,0:T(2,2)}".parse()?)?;
    /// let bytes: Vec<u8> = (0..15).collect();
    /// let tiles: Vec<u8> = relayout.run_to_vec(&bytes, 0)?;
    /// assert_eq!((tiles.len(), &tiles[..10]), (24, &[0, 1, 5, 6, 2, 3, 7, 8, 4, 0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn run_to_vec(
        &self,
        src: &[u8],
        padding: u128,
    ) -> Result<alloc::vec::Vec<u8>, RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        Ok(written_vec(0, self.destination_bytes(), |memory| {
            self.copy_uninit(src, memory, padding)
        }))
    }

    /// Of slices as long as the layouts ask.
    fn copy_uninit<'a>(
        &self,
        src: &[u8],
        dst: &'a mut [MaybeUninit<u8>],
        padding: u128,
    ) -> &'a mut [u8] {
        let slots = CopiedSlots::of_uninit(Plain::<u8>::YES, src, dst, 0);
        if self.element_bytes() == 0 {
            // Elements are put into bytes that are there.
            let dst = slots.filled();
            return match self.run(src, dst, crate::Padding::Fill(padding)) {
                Ok(()) => dst,
                Err(error) => unreachable!("{error}"),
            };
        }
        copy_by_kernels(&OfBytes { relayout: self, padding }, slots, &Settings::default())
    }
}

/// A copy of whole bytes, and the bits of a value for padding.
struct OfBytes<'a> {
    relayout: &'a Relayout,
    padding: u128,
}

impl ByKernels<u8> for OfBytes<'_> {
    fn elements(&self) -> usize {
        // Bytes: with padding there are fewer than the destination has.
        self.relayout.destination_bytes() - usize::from(self.relayout.has_padding)
    }

    fn fill(&self, dst: &mut [MaybeUninit<u8>], _: MaybeUninit<u8>) {
        let Relayout { padding, .. } = self.relayout;
        pad(padding.as_ref(), self.relayout.element_bytes(), dst, self.padding, MaybeUninit::new);
    }

    fn move_elements(&self, memory: Memory<'_>, _: &Settings) {
        self.relayout.move_elements(&NO_STRIDES, memory, self.relayout.element_bytes());
    }
}
