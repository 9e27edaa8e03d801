//! Layouts through `layout!`: the types say what the values say, which other tests compare with
//! oracles.

use layout::__private::core::native;
use layout::shape::Size;
use layout::{ArrayShape, ElementType};
use layout::{Layout, TiledBy, layout, order, tiles};
use layout_tests::naive::{sizes, unflatten_native};
use static_assertions::{assert_type_eq_all, assert_type_ne_all};

/// What a type says, without the type, so that comparing is compiled once.
struct Facts {
    shape: &'static ArrayShape,
    text: &'static str,
    ranks: [usize; 2],
    true_rank: usize,
    dims: &'static [usize],
    minor_to_major: &'static [usize],
    element_types: [ElementType; 2],
    counts: [usize; 5],
    element_bits: usize,
    memory_space: i8,
    physical_dims: &'static [usize],
    offset: fn(&[usize]) -> usize,
    offset_unchecked: fn(&[usize]) -> usize,
    checked_offset: fn(&[usize]) -> Option<usize>,
    index: fn(usize) -> Option<Vec<usize>>,
    is_padding: fn(usize) -> bool,
    dim: fn(isize) -> usize,
}

impl Facts {
    fn of<L: Layout<R>, const R: usize>() -> Facts {
        Facts {
            shape: L::SHAPE,
            text: L::TEXT,
            ranks: [L::RANK, R],
            true_rank: L::TRUE_RANK,
            dims: &L::DIMS,
            minor_to_major: &L::MINOR_TO_MAJOR,
            element_types: [L::ELEMENT_TYPE, <L::Element as layout::element::Element>::TYPE],
            counts: [
                L::ELEMENTS,
                L::PADDED_ELEMENTS,
                L::UNPADDED_BYTES,
                L::BYTES,
                L::XLA_ARRAY_BYTES,
            ],
            element_bits: L::ELEMENT_BITS,
            memory_space: L::MEMORY_SPACE,
            physical_dims: L::PHYSICAL_DIMS,
            offset: |index| L::offset(index.try_into().unwrap()),
            offset_unchecked: |index| L::offset_unchecked(index.try_into().unwrap()),
            checked_offset: |index| L::checked_offset(index.try_into().unwrap()),
            index: |offset| L::index(offset).map(|index| index.to_vec()),
            is_padding: L::is_padding,
            dim: L::dim,
        }
    }
}

/// Compares a type with the value of the same text.
fn check(facts: &Facts, text: &str) {
    let shape: ArrayShape = text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"));
    let digits = shape.digits().expect("the sizes of a type are known");
    let rank = shape.rank();
    assert_eq!(*facts.shape, shape, "{text}");
    assert_eq!(facts.text, shape.to_string());
    assert_eq!(facts.ranks, [rank; 2], "{text}");
    assert_eq!(facts.true_rank, shape.true_rank(), "{text}");
    assert!(shape.dims().iter().map(|dim| dim.size().unwrap()).eq(sizes(facts.dims)), "{text}");
    assert_eq!(facts.minor_to_major, shape.minor_to_major(), "{text}");
    assert_eq!(facts.element_types, [shape.element_type(); 2], "{text}");
    let counts = [
        shape.elements(),
        shape.padded_elements(),
        shape.unpadded_bytes(),
        shape.bytes(),
        shape.xla_bytes(),
    ];
    assert_eq!(facts.counts.map(|count| Some(count as Size)), counts, "{text}");
    assert_eq!(facts.element_bits as Size, shape.element_bits(), "{text}");
    assert_eq!(facts.memory_space, shape.memory_space(), "{text}");
    assert_eq!(shape.physical_dims().unwrap(), sizes(facts.physical_dims), "{text}");

    let [elements, padded_elements, ..] = facts.counts;
    let mut found = 0;
    for slot in 0..padded_elements {
        let index = digits.index(slot as Size);
        let found_index = (facts.index)(slot).map(|index| sizes(&index));
        assert_eq!(found_index.as_deref(), index.as_deref(), "{text} {slot}");
        assert_eq!((facts.is_padding)(slot), index.is_none(), "{text} {slot}");
        found += usize::from(index.is_some());
    }
    assert_eq!(found, elements, "{text}");
    assert_eq!((facts.index)(padded_elements), None, "{text}");
    assert!(!(facts.is_padding)(padded_elements), "{text}");
    for number in 0..elements {
        let index = unflatten_native(number, facts.dims);
        let offset = native(digits.offset_unchecked(&sizes(&index)));
        assert_eq!((facts.offset)(&index), offset, "{text} {index:?}");
        assert_eq!((facts.offset_unchecked)(&index), offset, "{text} {index:?}");
        assert_eq!((facts.checked_offset)(&index), Some(offset), "{text} {index:?}");
    }
    for dim in 0..rank {
        let mut index = vec![0; rank];
        index[dim] = facts.dims[dim];
        assert_eq!((facts.checked_offset)(&index), None, "{text} {index:?}");
        // Outside the bounds the number means nothing, but there is one.
        let _ = (facts.offset_unchecked)(&vec![usize::MAX; rank]);
        assert_eq!((facts.dim)(dim as isize), facts.dims[dim], "{text}");
        assert_eq!((facts.dim)(dim as isize - rank as isize), facts.dims[dim], "{text}");
    }
}

