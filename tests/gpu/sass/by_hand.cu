// The layouts of src/lib.rs by hand, in `unsigned`. A layout of unknown sizes counts its tiles in the kernel, as the
// library does. `clang -x hip` compiles this file too, and a C++ compiler, for check.cpp.
#include "case.cuh"

// What is true where an offset is that of an element follows `index`.
#define LAYOUT(NAME, ELEMENT, DIMS, OFFSET, INDEX, FOUND)                                                             \
    struct NAME : Dims<UNPACK DIMS> {                                                                                 \
        using Element = ELEMENT;                                                                                      \
        static DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned l) { return OFFSET; }              \
        static DEVICE bool index(unsigned o, unsigned &i, unsigned &j, unsigned &k, unsigned &l) {                    \
            INDEX;                                                                                                    \
            return FOUND;                                                                                             \
        }                                                                                                             \
    };                                                                                                                \
    KERNELS(NAME)
#define UNPACK(...) __VA_ARGS__

LAYOUT(row_major, unsigned, (4096, 4096), i * 4096 + j, (i = o / 4096, j = o % 4096), i < 4096)
LAYOUT(column_major, unsigned, (4096, 4096), j * 4096 + i, (i = o % 4096, j = o / 4096), j < 4096)
LAYOUT(t8x128, unsigned, (4096, 4096), (i / 8 * 32 + j / 128) * 1024 + i % 8 * 128 + j % 128,
       (i = o / 32768 * 8 + o / 128 % 8, j = o / 1024 % 32 * 128 + o % 128), i < 4096)
LAYOUT(t8x128_2x1, unsigned short, (4096, 4096),
       (i / 8 * 32 + j / 128) * 1024 + i / 2 % 4 * 256 + j % 128 * 2 + i % 2,
       (i = o / 32768 * 8 + o / 256 % 4 * 2 + o % 2, j = o / 1024 % 32 * 128 + o / 2 % 128), i < 4096)
LAYOUT(t16x128_2x1, unsigned short, (4096, 4096),
       (i / 16 * 32 + j / 128) * 2048 + i / 2 % 8 * 256 + j % 128 * 2 + i % 2,
       (i = o / 65536 * 16 + o / 256 % 8 * 2 + o % 2, j = o / 2048 % 32 * 128 + o / 2 % 128), i < 4096)
LAYOUT(t32x128_4x1, unsigned char, (4096, 4096),
       (i / 32 * 32 + j / 128) * 4096 + i / 4 % 8 * 512 + j % 128 * 4 + i % 4,
       (i = o / 131072 * 32 + o / 512 % 8 * 4 + o % 4, j = o / 4096 % 32 * 128 + o / 4 % 128), i < 4096)
LAYOUT(t4x8_2x1, unsigned short, (1024, 768), (i / 4 * 96 + j / 8) * 32 + i / 2 % 2 * 16 + j % 8 * 2 + i % 2,
       (i = o / 3072 * 4 + o / 16 % 2 * 2 + o % 2, j = o / 32 % 96 * 8 + o / 2 % 8), i < 1024)
LAYOUT(t16x16, unsigned, (1024, 1024), (i / 16 * 64 + j / 16) * 256 + i % 16 * 16 + j % 16,
       (i = o / 16384 * 16 + o / 16 % 16, j = o / 256 % 64 * 16 + o % 16), i < 1024)
LAYOUT(t2x2, unsigned, (3, 5), (i / 2 * 3 + j / 2) * 4 + i % 2 * 2 + j % 2,
       (i = o / 12 * 2 + o / 2 % 2, j = o / 4 % 3 * 2 + o % 2), i < 3 && j < 5)
LAYOUT(t8x128_ragged, unsigned, (300, 500), (i / 8 * 4 + j / 128) * 1024 + i % 8 * 128 + j % 128,
       (i = o / 4096 * 8 + o / 128 % 8, j = o / 1024 % 4 * 128 + o % 128), i < 300 && j < 500)
