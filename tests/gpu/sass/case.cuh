// What is counted of a layout: the kernels of src/case.rs. A C++ compiler makes a function of it for check.cpp instead.
#pragma once

#if defined __clang__ && (defined __HIP__ || defined __CUDA__) // Without the headers of HIP and CUDA.
#define DEVICE __attribute__((device)) inline
#define GLOBAL __attribute__((global))
#ifdef __HIP__
#define THREAD_X __builtin_amdgcn_workitem_id_x()
#define THREAD_Y __builtin_amdgcn_workitem_id_y()
#define BLOCK_X __builtin_amdgcn_workgroup_id_x()
#define BLOCK_Y __builtin_amdgcn_workgroup_id_y()
#define BLOCK_Z __builtin_amdgcn_workgroup_id_z()
#else
#define THREAD_X __nvvm_read_ptx_sreg_tid_x()
#define THREAD_Y __nvvm_read_ptx_sreg_tid_y()
#define BLOCK_X __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BLOCK_Z __nvvm_read_ptx_sreg_ctaid_z()
#endif
#elif defined __CUDACC__
#define DEVICE __device__ inline
#define GLOBAL __global__
#define THREAD_X threadIdx.x
#define THREAD_Y threadIdx.y
#define BLOCK_X blockIdx.x
#define BLOCK_Y blockIdx.y
#define BLOCK_Z blockIdx.z
#else
#define DEVICE inline
#define __host__
#define __device__
#endif

// Coordinates that are loaded and stored at once; of three there is a fourth, which is 0.
template <unsigned R> struct alignas(R == 1 ? 4 : R == 2 ? 8 : 16) Stored { unsigned at[R == 3 ? 4 : R]; };

template <unsigned... D> struct Dims {
    static constexpr unsigned R = sizeof...(D);
    static DEVICE unsigned dim(unsigned d) {
        const unsigned dims[] = {D...};
        return dims[d];
    }
};

struct Sizes2 {
    static constexpr unsigned R = 2;
    unsigned m, n;
    DEVICE unsigned dim(unsigned d) const { return d == 0 ? m : n; }
};

struct Sizes3 {
    static constexpr unsigned R = 3;
    unsigned b, m, n;
    DEVICE unsigned dim(unsigned d) const { return d == 0 ? b : d == 1 ? m : n; }
};

#ifdef GLOBAL
template <class L> DEVICE void offset_kernel(const L &layout, const Stored<L::R> *input, unsigned *output) {
    Stored<L::R> x = input[THREAD_X];
    output[THREAD_X] = layout.offset(x.at[0], L::R > 1 ? x.at[1 % L::R] : 0, L::R > 2 ? x.at[2 % L::R] : 0,
                                     L::R > 3 ? x.at[3 % L::R] : 0);
}

template <class L> DEVICE void index_kernel(const L &layout, const unsigned *input, Stored<L::R> *output) {
    unsigned i = 0, j = 0, k = 0, l = 0;
    if (layout.index(input[THREAD_X], i, j, k, l)) {
        Stored<L::R> x{};
        x.at[0] = i;
        if (L::R > 1) x.at[1 % L::R] = j;
        if (L::R > 2) x.at[2 % L::R] = k;
        if (L::R > 3) x.at[3 % L::R] = l;
        output[THREAD_X] = x;
    }
}

template <class L>
DEVICE void copy_kernel(const L &layout, const typename L::Element *input, typename L::Element *output) {
    unsigned x = BLOCK_X * 32 + THREAD_X, y = BLOCK_Y * 8 + THREAD_Y, z = BLOCK_Z;
    if constexpr (L::R == 1) {
        if (x < layout.dim(0)) output[layout.offset(x, 0, 0, 0)] = input[x];
    } else if constexpr (L::R == 2) {
        if (y < layout.dim(0) && x < layout.dim(1)) output[layout.offset(y, x, 0, 0)] = input[y * layout.dim(1) + x];
    } else if constexpr (L::R == 3) {
        if (z < layout.dim(0) && y < layout.dim(1) && x < layout.dim(2))
            output[layout.offset(z, y, x, 0)] = input[(z * layout.dim(1) + y) * layout.dim(2) + x];
    } else {
        unsigned i = z / layout.dim(1), j = z % layout.dim(1);
        if (i < layout.dim(0) && y < layout.dim(2) && x < layout.dim(3))
            output[layout.offset(i, j, y, x)] =
                input[((i * layout.dim(1) + j) * layout.dim(2) + y) * layout.dim(3) + x];
    }
}

#define KERNELS(NAME)                                                                                                 \
    extern "C" GLOBAL void NAME##_offset(const Stored<NAME::R> *input, unsigned *output, NAME layout) {               \
        offset_kernel(layout, input, output);                                                                         \
    }                                                                                                                 \
    extern "C" GLOBAL void NAME##_index(const unsigned *input, Stored<NAME::R> *output, NAME layout) {                \
        index_kernel(layout, input, output);                                                                          \
    }                                                                                                                 \
    extern "C" GLOBAL void NAME##_copy(const NAME::Element *input, NAME::Element *output, NAME layout) {              \
        copy_kernel(layout, input, output);                                                                           \
    }
#else
// Functions of the library: see src/case.rs.
#define KERNELS(NAME)                                                                                                 \
    extern "C" unsigned NAME##_offset(const unsigned *index, const unsigned *sizes);                                  \
    extern "C" bool NAME##_index(unsigned offset, unsigned *index, const unsigned *sizes);                            \
    static const bool NAME##_agrees = agrees<NAME>(#NAME, NAME##_offset, NAME##_index);
#endif