/// A test for each shape: its type against the value of its own text.
macro_rules! shapes {
    ($($element:ident $dims:tt $({ $($braces:tt)* })? $(< $($order:literal),* : T $tile:tt >)?;)*) => {
        #[test]
        fn every_shape() {
            $(check(
                &Facts::of::<layout!($element $dims $({ $($braces)* })? $(< $($order),* : T $tile >)?), _>(),
                stringify!($element $dims $({ $($braces)* })? $(< $($order),* : T $tile >)?),
            );)*
            let count = [$(stringify!($element)),*].len();
            assert!(count >= 70, "{count} shapes");
        }
    };
}

include!("typed_shapes.rs");

assert_type_eq_all!(layout!(F32[3,5]<1,0:T(2,2)>), layout!(f32[3,5]{1,0:T(2,2)}));
assert_type_eq_all!(layout!(F32[3,5]), layout!(f32[03,5]{1,0}));
assert_type_eq_all!(layout!(F32[3,5]{1,0:T(*,2)L(1)S(0)}), layout!(F32[3,5]{1,0:D(D,C)T(-1,2)}));
assert_type_eq_all!(layout!(F32[3,5]{1,0:T=Tile22}), layout!(F32[3,5]{1,0:T(2,2)}));
assert_type_eq_all!(
    layout!(S8[3,5]{1,0:T=self::named::Nested E(16)}),
    layout!(S8[3,5]{1,0:T(8,128)(2,1)E(16)})
);
assert_type_eq_all!(
    layout!((F32[3], token[], opaque[], b(F32[2]), ())),
    (
        layout!(F32[3]{0}),
        layout::types::Token,
        layout::types::Opaque,
        layout::types::BufferOf<layout!(F32[2]{0})>,
        (),
    )
);
assert_type_eq_all!(
    <layout!(BF16[4,4]) as layout::types::LayoutTypes>::Element,
    layout::element::BF16
);
assert_type_ne_all!(
    layout!(F32[3,5]),
    layout!(F32[3,5]{0,1}),
    layout!(F32[5,3]),
    layout!(F32[<=3,5]),
    layout!(S32[3,5]),
    layout!(F32[3,5]{1,0:E(32)}),
    layout!(F32[3,5]{1,0:PAD(3,5)}),
    layout!(F32[3,5]{1,0:T(1)}),
    layout!(F32[3,5]{1,0:T(1)(1)}),
    layout!(F32[3,5]{1,0:S(1)}),
    layout!(F32[3,5]{1,0:S(-1)})
);

type Tile22 = tiles!((2, 2));

