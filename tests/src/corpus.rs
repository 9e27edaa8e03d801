//! Layouts that every engine runs: as types in the tests of memory, as texts in those of copies and of code.
//!
//! Both lists are in groups by what their memory is. `rows`, `pairs`, `fours`: tiles are blocks of memory, and their rows
//! are contiguous or lie in turns, so many at a time. `blocks`: tiles are blocks, of no rows. `slots`: tiles are no blocks.

/// Calls a macro with the layouts whose sizes are known.
#[macro_export]
macro_rules! corpus {
    ($then:ident) => {
        $then! {
            rows {
                (U32[])
                (U32[]{:T(128)})
                (U32[7])
                (U32[3,5]{0,1})
                (U32[0,5])
                (U32[0]{0:PAD(5)})
                (U32[1,1,6,1])
                (U32[2,3,4]{0,2,1:L(7)})
                (U32[2,3,2]{2,1,0:PAD(2,4,3)})
                (U32[20,300]{1,0:T(8,128)})
                (U32[20,300]{0,1:T(8,128)})
                (U32[4,3,9]{2,0,1:T(2,4)})
                (U32[3,4]{1,0:T(2,2,3)})
                (U32[2,2,2,3,2,5]{5,3,4,0,2,1:T(2,2)})
                (U32[5,7]{1,0:PAD(6,9)T(4,2)L(100)})
                (U32[0,5]{1,0:T(2,2)})
            }
            pairs {
                (U32[20,300]{1,0:T(8,128)(2,1)})
                (U32[3000]{0:T(1024)(128)(2,1)})
            }
            fours {
                (U32[2,33,130]{1,2,0:T(32,128)(4,1)})
            }
            blocks {
                (U32[5]{0:T(2)(3)})
                (U32[4,8]{1,0:T(2,4)(*,2)})
                (U32[5,9]{1,0:T(2,4)(3)(2,1)})
            }
            slots {
                (U32[5]{0:T(2)(2,1)})
                (U32[8,8]{1,0:T(2,2)(2,2,2,2,2)})
                (U32[2,3,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)})
                (U32[4,5,6]{0,2,1:T(*,7)})
                (U32[3,5]{1,0:T(1)(*,2)(2,1)})
                (U32[3,4]{1,0:PAD(4,5)T(*,3)})
                (U32[8,8]{1,0:L(8)}, swizzle = elements<2,1,2>)
                (U32[4,8,8]{2,1,0}, swizzle = elements<2,1,4>)
                (U32[5,9]{1,0:T(2,4)L(128)}, swizzle = elements<3,0,-4>)
                (U32[8,8]{1,0}, swizzle = elements<1,0,40>)
                (U32[]{:T(128)}, swizzle = elements<3,0,3>)
                (U32[1]{0:L(96)}, swizzle = elements<2,1,-2>)
                (U32[0,5]{1,0:T(2,4)}, swizzle = 128B)
                (U32[5,6]{1,0:PAD(6,8)T(4,2)(*,2)L(96)}, swizzle = elements<2,1,-2>)
                (U32[3,5,6]{1,2,0:T(*,4)L(96)}, swizzle = elements<2,1,9>)
                (U32[7,20]{0,1:T(3)(2)L(32)}, swizzle = elements<2,3,2>)
                (U32[4,5,6]{0,2,1:T(*,7)L(48)}, swizzle = elements<1,3,5>)
                (U32[20,130]{1,0:T(8,128)(2,1)}, swizzle = bytes<3,2,5>)
            }
        }
    };
}

