// Array layouts in XLA's notation: sizes, offsets, digits and copies. https://crates.io/crates/tiled-layout-c
//
// Made by cbindgen of bindings/c/src: change that, then run `UPDATE_HEADER=1 cargo test --test c header` there.
//
// Every function returns a code: TL_CODE_OK, or why it fails. Then `error` has the text, the handle that would be returned is
// NULL, and nothing else is changed, unless the function's comment says so.
//
// What the caller promises: a pointer leads to as many values as the comment says, or to one; nobody else writes them during
// the call; what a function writes overlaps neither what it reads nor what else it writes; a handle is one that a function here
// returned, and is not freed yet. The library cannot know how long memory is. It compares lengths with what the layouts need,
// and it looks at every pointer before it uses one: NULL is an error but for `error` and lists of length 0, and so is an address
// that is not aligned to the type (TL_CODE_POINTER).
//
// Layouts and relayouts never change: any number of threads may use one at once, until it is freed. The library has no global
// state. It allocates memory for these handles, and while a function runs. If an allocation fails, the process is aborted.

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

// The result of a call.
typedef enum {
    // Success.
    TL_CODE_OK = 0,
    // A pointer is NULL, or not aligned to what it points to.
    TL_CODE_POINTER = 1,
    // A list or a buffer is too short or too long for the layout.
    TL_CODE_LENGTH = 2,
    // Memory that the function writes overlaps memory that it reads, or other memory that it writes.
    TL_CODE_OVERLAP = 3,
    // A text is not UTF-8, or cannot be read; the error marks the place.
    TL_CODE_TEXT = 4,
    // The layout cannot exist: a size contradicts it, or TPUs have no default for it.
    TL_CODE_LAYOUT = 5,
    // A size is known at run time only (`?`): `tl_layout_with_dims` gives it.
    TL_CODE_UNKNOWN_SIZE = 6,
    // An index, an offset or a part is out of bounds.
    TL_CODE_OUT_OF_BOUNDS = 7,
    // The slot at the offset is padding.
    TL_CODE_PADDING = 8,
    // The elements are not one range of bytes without other elements.
    TL_CODE_NOT_CONTIGUOUS = 9,
    // The library cannot copy between these layouts.
    TL_CODE_NO_COPY = 10,
    // A number is not a value of its enumeration.
    TL_CODE_VALUE = 11,
    // A bug in the library. The contents of memory that the call writes are unspecified.
    TL_CODE_BUG = 12,
} TlCode;

// Whether the size of a dimension is known.
typedef enum {
    // `3`: the size.
    TL_DIM_KIND_STATIC = 0,
    // `<=3`: a bound; the layout is that of the bound.
    TL_DIM_KIND_BOUNDED = 1,
    // `?`: nothing; the size is TL_UNKNOWN.
    TL_DIM_KIND_UNKNOWN = 2,
} TlDimKind;

// How a copy fills the padding of the destination.
typedef enum {
    // Bits that are 0.
    TL_PADDING_KIND_ZERO = 0,
    // Nothing.
    TL_PADDING_KIND_LEAVE = 1,
    // The element whose bits are `bits`.
    TL_PADDING_KIND_FILL = 2,
    // The value of the layout's `FILL(..)`; nothing without `FILL`.
    TL_PADDING_KIND_DECLARED = 3,
} TlPaddingKind;

// An array and its layout. `tl_layout_free` frees it.
typedef struct TlLayout TlLayout;

// A planned copy of an array from one layout to another. `tl_relayout_free` frees it. It does not need the layouts any more.
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
// `TL_MAX_DIMS + i` for quotient `i`. It is 0 if all sizes are known.
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
    // A product of sizes of dimensions and earlier quotients.
    TlAmount dividend;
    // At least 1.
    uint64_t divisor;
} TlQuotient;

