//! Tables of another length than the layout needs, and of types that do not hold their entries.

use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});
type Large = layout!(F32[16,17]{1,0});
type Padded = layout!(F32[256]{0:PAD(257)});

static OFFSETS: [usize; A::PADDED_ELEMENTS] = A::offset_table();
static ELEMENTS: [usize; A::ELEMENTS] = A::element_table();
static NARROW_OFFSETS: [u8; Large::ELEMENTS] = Large::offset_table();
static NARROW_ELEMENTS: [u8; Large::PADDED_ELEMENTS] = Large::element_table();
// The largest number of a byte is padding's.
static NARROW_PADDING: [u8; Padded::PADDED_ELEMENTS] = Padded::element_table();

// Refused at once: to make it would take minutes.
type Huge = layout!(F32[65536,65536]);
static HUGE_OFFSETS: [u32; Huge::ELEMENTS] = Huge::offset_table();
static HUGE_ELEMENTS: [u32; Huge::ELEMENTS] = Huge::element_table();

static OPTIONS: [Option<u8>; A::PADDED_ELEMENTS] = A::element_table();

fn main() {}
