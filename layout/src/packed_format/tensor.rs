//! Tiles of accelerators and displays.

use super::named;

named! {
    /// Tensors of Tenstorrent: tiles of 32×32 in four faces of 16×16.
    "TILE_LAYOUT" TileLayout<E = BF16, M = 32, N = 64> = E[M, N] [1, 0] [(32,32)(16,16)];
    /// Tensors of Tenstorrent: tiles of 32×32 without faces.
    "TILED_SWIZZLED" TiledSwizzled<E = BF16, M = 32, N = 64> = E[M, N] [1, 0] [(32,32)];
    /// Tensors of Tenstorrent: tiles of 32×32 in faces, each face transposed.
    "TILED_NFACES transpose_face" TiledTransposedFaces<E = BF16, M = 32, N = 64> = E[M, N] [1, 0] [(32,32)(16,1)];
    /// Tensors of Tenstorrent: tiles of 32×32 in faces, the faces and their order transposed.
    "TILED_NFACES transpose_face transpose_face_order" TiledTransposed<E = BF16, M = 32, N = 64> = E[M, N] [1, 0] [(32,32)(32,16)(16,1)];
    /// Matrices of Ascend: columns of fractals, 16 rows of 32 bytes, elements of 16 bits.
    "FRACTAL_NZ" FractalNz<E = F16, M = 32, N = 48> = E[M, N] [0, 1] [(16,16)(16,1)];
    /// Matrices of Ascend: columns of fractals, 16 rows of 32 bytes, elements of 32 bits.
    "FRACTAL_NZ" FractalNz32<E = F32, M = 32, N = 24> = E[M, N] [0, 1] [(8,16)(8,1)];
    /// Matrices of Ascend: columns of fractals, 16 rows of 32 bytes, elements of 8 bits.
    "FRACTAL_NZ" FractalNz8<E = S8, M = 32, N = 96> = E[M, N] [0, 1] [(32,16)(32,1)];
    /// Left operands of Ascend's cube unit: rows of fractals, each by rows.
    "FRACTAL_ZZ" FractalZz<E = F16, M = 32, K = 48> = E[M, K] [1, 0] [(16,16)];
    /// Right operands of Ascend's cube unit: rows of fractals, each by columns.
    "FRACTAL_ZN" FractalZn<E = F16, K = 32, N = 48> = E[K, N] [1, 0] [(16,16)(16,1)];
    /// Activations of Ascend: channels in blocks of 32 bytes, elements of 16 bits.
    "NC1HWC0" Nc1hwc0<E = F16, N = 1, C = 32, H = 2, W = 3> = E[N, C, H, W] [3, 2, 1, 0] [(16,1,1)];
    /// Activations of Ascend: channels in blocks of 32 bytes, elements of 8 bits.
    "NC1HWC0" Nc1hwc0_8<E = S8, N = 1, C = 64, H = 2, W = 3> = E[N, C, H, W] [3, 2, 1, 0] [(32,1,1)];
    /// F16 activations of Hexagon (croutons): blocks of 8×4 places with 32 channels, two places interleaved.
    "nhwc-8h2w32c2w" Crouton<E = F16, N = 1, H = 8, W = 8, C = 64> = E[N, H, W, C] [3, 2, 1, 0] [(8,4,32)(2,1)];
    /// Bitmaps of displays such as the SSD1306: a byte has 8 rows of one column.
    "MONO_VLSB" MonoVlsb<ROWS = 64, COLUMNS = 128> = U1[ROWS, COLUMNS] of (8, 1) [1, 0] [(8,1)] E(1);
}
