//! Accesses that are not valid, or have conflicts: what a table cannot say.

use layout::layout;
use layout::shape::Size;
use layout_gpu::banks::{
    Access, BankError, Matrices, WarpAccess, assert_conflict_free, check_conflict_free,
};
use layout_tests::lists::array;

const WRITE: Access = Access::of("lane / 8, lane % 8 * 8", 16);
const READ: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);
type Padded = layout!(F16[64,64]{1,0:PAD(64,72)});
const _: () = assert_conflict_free(Padded::SHAPE, &[WRITE, READ]);

#[test]
fn contrived_accesses() {
    for (text, at) in [("lane, lane\0".to_owned(), 11), ("(".repeat(100_000), 17)] {
        let error = Access::parse(&text, 4).unwrap_err().to_string();
        assert!(error.starts_with(&format!("character {at} of the access, for lane 0: ")));
    }
    // Addresses up to the last one.
    let last = WarpAccess::new(&[Some(Size::MAX - 15); 32], 16).unwrap();
    assert_eq!((last.wavefronts(), last.ideal()), (4, 4));
    let error = WarpAccess::new(&[Some(Size::MAX); 32], 2).unwrap_err();
    assert!(matches!(error, BankError::Misaligned { lane: 0, address: Size::MAX, bytes: 2 }));
    let huge = array("f32[4611686018427387,32]");
    assert_eq!(Access::of("lane, 0", 4).addresses(&huge).unwrap().conflicts(), 31);
    // No lane, no element: no wavefront.
    let none = Access::of("lane, 0", 4).only(0).addresses(&array("f32[0,0]")).unwrap();
    assert_eq!((none.wavefronts(), none.ideal(), none.meeting()), (0, 0, None));
}

/// A column is told apart, but row 1 is in all banks: a layout that still has conflicts is not written.
#[test]
fn a_column_and_a_row_in_all_banks() {
    let row = (0..32).map(|column| format!("lane % 2, lane % 2 * {column}"));
    let row = row.map(|text| Access::parse(&text, 4).unwrap());
    let accesses = [Access::of("lane, 0", 4)].into_iter().chain(row).collect::<Vec<_>>();
    assert_eq!(
        check_conflict_free(&array("f32[32,32]"), &accesses).unwrap_err().to_string(),
        "access 0: lanes 0 and 1 meet in bank 0, in words 0 and 32 (31 of 32 wavefronts too many): \
         no swizzle and no padding removes them: let the lanes access other elements"
    );
}
