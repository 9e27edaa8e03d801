//! Which types are plain numbers, whose bytes vectors may load.

use core::any::{Any, TypeId};
use core::marker::PhantomData;

/// Whether values of a type are plain numbers: initialised in all of their bytes. Only this crate says that they are.
#[doc(hidden)]
#[derive(Debug)]
pub struct Plain<T> {
    is_plain: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Plain<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Plain<T> {}

impl<T> Plain<T> {
    /// Nothing is known of the type.
    pub const NO: Plain<T> = Plain { is_plain: false, of: PhantomData };

    /// Whether they are.
    pub const fn is_plain(&self) -> bool {
        self.is_plain
    }
}

impl<T: 'static> Plain<T> {
    /// Whether it is one of the numbers, of which a type that is known here alone tells. The compiler answers it.
    #[inline(always)]
    pub fn of_type() -> Plain<T> {
        Plain { is_plain: is_number::<T>(), of: PhantomData }
    }
}

impl<T: Copy + 'static> Plain<T> {
    /// The number 0, of a type that is one of the numbers.
    #[inline(always)]
    pub fn zero() -> Option<T> {
        zero()
    }
}

impl<T: Number> Plain<T> {
    /// They are.
    pub const YES: Plain<T> = Plain { is_plain: true, of: PhantomData };
}

/// Types all of whose bytes are initialised. Only this file implements it: no path of another crate leads to it.
#[doc(hidden)]
#[allow(unnameable_types, reason = "it is sealed")]
pub trait Number {}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl Number for $type {})*

        #[inline(always)]
        fn is_number<T: 'static>() -> bool {
            #[cfg(feature = "half")]
            if is_half::<T>() {
                return true;
            }
            $(TypeId::of::<T>() == TypeId::of::<$type>())||*
        }

        #[inline(always)]
        fn zero<T: Copy + 'static>() -> Option<T> {
            let zeros: &[&dyn Any] = &[
                $(&<$type>::default(),)*
                #[cfg(feature = "half")]
                &half::f16::ZERO,
                #[cfg(feature = "half")]
                &half::bf16::ZERO,
            ];
            zeros.iter().find_map(|zero| zero.downcast_ref().copied())
        }
    };
}

numbers! {
    bool u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 usize isize
    [u8; 2] [u8; 4] [u8; 8] [u16; 2] [u16; 4] [i16; 2] [i16; 4] [u32; 2] [i32; 2] [f32; 2] [f64; 2]
}
#[cfg(feature = "half")]
impl Number for half::f16 {}
#[cfg(feature = "half")]
impl Number for half::bf16 {}

#[cfg(feature = "half")]
#[inline(always)]
fn is_half<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<half::f16>()
        || TypeId::of::<T>() == TypeId::of::<half::bf16>()
}
