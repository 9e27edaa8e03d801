//! Accesses that have to be free of conflicts.

use crate::banks::access::Access;
use crate::banks::error::BankError;
use crate::banks::search::{Remedy, search};
use layout_core::ArrayShape;

/// Checks that no access has a bank conflict.
///
/// # Errors
/// If one has: the message names two lanes that meet in a bank, and the swizzle and the padding without conflicts that
/// [`search`] finds for all accesses. And if an access is not valid in the layout.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_gpu::banks::{Access, check_conflict_free};
///
/// let tile: ArrayShape = "f32[32,32]".parse()?;
/// let column = Access::parse("lane, 0", 4)?;
/// assert_eq!(
///     check_conflict_free(&tile, &[column]).unwrap_err().to_string(),
///     "access 0: lanes 0 and 1 meet in bank 0, in words 0 and 32 (31 of 32 wavefronts too many): \
///      write `f32[32,32]{1,0}, swizzle = elements<5,0,5>` or `f32[32,32]{1,0:PAD(32,33)}`",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn check_conflict_free(shape: &ArrayShape, accesses: &[Access]) -> Result<(), BankError> {
    let mut first = None;
    each!(for access in 0..accesses.len() {
        let addresses = ok!(accesses[access].addresses(shape));
        if let Some(meeting) = addresses.meeting()
            && first.is_none()
        {
            first = Some((access, meeting, addresses));
        }
    });
    let Some((access, meeting, addresses)) = first else {
        return Ok(());
    };
    let (swizzle, padding) = match search(shape, accesses) {
        Ok(found) => (free(&found.swizzle), free(&found.padding)),
        Err(_) => (None, None),
    };
    let mut bytes = 0;
    each!(for access in accesses {
        bytes = if access.bytes() > bytes { access.bytes() } else { bytes };
    });
    let (conflicts, wavefronts) = (addresses.conflicts(), addresses.wavefronts());
    Err(BankError::Conflicts { access, bytes, conflicts, wavefronts, meeting, swizzle, padding })
}

/// The array in a layout that has no conflicts.
const fn free(remedy: &Option<Remedy>) -> Option<ArrayShape> {
    match remedy {
        Some(Remedy { shape, conflicts: 0, .. }) => Some(*shape),
        _ => None,
    }
}

/// Stops the build unless every access is free of bank conflicts.
///
/// # Panics
/// If [`check_conflict_free`] is an error, with its message.
///
/// # Examples
/// ```
/// use layout_gpu::banks::{Access, Matrices, assert_conflict_free};
/// use layout::layout;
///
/// type Tile = layout!(F16[64,64]{1,0:PAD(64,72)});
/// const WRITE: Access = Access::of("lane / 8, lane % 8 * 8", 16);
/// const READ: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);
/// const _: () = assert_conflict_free(Tile::SHAPE, &[WRITE, READ]);
/// ```
///
/// A function for any layout checks each layout that it is used with:
/// ```
/// use layout_gpu::banks::{Access, assert_conflict_free};
/// use layout::{Layout, layout};
///
/// fn transpose<A: Layout<2>>() {
///     const COLUMN: Access = Access::of("lane, 0", 4);
///     const { assert_conflict_free(A::SHAPE, &[COLUMN]) };
/// }
/// transpose::<layout!(F32[32,32]{1,0:PAD(32,33)})>();
/// ```
///
/// Without the padding, all rows of a matrix begin in one bank:
/// ```compile_fail,E0080
/// use layout_gpu::banks::{Access, Matrices, assert_conflict_free};
/// use layout::layout;
///
/// type Tile = layout!(F16[64,64]);
/// const READ: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);
/// const _: () = assert_conflict_free(Tile::SHAPE, &[READ]);
/// ```
#[track_caller]
pub const fn assert_conflict_free(shape: &ArrayShape, accesses: &[Access]) {
    BankError::or_panic(check_conflict_free(shape, accesses));
}
