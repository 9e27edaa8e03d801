// The layouts of src/lib.rs in CuTe, of those that it can say: the padded array as a shape of nested modes, with static
// sizes and `unsigned` coordinates. The index at an offset is that of the right inverse.
#include <cute/layout_composed.hpp>
#include <cute/swizzle_layout.hpp>

#include "case.cuh"

using namespace cute;

template <int... N> using S = Shape<Int<N>...>;
template <int... N> using D = Stride<Int<N>...>;

using NoSwizzle = Swizzle<0, 4, 3>;

// The swizzle and the layout of the padded array, and the sizes of the array.
template <class Swizzle, class Layout, unsigned... Sizes> struct OfCute : Dims<Sizes...> {
    static DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned l) {
        auto layout = composition(Swizzle{}, Int<0>{}, Layout{});
        if constexpr (sizeof...(Sizes) == 1) return layout(i);
        if constexpr (sizeof...(Sizes) == 2) return layout(i, j);
        if constexpr (sizeof...(Sizes) == 3) return layout(i, j, k);
        if constexpr (sizeof...(Sizes) == 4) return layout(i, j, k, l);
    }

    static DEVICE bool index(unsigned o, unsigned &i, unsigned &j, unsigned &k, unsigned &l) {
        auto at = idx2crd(unsigned(right_inverse(Layout{})(unsigned(Swizzle{}(o)))), product_each(shape(Layout{})));
        constexpr unsigned R = sizeof...(Sizes);
        i = get<0>(at);
        if constexpr (R > 1) j = get<1>(at);
        if constexpr (R > 2) k = get<2>(at);
        if constexpr (R > 3) l = get<3>(at);
        unsigned all[] = {i, j, k, l};
        bool found = o < size(Layout{});
        for (unsigned d = 0; d < R; ++d) found = found && all[d] < Dims<Sizes...>::dim(d);
        return found;
    }
};

#define LAYOUT(NAME, ELEMENT, DIMS, ...) SWIZZLED(NAME, ELEMENT, NoSwizzle, DIMS, __VA_ARGS__)
#define SWIZZLED(NAME, ELEMENT, SWIZZLE, DIMS, ...)                                                                   \
    struct NAME : OfCute<SWIZZLE, Layout<__VA_ARGS__>, UNPACK DIMS> {                                                 \
        using Element = ELEMENT;                                                                                      \
    };                                                                                                                \
    KERNELS(NAME)
#define UNPACK(...) __VA_ARGS__

LAYOUT(row_major, unsigned, (4096, 4096), S<4096, 4096>, D<4096, 1>)
LAYOUT(column_major, unsigned, (4096, 4096), S<4096, 4096>, D<1, 4096>)
LAYOUT(t8x128, unsigned, (4096, 4096), Shape<S<8, 512>, S<128, 32>>, Stride<D<128, 32768>, D<1, 1024>>)
LAYOUT(t8x128_2x1, unsigned short, (4096, 4096), Shape<S<2, 4, 512>, S<128, 32>>,
       Stride<D<1, 256, 32768>, D<2, 1024>>)
LAYOUT(t16x128_2x1, unsigned short, (4096, 4096), Shape<S<2, 8, 256>, S<128, 32>>,
       Stride<D<1, 256, 65536>, D<2, 2048>>)
LAYOUT(t32x128_4x1, unsigned char, (4096, 4096), Shape<S<4, 8, 128>, S<128, 32>>,
       Stride<D<1, 512, 131072>, D<4, 4096>>)
LAYOUT(t4x8_2x1, unsigned short, (1024, 768), Shape<S<2, 2, 256>, S<8, 96>>, Stride<D<1, 16, 3072>, D<2, 32>>)
LAYOUT(t16x16, unsigned, (1024, 1024), Shape<S<16, 64>, S<16, 64>>, Stride<D<16, 16384>, D<1, 256>>)
LAYOUT(t2x2, unsigned, (3, 5), Shape<S<2, 2>, S<2, 3>>, Stride<D<2, 12>, D<1, 4>>)
LAYOUT(t8x128_ragged, unsigned, (300, 500), Shape<S<8, 38>, S<128, 4>>, Stride<D<128, 4096>, D<1, 1024>>)
LAYOUT(t8x128_2x1_ragged, unsigned short, (1001, 300), Shape<S<2, 4, 126>, S<128, 3>>,
       Stride<D<1, 256, 3072>, D<2, 1024>>)
LAYOUT(t6x100, unsigned, (300, 500), Shape<S<6, 50>, S<100, 5>>, Stride<D<100, 3000>, D<1, 600>>)
LAYOUT(t3x128, unsigned short, (300, 384), Shape<S<3, 100>, S<128, 3>>, Stride<D<128, 1152>, D<1, 384>>)
LAYOUT(column_t8x128, unsigned, (4096, 1000), Shape<S<128, 32>, S<8, 125>>, Stride<D<1, 1024>, D<128, 32768>>)
LAYOUT(t1024, unsigned, (100000), S<100352>, D<1>)
LAYOUT(t1024_128_2x1, unsigned short, (100000), Shape<S<128, 2, 392>>, Stride<D<2, 1, 256>>)
LAYOUT(batch, unsigned, (16, 512, 1024), Shape<_16, S<8, 64>, S<128, 8>>,
       Stride<Int<524288>, D<128, 8192>, D<1, 1024>>)
