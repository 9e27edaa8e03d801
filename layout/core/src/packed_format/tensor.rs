//! Tiles of accelerators and displays.

use super::table::{BYTES, Entry, Family, Form, HALVES, Sizes};
use crate::shape::element::ElementType::{F32, S32, U1, U32};

const BASE: Entry = Entry { family: Family::Tensor, stacks: true, ..Entry::NONE };
const TENSTORRENT: Entry = Entry {
    dims: "M,N",
    sizes: Sizes::Multiples(&[1, 1]),
    definition: "https://github.com/tenstorrent/tt-metal/blob/main/tech_reports/tensor_layouts/tensor_layouts.md",
    ..BASE
};
const ASCEND: Entry = Entry {
    sizes: Sizes::Multiples(&[1, 1]),
    definition: "https://www.hiascend.com/document/detail/zh/canncommercial/800/developmentguide/opdevg/Ascendcopdevg/atlas_ascendc_10_0099.html",
    ..BASE
};
const WORDS: &[crate::shape::element::ElementType] = &[F32, S32, U32];

pub(super) const FORMATS: &[Entry] = &[
    Entry {
        name: "TILE_LAYOUT",
        aliases: &["tenstorrent tile", "tt tile", "TILED_NFACES", "ttnn tile"],
        what: "tensors of Tenstorrent: tiles of 32×32 in four faces of 16×16",
        forms: &[Form { elements: &[], text: "bf16[32,64]{1,0:T(32,32)(16,16)}" }],
        ..TENSTORRENT
    },
    Entry {
        name: "TILED_SWIZZLED",
        aliases: &["tenstorrent tile without faces"],
        what: "tensors of Tenstorrent: tiles of 32×32 without faces",
        forms: &[Form { elements: &[], text: "bf16[32,64]{1,0:T(32,32)}" }],
        ..TENSTORRENT
    },
    Entry {
        name: "TILED_NFACES transpose_face",
        aliases: &["tenstorrent transposed faces"],
        what: "tensors of Tenstorrent: tiles of 32×32 in faces, each face transposed",
        forms: &[Form { elements: &[], text: "bf16[32,64]{1,0:T(32,32)(16,1)}" }],
        note: "within a tile a face is transposed, and the order of the faces is not",
        ..TENSTORRENT
    },
    Entry {
        name: "TILED_NFACES transpose_face transpose_face_order",
        aliases: &["tenstorrent transposed tiles"],
        what: "tensors of Tenstorrent: tiles of 32×32 in faces, the faces and their order transposed",
        forms: &[Form { elements: &[], text: "bf16[32,64]{1,0:T(32,32)(32,16)(16,1)}" }],
        ..TENSTORRENT
    },
    Entry {
        name: "FRACTAL_NZ",
        aliases: &["ascend nz", "nz", "NZ fractal"],
        what: "matrices of Ascend: columns of fractals, 16 rows of 32 bytes",
        dims: "M,N",
        forms: &[
            Form { elements: HALVES, text: "f16[32,48]{0,1:T(16,16)(16,1)}" },
            Form { elements: WORDS, text: "f32[32,24]{0,1:T(8,16)(8,1)}" },
            Form { elements: BYTES, text: "s8[32,96]{0,1:T(32,16)(32,1)}" },
        ],
        ..ASCEND
    },
    Entry {
        name: "FRACTAL_ZZ",
        aliases: &["ascend zz", "zz"],
        what: "left operands of Ascend's cube unit: rows of fractals, each by rows",
        dims: "M,K",
        forms: &[Form { elements: HALVES, text: "f16[32,48]{1,0:T(16,16)}" }],
        ..ASCEND
    },
    Entry {
        name: "FRACTAL_ZN",
        aliases: &["ascend zn", "zn"],
        what: "right operands of Ascend's cube unit: rows of fractals, each by columns",
        dims: "K,N",
        forms: &[Form { elements: HALVES, text: "f16[32,48]{1,0:T(16,16)(16,1)}" }],
        ..ASCEND
    },
    Entry {
        name: "NC1HWC0",
        aliases: &["5HD", "ascend 5hd"],
        what: "activations of Ascend: channels in blocks of 32 bytes",
        dims: "N,C,H,W",
        sizes: Sizes::Multiples(&[1, 1, 1, 1]),
        forms: &[
            Form { elements: HALVES, text: "f16[1,32,2,3]{3,2,1,0:T(16,1,1)}" },
            Form { elements: BYTES, text: "s8[1,64,2,3]{3,2,1,0:T(32,1,1)}" },
        ],
        stacks: false,
        ..ASCEND
    },
    Entry {
        name: "nhwc-8h2w32c2w",
        aliases: &["hexagon crouton", "crouton", "nhwc-8h2w32c2w-2d", "nhwc-8h2w32c2w-1d"],
        what: "f16 activations of Hexagon (croutons): blocks of 8×4 places with 32 channels, two places interleaved",
        dims: "N,H,W,C",
        sizes: Sizes::Multiples(&[1, 1, 1, 1]),
        stacks: false,
        forms: &[Form { elements: HALVES, text: "f16[1,8,8,64]{3,2,1,0:T(8,4,32)(2,1)}" }],
        definition: "https://github.com/apache/tvm/blob/main/python/tvm/topi/hexagon/utils.py",
        ..BASE
    },
    Entry {
        name: "MONO_VLSB",
        aliases: &["ssd1306", "framebuf.MONO_VLSB"],
        what: "bitmaps of displays such as the SSD1306: a byte has 8 rows of one column",
        dims: "rows,columns",
        sizes: Sizes::Multiples(&[8, 1]),
        stacks: false,
        forms: &[Form { elements: &[U1], text: "u1[64,128]{1,0:T(8,1)E(1)}" }],
        definition: "https://docs.micropython.org/en/latest/library/framebuf.html",
        ..BASE
    },
];
