//! Tables against the functions that they tabulate.

use layout::__private::core::native;
use layout::{ArrayShape, Layout, layout};
use layout_tests::naive;

/// Compares an offset table and an element table with the offsets of a value.
fn check(shape: &ArrayShape, offsets: &[usize], elements: &[usize], padding: usize) {
    let expected = naive::offsets(shape).into_iter().map(native).collect::<Vec<_>>();
    assert_eq!(offsets, expected, "{shape}");
    let mut numbers = vec![padding; native(shape.padded_elements().expect("known sizes"))];
    for (number, offset) in expected.into_iter().enumerate() {
        numbers[offset] = number;
    }
    assert_eq!(elements, numbers, "{shape}");
}

/// The entries of a table as numbers of one type.
macro_rules! wide {
    ($table:expr) => {
        &$table.iter().map(|entry| *entry as usize).collect::<Vec<_>>()
    };
}

/// Builds and checks the tables of a layout, in each type of entries that is named.
macro_rules! tables {
    ($layout:ty: $($int:ident),*) => {{
        type A = $layout;
        $(
            static OFFSETS: [$int; A::ELEMENTS] = A::offset_table();
            static ELEMENTS: [$int; A::PADDED_ELEMENTS] = A::element_table();
            check(A::SHAPE, wide!(OFFSETS), wide!(ELEMENTS), $int::MAX as usize);
            assert_eq!(<A as Layout<_>>::offset_table::<[$int; _]>(), OFFSETS);
            assert_eq!(<A as Layout<_>>::element_table::<[$int; _]>(), ELEMENTS);
        )*
    }};
}

#[test]
fn tables_of_many_layouts() {
    macro_rules! all {
        ($($layout:ty;)*) => {$(
            { tables!($layout: usize); }
            { tables!($layout: u16); }
            { tables!($layout: u32); }
        )*};
    }
    all! {
        layout!(F32[3,5]{1,0:T(2,2)});
        layout!(F32[]);
        layout!(F32[]{:T(128)});
        layout!(F32[0,5]{1,0:T(2,2)});
        layout!(F32[7,0]);
        layout!(F32[20,300]{1,0:T(8,128)});
        layout!(F32[20,300]{0,1:T(8,128)});
        layout!(BF16[20,300]{1,0:T(8,128)(2,1)L(100)});
        layout!(BF16[3000]{0:T(1024)(128)(2,1)});
        layout!(F32[2,3,4,5,4]{4,3,2,1,0:T(*,*,2,*,3)});
        layout!(F32[4,5,6]{2,1,0:T(*,2,4)});
        layout!(F32[4,5,6]{0,2,1:T(*,7)});
        layout!(F32[5]{0:T(2)(3)});
        layout!(F32[4,8]{1,0:T(2,4)(2,2,1)});
        layout!(F32[2,3]{0,1:PAD(3,5)});
    }
}

#[test]
fn tables_of_bytes() {
    tables!(layout!(F32[3,5]{1,0:T(2,2)}): u8);
}

#[test]
fn the_largest_numbers_that_fit() {
    // Offsets up to 255, although there are more slots, and elements up to 254 with padding.
    tables!(layout!(F32[255]{0:T(256)}): u8);
    // Without padding 255 is a number as any other.
    tables!(layout!(F32[16,16]): u8);
    type Long = layout!(F32[256]{0:L(1000)});
    static OFFSETS: [u8; Long::ELEMENTS] = Long::offset_table();
    assert_eq!(OFFSETS[255], 255);
}

/// A large table compiles in good time and without the lint against long evaluation.
#[test]
fn large_tables() {
    type Large = layout!(F32[256,256]{1,0:T(8,128)});
    static OFFSETS: [u32; Large::ELEMENTS] = Large::offset_table();
    static ELEMENTS: [u16; Large::PADDED_ELEMENTS] = Large::element_table();
    check(Large::SHAPE, wide!(OFFSETS), wide!(ELEMENTS), usize::from(u16::MAX));
}

/// Types too small for the slots are large enough where no element lies in the last ones.
#[test]
fn padding_does_not_count() {
    tables!(layout!(F32[1,2]{1,0:T(16,128)}): u16);
    type Sparse = layout!(F32[1,2]{1,0:T(1024,128)});
    static OFFSETS: [u8; 2] = Sparse::offset_table();
    assert_eq!(OFFSETS, [0, 1]);
    #[cfg(target_pointer_width = "64")]
    type Padded = layout!(F32[256]{0:PAD(4294967296)});
    #[cfg(target_pointer_width = "64")]
    static PADDED: [u8; 256] = Padded::offset_table();
    #[cfg(target_pointer_width = "64")]
    assert_eq!(PADDED[255], 255);
    // With one slot of padding, 255 elements are the most that bytes can name.
    tables!(layout!(F32[255]{0:PAD(256)}): u8);
}
