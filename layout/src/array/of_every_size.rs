//! What a layout with `?` has of the constants and functions in the tables of this room: each is right for every size, or
//! does not compile. Tests alone; their rows are those of the tables.

/// A test of documentation for each row: it compiles for a layout without `?` and, for one with `?`, only if it has it.
#[cfg(doctest)]
mod compiled {
    use crate::array::constants::{each_constant, each_list};
    use crate::array::layout::each_walk;
    use crate::array::offset::each_function;
    use crate::array::table::each_table;

    macro_rules! known {
        ($name:ident: $($use:expr),*) => {
            #[doc = concat!("```\ntype A = layout::layout!(F32[2,3]);\n", $($use),*, "\n```\n")]
            #[doc = concat!("```compile_fail\ntype A = layout::layout!(F32[?,?]);\n", $($use),*, "\n```\n")]
            #[expect(non_snake_case)]
            fn $name() {}
        };
    }

    macro_rules! any {
        ($name:ident: $($use:expr),*) => {
            #[doc = concat!("```\ntype A = layout::layout!(F32[2,3]);\n", $($use),*, "\n```\n")]
            #[doc = concat!("```\ntype A = layout::layout!(F32[?,?]);\n", $($use),*, "\n```\n")]
            #[expect(non_snake_case)]
            fn $name() {}
        };
    }

    macro_rules! constant {
        (if_known $name:ident) => {
            known! { $name: "const _: () = { let _ = A::", stringify!($name), "; };" }
        };
        (of_any_size $name:ident) => {
            any! { $name: "const _: () = { let _ = A::", stringify!($name), "; };" }
        };
    }

    macro_rules! constants {
        ($($(#[$doc:meta])* $sizes:ident $name:ident $(: $type:ty)? = $value:expr;)*) => {
            $(constant! { $sizes $name })*
        };
    }

    macro_rules! functions {
        ($(
            $(#[$doc:meta])*
            fn $name:ident [$($r:ident)?] ($($argument:ident: $type:ty)?) -> $result:ty $body:block
        )*) => {$(
            known! {
                $name: "let _ = |", stringify!($($argument)?), "| A::", stringify!($name), "(", stringify!($($argument)?), ");"
            }
        )*};
    }

    macro_rules! walks {
        ($($(#[$doc:meta])* fn $name:ident -> $walk:ident;)*) => {$(
            known! { $name: "let _ = A::", stringify!($name), "();" }
        )*};
    }

    macro_rules! tables {
        ($($(#[$doc:meta])* $name:ident;)*) => {$(
            known! { $name: "let _ = A::", stringify!($name), "::<[u32; 6]>();" }
        )*};
    }

    each_constant! { constants }
    each_list! { constants }
    each_function! { functions }
    each_walk! { walks }
    each_table! { tables }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use core::fmt::Debug;
    use std::format;
    use std::string::{String, ToString};
    use std::vec;
    use std::vec::Vec;

    use layout_core::__private::native;
    use layout_core::limits::MAX_SIZE;
    use layout_core::{ArrayShape, ElementType, Index};

    use crate::array::constants::{self, OfLayout, each_constant, each_list};
    use crate::compiled::Compiled;
    use crate::order::grid;
    use crate::spec::array::Array;
    use crate::spec::text::text;
    use crate::spec::{DimList, Element, NumberList, Properties, TileSpec};

    macro_rules! value {
        (of_any_size $value:expr) => {
            Some($value)
        };
        (if_known $value:expr) => {
            $value
        };
    }

    macro_rules! rows {
        ($($(#[$doc:meta])* $sizes:ident $name:ident: $type:ty = $value:expr;)*) => {
            vec![$({
                let value: Option<$type> = const { value!($sizes $value) };
                (stringify!($name), value.map(|value| format!("{value:?}")))
            }),*]
        };
        ($($(#[$doc:meta])* $sizes:ident $name:ident = $value:expr;)*) => {
            rows! { $($sizes $name: D::Index = $value;)* }
        };
    }

    /// The constants by their names, of which there are none that the type does not have.
    trait AllConstants: Compiled {
        fn rows() -> Vec<(&'static str, Option<String>)>;
    }

    impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> AllConstants
        for Array<E, D, M, T, P>
    where
        D::Index: OfLayout<Self> + Debug,
    {
        fn rows() -> Vec<(&'static str, Option<String>)> {
            [each_list! { rows }, each_constant! { rows }].concat()
        }
    }

    /// Compares what a type with `?` has with the same layout of known sizes, and says how many constants that are.
    fn compare<A: AllConstants, B: AllConstants>() -> usize {
        let of_sizes = |text: &String| {
            let shape = text.trim_matches('"').parse::<ArrayShape>().unwrap();
            shape.with_dims(&Index::of_native(B::SIZES)).unwrap().to_string()
        };
        let mut count = 0;
        for ((name, of_any), (_, known)) in A::rows().iter().zip(B::rows()) {
            let Some(of_any) = of_any else { continue };
            let known = known.expect("its sizes are known");
            count += 1;
            if let "SHAPE" | "TEXT" = *name {
                assert_eq!(of_sizes(of_any), known.trim_matches('"'), "{name} of {}", A::VALUE);
            } else {
                assert_eq!(of_any, &known, "{name} of {} and {}", A::VALUE, B::VALUE);
            }
        }
        count
    }

    /// The sizes are such that no digit is missing: where a dimension has one element, runs go along another one. A later
    /// tile has no `ROW_ALIGNMENT` for any size.
    #[test]
    fn constants_of_every_size() {
        macro_rules! pairs {
            ($(($($any:tt)*) $(($($known:tt)*))*;)*) => {$({
                type A = crate::layout!($($any)*);
                $({
                    type B = crate::layout!($($known)*);
                    assert!(compare::<A, B>() >= 9);
                    // A type without `?` has all.
                    assert!(B::rows().iter().all(|(_, value)| value.is_some()));
                })*
            })*};
        }
        pairs! {
            (F32[?,1024]{1,0:T(8,128)}) (F32[16,1024]{1,0:T(8,128)}) (F32[77,1024]{1,0:T(8,128)});
            (F32[16,?]{1,0:T(8,128)}) (F32[16,256]{1,0:T(8,128)}) (F32[16,1000]{1,0:T(8,128)});
            (BF16[?,?]{0,1:T(8,128)S(3)}) (BF16[640,40]{0,1:T(8,128)S(3)});
            (S4[?,6,?]{2,1,0:E(4)}) (S4[2,6,5]{2,1,0:E(4)}) (S4[9,6,100]{2,1,0:E(4)});
            (F32[?,5]) (F32[7,5]) (F32[2,5]);
            (F32[5,?]{0,1}) (F32[5,7]{0,1}) (F32[5,2]{0,1});
            (F32[?,?]{1,0:T(2,4)L(100)}) (F32[5,9]{1,0:T(2,4)L(100)});
        }
    }
}
