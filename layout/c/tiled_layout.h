// Array layouts in XLA's notation: sizes, offsets, digits and copies. https://crates.io/crates/tiled-layout-c
//
// Made by cbindgen of layout/c/src: change that, then run `UPDATE_HEADER=1 cargo test --test c header` there.
//
// Every function answers with a code, TL_CODE_OK if it did what it says; otherwise it has changed nothing but its `error`, and
// set a handle that it would have handed out to NULL. `error` says what is wrong; it may be NULL, as nothing else may, unless
// it is said. A list of length 0 may be NULL. Lengths must be true: none can be verified. What a function writes must not
// overlap what it reads.
//
// A layout and a relayout never change: any number of threads may use one at once, until it is freed. There is no global
// state. Memory is allocated for these handles, and while a function runs; without memory the process ends.

#ifndef TILED_LAYOUT_H
#define TILED_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Most terms of a layout.
#define TL_MAX_TERMS 64

// Most sums of a layout.
#define TL_MAX_SUMS 32

// Most quotients of a layout.
#define TL_MAX_QUOTIENTS 32

// Bytes of an error's text, with the NUL that ends it. Longer texts are cut.
#define TL_ERROR_TEXT 4096

// Most dimensions of an array.
#define TL_MAX_DIMS 16

// A size that depends on one that is known at run time only.
#define TL_UNKNOWN UINT64_MAX

// What came of a call.
typedef enum {
    // It did what it says.
    TL_CODE_OK = 0,
    // A pointer is NULL, or not aligned to what it points to.
    TL_CODE_POINTER = 1,
    // A list or a buffer is too short or too long, or has another length than the layout asks for.
    TL_CODE_LENGTH = 2,
    // What is written overlaps what is read.
    TL_CODE_OVERLAP = 3,
    // A text is not UTF-8, or not what it should say: the error marks where.
    TL_CODE_TEXT = 4,
    // There is no such layout: a size contradicts it, or TPUs have no default for it.
    TL_CODE_LAYOUT = 5,
    // A size is known at run time only (`?`): `tl_layout_with_dims` gives it.
    TL_CODE_UNKNOWN_SIZE = 6,
    // An index, an offset or a part lies outside.
    TL_CODE_OUT_OF_BOUNDS = 7,
    // The offset is one of padding.
    TL_CODE_PADDING = 8,
    // The elements lie in several ranges of memory, or share a byte with others.
    TL_CODE_NOT_CONTIGUOUS = 9,
    // There is no copy between these layouts.
    TL_CODE_NO_COPY = 10,
    // A number is none of an enumeration.
    TL_CODE_VALUE = 11,
    // A bug of the library. Memory that the call writes holds anything.
    TL_CODE_BUG = 12,
} TlCode;

// What is known of the size of a dimension.
typedef enum {
    // `3`: the size.
    TL_DIM_KIND_STATIC = 0,
    // `<=3`: a bound, with which the layout counts.
    TL_DIM_KIND_BOUNDED = 1,
    // `?`: nothing; the size is TL_UNKNOWN.
    TL_DIM_KIND_UNKNOWN = 2,
} TlDimKind;

// What is written to the padding of the destination.
typedef enum {
    // Bits that are 0.
    TL_PADDING_KIND_ZERO = 0,
    // Nothing.
    TL_PADDING_KIND_LEAVE = 1,
    // The element whose bits are `bits`.
    TL_PADDING_KIND_FILL = 2,
    // What the layout says by `FILL(..)`; nothing if it says nothing.
    TL_PADDING_KIND_DECLARED = 3,
} TlPaddingKind;

// An array and its layout. `tl_layout_free` frees it.
typedef struct TlLayout TlLayout;

// A copy of an array from one layout to another, planned. `tl_relayout_free` frees it; it outlives the layouts.
typedef struct TlRelayout TlRelayout;

// A digit of an index: `source / div % modulus`.
typedef struct {
    // The coordinate of dimension `source`, or sum `source - TL_MAX_DIMS`.
    uint32_t source;
    // Divisor, at least 1.
    uint64_t div;
    // Modulus; 0 if there is none.
    uint64_t modulus;
} TlDigit;

