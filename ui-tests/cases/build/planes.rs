//! Planes of layouts whose most major dimension is tiled, or that have none.

use layout::{Copier, Padding, layout};

type Rows = layout!(F32[3,5]);
type Tiles = layout!(F32[3,5]{1,0:T(2,2)});
type Columns = layout!(F32[3,5]{0,1:T(2,2)});
type Scalar = layout!(F32[]);

fn main() {
    let (src, dst) = (&[0.0; 24], &mut [0.0; 24]);
    Copier::<Tiles, Rows>::new().gather([3, 5], &[src], dst, Padding::Zero).unwrap();
    Copier::<Rows, Columns>::new().scatter([3, 5], src, &mut [&mut *dst], Padding::Zero).unwrap();
    Copier::<Scalar, Scalar>::new().gather([], &[src], dst, Padding::Zero).unwrap();
}