/// Calls a macro with the layouts of which sizes are known at run time only, and with such sizes.
#[macro_export]
macro_rules! corpus_with_dims {
    ($then:ident) => {
        $then! {
            rows {
                (U32[?]) [0] [1] [7];
                (U32[?,5]) [0, 5] [1, 5] [4, 5];
                (U32[?,?]{0,1}) [3, 4] [1, 1] [0, 2] [5, 1];
                (U32[2,?,4]{0,2,1:L(16)}) [2, 3, 4] [2, 0, 4];
                (U32[?,3,?,2]{1,3,0,2}) [2, 3, 3, 2] [1, 3, 1, 2];
                (U32[<=5,3]) [5, 3] [2, 3] [0, 3];
                (U32[?,<=3]) [4, 2] [4, 0];
                (U32[0,?]{0,1}) [0, 0] [0, 3];
                (U32[?,0,?]{1,2,0:L(16)}) [3, 0, 4] [0, 0, 0];
                (U32[?,300]{1,0:T(8,128)}) [0, 300] [1, 300] [8, 300] [21, 300];
                (U32[20,?]{0,1:T(8,128)}) [20, 30] [20, 1];
                (U32[4,?,9]{2,0,1:T(2,4)L(100)}) [4, 5, 9] [4, 1, 9];
                (U32[?,?,?]{2,1,0:T(2,4)}) [2, 3, 5] [3, 3, 4] [0, 3, 5] [3, 0, 5] [3, 5, 0];
                (U32[<=10,300]{1,0:T(8,128)}) [10, 300] [3, 300] [8, 300];
                (U32[?,<=300]{1,0:T(8,128)}) [9, 129] [9, 300] [9, 0];
            }
            pairs {
                (U32[?,300]{1,0:T(8,128)(2,1)}) [3, 300] [20, 300];
                (U32[?]{0:T(1024)(128)(2,1)}) [3000] [5];
                (U32[<=40,?]{0,1:T(8,128)(2,1)}) [33, 140] [40, 7];
                (U32[?,0]{1,0:T(8,128)(2,1)}) [0, 0] [3, 0];
            }
            fours {
                (U32[33,?]{1,0:T(32,128)(4,1)}) [33, 130];
            }
            blocks {
                (U32[?]{0:T(2)(3)}) [5] [12] [0];
            }
            slots {
                (U32[?]{0:T(2)(2,1)}) [5] [8] [1];
                (U32[?,?]{1,0:T(2,4)(2,2,1)}) [4, 8] [5, 9];
                (U32[8,?]{1,0:T(2,2)(2,2,2,2,2)}) [8, 8] [8, 3] [8, 0];
                (U32[2,?,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)}) [2, 3, 4, 5, 4];
                (U32[4,?,6]{0,2,1:T(*,7)}) [4, 5, 6] [4, 1, 6];
                (U32[<=4,?,6]{2,1,0:T(*,2,4)}) [3, 5, 6] [3, 0, 6] [0, 5, 6];
                (U32[2,?]{1,0:T(2)(*,2,2)(2,1,1,1)}) [2, 3] [2, 4] [2, 9] [2, 1];
                (U32[?,0]{1,0:T(1)(*,2)(2,1)}) [0, 0] [3, 0];
                (U32[?,64]{1,0:L(32)}, swizzle = 128B) [3, 64] [1, 64] [0, 64];
                (U32[?,8]{1,0}, swizzle = elements<1,0,40>) [4, 8] [0, 8];
                (U32[<=5,6]{1,0:T(2,2)L(96)}, swizzle = elements<2,1,-2>) [5, 6] [2, 6] [0, 6];
                (U32[?,<=7]{1,0:T(4,4)}, swizzle = elements<2,0,4>) [5, 6] [9, 7] [0, 6] [5, 0];
                (U32[?,?]{0,1:T(4,2)(2)L(64)}, swizzle = elements<3,0,3>) [5, 6] [9, 7] [1, 1];
                (U32[4,?,6]{0,2,1:T(*,7)L(96)}, swizzle = elements<2,1,4>) [4, 5, 6] [4, 1, 6];
                (U32[?]{0:L(96)}, swizzle = elements<2,1,-2>) [5] [12] [300];
            }
        }
    };
}

use layout::ArrayShape;
use layout::shape::Size;

/// The layouts of both lists, as they are written, each with every one of its sizes.
///
/// # Panics
/// If the lists have a layout that is none.
pub fn shapes() -> Vec<(ArrayShape, Vec<Size>)> {
    macro_rules! known {
        ($($group:ident { $(($($layout:tt)*))* })*) => { [$($(stringify!($($layout)*)),*),*] };
    }
    macro_rules! with_dims {
        ($($group:ident { $(($($layout:tt)*) $([$($dim:literal),*])*;)* })*) => {
            [$($((stringify!($($layout)*), vec![$(vec![$($dim as Size),*]),*])),*),*]
        };
    }
    let known = corpus!(known).map(|text| {
        let shape = text.parse::<ArrayShape>().expect("a layout");
        let dims = shape.dims().iter().map(|dim| dim.size().expect("a size that is known"));
        (shape, dims.collect::<Vec<_>>())
    });
    let with_dims = corpus_with_dims!(with_dims).into_iter().flat_map(|(text, all)| {
        let shape = text.parse::<ArrayShape>().expect("a layout");
        all.into_iter().map(move |dims| (shape, dims))
    });
    known.into_iter().chain(with_dims).collect()
}