LAYOUT(t8x128_2x1_ragged, unsigned short, (1001, 300),
       (i / 8 * 3 + j / 128) * 1024 + i / 2 % 4 * 256 + j % 128 * 2 + i % 2,
       (i = o / 3072 * 8 + o / 256 % 4 * 2 + o % 2, j = o / 1024 % 3 * 128 + o / 2 % 128), i < 1001 && j < 300)
LAYOUT(t6x100, unsigned, (300, 500), (i / 6 * 5 + j / 100) * 600 + i % 6 * 100 + j % 100,
       (i = o / 3000 * 6 + o / 100 % 6, j = o / 600 % 5 * 100 + o % 100), i < 300)
LAYOUT(t3x128, unsigned short, (300, 384), (i / 3 * 3 + j / 128) * 384 + i % 3 * 128 + j % 128,
       (i = o / 1152 * 3 + o / 128 % 3, j = o / 384 % 3 * 128 + o % 128), i < 300)
LAYOUT(column_t8x128, unsigned, (4096, 1000), (j / 8 * 32 + i / 128) * 1024 + j % 8 * 128 + i % 128,
       (j = o / 32768 * 8 + o / 128 % 8, i = o / 1024 % 32 * 128 + o % 128), j < 1000)
LAYOUT(t1024, unsigned, (100000), i, (i = o), o < 100000)
LAYOUT(t1024_128_2x1, unsigned short, (100000), i / 256 * 256 + i % 128 * 2 + i / 128 % 2,
       (i = o / 256 * 256 + o % 2 * 128 + o / 2 % 128), i < 100000)
LAYOUT(batch, unsigned, (16, 512, 1024), ((i * 64 + j / 8) * 8 + k / 128) * 1024 + j % 8 * 128 + k % 128,
       (i = o / 524288, j = o / 8192 % 64 * 8 + o / 128 % 8, k = o / 1024 % 8 * 128 + o % 128), i < 16)
LAYOUT(batch_in_tile, unsigned, (16, 512, 1024), ((j * 2 + i / 8) * 8 + k / 128) * 1024 + i % 8 * 128 + k % 128,
       (j = o / 16384, i = o / 8192 % 2 * 8 + o / 128 % 8, k = o / 1024 % 8 * 128 + o % 128), j < 512)
LAYOUT(batch_ragged, unsigned short, (7, 300, 500),
       ((i * 38 + j / 8) * 4 + k / 128) * 1024 + j / 2 % 4 * 256 + k % 128 * 2 + j % 2,
       (i = o / 155648, j = o / 4096 % 38 * 8 + o / 256 % 4 * 2 + o % 2, k = o / 1024 % 4 * 128 + o / 2 % 128),
       i < 7 && j < 300 && k < 500)
LAYOUT(combined, unsigned, (7, 5, 256), ((i * 5 + j) / 8 * 2 + k / 128) * 1024 + (i * 5 + j) % 8 * 128 + k % 128,
       (l = o / 2048 * 8 + o / 128 % 8, i = l / 5, j = l % 5, k = o / 1024 % 2 * 128 + o % 128), i < 7)
LAYOUT(nhwc, unsigned, (8, 56, 56, 64), ((i * 56 + j) * 7 + k / 8) * 1024 + k % 8 * 128 + l,
       (i = o / 401408, j = o / 7168 % 56, k = o / 1024 % 7 * 8 + o / 128 % 8, l = o % 128), i < 8 && l < 64)
LAYOUT(batch_in_lanes, unsigned, (8, 56, 56, 64), ((j * 56 + k) * 8 + l / 8) * 1024 + l % 8 * 128 + i,
       (j = o / 458752, k = o / 8192 % 56, l = o / 1024 % 8 * 8 + o / 128 % 8, i = o % 128), j < 56 && i < 8)
LAYOUT(heads, unsigned short, (4, 16, 2048, 64),
       (((i * 16 + j) * 8 + l / 8) * 16 + k / 128) * 1024 + l / 2 % 4 * 256 + k % 128 * 2 + l % 2,
       (i = o / 2097152, j = o / 131072 % 16, l = o / 16384 % 8 * 8 + o / 256 % 4 * 2 + o % 2,
        k = o / 1024 % 16 * 128 + o / 2 % 128), i < 4)