mod named {
    pub(crate) type Nested = layout::tiles!((8, 128)(2, 1));
}

layout! {
    /// The document's first figure.
    type Figure1 = F32[3,5]<1,0:T(2,2)>;
    #[allow(dead_code, reason = "only the attribute is tested")]
    pub(crate) type Weights = BF16[2048,4096]{1,0:T(8,128)(2,1)};
    /// Tiles by their name.
    pub(crate) type Named = F32[3,5]{1,0:T=Tile22};
}

#[test]
fn constants_are_constants() {
    const AT: usize = Figure1::offset([2, 3]);
    const NONE: Option<usize> = Figure1::checked_offset([3, 0]);
    const INDEX: Option<[usize; 2]> = Figure1::index(17);
    const PADDING: [bool; 2] = [Figure1::is_padding(9), Figure1::is_padding(17)];
    const SIZES: [usize; 2] = [Figure1::dim(0), Figure1::dim(-1)];
    const BUFFER: [f32; Figure1::PADDED_ELEMENTS] = [0.0; Figure1::PADDED_ELEMENTS];
    assert_eq!((AT, NONE, INDEX), (17, None, Some([2, 3])));
    assert_eq!((PADDING, SIZES, BUFFER.len()), ([true, false], [3, 5], 24));
    assert_eq!(const { <layout!(F32[])>::offset([]) }, 0);
    const COORDINATE: usize = 2;
    assert_eq!(const { Named::offset([COORDINATE, COORDINATE + 1]) }, 17);
    assert_eq!(<tiles!((8, 128)(2, 1))>::TEXT, "(8,128)(2,1)");
}

#[test]
fn an_index_out_of_range_panics_with_its_numbers() {
    let message = |index: [usize; 2]| {
        let panic = std::panic::catch_unwind(|| Figure1::offset(index)).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    assert_eq!(
        message([1, 5]),
        "index out of range: coordinate 5 of dimension 1, which has size 5"
    );
    assert_eq!(
        message([usize::MAX, 0]),
        format!("index out of range: coordinate {} of dimension 0, which has size 3", usize::MAX)
    );
}

/// Programs of more steps than any layout that means something, at places across the array.
#[test]
fn long_programs() {
    fn compare<L: Layout<R>, const R: usize>(steps: usize) {
        let digits = L::SHAPE.digits().unwrap();
        assert!(layout::__private::core::OffsetProgram::new(&digits).len >= steps, "{}", L::TEXT);
        let mut random = layout_tests::random::Random::new(9);
        for _ in 0..1000 {
            let index = L::DIMS.map(|dim| random.below(dim));
            assert_eq!(
                L::offset(index) as Size,
                digits.offset_unchecked(&sizes(&index)),
                "{} {index:?}",
                L::TEXT
            );
        }
    }
    compare::<
        layout!(s1[37,41]{1,0:T(9,7,*,*,*,7)(3,3,*,4)(3,*,3,9)(2,6,4,2,3)(8,7,5)(10,*,5,3,9)E(1)}),
        _,
    >(17);
    #[cfg(target_pointer_width = "64")]
    compare::<
        layout!(s1[26,17,15,33,34,17]{5,4,3,2,1,0:T(*,9,6)(6,4,*,3,*,3)(3,*,2,2,*,2)(*,7,8,6,8)(7)(*,*,9,5,10,9)(8,4,10,6)E(1)}),
        _,
    >(33);
}

/// Every layout of one tiling, whatever its shape.
fn only_packed<L: Layout<2> + TiledBy<order!(1, 0), tiles!((8, 128)(2, 1))>>() -> usize {
    L::PADDED_ELEMENTS
}

#[test]
fn a_kernel_can_ask_for_a_tiling() {
    assert_eq!(only_packed::<layout!(BF16[5,7]{1,0:T(8,128)(2,1)})>(), 1024);
    assert_eq!(only_packed::<layout!(S8[9,7]{1,0:T(8,128)(2,1)S(1)})>(), 2048);
}