LAYOUT(batch_in_tile, unsigned, (16, 512, 1024), Shape<S<8, 2>, _512, S<128, 8>>,
       Stride<D<128, 8192>, Int<16384>, D<1, 1024>>)
LAYOUT(batch_ragged, unsigned short, (7, 300, 500), Shape<_7, S<2, 4, 38>, S<128, 4>>,
       Stride<Int<155648>, D<1, 256, 4096>, D<2, 1024>>)
LAYOUT(nhwc, unsigned, (8, 56, 56, 64), Shape<_8, Int<56>, S<8, 7>, _128>,
       Stride<Int<401408>, Int<7168>, D<128, 1024>, _1>)
LAYOUT(batch_in_lanes, unsigned, (8, 56, 56, 64), Shape<_128, Int<56>, Int<56>, S<8, 8>>,
       Stride<_1, Int<458752>, Int<8192>, D<128, 1024>>)
LAYOUT(heads, unsigned short, (4, 16, 2048, 64), Shape<_4, _16, S<128, 16>, S<2, 4, 8>>,
       Stride<Int<2097152>, Int<131072>, D<2, 1024>, D<1, 256, 16384>>)

using Rows128B = Swizzle<3, 3, 3>; // On elements of 2 bytes.
using Rows32B = Swizzle<1, 4, 3>;
using Atoms32B = Swizzle<2, 3, 2>;
using Square = Swizzle<5, 0, 5>;
using Rows64B = Swizzle<2, 3, 3>;
using Words128B = Swizzle<3, 2, 3>;

SWIZZLED(rows_128b, unsigned short, Rows128B, (64, 64), S<64, 64>, D<64, 1>)
SWIZZLED(rows_32b, unsigned char, Rows32B, (48, 32), S<48, 32>, D<32, 1>)
SWIZZLED(atoms_of_32b, unsigned, Atoms32B, (64, 32), S<64, 32>, D<32, 1>)
SWIZZLED(square, unsigned, Square, (32, 32), S<32, 32>, D<32, 1>)
SWIZZLED(panels_64b, unsigned short, Rows64B, (128, 96), Shape<_128, S<32, 3>>, Stride<_32, D<1, 4096>>)
SWIZZLED(stages_128b, unsigned short, Rows128B, (4, 128, 64), S<4, 128, 64>, D<8192, 64, 1>)
SWIZZLED(swizzled_ragged, unsigned, Words128B, (60, 100), Shape<S<4, 15>, S<32, 4>>, Stride<D<32, 512>, D<1, 128>>)

// With sizes known at run time: the modes of tiles count up to them.
#define LAYOUT_UNKNOWN(NAME, ELEMENT, SIZES, LAYOUT, OFFSET)                                                          \
    struct NAME : SIZES {                                                                                             \
        using Element = ELEMENT;                                                                                      \
        DEVICE auto layout() const { return LAYOUT; }                                                                 \
        DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned) const { return layout() OFFSET; }        \
        static constexpr bool HAS_INDEX = false;                                                                      \
        DEVICE bool index(unsigned, unsigned &, unsigned &, unsigned &, unsigned &) const { return false; }           \
    };                                                                                                                \
    KERNELS(NAME)

LAYOUT_UNKNOWN(rows_unknown, unsigned, Sizes2,
               make_layout(make_shape(make_shape(_8{}, (m + 7) / 8), S<128, 8>{}),
                           Stride<D<128, 8192>, D<1, 1024>>{}), (i, j))
LAYOUT_UNKNOWN(sizes_unknown, unsigned, Sizes2,
               make_layout(make_shape(make_shape(_8{}, (m + 7) / 8), make_shape(_128{}, (n + 127) / 128)),
                           make_stride(make_stride(_128{}, (n + 127) / 128 * 1024), D<1, 1024>{})), (i, j))
LAYOUT_UNKNOWN(batch_unknown, unsigned short, Sizes3,
               make_layout(make_shape(b, make_shape(_2{}, _4{}, (m + 7) / 8), make_shape(_128{}, (n + 127) / 128)),
                           make_stride((m + 7) / 8 * ((n + 127) / 128) * 1024,
                                       make_stride(_1{}, Int<256>{}, (n + 127) / 128 * 1024), D<2, 1024>{})), (i, j, k))
LAYOUT_UNKNOWN(swizzled_unknown, unsigned short, Sizes2,
               composition(Rows128B{}, Int<0>{}, make_layout(make_shape((m + 7) / 8 * 8, _64{}), D<64, 1>{})), (i, j))
