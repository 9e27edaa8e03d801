//! A layout's type, compiled: its value, its digits and its program, each computed once.

use layout_spec::__private::{Built, Parts, Steps, parts};
use layout_spec::{ArrayShape, Digits, Fault};

use crate::array::Array;
use crate::element::Element;
use crate::list::{DimList, NumberList};
use crate::property::Properties;
use crate::text::{Buffer, Writer};
use crate::tiles::TileSpec;

/// What code is generated from. Nothing here panics but `VALID`, so that a mistake in a type
/// that was written by hand is reported once.
pub trait Compiled {
    #[doc(hidden)]
    const BUILT: &'static Result<Built, Fault>;

    #[doc(hidden)]
    const SIZES: &'static [usize];

    #[doc(hidden)]
    const DIGITS: &'static Digits = match Self::BUILT {
        Ok(built) => &built.digits,
        Err(_) => &Digits::SCALAR,
    };

    #[doc(hidden)]
    const STEPS: &'static Steps = &Steps::new(Self::DIGITS);

    /// The shape; a scalar stands in for a faulty one.
    #[doc(hidden)]
    const VALUE: &'static ArrayShape = match Self::BUILT {
        Ok(built) => &built.shape,
        Err(_) => &ArrayShape::scalar(layout_spec::ElementType::PRED),
    };

    /// Stops the build if the type is no layout.
    #[doc(hidden)]
    const VALID: () = if let Err(fault) = Self::BUILT {
        fail(fault)
    };
}

/// Stops with a fault, at the place that asks.
#[cold]
#[track_caller]
pub(crate) const fn fail(fault: &Fault) -> ! {
    panic!("{}", fault.line().as_str())
}

#[diagnostic::do_not_recommend]
impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Compiled
    for Array<E, D, M, T, P>
{
    const BUILT: &'static Result<Built, Fault> = &parts(&Parts {
        element: E::TYPE,
        dims: D::DIMS,
        minor_to_major: M::NUMBERS,
        tiles: T::TILES,
        properties: P::VALUES,
    });
    const SIZES: &'static [usize] = D::SIZE_LIST;
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Writer
    for Array<E, D, M, T, P>
{
    const TEXT: Buffer = <Self as Compiled>::VALUE.text();
}
