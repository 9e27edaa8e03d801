//! Which types are plain numbers, whose bytes vectors may load.

use core::marker::PhantomData;

/// Whether values of a type are plain numbers: initialised in all of their bytes. Only this crate says that they are.
#[doc(hidden)]
#[derive(Debug)]
pub struct Plain<T> {
    is_plain: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Plain<T> {
    /// Nothing is known of the type.
    pub const NO: Plain<T> = Plain { is_plain: false, of: PhantomData };

    /// Whether they are.
    pub const fn is_plain(&self) -> bool {
        self.is_plain
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
    };
}

numbers! { bool u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 [f32; 2] [f64; 2] }
#[cfg(feature = "half")]
numbers! { half::f16 half::bf16 }