// `m` and `n` are the sizes of the last two dimensions, `b` that of the first of three.
#define LAYOUT_UNKNOWN(NAME, ELEMENT, SIZES, OFFSET, INDEX, FOUND)                                              \
    struct NAME : SIZES {                                                                                             \
        using Element = ELEMENT;                                                                                      \
        DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned l) const { return OFFSET; }               \
        DEVICE bool index(unsigned o, unsigned &i, unsigned &j, unsigned &k, unsigned &l) const {                     \
            INDEX;                                                                                                    \
            return FOUND;                                                                                             \
        }                                                                                                             \
    };                                                                                                                \
    KERNELS(NAME)

LAYOUT_UNKNOWN(rows_unknown, unsigned, Sizes2, (i / 8 * 8 + j / 128) * 1024 + i % 8 * 128 + j % 128,
               (i = o / 8192 * 8 + o / 128 % 8, j = o / 1024 % 8 * 128 + o % 128), i < m)
LAYOUT_UNKNOWN(sizes_unknown, unsigned, Sizes2,
               (i / 8 * ((n + 127) / 128) + j / 128) * 1024 + i % 8 * 128 + j % 128,
               unsigned t = (n + 127) / 128; (i = o / 1024 / t * 8 + o / 128 % 8, j = o / 1024 % t * 128 + o % 128),
               i < m && j < n)
LAYOUT_UNKNOWN(batch_unknown, unsigned short, Sizes3,
               ((i * ((m + 7) / 8) + j / 8) * ((n + 127) / 128) + k / 128) * 1024 + j / 2 % 4 * 256 + k % 128 * 2 + j % 2,
               unsigned t = (n + 127) / 128; unsigned s = (m + 7) / 8; unsigned p = o / 1024;
               (i = p / t / s, j = p / t % s * 8 + o / 256 % 4 * 2 + o % 2, k = p % t * 128 + o / 2 % 128),
               i < b && j < m && k < n)

// Under swizzles. Rows are XORed with their number; of a ragged array the offset is, with its own bits.
#define SWIZZLED(OFFSET) ((OFFSET) ^ ((OFFSET) >> 3 & 28))

LAYOUT(rows_128b, unsigned short, (64, 64), i * 64 + (j ^ i % 8 * 8), (i = o / 64, j = o % 64 ^ i % 8 * 8), i < 64)
LAYOUT(rows_32b, unsigned char, (48, 32), i * 32 + (j ^ i / 4 % 2 * 16), (i = o / 32, j = o % 32 ^ i / 4 % 2 * 16),
       i < 48)
LAYOUT(atoms_of_32b, unsigned, (64, 32), i * 32 + (j ^ i % 4 * 8), (i = o / 32, j = o % 32 ^ i % 4 * 8), i < 64)
LAYOUT(square, unsigned, (32, 32), i * 32 + (j ^ i), (i = o / 32, j = o % 32 ^ i), i < 32)
LAYOUT(panels_64b, unsigned short, (128, 96), j / 32 * 4096 + i * 32 + (j % 32 ^ i / 2 % 4 * 8),
       (i = o / 32 % 128, j = o / 4096 * 32 + (o % 32 ^ i / 2 % 4 * 8)), j < 96)
LAYOUT(stages_128b, unsigned short, (4, 128, 64), (i * 128 + j) * 64 + (k ^ j % 8 * 8),
       (i = o / 8192, j = o / 64 % 128, k = o % 64 ^ j % 8 * 8), i < 4)
LAYOUT(swizzled_ragged, unsigned, (60, 100), SWIZZLED((i / 4 * 4 + j / 32) * 128 + i % 4 * 32 + j % 32),
       (o = SWIZZLED(o), i = o / 512 * 4 + o / 32 % 4, j = o / 128 % 4 * 32 + o % 32), i < 60 && j < 100)
LAYOUT_UNKNOWN(swizzled_unknown, unsigned short, Sizes2, i * 64 + (j ^ i % 8 * 8),
               (i = o / 64, j = o % 64 ^ i % 8 * 8), i < m)