// A number, times counts that are known at run time only: bit `i` of `counts` is set for the size of dimension `i`, bit
// `TL_MAX_DIMS + i` for quotient `i`. None is, if all sizes are known.
typedef struct {
    // The number.
    uint64_t factor;
    // The counts.
    uint64_t counts;
} TlAmount;

// A term of the offset: `digit * stride`.
typedef struct {
    // The digit.
    TlDigit digit;
    // Values of the digit in memory, padding included.
    TlAmount bound;
    // Elements in memory from one value of the digit to the next.
    TlAmount stride;
} TlTerm;

// `major * factor + minor`. A digit that is always 0 has the modulus 1.
typedef struct {
    // The more major digit.
    TlDigit major;
    // Its factor.
    TlAmount factor;
    // The more minor digit.
    TlDigit minor;
} TlSum;

// `dividend / divisor`, rounded up.
typedef struct {
    // Of sizes of dimensions and quotients before it.
    TlAmount dividend;
    // At least 1.
    uint64_t divisor;
} TlQuotient;

// The offset of an element as a formula: the sum of the terms, and bits of it exchanged by a swizzle.
typedef struct {
    // How many terms.
    size_t term_count;
    // How many sums.
    size_t sum_count;
    // How many quotients.
    size_t quotient_count;
    // The terms, major to minor.
    TlTerm terms[TL_MAX_TERMS];
    // What digits are taken of besides coordinates; of coordinates and sums before it.
    TlSum sums[TL_MAX_SUMS];
    // Counts of tiles that depend on sizes known at run time only.
    TlQuotient quotients[TL_MAX_QUOTIENTS];
    // The bits of the sum of the terms that others are exchanged by: `offset = sum ^ ((sum & swizzle_mask) >> swizzle_shift)`.
    // 0 without a swizzle.
    uint64_t swizzle_mask;
    // How far these bits are shifted down; up by `-swizzle_shift`, if it is negative.
    int32_t swizzle_shift;
} TlDigits;

// The text of an error, in UTF-8, ended by NUL; empty if there is none.
typedef struct {
    // The text: what is wrong, the text with the fault marked if one was read, what to write instead.
    char text[TL_ERROR_TEXT];
} TlError;

// A dimension.
typedef struct {
    // Its size, or the bound of it.
    uint64_t size;
    // Which of them.
    TlDimKind kind;
} TlDim;

// Sizes of a layout; TL_UNKNOWN where they depend on a size that is known at run time only.
typedef struct {
    // Number of elements.
    uint64_t elements;
    // Elements in memory, padding included.
    uint64_t padded_elements;
    // Bytes in memory, padding included.
    uint64_t bytes;
    // Bytes of the elements alone.
    uint64_t unpadded_bytes;
    // Bits of an element in memory.
    uint64_t element_bits;
    // Number of dimensions.
    size_t rank;
    // The dimensions; those past the rank have the size 0.
    TlDim dims[TL_MAX_DIMS];
} TlSizes;

// A range of numbers: the first one, and the one after the last.
typedef struct {
    // The first one.
    uint64_t start;
    // The one after the last.
    uint64_t end;
} TlRange;

// What is written to the padding of the destination. All of it 0 is TL_PADDING_KIND_ZERO.
typedef struct {
    // A TlPaddingKind.
    uint32_t kind;
    // The bits of an element, for TL_PADDING_KIND_FILL: the low 64 first.
    uint64_t bits[2];
} TlPadding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The digits of a layout, its sizes known or not: for code that computes offsets by itself.
TlCode tl_layout_digits(const TlLayout *layout, TlDigits *digits, TlError *error);

// Reads a layout in XLA's notation, as in `bf16[4096,300]{1,0:T(8,128)(2,1)}`. The text need not end with NUL.
//
// # Safety
// `text` points to `length` bytes.
TlCode tl_parse(const char *text,
                size_t length,
                TlLayout **layout,
                TlError *error);

// Frees a layout. NULL is freed already.
void tl_layout_free(TlLayout *layout);

// The sizes of a layout.
TlCode tl_layout_sizes(const TlLayout *layout, TlSizes *sizes, TlError *error);

// The layout as text, ended by NUL. `length` becomes the bytes before the NUL, also if they do not fit and TL_CODE_LENGTH is
// answered. With a `capacity` of 0 there is nothing to write, and nothing wrong.
//
// # Safety
// `text` points to `capacity` bytes.
TlCode tl_layout_text(const TlLayout *layout,
                      char *text,
                      size_t capacity,
                      size_t *length,
                      TlError *error);

