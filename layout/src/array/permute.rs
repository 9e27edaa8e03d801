//! The layout of a transpose, as a type that follows from the array's without arithmetic.
#![allow(unnameable_types, reason = "steps that compute a type; users name the result")]

use crate::compiled::AnyLayout;
use crate::types::array::Array;
use crate::types::list::{C, shorter};
use crate::types::property::{
    ElementSize, FillWith, MetadataPrefix, MultiplesOf, Pad, Space, Splits, SwizzleBytes,
    SwizzleElements, TailAlignment,
};
use crate::types::{DimList, Element, NumberList, Properties, TileSpec};

/// The layout of the transpose of `A` whose elements stay where they are: dimension `i` is dimension
/// `P[i]` of `A`, [`permutation!`](crate::permutation!) writes `P`.
///
/// The dimensions and the widths of `PAD` are put in the order of `P`, and the order of the layout names
/// them by their new numbers; everything else is the same. A view becomes one of it by
/// [`View::permute`](crate::View::permute).
///
/// # Examples
/// ```
/// use layout::types::Permuted;
/// use layout::{layout, permutation};
///
/// type A = layout!(F32[3,5,7]{2,1,0:T(2,2)});
/// type B = Permuted<A, permutation!(2, 0, 1)>;
/// assert_eq!(B::TEXT, "f32[7,3,5]{0,2,1:T(2,2)}");
/// assert_eq!(B::offset([6, 1, 4]), A::offset([1, 4, 6]));
/// ```
pub type Permuted<A, P> = <A as Permute<P>>::Permuted;

/// A layout whose dimensions the permutation `P` puts in another order: see [`Permuted`].
///
/// # Examples
/// Generic code asks for this alone:
/// ```
/// use layout::types::{Permute, Permuted};
/// use layout::{View, layout, permutation};
///
/// fn turned<L, T>(a: View<L, T>) -> View<Permuted<L, permutation!(1, 0)>, T>
/// where
///     L: Permute<permutation!(1, 0)>,
/// {
///     a.permute::<permutation!(1, 0)>()
/// }
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let view = View::<A, f32>::new(&[1.0; A::PADDED_ELEMENTS])?;
/// assert_eq!(turned(view).dims(), [5, 3]);
/// # Ok::<(), layout::TooShort>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a permutation of the dimensions of `{Self}`",
    note = "it has each dimension's number once, from 0 on: of two dimensions, `permutation!(1, 0)` is the one that swaps them"
)]
pub trait Permute<P>: AnyLayout {
    /// The layout of the transpose.
    type Permuted: AnyLayout<Element = Self::Element>;
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, Q, P> Permute<P> for Array<E, D, M, T, Q>
where
    Self: AnyLayout<Element = E>,
    E: Element,
    P: Permutation<Pick<D::Lengthened>: DimList>,
    D: Lengthened,
    M: Permutation<Pick<P::Inverse>: NumberList>,
    T: TileSpec,
    Q: PermutedProperty<Permuted<P>: Properties>,
{
    type Permuted = Array<E, P::Pick<D::Lengthened>, M::Pick<P::Inverse>, T, Q::Permuted<P>>;
}

/// Stands for a dimension that a permutation does not name, or that the array does not have.
#[derive(Debug)]
pub struct NoSuchDimension;

/// The number of a dimension: `C<0>` to `C<15>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the number of a dimension",
    note = "an array has at most 16 dimensions, `C<0>` to `C<15>`"
)]
pub trait DimNumber {
    /// The type of that number in a list.
    #[doc(hidden)]
    type Get<L: Sixteen>;
    /// The list with another type in its place.
    #[doc(hidden)]
    type Set<L: Sixteen, V>: Sixteen;
}

macro_rules! sixteen {
    ($($number:literal $name:ident)*) => {
        /// Sixteen types, one for each dimension that an array can have.
        pub trait Sixteen {
            $(
                #[doc(hidden)]
                type $name;
            )*
        }

        impl<$($name),*> Sixteen for ($($name,)*) {
            $(type $name = $name;)*
        }

        numbers! { [] $($number $name)* }
    };
}

