// The layouts of src/lib.rs in CuTe, of those that it can say: the padded array as a shape of nested modes, with static
// sizes and `unsigned` coordinates. The index at an offset is that of the right inverse.
#include <cute/layout.hpp>

#include "case.cuh"

using namespace cute;

template <int... N> using S = Shape<Int<N>...>;
template <int... N> using D = Stride<Int<N>...>;

// The layout of the padded array, and the sizes of the array.
template <class Layout, unsigned... Sizes> struct OfCute : Dims<Sizes...> {
    static DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned l) {
        Layout layout{};
        if constexpr (sizeof...(Sizes) == 1) return layout(i);
        if constexpr (sizeof...(Sizes) == 2) return layout(i, j);
        if constexpr (sizeof...(Sizes) == 3) return layout(i, j, k);
        if constexpr (sizeof...(Sizes) == 4) return layout(i, j, k, l);
    }

    static DEVICE bool index(unsigned o, unsigned &i, unsigned &j, unsigned &k, unsigned &l) {
        auto at = idx2crd(unsigned(right_inverse(Layout{})(o)), product_each(shape(Layout{})));
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

#define LAYOUT(NAME, ELEMENT, DIMS, ...)                                                                              \
    struct NAME : OfCute<Layout<__VA_ARGS__>, UNPACK DIMS> {                                                          \
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
