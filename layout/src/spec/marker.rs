//! Trait impls for zero-sized marker types. `derive` would ask the same traits of their parameters.

use core::fmt;
use core::hash::{Hash, Hasher};

/// Implements the traits of values for a type that has one value at most.
macro_rules! marker {
    ($name:ident<$($parameter:ident),*>) => {
        copy! { $name<$($parameter),*> }

        impl<$($parameter),*> PartialEq for $name<$($parameter),*> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl<$($parameter),*> Eq for $name<$($parameter),*> {}

        impl<$($parameter),*> Hash for $name<$($parameter),*> {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }

        impl<$($parameter),*> fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(core::any::type_name::<Self>())
            }
        }
    };
}

use crate::spec::{array::Array, other::BufferOf, tiles::Tiles};

marker! { Array<E, D, M, T, P> }
marker! { Tiles<T> }
marker! { BufferOf<A> }
