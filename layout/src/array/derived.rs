//! Steps that compute a layout's type from another's: the default order, and the properties that stay.
#![allow(unnameable_types, reason = "steps that compute a type; users name the result")]

use crate::types::list::{C, NumberList};
use crate::types::property::{
    ElementSize, FillWith, MetadataPrefix, MultiplesOf, Pad, Space, Splits, TailAlignment,
};

/// Dimensions in the default order.
pub trait Descending {
    /// The most minor first: the last one.
    type Order: NumberList;
}

macro_rules! descending {
    ([$($name:ident)*] [$($order:literal)*]) => {
        descending! { impl [$($name)*] [$($order)*] }
    };
    ([$($name:ident)*] [$($order:literal)*] $next:ident $number:literal $($rest:tt)*) => {
        descending! { impl [$($name)*] [$($order)*] }
        descending! { [$($name)* $next] [$number $($order)*] $($rest)* }
    };
    (impl [$($name:ident)*] [$($order:literal)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($name),*> Descending for ($($name,)*) {
            type Order = ($(C<$order>,)*);
        }
    };
}

descending! { [] [] A0 0 A1 1 A2 2 A3 3 A4 4 A5 5 A6 6 A7 7 A8 8 A9 9 A10 10 A11 11 A12 12 A13 13 A14 14 A15 15 }

/// Properties, of which those are kept that say how and where an element is stored: the element size and
/// the memory space.
pub trait Storage {
    /// The size as a list, empty if it is not said.
    #[doc(hidden)]
    type SizeList;
    /// The memory space as a list, empty if it is not said.
    #[doc(hidden)]
    type SpaceList;
}

impl<P: Storage, M> Storage for MultiplesOf<P, M> {
    type SizeList = P::SizeList;
    type SpaceList = P::SpaceList;
}

/// A property that is kept, or what else there is.
pub trait Kept {
    #[doc(hidden)]
    type SizeList<Else>;
    #[doc(hidden)]
    type SpaceList<Else>;
}

macro_rules! kept {
    ($([$($of:tt)*] $property:ty => $size:ty, $space:ty;)*) => {$(
        impl<$($of)*> Kept for $property {
            type SizeList<Else> = $size;
            type SpaceList<Else> = $space;
        }
    )*};
}

kept! {
    [W] Pad<W> => Else, Else;
    [V] FillWith<V> => Else, Else;
    [const N: usize] TailAlignment<N> => Else, Else;
    [const N: usize] ElementSize<N> => (Self,), Else;
    [const N: i8] Space<N> => Else, (Self,);
    [S] Splits<S> => Else, Else;
    [const N: usize] MetadataPrefix<N> => Else, Else;
}

macro_rules! first_of {
    ($kind:ident;) => { () };
    ($kind:ident; $first:ident $($rest:ident)*) => {
        <$first as Kept>::$kind<first_of!($kind; $($rest)*)>
    };
}

macro_rules! storage {
    ($($property:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($property: Kept),*> Storage for ($($property,)*) {
            type SizeList = first_of!(SizeList; $($property)*);
            type SpaceList = first_of!(SpaceList; $($property)*);
        }
    };
}

crate::types::list::shorter! { storage A0 A1 A2 A3 A4 A5 A6 }

/// Two lists of one property at most.
pub trait Joined {
    #[doc(hidden)]
    type List;
}

macro_rules! joined {
    ($([$($size:ident)?] [$($space:ident)?];)*) => {$(
        impl<$($size,)? $($space)?> Joined for (($($size,)?), ($($space,)?)) {
            type List = ($($size,)? $($space,)?);
        }
    )*};
}

joined! {
    [] [];
    [A] [];
    [] [B];
    [A] [B];
}
