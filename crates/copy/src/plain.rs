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
    /// The number with these bits, of a type that is one of the numbers; bits that it does not have are left out.
    #[inline(always)]
    pub fn of_bits(bits: u128) -> Option<T> {
        number_of_bits(bits)
    }
}

impl<T: Number> Plain<T> {
    /// They are.
    pub const YES: Plain<T> = Plain { is_plain: true, of: PhantomData };
}

/// Types all of whose bytes are initialised. Only this file implements it: no path of another crate leads to it.
#[doc(hidden)]
#[allow(unnameable_types, reason = "it is sealed")]
pub trait Number: Copy {
    fn of_bits(bits: u128) -> Self;
}

impl Number for bool {
    fn of_bits(bits: u128) -> bool {
        bits & 1 == 1
    }
}

macro_rules! of_bits {
    ($($type:ty: |$bits:ident| $value:expr;)*) => {$(
        impl Number for $type {
            fn of_bits($bits: u128) -> $type {
                $value
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {
        of_bits! { $($type: |bits| bits as $type;)* }
    };
}

integers! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize }

of_bits! {
    f32: |bits| f32::from_bits(bits as u32);
    f64: |bits| f64::from_bits(bits as u64);
}

#[cfg(feature = "half")]
of_bits! {
    half::f16: |bits| half::f16::from_bits(bits as u16);
    half::bf16: |bits| half::bf16::from_bits(bits as u16);
}

/// The first number is the low bits.
impl<T: Number, const N: usize> Number for [T; N] {
    fn of_bits(bits: u128) -> [T; N] {
        core::array::from_fn(|at| T::of_bits(bits >> (8 * size_of::<T>() * at)))
    }
}

macro_rules! numbers {
    ($($(#[$if:meta])? $type:ty)*) => {
        #[inline(always)]
        fn is_number<T: 'static>() -> bool {
            $($(#[$if])? if TypeId::of::<T>() == TypeId::of::<$type>() {
                return true;
            })*
            false
        }

        #[inline(always)]
        fn number_of_bits<T: Copy + 'static>(bits: u128) -> Option<T> {
            $($(#[$if])? if TypeId::of::<T>() == TypeId::of::<$type>() {
                let number: &dyn Any = &<$type>::of_bits(bits);
                return number.downcast_ref().copied();
            })*
            None
        }
    };
}

numbers! {
    bool u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 u128 i128 usize isize
    #[cfg(feature = "half")] half::f16 #[cfg(feature = "half")] half::bf16
    [u8; 2] [u8; 4] [u8; 8] [u16; 2] [u16; 4] [i16; 2] [i16; 4] [u32; 2] [i32; 2] [f32; 2] [f64; 2]
}
