//! Accesses that are not valid, or have conflicts.

use layout::gpu::banks::{
    Access, BankError, Matrices, WarpAccess, assert_conflict_free, check_conflict_free,
};
use layout::{Size, layout};
use layout_tests::lists::array;

const WRITE: Access = Access::of("lane / 8, lane % 8 * 8", 16);
const READ: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);
type Padded = layout!(F16[64,64]{1,0:PAD(64,72)});
const _: () = assert_conflict_free(Padded::SHAPE, &[WRITE, READ]);

#[test]
fn bad_input_is_an_error_that_says_what_to_write() {
    let of = |access: Access, shape: &str| access.addresses(&array(shape)).unwrap_err().to_string();
    let at = |text, bytes, shape| match Access::parse(text, bytes) {
        Ok(access) => of(access, shape),
        Err(error) => error.to_string(),
    };
    let expression = |at: usize, lane: usize| {
        format!(
            "character {at} of the access, for lane {lane}: write a coordinate for each dimension with `lane`, numbers, \
             `+ - * / % & ^` and parentheses, as in `lane / 8, lane % 8 * 8`; no value is negative"
        )
    };
    let bytes = "no access has 3 bytes a lane: write 1, 2, 4, 8 or 16";
    let inside = "the element of lane 1 begins inside a byte: access one that begins a byte, as each second one of 4 bits does";
    let past =
        "lane 31 accesses memory past the end of the array: access fewer bytes, or pad the array";
    let huge = "f32[4611686018427387,32]";
    let cases = [
        (at("lane", 3, "u8[64]"), bytes),
        (
            at("lane", 4, "f64[64]"),
            "the bytes of a lane are not whole elements of 64 bits: write the bytes of one or more elements",
        ),
        (
            at("lane, 0", 4, "f32[64]"),
            "lanes are given 2 coordinates: write 1, one for each dimension",
        ),
        (at("lane", 4, "f32[?]"), "the size of dimension 0 is not known (`?`): write it"),
        (
            at("lane * 2", 4, "f32[40]"),
            "lane 20 accesses coordinate 40 of dimension 0, whose size is 40: access an element of the array, or none",
        ),
        (at("lane * 4", 16, "f32[125]"), past),
        (
            at("lane, 0", 8, "f32[64,64], swizzle = elements<1,0,6>"),
            "lane 1 accesses elements along dimension 1, but number 1 of them does not follow the one before it in memory: \
             access fewer bytes, or along another dimension",
        ),
        (
            of(Access::of("lane, 0", 8).along(0), "f32[64,64]"),
            "lane 0 accesses elements along dimension 0, but number 1 of them does not follow the one before it in memory: \
             access fewer bytes, or along another dimension",
        ),
        (
            of(Access::of("lane, 0", 8).along(2), "f32[64,64]"),
            "the array has no dimension 2 for elements of a lane: write one that it has, or access one element",
        ),
        (
            at("lane, 0", 16, "f16[32,12]{1,0:L(8)}"),
            "lane 1 accesses 16 bytes at address 24, which has to be a multiple of that: access fewer bytes, or align the array \
             and its rows",
        ),
        (at("lane", 1, "s4[64]{0:E(4)}"), inside),
        (
            of(Access::of("lane, 0", 16).at(512), "f16[64,64], swizzle = 128B"),
            "the swizzle is one of addresses, and repeats after 1024 bytes: begin the array at a multiple of that, or swizzle \
             elements",
        ),
        (
            of(Access::of("lane, 0", 4).at(Size::MAX - 3), huge),
            "lane 1 accesses memory past the end of the array: access fewer bytes, or pad the array",
        ),
        (at("", 4, huge), &expression(1, 0)),
        (at("lane +", 4, huge), &expression(7, 0)),
        (at("lane, lan", 4, huge), &expression(7, 0)),
        (at("lane, 4 / (lane - 1)", 4, huge), &expression(20, 0)),
        (at("lane 8", 4, huge), &expression(6, 0)),
        (at("lane, lane\0", 4, huge), &expression(11, 0)),
        (at("lane + , 0", 4, huge), &expression(8, 0)),
        (at("lane, 0,", 4, huge), &expression(9, 0)),
        (at("lane, (0", 4, huge), &expression(9, 0)),
        (at("0x10", 4, huge), &expression(2, 0)),
        (at("é", 4, huge), &expression(1, 0)),
        (at("8 % lane", 4, huge), &expression(9, 0)),
        (at("31 - lane, 100 % (30 - lane)", 4, huge), &expression(29, 30)),
        (at("99999999999999999999", 4, huge), &expression(20, 0)),
        (at(&"(".repeat(100_000), 4, huge), &expression(17, 0)),
        (at(&"lane,".repeat(17), 4, huge), &expression(81, 0)),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
    // Addresses up to the last one.
    let last = WarpAccess::new(&[Some(Size::MAX - 15); 32], 16).unwrap();
    assert_eq!((last.wavefronts(), last.ideal()), (4, 4));
    let error = WarpAccess::new(&[Some(Size::MAX); 32], 2).unwrap_err();
    assert!(matches!(error, BankError::Misaligned { lane: 0, address: Size::MAX, bytes: 2 }));
    assert_eq!(
        Access::parse("lane, 0", 4).unwrap().addresses(&array(huge)).unwrap().conflicts(),
        31
    );
    // No lane, no element: no wavefront.
    let none = Access::of("lane, 0", 4).only(0).addresses(&array("f32[0,0]")).unwrap();
    assert_eq!((none.wavefronts(), none.ideal(), none.meeting()), (0, 0, None));
}

#[test]
fn an_access_with_conflicts_names_lanes_and_remedies() {
    let check = |shape: &str, accesses: &[Access]| {
        check_conflict_free(&array(shape), accesses).map_err(|error| error.to_string())
    };
    assert_eq!(check("f16[64,64], swizzle = 128B", &[WRITE, READ]), Ok(()));
    assert_eq!(
        check("f16[64,64]", &[WRITE, READ]).unwrap_err(),
        "access 1: lanes 0 and 1 meet in bank 0, in words 0 and 32 (28 of 32 wavefronts too many): \
         write `f16[64,64]{1,0}, swizzle = 128B` or `f16[64,64]{1,0:PAD(64,72)}`"
    );
    // No row is padded of an array of one dimension.
    assert_eq!(
        check("u8[4096]", &[Access::of("lane % 3 * 128", 1)]).unwrap_err(),
        "access 0: lanes 0 and 1 meet in bank 0, in words 0 and 32 (2 of 3 wavefronts too many): \
         write `u8[4096]{0}, swizzle = 128B_ATOM_32B`"
    );
    // Far beyond any memory.
    let far = Access::of("lane / 16 * 2147483646, 0", 4);
    assert_eq!(
        check("f32[2147483647,33]{1,0:T(1,64)}", &[far]).unwrap_err(),
        "access 0: lanes 0 and 16 meet in bank 0, in words 0 and 137438953344 (1 of 2 wavefronts too many): \
         write `f32[2147483647,33]{1,0:T(1,64)}, swizzle = elements<1,4,3>`"
    );
    // Whatever separates words 0 and 32 makes words of another access meet.
    let pairs = [32, 33, 34, 36, 40, 48].map(|word| format!("lane % 2 * {word}"));
    let pairs = pairs.map(|text| Access::parse(&text, 4).unwrap());
    assert_eq!(
        check("f32[64]", &pairs).unwrap_err(),
        "access 0: lanes 0 and 1 meet in bank 0, in words 0 and 32 (1 of 2 wavefronts too many): \
         no swizzle and no padding removes them: let the lanes access other elements"
    );
    // A column is told apart, but row 1 is in all banks: a layout that still has conflicts is not written.
    let row = (0..32).map(|column| format!("lane % 2, lane % 2 * {column}"));
    let row = row.map(|text| Access::parse(&text, 4).unwrap());
    let accesses = [Access::of("lane, 0", 4)].into_iter().chain(row).collect::<Vec<_>>();
    assert_eq!(
        check("f32[32,32]", &accesses).unwrap_err(),
        "access 0: lanes 0 and 1 meet in bank 0, in words 0 and 32 (31 of 32 wavefronts too many): \
         no swizzle and no padding removes them: let the lanes access other elements"
    );
    // Rows of 16 bytes a lane, and a column of 2 bytes a lane.
    assert_eq!(
        check("f16[64,64]", &[WRITE, Access::of("lane, 0", 2)]).unwrap_err(),
        "access 1: lanes 0 and 1 meet in bank 0, in words 0 and 32 (31 of 32 wavefronts too many): \
         no swizzle that keeps the 16 bytes of a lane together removes them, nor does padding: \
         access 4 bytes a lane, so that a swizzle can tell all words apart, or other elements"
    );
    // With 4 bytes a lane a swizzle is found.
    let write = Access::of("lane / 32, lane % 32 * 2", 4);
    assert_eq!(
        check("f16[64,64]", &[write, Access::of("lane, 0", 2)]).unwrap_err(),
        "access 1: lanes 0 and 1 meet in bank 0, in words 0 and 32 (31 of 32 wavefronts too many): \
         write `f16[64,64]{1,0}, swizzle = elements<5,1,5>` or `f16[64,64]{1,0:PAD(64,66)}`"
    );
    // An access that is not valid comes before conflicts.
    let outside = Access::of("lane * 2, 0", 4);
    let error = check("f32[32,32]", &[accesses[0], outside]).unwrap_err();
    assert!(error.starts_with("lane 16 accesses coordinate 32 of dimension 0"), "{error}");
}