// The layout with the sizes of all its dimensions, dimension 0 first. A bounded dimension stays bounded.
//
// # Safety
// `dims` points to `rank` numbers.
TlCode tl_layout_with_dims(const TlLayout *layout,
                           const uint64_t *dims,
                           size_t rank,
                           TlLayout **sized,
                           TlError *error);

// The layout that a TPU's compiler gives the array as a parameter of a program: its order, tiles and `E`. `tpu` is the name
// of a generation, such as `v6e`; the text need not end with NUL.
//
// # Safety
// `tpu` points to `length` bytes.
TlCode tl_layout_with_default_layout(const TlLayout *layout,
                                     const char *tpu,
                                     size_t length,
                                     TlLayout **chosen,
                                     TlError *error);

// The offset of an element in memory, in elements, padding included. `index` has `rank` coordinates, that of dimension 0
// first.
//
// # Safety
// `index` points to `rank` numbers, `offset` to one.
TlCode tl_layout_offset(const TlLayout *layout,
                        const uint64_t *index,
                        size_t rank,
                        uint64_t *offset,
                        TlError *error);

// The offsets of `count` elements. `indices` has the `rank` coordinates of the first element, then those of the second one,
// and so on. If an index is out of bounds, the offsets before its own have been written.
//
// # Safety
// `indices` points to `rank * count` numbers, `offsets` to `count`.
TlCode tl_layout_offsets(const TlLayout *layout,
                         const uint64_t *indices,
                         size_t rank,
                         size_t count,
                         uint64_t *offsets,
                         TlError *error);

// The index of the element at an offset, as `rank` coordinates. TL_CODE_PADDING if the offset is one of padding.
//
// # Safety
// `index` points to `rank` numbers.
TlCode tl_layout_index(const TlLayout *layout,
                       uint64_t offset,
                       uint64_t *index,
                       size_t rank,
                       TlError *error);

// Whether an offset is one of padding.
TlCode tl_layout_is_padding(const TlLayout *layout, uint64_t offset, bool *is_padding, TlError *error);

// The bytes of the elements whose index begins with `count` coordinates: one range of memory that has no other elements,
// but padding. TL_CODE_NOT_CONTIGUOUS if a layout has no such range, as one whose tiles hold elements of several indices;
// also if `*` combines dimensions, or memory is swizzled.
//
// # Safety
// `index` points to `count` numbers.
TlCode tl_layout_byte_range(const TlLayout *layout,
                            const uint64_t *index,
                            size_t count,
                            TlRange *range,
                            TlError *error);

// Plans the copy of an array from one layout to another. All sizes have to be known.
TlCode tl_relayout_new(const TlLayout *from, const TlLayout *to, TlRelayout **relayout, TlError *error);

// Frees a relayout. NULL is freed already.
void tl_relayout_free(TlRelayout *relayout);

// Copies the array. Memory past that of the layouts stays as it is.
//
// # Safety
// `source` points to `source_length` bytes, `destination` to `destination_length`.
TlCode tl_relayout_run(const TlRelayout *relayout,
                       const void *source,
                       size_t source_length,
                       void *destination,
                       size_t destination_length,
                       TlPadding padding,
                       TlError *error);

// Ranges of the destination's bytes for `tl_relayout_run_part`, one after another, each of about `bytes`: as many as fit into
// `parts`. `count` becomes how many there are; ask with a `capacity` of 0, and get them.
//
// # Safety
// `parts` points to `capacity` ranges.
TlCode tl_relayout_parts(const TlRelayout *relayout,
                         size_t bytes,
                         TlRange *parts,
                         size_t capacity,
                         size_t *count,
                         TlError *error);

// Copies what lies in a range of the destination's bytes, padding too: what `tl_relayout_run` writes there. `destination` is
// that range, `source` the whole source. The range begins and ends where elements do. Threads may copy different parts at
// once.
//
// # Safety
// `source` points to `source_length` bytes, `destination` to `destination_length`.
TlCode tl_relayout_run_part(const TlRelayout *relayout,
                            TlRange part,
                            const void *source,
                            size_t source_length,
                            void *destination,
                            size_t destination_length,
                            TlPadding padding,
                            TlError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILED_LAYOUT_H */
