type A = layout::layout!(F32[1024,1024]{1,0:T(8,128)});

static OFFSETS: [u32; A::ELEMENTS] = A::offset_table();
static ELEMENTS: [u32; A::PADDED_ELEMENTS] = A::element_table();

fn main() {
    assert_eq!(OFFSETS[9 * 1024 + 130], A::offset_u32([9, 130]));
    assert_eq!(ELEMENTS[A::offset([9, 130])], 9 * 1024 + 130);
}
