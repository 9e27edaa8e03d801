//! The types of packed formats, as their table names them.

use std::marker::PhantomData;

use layout::Array;
use layout::packed_format::*;
use layout::types::element::Element;
use layout::types::property::Properties;
use layout::types::{DimList, NumberList, TileSpec};

/// The type of a form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) format: &'static str,
    /// The type's text at the sizes of its example.
    pub(crate) text: &'static str,
    /// What its sizes have to be multiples of; nothing if they can be any.
    pub(crate) multiples: &'static [layout::Size],
}

fn named<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties>(
    format: &'static str,
    _: PhantomData<Array<E, D, M, T, P>>,
) -> Named {
    let text = Array::<E, D, M, T, P>::TEXT;
    Named { format, text, multiples: P::MULTIPLES }
}

macro_rules! family {
    ($(
        $base:ident $name:literal $dims:literal [$($other:literal),*] $what:literal
        $(
            $alias:ident $of:ident
            [$($($parameter:ident $(% $multiple:literal)? =)? $size:literal),*]
            $layout:tt $(for $elements:ident)?
        ),+;
    )*) => {
        vec![$($(named(
            $name,
            PhantomData::<array!($alias $of [$($($parameter = $size)?)*] $layout)>,
        )),+),*]
    };
}

/// The type at the sizes of its example.
macro_rules! array {
    ($alias:ident $of:ident [$($parameter:ident = $size:literal)*] {$($order:literal),* $(: T $(($($tile:literal),*))+)?}) => {
        $alias<layout::element::$of, $($size),*>
    };
    ($alias:ident $of:ident [$($parameter:ident = $size:literal)*] $packed:tt) => {
        $alias<$($size),*>
    };
}

pub(crate) fn all() -> Vec<Named> {
    [
        layout_formats::__one_dnn_formats!(family),
        layout_formats::__ggml_formats!(family),
        layout_formats::__weight_formats!(family),
        layout_formats::__tensor_formats!(family),
        layout_formats::__instruction_formats!(family),
        layout_formats::__nvidia_formats!(family),
        layout_formats::__amd_formats!(family),
    ]
    .concat()
}

/// Where the system pads, the type takes every size.
#[test]
fn types_of_formats_that_pad() {
    type Weights = Gptq2<35, 4>;
    assert_eq!(Weights::TEXT, "u2[35,4]{1,0:T(16,1)E(2)}");
    assert_eq!((Weights::PADDED_ELEMENTS, Weights::BYTES), (48 * 4, 48));
    assert_eq!(Weights::offset([34, 3]), (2 * 4 + 3) * 16 + 2);
    let value = PackedFormat::find("gptq").unwrap().layout(&"u2[35,4]".parse().unwrap());
    assert_eq!(value, Ok(*Weights::SHAPE));
}

/// A fixed size is not a parameter.
#[test]
fn types_with_a_fixed_size() {
    assert_eq!(Quanto::<3, 5>::TEXT, "u4[2,3,5]{0,2,1:E(4)}");
    assert_eq!(MarlinScalesChannel::<layout::element::F16, 64>::DIMS, [1, 64]);
}
