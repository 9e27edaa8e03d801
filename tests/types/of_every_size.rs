//! The constants that a layout with `?` has are right for every size. Those that it has not are in
//! `ui-tests/cases/build/constants_of_sizes.rs`.

use layout::layout;
use layout::shape::Index;

/// Compares the constants of a layout with `?` with those of the layout with known sizes: those that all layouts have, and
/// those that are named. The sizes are such that no digit is missing: where a dimension has one element, runs go along
/// another one.
macro_rules! same {
    ($(($($any:tt)*) $more:tt $(($($known:tt)*))*;)*) => {$({
        type A = layout!($($any)*);
        $({
            type B = layout!($($known)*);
            same! { @ RANK ELEMENT_TYPE ELEMENT_BITS MEMORY_SPACE MINOR_TO_MAJOR ROW_STRIDE RUN_DIM IS_AFFINE $more }
            let sized = A::SHAPE.with_dims(&Index::of_native(&B::DIMS)).unwrap();
            assert_eq!((&sized, &*sized.to_string()), (B::SHAPE, B::TEXT));
            assert_eq!(A::TEXT, A::SHAPE.to_string());
        })*
    })*};
    (@ $($name:ident)* [$($more:ident)*]) => {
        same! { @ $($name)* $($more)* }
    };
    (@ $($name:ident)*) => {$(
        assert_eq!(A::$name, B::$name, "{} of {} and {}", stringify!($name), A::TEXT, B::TEXT);
    )*};
}

#[test]
fn constants_of_every_size() {
    same! {
        (F32[?,1024]{1,0:T(8,128)}) [TILE_DIMS TILE_ELEMENTS TILE_ALIGNMENT ROW_ALIGNMENT CONTIGUOUS_RUN]
            (F32[16,1024]{1,0:T(8,128)}) (F32[77,1024]{1,0:T(8,128)});
        (F32[16,?]{1,0:T(8,128)}) [TILE_DIMS TILE_ELEMENTS TILE_ALIGNMENT ROW_ALIGNMENT CONTIGUOUS_RUN]
            (F32[16,256]{1,0:T(8,128)}) (F32[16,1000]{1,0:T(8,128)});
        (BF16[?,?]{0,1:T(8,128)S(3)}) [TILE_DIMS TILE_ELEMENTS] (BF16[640,40]{0,1:T(8,128)S(3)});
        (S4[?,6,?]{2,1,0:E(4)}) [] (S4[2,6,5]{2,1,0:E(4)}) (S4[9,6,100]{2,1,0:E(4)});
        (F32[?,5]) [] (F32[7,5]) (F32[2,5]);
        (F32[5,?]{0,1}) [] (F32[5,7]{0,1}) (F32[5,2]{0,1});
        (F32[?,?]{1,0:T(2,4)L(100)}) [TILE_DIMS TILE_ELEMENTS] (F32[5,9]{1,0:T(2,4)L(100)});
    }
}
