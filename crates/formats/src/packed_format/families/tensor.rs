//! Tiles of accelerators and displays.

use crate::packed_format::row::{ANY, BYTES, Family, HALVES, Row};
use layout_core::ElementType::{self, F32, S32, U32};

const TENSTORRENT: Row = Row {
    stacks: true,
    ..Row::of(
        Family::Tensor,
        "https://github.com/tenstorrent/tt-metal/blob/main/tech_reports/tensor_layouts/tensor_layouts.md",
    )
};
const TRANSPOSED_FACES: Row = Row {
    note: "within a tile a face is transposed, and the order of the faces is not",
    ..TENSTORRENT
};
const ASCEND: Row = Row::of(
    Family::Tensor,
    "https://www.hiascend.com/document/detail/zh/canncommercial/800/developmentguide/opdevg/Ascendcopdevg/atlas_ascendc_10_0099.html",
);
const FRACTAL: Row = Row { stacks: true, ..ASCEND };
const HEXAGON: Row = Row::of(
    Family::Tensor,
    "https://github.com/apache/tvm/blob/main/python/tvm/topi/hexagon/utils.py",
);
const DISPLAY: Row =
    Row::of(Family::Tensor, "https://docs.micropython.org/en/latest/library/framebuf.html");
const WORDS: &[ElementType] = &[F32, S32, U32];

formats! {
    TENSTORRENT "TILE_LAYOUT" "M,N" ["tenstorrent tile", "tt tile", "TILED_NFACES", "ttnn tile"]
        "tensors of Tenstorrent: tiles of 32×32 in four faces of 16×16"
        TileLayout BF16[M = 32, N = 64]{1,0:T(32,32)(16,16)} for ANY;
    TENSTORRENT "TILED_SWIZZLED" "M,N" ["tenstorrent tile without faces"]
        "tensors of Tenstorrent: tiles of 32×32 without faces"
        TiledSwizzled BF16[M = 32, N = 64]{1,0:T(32,32)} for ANY;
    TRANSPOSED_FACES "TILED_NFACES transpose_face" "M,N" ["tenstorrent transposed faces"]
        "tensors of Tenstorrent: tiles of 32×32 in faces, each face transposed"
        TiledTransposedFaces BF16[M = 32, N = 64]{1,0:T(32,32)(16,1)} for ANY;
    TENSTORRENT "TILED_NFACES transpose_face transpose_face_order" "M,N" ["tenstorrent transposed tiles"]
        "tensors of Tenstorrent: tiles of 32×32 in faces, the faces and their order transposed"
        TiledTransposed BF16[M = 32, N = 64]{1,0:T(32,32)(32,16)(16,1)} for ANY;
    FRACTAL "FRACTAL_NZ" "M,N" ["ascend nz", "nz", "NZ fractal"]
        "matrices of Ascend: columns of fractals, 16 rows of 32 bytes"
        FractalNz F16[M = 32, N = 48]{0,1:T(16,16)(16,1)} for HALVES,
        FractalNz32 F32[M = 32, N = 24]{0,1:T(8,16)(8,1)} for WORDS,
        FractalNz8 S8[M = 32, N = 96]{0,1:T(32,16)(32,1)} for BYTES;
    FRACTAL "FRACTAL_ZZ" "M,K" ["ascend zz", "zz"]
        "left operands of Ascend's cube unit: rows of fractals, each by rows"
        FractalZz F16[M = 32, K = 48]{1,0:T(16,16)} for HALVES;
    FRACTAL "FRACTAL_ZN" "K,N" ["ascend zn", "zn"]
        "right operands of Ascend's cube unit: rows of fractals, each by columns"
        FractalZn F16[K = 32, N = 48]{1,0:T(16,16)(16,1)} for HALVES;
    ASCEND "NC1HWC0" "N,C,H,W" ["5HD", "ascend 5hd"] "activations of Ascend: channels in blocks of 32 bytes"
        Nc1hwc0 F16[N = 1, C = 32, H = 2, W = 3]{3,2,1,0:T(16,1,1)} for HALVES,
        Nc1hwc0_8 S8[N = 1, C = 64, H = 2, W = 3]{3,2,1,0:T(32,1,1)} for BYTES;
    HEXAGON "nhwc-8h2w32c2w" "N,H,W,C" ["hexagon crouton", "crouton", "nhwc-8h2w32c2w-2d", "nhwc-8h2w32c2w-1d"]
        "f16 activations of Hexagon (croutons): blocks of 8×4 places with 32 channels, two places interleaved"
        Crouton F16[N = 1, H = 8, W = 8, C = 64]{3,2,1,0:T(8,4,32)(2,1)} for HALVES;
    DISPLAY "MONO_VLSB" "rows,columns" ["ssd1306", "framebuf.MONO_VLSB"]
        "bitmaps of displays such as the SSD1306: a byte has 8 rows of one column"
        MonoVlsb U1[ROWS % 8 = 64, COLUMNS = 128]{1,0:T(8,1)E(1)};
}
