//! Accesses of shared memory, proved to be free of bank conflicts when the kernels are built.

use layout::shape::Size;
use layout_gpu::banks::Access;

/// The access of a warp, of the index of each lane.
pub const fn access<const R: usize>(bytes: usize, lanes: &[[u32; R]; 32]) -> Access {
    let mut wide = [Some([0; R]); 32];
    let mut at = 0;
    while at < 32 * R {
        if let Some(index) = &mut wide[at / R] {
            index[at % R] = lanes[at / R][at % R] as Size;
        }
        at += 1;
    }
    match Access::new(&wide, bytes) {
        Ok(access) => access,
        Err(_) => panic!("1, 2, 4, 8 or 16 bytes"),
    }
}

/// Stops the build if accesses of an array have bank conflicts. Each is a `const` function of the lane and of a number below
/// a bound, that gives the index of the element; the kernels call the same functions.
///
/// ```
/// use kernels::{arrays::Square, transpose::column};
/// kernels::conflict_free! { Square, 4 bytes: column::<1>, below 32 }
/// ```
/// Without the swizzle a column is in one bank:
/// ```compile_fail,E0080
/// use kernels::transpose::column;
/// type Square = layout::layout!(F32[32,32]);
/// kernels::conflict_free! { Square, 4 bytes: column::<1>, below 32 }
/// ```
#[macro_export]
macro_rules! conflict_free {
    ($array:ty, $bytes:literal bytes: $($index:path, below $bound:literal),*) => {$(
        const _: () = {
            let mut number = 0;
            while number < $bound {
                let mut lanes = [$index(0, number); 32];
                let mut lane = 1;
                while lane < 32 {
                    lanes[lane as usize] = $index(lane, number);
                    lane += 1;
                }
                let access = $crate::access::access($bytes, &lanes);
                let shape = <$array>::SHAPE;
                ::layout_gpu::banks::assert_conflict_free(shape, &[access]);
                number += 1;
            }
        };
    )*};
}
