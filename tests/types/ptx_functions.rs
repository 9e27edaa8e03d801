//! Functions whose PTX `ptx.rs` reads: a crate of its own, for a GPU. Those that compute in 32 bits are named so.

#![no_std]
#![allow(unsafe_code, reason = "the names of functions in a listing have to be plain")]

use layout::layout;

/// What is done with a layout whose sizes are known, and the offset in the width of the target.
macro_rules! known {
    ($($layout:ident [$($i:ident)*] = $shape:ident [$($dims:tt)*] { $($rest:tt)* };)*) => {$(
        pub mod $layout {
            use super::*;

            layout! { type A = $shape [$($dims)*] { $($rest)* }; }

            #[unsafe(export_name = concat!(stringify!($layout), "_offset_u32"))]
            pub extern "C" fn offset_u32($($i: u32),*) -> u32 {
                A::offset_u32_unchecked([$($i),*])
            }

            #[unsafe(export_name = concat!(stringify!($layout), "_checked_offset_u32"))]
            pub extern "C" fn checked_offset_u32($($i: u32),*) -> u32 {
                A::checked_offset_u32([$($i),*]).unwrap_or(u32::MAX)
            }

            #[unsafe(export_name = concat!(stringify!($layout), "_index_u32"))]
            pub extern "C" fn index_u32(offset: u32) -> u32 {
                A::index_u32(offset).map_or(u32::MAX, |[$($i),*]| $($i ^)* 0)
            }

            #[unsafe(export_name = concat!(stringify!($layout), "_offset_usize"))]
            pub extern "C" fn offset_usize($($i: usize),*) -> usize {
                A::offset_unchecked([$($i),*])
            }
        }
    )*};
}

known! {
    tiles [i j] = F32[4096,4096]{1,0:T(8,128)};
    ragged [i j] = F32[300,500]{1,0:T(8,128)};
    packed [i j] = BF16[1001,300]{1,0:T(8,128)(2,1)};
    odd [i j] = F32[300,500]{1,0:T(6,100)};
    batch [i j k] = F32[16,512,1024]{2,0,1:T(8,128)};
    combined [i j k] = F32[7,5,256]{2,1,0:T(*,8,128)};
}

layout! { type Unknown = F32[?,?]{1,0:T(8,128)}; }

/// Sizes known at run time.
#[unsafe(no_mangle)]
pub extern "C" fn unknown_offset_u32(i: u32, j: u32, m: u32, n: u32) -> u32 {
    Unknown::with_dims_u32_unchecked([m, n]).offset_unchecked([i, j])
}

/// The same, for indices in range only.
#[unsafe(no_mangle)]
pub extern "C" fn unknown_checked_offset_u32(i: u32, j: u32, m: u32, n: u32) -> u32 {
    Unknown::with_dims_u32_unchecked([m, n]).checked_offset([i, j]).unwrap_or(u32::MAX)
}

/// Divides by a size.
#[unsafe(no_mangle)]
pub extern "C" fn unknown_divides_index_u32(offset: u32, m: u32, n: u32) -> u32 {
    Unknown::with_dims_u32_unchecked([m, n]).index(offset).map_or(u32::MAX, |[i, j]| i ^ j)
}

/// Stops where the index is out of range, which takes a call.
#[unsafe(no_mangle)]
pub extern "C" fn control_calls(i: u32, j: u32) -> u32 {
    tiles_that_stop(i, j)
}

#[inline(always)]
fn tiles_that_stop(i: u32, j: u32) -> u32 {
    layout! { type A = F32[4096,4096]{1,0:T(8,128)}; }
    A::offset_u32([i, j])
}

/// Divides by a number that the compiler does not know.
#[unsafe(no_mangle)]
pub extern "C" fn control_of_quotients(i: u32, j: u32) -> u32 {
    i.checked_div(j).unwrap_or(0)
}
