// What the library answers: numbers of its documents, and each function against another one.
#include "check.h"

// A layout's digits evaluated in plain C, as a program that generates code would.
static uint64_t amount(TlAmount amount, const uint64_t *counts) {
    uint64_t value = amount.factor;
    for (int i = 0; i < 64; i++) {
        if (amount.counts >> i & 1) value *= counts[i];
    }
    return value;
}

static uint64_t digit(TlDigit digit, const uint64_t *sources) {
    uint64_t value = sources[digit.source] / digit.div;
    return digit.modulus ? value % digit.modulus : value;
}

static uint64_t by_digits(const TlDigits *digits, const uint64_t *dims, const uint64_t *index, size_t rank) {
    uint64_t counts[64] = {0}, sources[TL_MAX_DIMS + TL_MAX_SUMS] = {0}, offset = 0;
    memcpy(counts, dims, rank * sizeof *dims);
    memcpy(sources, index, rank * sizeof *index);
    for (size_t i = 0; i < digits->quotient_count; i++) {
        TlQuotient quotient = digits->quotients[i];
        uint64_t dividend = amount(quotient.dividend, counts);
        counts[TL_MAX_DIMS + i] = (dividend + quotient.divisor - 1) / quotient.divisor;
    }
    for (size_t i = 0; i < digits->sum_count; i++) {
        TlSum sum = digits->sums[i];
        uint64_t major = digit(sum.major, sources) * amount(sum.factor, counts);
        sources[TL_MAX_DIMS + i] = major + digit(sum.minor, sources);
    }
    for (size_t i = 0; i < digits->term_count; i++) {
        offset += digit(digits->terms[i].digit, sources) * amount(digits->terms[i].stride, counts);
    }
    uint64_t read = offset & digits->swizzle_mask;
    int shift = digits->swizzle_shift;
    return offset ^ (shift < 0 ? read << -shift : read >> shift);
}

// Every element of a layout with these sizes: its offset one by one, in one call and by digits, and the way back.
static void round_trip(const char *text, const uint64_t *dims, size_t rank) {
    TlLayout *written = parsed(text), *layout;
    TlDigits digits;
    OK(tl_layout_digits(written, &digits, &error));
    OK(tl_layout_with_dims(written, dims, rank, &layout, &error));
    TlSizes sizes = sizes_of(layout);
    uint64_t *indices = malloc(sizes.elements * rank * sizeof *indices);
    uint64_t *offsets = malloc(sizes.elements * sizeof *offsets);
    bool *is_element = calloc(sizes.padded_elements, sizeof *is_element);
    for (uint64_t number = 0; number < sizes.elements; number++) {
        uint64_t rest = number;
        for (size_t dim = rank; dim-- > 0; rest /= dims[dim]) indices[number * rank + dim] = rest % dims[dim];
    }
    OK(tl_layout_offsets(layout, indices, rank, sizes.elements, offsets, &error));
    for (uint64_t number = 0; number < sizes.elements; number++) {
        uint64_t *index = indices + number * rank, offset, back[TL_MAX_DIMS];
        OK(tl_layout_offset(layout, index, rank, &offset, &error));
        CHECK(offset == offsets[number]);
        CHECK(offset == by_digits(&digits, dims, index, rank));
        OK(tl_layout_index(layout, offset, back, rank, &error));
        CHECK(memcmp(index, back, rank * sizeof *index) == 0 && !is_element[offset]);
        is_element[offset] = true;
    }
    for (uint64_t offset = 0; offset < sizes.padded_elements; offset++) {
        uint64_t back[TL_MAX_DIMS];
        bool is_padding;
        OK(tl_layout_is_padding(layout, offset, &is_padding, &error));
        CHECK(is_padding == !is_element[offset]);
        if (is_padding) CHECK(tl_layout_index(layout, offset, back, rank, &error) == TL_CODE_PADDING);
    }
    free(indices), free(offsets), free(is_element);
    tl_layout_free(written), tl_layout_free(layout);
}

static void sizes_and_text(void) {
    TlLayout *layout = parsed("f32[3,5]{1,0:T(2,2)}");
    TlSizes sizes = sizes_of(layout);
    CHECK(sizes.elements == 15 && sizes.padded_elements == 24 && sizes.bytes == 96);
    CHECK(sizes.unpadded_bytes == 60 && sizes.element_bits == 32 && sizes.rank == 2);
    CHECK(sizes.dims[0].size == 3 && sizes.dims[1].size == 5 && sizes.dims[2].size == 0);
    uint64_t index[] = {2, 3}, offset;
    OK(tl_layout_offset(layout, index, 2, &offset, NULL));
    CHECK(offset == 17);

    char text[64];
    size_t length;
    OK(tl_layout_text(layout, NULL, 0, &length, &error));
    CHECK(length == strlen("f32[3,5]{1,0:T(2,2)}"));
    OK(tl_layout_text(layout, text, length + 1, &length, &error));
    CHECK(strcmp(text, "f32[3,5]{1,0:T(2,2)}") == 0);
    tl_layout_free(layout);

    // A text that is followed by NUL, and not by what follows.
    OK(tl_parse_string("f32[3,5]{0,1}\0:T(2,2)}", &layout, &error));
    OK(tl_layout_text(layout, text, sizeof text, &length, NULL));
    CHECK(strcmp(text, "f32[3,5]{0,1}") == 0);
    tl_layout_free(layout);

    layout = parsed("s4[?,<=8,5]{2,1,0:T(2,2)E(4)}");
    sizes = sizes_of(layout);
    CHECK(sizes.elements == TL_UNKNOWN && sizes.padded_elements == TL_UNKNOWN && sizes.bytes == TL_UNKNOWN);
    CHECK(sizes.dims[0].kind == TL_DIM_KIND_UNKNOWN && sizes.dims[0].size == TL_UNKNOWN);
    CHECK(sizes.dims[1].kind == TL_DIM_KIND_BOUNDED && sizes.dims[1].size == 8);
    CHECK(sizes.dims[2].kind == TL_DIM_KIND_STATIC && sizes.element_bits == 4);
    tl_layout_free(layout);
}