// The offset of an element as a formula: the sum of the terms, swizzled if the layout has a swizzle.
typedef struct {
    // How many terms.
    size_t term_count;
    // How many sums.
    size_t sum_count;
    // How many quotients.
    size_t quotient_count;
    // The terms, major to minor.
    TlTerm terms[TL_MAX_TERMS];
    // Sums that digits are taken of, as they are of coordinates. Each uses coordinates and earlier sums.
    TlSum sums[TL_MAX_SUMS];
    // Counts of tiles that depend on sizes known at run time only.
    TlQuotient quotients[TL_MAX_QUOTIENTS];
    // Bits of the sum of the terms that others are XORed with: `offset = sum ^ ((sum & swizzle_mask) >> swizzle_shift)`. It is 0
    // without a swizzle.
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
    // The size, or its bound.
    uint64_t size;
    // Whether the size is known.
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

// The padding that a copy writes to the destination. `{0}` is TL_PADDING_KIND_ZERO.
typedef struct {
    // A TlPaddingKind.
    uint32_t kind;
    // The bits of an element, for TL_PADDING_KIND_FILL: the low 64 first.
    uint64_t bits[2];
} TlPadding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The digits of a layout, for code that computes offsets itself. Sizes may be unknown.
TlCode tl_layout_digits(const TlLayout *layout, TlDigits *digits, TlError *error);

// Reads a layout in XLA's notation, as in `bf16[4096,300]{1,0:T(8,128)(2,1)}`. `text` has `length` bytes and need not end with
// NUL.
TlCode tl_parse(const char *text,
                size_t length,
                TlLayout **layout,
                TlError *error);

// Reads a layout as `tl_parse` does, from a text that ends with NUL.
TlCode tl_parse_string(const char *text, TlLayout **layout, TlError *error);

// Frees a layout. NULL is ignored.
void tl_layout_free(TlLayout *layout);

// The sizes of a layout.
TlCode tl_layout_sizes(const TlLayout *layout, TlSizes *sizes, TlError *error);

// Writes the layout as text, ended by NUL. `length` becomes the number of bytes before the NUL; if they do not fit, the code is
// TL_CODE_LENGTH. `text` has `capacity` bytes; 0 of them ask for `length` only.
TlCode tl_layout_text(const TlLayout *layout,
                      char *text,
                      size_t capacity,
                      size_t *length,
                      TlError *error);

// The layout with the sizes of all its dimensions: `dims` has `rank` of them, dimension 0 first. A bounded dimension stays
// bounded.
TlCode tl_layout_with_dims(const TlLayout *layout,
                           const uint64_t *dims,
                           size_t rank,
                           TlLayout **sized,
                           TlError *error);

// The layout that a TPU's compiler gives the array as a parameter of a program: its order, tiles and `E`. `tpu` is the name
// of a generation, such as `v6e`: `length` bytes, which need not end with NUL.
TlCode tl_layout_with_default_layout(const TlLayout *layout,
                                     const char *tpu,
                                     size_t length,
                                     TlLayout **chosen,
                                     TlError *error);

// The offset of an element in memory, in elements, padding included. `index` has `rank` coordinates, that of dimension 0
// first.
TlCode tl_layout_offset(const TlLayout *layout,
                        const uint64_t *index,
                        size_t rank,
                        uint64_t *offset,
                        TlError *error);

// The offsets of `count` elements. `indices` has the `rank` coordinates of the first element, then those of the second one,
// and so on; `offsets` has room for `count` numbers. If an index is out of bounds, the offsets before its own have been
// written.
TlCode tl_layout_offsets(const TlLayout *layout,
                         const uint64_t *indices,
                         size_t rank,
                         size_t count,
                         uint64_t *offsets,
                         TlError *error);

// The index of the element at an offset: `index` has room for `rank` coordinates. The code is TL_CODE_PADDING if the slot is
// padding.
TlCode tl_layout_index(const TlLayout *layout,
                       uint64_t offset,
                       uint64_t *index,
                       size_t rank,
                       TlError *error);

// Whether the slot at an offset is padding.
TlCode tl_layout_is_padding(const TlLayout *layout, uint64_t offset, bool *is_padding, TlError *error);

// The range of bytes that holds the elements whose index begins with the `count` coordinates of `index`, with their padding and
// no other elements.
// The code is TL_CODE_NOT_CONTIGUOUS if these elements are not one range, for instance since tiles mix them with others; the
// text names one of the others. With a swizzle, and with some `*`, the function visits every element of the memory.
TlCode tl_layout_byte_range(const TlLayout *layout,
                            const uint64_t *index,
                            size_t count,
                            TlRange *range,
                            TlError *error);

// Plans the copy of an array from one layout to another. All sizes have to be known.
TlCode tl_relayout_new(const TlLayout *from, const TlLayout *to, TlRelayout **relayout, TlError *error);

// Frees a relayout. NULL is ignored.
void tl_relayout_free(TlRelayout *relayout);

// Copies the array: `source` has `source_length` bytes, `destination` `destination_length`. Memory past that of the layouts
// stays as it is.
TlCode tl_relayout_run(const TlRelayout *relayout,
                       const void *source,
                       size_t source_length,
                       void *destination,
                       size_t destination_length,
                       TlPadding padding,
                       TlError *error);

// Ranges of the destination's bytes for `tl_relayout_run_part`, one after another, each of about `bytes`. Writes as many as fit
// into `parts`, which has room for `capacity`. `count` becomes the number of all; a `capacity` of 0 asks for that only.
TlCode tl_relayout_parts(const TlRelayout *relayout,
                         size_t bytes,
                         TlRange *parts,
                         size_t capacity,
                         size_t *count,
                         TlError *error);

// Copies what lies in a range of the destination's bytes, padding too: what `tl_relayout_run` writes there. `destination` is
// that range, of `destination_length` bytes, and `source` the whole source, of `source_length`. The range begins and ends where
// elements do. Threads may copy different parts at once.
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
