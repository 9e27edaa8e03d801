//! What an array's type is compiled to.

use layout_core::__private::{ArrayLists, Built, Counts, build, not_multiple};
use layout_core::Fault;

use crate::compiled::{AnyLayout, Compiled, StaticLayout, check::MOST, eval, eval::NO_COUNTS};
use crate::spec::array::Array;
use crate::spec::text::{TextBuffer, Writer};
use crate::spec::{DimList, Element, NumberList, Properties, StaticDims, TileSpec};

#[diagnostic::do_not_recommend]
impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> AnyLayout
    for Array<E, D, M, T, P>
{
}

// Of any layout: of an `Array` the compiler would show these lines where one is refused.
#[diagnostic::do_not_recommend]
impl<L: AnyLayout<DimTypes: StaticDims>> StaticLayout for L {}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Compiled
    for Array<E, D, M, T, P>
{
    #[inline(always)]
    fn counts(sizes: &D::Sizes) -> Counts {
        if const { Self::IS_FIXED } {
            return *NO_COUNTS;
        }
        eval::counts::<Self>(D::dims(sizes).as_ref(), D::divided(sizes).as_ref())
    }

    #[allow(clippy::let_and_return, reason = "see below")]
    const BUILT: &'static Result<Built, Fault> = &{
        let listed = ArrayLists {
            element: E::TYPE,
            dims: D::DIMS,
            minor_to_major: M::NUMBERS,
            tiles: T::TILES,
            properties: P::VALUES,
        };
        // With a name it is not promoted to a constant of its own, whose bytes the compiler would look at twice.
        let built = match not_multiple(D::DIMS, P::MULTIPLES) {
            None => build(&listed, MOST),
            Some(fault) => Err(fault),
        };
        built
    };
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Writer
    for Array<E, D, M, T, P>
{
    const TEXT: TextBuffer = <Self as Compiled>::VALUE.text();
}