static void defaults(void) {
    TlLayout *array = parsed("bf16[300,1000]"), *layout;
    char text[64];
    size_t length;
    OK(tl_layout_with_default_layout(array, "v5e", 3, &layout, &error));
    OK(tl_layout_text(layout, text, sizeof text, &length, &error));
    CHECK(strcmp(text, "bf16[300,1000]{1,0:T(8,128)(2,1)}") == 0);
    tl_layout_free(array), tl_layout_free(layout);
}

// The range of the last slice has exactly its elements, and no others.
static void byte_ranges(const char *text, size_t rank, size_t count, bool is_range) {
    TlLayout *layout = parsed(text);
    TlSizes sizes = sizes_of(layout);
    uint64_t last[TL_MAX_DIMS], index[TL_MAX_DIMS];
    for (size_t i = 0; i < count; i++) last[i] = sizes.dims[i].size - 1;
    TlRange range;
    TlCode code = tl_layout_byte_range(layout, last, count, &range, &error);
    CHECK(code == (is_range ? TL_CODE_OK : TL_CODE_NOT_CONTIGUOUS));
    uint64_t found = 0, elements = 1;
    for (size_t i = count; i < rank; i++) elements *= sizes.dims[i].size;
    for (uint64_t offset = 0; is_range && offset < sizes.padded_elements; offset++) {
        if (tl_layout_index(layout, offset, index, rank, &error) == TL_CODE_PADDING) continue;
        uint64_t byte = offset * sizes.element_bits / 8;
        bool is_inside = byte >= range.start && byte < range.end;
        CHECK(is_inside == (memcmp(index, last, count * sizeof *index) == 0));
        found += is_inside;
    }
    if (is_range) CHECK(found == elements && range.end <= sizes.bytes);
    tl_layout_free(layout);
}

// Parts are what the whole is, with each kind of padding; and back again.
static void copies(const char *from_text, const char *to_text) {
    TlLayout *from = parsed(from_text), *to = parsed(to_text);
    size_t from_bytes = sizes_of(from).bytes, to_bytes = sizes_of(to).bytes, count;
    unsigned char *source = malloc(from_bytes), *back = malloc(from_bytes);
    unsigned char *whole = malloc(to_bytes), *parted = malloc(to_bytes);
    for (size_t i = 0; i < from_bytes; i++) source[i] = (unsigned char)(i * 37 + i / 256);
    TlRelayout *there, *again;
    OK(tl_relayout_new(from, to, &there, &error));
    OK(tl_relayout_new(to, from, &again, &error));
    for (uint32_t kind = TL_PADDING_KIND_ZERO; kind <= TL_PADDING_KIND_DECLARED; kind++) {
        TlPadding padding = {kind, {0x0102030405060708, 0}};
        memset(whole, 0xee, to_bytes), memset(parted, 0xee, to_bytes), memset(back, 0, from_bytes);
        OK(tl_relayout_run(there, source, from_bytes, whole, to_bytes, padding, &error));
        OK(tl_relayout_parts(there, 4096, NULL, 0, &count, &error));
        TlRange *parts = malloc(count * sizeof *parts);
        OK(tl_relayout_parts(there, 4096, parts, count, &count, &error));
        CHECK(count > 1 && parts[0].start == 0 && parts[count - 1].end == to_bytes);
        for (size_t i = 0; i < count; i++) {
            TlRange part = parts[i];
            size_t bytes = part.end - part.start;
            OK(tl_relayout_run_part(there, part, source, from_bytes, parted + part.start, bytes, padding, &error));
        }
        CHECK(memcmp(whole, parted, to_bytes) == 0);
        OK(tl_relayout_run(again, whole, to_bytes, back, from_bytes, (TlPadding){0}, &error));
        CHECK(memcmp(source, back, from_bytes) == 0);
        free(parts);
    }
    free(source), free(back), free(whole), free(parted);
    tl_layout_free(from), tl_layout_free(to), tl_relayout_free(there), tl_relayout_free(again);
}

