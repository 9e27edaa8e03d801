//! The crate `zarrs`: the codec `transpose`, of chunks in any order of dimensions. Both sides are made once for an array.

use std::num::NonZeroU64;
use std::rc::Rc;

use zarrs::array::codec::TransposeCodec;
use zarrs::array::codec::array_to_array::transpose::TransposeOrder;
use zarrs::array::{ArrayBytes, ArrayToArrayCodecTraits, CodecOptions, FillValue, data_type};

use crate::{Function, making, numbers, ours};

const OURS: &str = include_str!("../ours/zarrs.rs");

pub fn functions() -> Vec<Function> {
    let layout = "`[a,b,…]{n,…,1,0}` → any order";
    let mut function = Function::new("`zarrs` transpose, `encode`", layout, 23, OURS);
    let cases: &[(&[u64], &[usize], usize)] = &[
        (&[4, 4], &[1, 0], 4),
        (&[16, 16], &[1, 0], 4),
        (&[64, 64], &[1, 0], 4),
        (&[256, 256], &[1, 0], 2),
        (&[64, 64, 64], &[2, 1, 0], 2),
        (&[100, 200, 50], &[2, 0, 1], 4),
        (&[10, 256, 256], &[0, 2, 1], 4),
        (&[128, 128, 128], &[2, 1, 0], 4),
        (&[8, 128, 128, 16], &[3, 0, 1, 2], 8),
        (&[100, 100, 100], &[2, 1, 0], 12),
        (&[1024, 1024], &[1, 0], 1),
        (&[4096, 4096], &[1, 0], 4),
    ];
    for &(chunk, order, bytes) in cases {
        let size = chunk.iter().product::<u64>() as usize * bytes;
        let sizes: Vec<_> = chunk.iter().map(u64::to_string).collect();
        function.case(format!("{} {bytes} B", sizes.join("×")), size, move || {
            let from = Rc::new(numbers::<u8>(size));
            let again = from.clone();
            let codec = TransposeCodec::new(TransposeOrder::new(order).expect("a permutation"));
            let shape: Vec<_> =
                chunk.iter().map(|&size| NonZeroU64::new(size).expect("not empty")).collect();
            let (element, fill) = (data_type::raw_bits(bytes), FillValue::new(vec![0; bytes]));
            let transpose =
                ours::zarrs::Transpose::new(order, chunk, bytes).expect("a layout of the chunk");
            [
                making(
                    move || {
                        let chunk = ArrayBytes::new_flen(&from[..]);
                        let options = &CodecOptions::default();
                        let turned = codec.encode(chunk, &shape, &element, &fill, options);
                        turned
                            .and_then(|bytes| Ok(bytes.into_fixed()?.into_owned()))
                            .expect("a chunk")
                    },
                    |bytes| bytes,
                ),
                making(move || transpose.encode(&again).expect("a chunk"), |bytes| bytes),
            ]
        });
    }
    vec![function]
}