macro_rules! numbers {
    ([$($before:ident)*]) => {};
    ([$($before:ident)*] $number:literal $name:ident $($others:literal $after:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl DimNumber for C<$number> {
            type Get<L: Sixteen> = L::$name;
            type Set<L: Sixteen, V> = ($(L::$before,)* V, $(L::$after,)*);
        }

        numbers! { [$($before)* $name] $($others $after)* }
    };
}

sixteen! { 0 S0 1 S1 2 S2 3 S3 4 S4 5 S5 6 S6 7 S7 8 S8 9 S9 10 S10 11 S11 12 S12 13 S13 14 S14 15 S15 }

/// A list of up to sixteen types, made longer.
pub trait Lengthened {
    #[doc(hidden)]
    type Lengthened: Sixteen;
}

macro_rules! padded {
    ([] [$($nothing:ident)*]) => {
        padded! { impl [] [$($nothing)*] }
    };
    ([$first:ident $($rest:ident)*] [$($nothing:ident)*]) => {
        padded! { impl [$first $($rest)*] [$($nothing)*] }
        padded! { [$($rest)*] [$($nothing)* NoSuchDimension] }
    };
    (impl [$($name:ident)*] [$($nothing:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($name),*> Lengthened for ($($name,)*) {
            type Lengthened = ($($name,)* $($nothing,)*);
        }
    };
}

padded! { [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15] [] }

/// Numbers of dimensions, each once: a tuple of `C<N>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a permutation of dimensions",
    note = "`permutation!(1, 0)` writes one: a tuple of `C<0>` to `C<15>`"
)]
pub trait Permutation {
    /// The types of these numbers in a list.
    #[doc(hidden)]
    type Pick<L: Sixteen>;
    /// For each dimension where it is named.
    #[doc(hidden)]
    type Inverse: Sixteen;
}

/// The list with each number's place in the place of that number.
macro_rules! inverse {
    ($list:ty, $place:expr;) => { $list };
    ($list:ty, $place:expr; $name:ident $($rest:ident)*) => {
        inverse!(<$name as DimNumber>::Set<$list, C<{ $place }>>, $place + 1; $($rest)*)
    };
}

macro_rules! permutations {
    ($($name:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: DimNumber),*> Permutation for ($($name,)*) {
            type Pick<L: Sixteen> = ($($name::Get<L>,)*);
            type Inverse = inverse!(<() as Lengthened>::Lengthened, 0; $($name)*);
        }
    };
}

shorter! { permutations A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 }

/// A property, or a list of them, of the transpose.
pub trait PermutedProperty {
    #[doc(hidden)]
    type Permuted<P: Permutation>;
}

impl<W: Lengthened> PermutedProperty for Pad<W> {
    type Permuted<P: Permutation> = Pad<P::Pick<W::Lengthened>>;
}

impl<Q: PermutedProperty, M: Lengthened> PermutedProperty for MultiplesOf<Q, M> {
    type Permuted<P: Permutation> = MultiplesOf<Q::Permuted<P>, P::Pick<M::Lengthened>>;
}

macro_rules! same {
    ($([$($of:tt)*] $property:ty;)*) => {$(
        impl<$($of)*> PermutedProperty for $property {
            type Permuted<P: Permutation> = Self;
        }
    )*};
}

same! {
    [V] FillWith<V>;
    [const N: usize] TailAlignment<N>;
    [const N: usize] ElementSize<N>;
    [const N: i8] Space<N>;
    [S] Splits<S>;
    [const N: usize] MetadataPrefix<N>;
    [const B: u8, const M: u8, const S: i8] SwizzleBytes<B, M, S>;
    [const B: u8, const M: u8, const S: i8] SwizzleElements<B, M, S>;
}

macro_rules! lists {
    ($($q:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($q: PermutedProperty),*> PermutedProperty for ($($q,)*) {
            type Permuted<P: Permutation> = ($($q::Permuted<P>,)*);
        }
    };
}

shorter! { lists A0 A1 A2 A3 A4 A5 A6 A7 }