// What padding holds afterwards: the last of these arrays has one row in a tile of 8.
static void padding_values(void) {
    TlLayout *from = parsed("u16[1,128]"), *to = parsed("u16[1,128]{1,0:T(8,128)}");
    uint16_t source[128], tile[1024];
    const struct { TlPadding padding; uint16_t value; } cases[] = {
        {{TL_PADDING_KIND_ZERO, {7, 7}}, 0},
        {{TL_PADDING_KIND_LEAVE, {7, 7}}, 0xeeee},
        {{TL_PADDING_KIND_FILL, {0xabcd, 0}}, 0xabcd},
        {{TL_PADDING_KIND_DECLARED, {7, 7}}, 0xeeee},
    };
    TlRelayout *relayout;
    OK(tl_relayout_new(from, to, &relayout, &error));
    memset(source, 1, sizeof source);
    for (size_t i = 0; i < 4; i++) {
        memset(tile, 0xee, sizeof tile);
        OK(tl_relayout_run(relayout, source, sizeof source, tile, sizeof tile, cases[i].padding, &error));
        CHECK(tile[0] == 0x0101 && tile[127] == 0x0101 && tile[128] == cases[i].value);
        CHECK(tile[1023] == cases[i].value);
    }
    tl_layout_free(from), tl_layout_free(to), tl_relayout_free(relayout);
}

int main(void) {
    sizes_and_text();
    defaults();
    padding_values();
    round_trip("f32[3,5]{1,0:T(2,2)}", (uint64_t[]){3, 5}, 2);
    round_trip("bf16[20,300]{1,0:T(8,128)(2,1)}", (uint64_t[]){20, 300}, 2);
    round_trip("f32[7,5]{1,0:T(*,3)}", (uint64_t[]){7, 5}, 2);
    round_trip("s32[7,6,5]{2,0,1:T(*,3,*,4)(2)}", (uint64_t[]){7, 6, 5}, 3);
    // A sum of one digit.
    round_trip("f32[2,1,4]{2,1,0:T(*,3)(3)(2)}", (uint64_t[]){2, 1, 4}, 3);
    round_trip("f32[?,?,6]{2,1,0:T(4,16)(2,1)}", (uint64_t[]){3, 9, 6}, 3);
    round_trip("f32[?,?]{0,1:T(*,8)}", (uint64_t[]){7, 9}, 2);
    round_trip("f16[64,64]{1,0}, swizzle = 128B", (uint64_t[]){64, 64}, 2);
    round_trip("f32[64,16]{1,0}, swizzle = elements<2,1,-3>", (uint64_t[]){64, 16}, 2);
    round_trip("f32[]", (uint64_t[]){0}, 0);
    round_trip("u8[3]{0:PAD(4)L(8)}", (uint64_t[]){3}, 1);
    // From the issue: a leading dimension that tiles do not touch, and one that lies within them.
    byte_ranges("bf16[5,3,300]{2,1,0:T(8,128)(2,1)}", 3, 1, true);
    byte_ranges("bf16[5,3,300]{2,0,1:T(8,128)(2,1)}", 3, 1, false);
    byte_ranges("bf16[5,3,300]{2,1,0:T(8,128)(2,1)}", 3, 2, false);
    byte_ranges("f32[20,128]{1,0:T(8,128)}", 2, 1, true);
    byte_ranges("f32[20,129]{1,0:T(8,128)}", 2, 1, false);
    byte_ranges("f32[4,5,6]", 3, 2, true);
    byte_ranges("f32[4,5,6]", 3, 3, true);
    byte_ranges("f32[4,5,6]", 3, 0, true);
    byte_ranges("s4[4,5]{1,0:E(4)}", 2, 1, false);
    byte_ranges("s4[4,6]{1,0:E(4)}", 2, 1, true);
    // `*` makes one dimension of the array, and its tiles follow one another. In tiles of two dimensions rows mix.
    byte_ranges("f32[7,5]{1,0:T(*,3)}", 2, 1, true);
    byte_ranges("s32[7,6,5]{2,0,1:T(*,3,*,4)(2)}", 3, 1, false);
    // A swizzle moves chunks within 128 bytes: rows of 128 and of 64 bytes stay together, those of 160 do not.
    byte_ranges("f16[64,64]{1,0}, swizzle = 128B", 2, 1, true);
    byte_ranges("f16[64,32]{1,0}, swizzle = 128B", 2, 1, true);
    byte_ranges("f16[32,80]{1,0}, swizzle = 128B", 2, 1, false);
    byte_ranges("f32[64,16]{1,0}, swizzle = elements<2,1,-3>", 2, 1, false);
    copies("bf16[300,200]", "bf16[300,200]{1,0:T(8,128)(2,1)}");
    copies("f32[90,200]{0,1}", "f32[90,200]{1,0:T(8,128)}");
    copies("s4[64,200]{1,0:E(4)}", "s4[64,200]{1,0:T(8,128)E(4)}");
    copies("c128[40,50]", "c128[40,50]{1,0:T(8,128)}");
    return 0;
}
