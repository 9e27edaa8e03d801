//! What a swizzled layout does not have.
use layout::{Buffer, layout};

type Tile = layout!(F32[16,64]{1,0:T(8,64)}, swizzle = 128B);

const ROWS: usize = 3;
layout! { type Named = F16[ROWS,10]{1,0}, swizzle = 128B; }
type ByHand = layout::Array<
    layout::element::F16,
    (layout::types::C<3>, layout::types::C<10>),
    (layout::types::C<1>, layout::types::C<0>),
    layout::types::Untiled,
    (layout::types::property::SwizzleBytes<3, 4, 3>,),
>;

fn main() {
    let buffer = Buffer::<Tile>::zeroed();
    buffer.tiles().for_each(drop);
    buffer.rows().for_each(drop);
    let _ = Named::BYTES;
    let _ = ByHand::offset([0, 0]);
}
