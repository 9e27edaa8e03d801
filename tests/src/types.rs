//! What is said of types at compile time.

/// Every type is itself.
pub trait Is<T: ?Sized> {}

impl<T: ?Sized> Is<T> for T {}

/// Whether a type implements a trait: a constant.
#[macro_export]
macro_rules! implements {
    ($type:ty: $($bound:tt)+) => {{
        trait No {
            const IT_DOES: bool = false;
        }
        impl<T: ?Sized> No for Of<T> {}
        struct Of<T: ?Sized>(core::marker::PhantomData<T>);
        // A constant of the type itself comes before that of a trait.
        #[allow(dead_code, reason = "if the type does not implement it")]
        impl<T: ?Sized + $($bound)+> Of<T> {
            const IT_DOES: bool = true;
        }
        <Of<$type>>::IT_DOES
    }};
}

/// Asserts that a type implements traits.
#[macro_export]
macro_rules! assert_impl_all {
    ($type:ty: $($bound:path),+ $(,)?) => {
        const _: () = { $(assert!($crate::implements!($type: $bound), stringify!($bound));)+ };
    };
}

/// Asserts that a type implements none of some traits.
#[macro_export]
macro_rules! assert_not_impl_any {
    ($type:ty: $($bound:path),+ $(,)?) => {
        const _: () = { $(assert!(!$crate::implements!($type: $bound), stringify!($bound));)+ };
    };
}

/// Asserts that types are one.
#[macro_export]
macro_rules! assert_type_eq_all {
    ($type:ty, $($other:ty),+ $(,)?) => {
        const _: () = { $(assert!($crate::implements!($type: $crate::types::Is<$other>));)+ };
    };
}

/// Asserts that no two of some types are one.
#[macro_export]
macro_rules! assert_type_ne_all {
    ($type:ty $(,)?) => {};
    ($type:ty, $($other:ty),+ $(,)?) => {
        const _: () = { $(assert!(!$crate::implements!($type: $crate::types::Is<$other>));)+ };
        $crate::assert_type_ne_all!($($other),+);
    };
}
