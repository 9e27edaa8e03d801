// What is wrong is an error with a code and a text, never a crash.
#include "check.h"

static bool says(const char *part) {
    return strstr(error.text, part) != NULL;
}

// The call answers with this code, and with a text that has this part; without an error to write to as well.
#define FAILS(code, part, call) \
    do {                        \
        error.text[0] = 0;      \
        CHECK((call) == (code)); \
        CHECK(says(part));      \
    } while (0)

static void texts(void) {
    TlLayout *layout = (TlLayout *)&error;
    FAILS(TL_CODE_TEXT, "  | f23[3]\n  | ^^^\n  = help: did you mean `f32`?", tl_parse("f23[3]", 6, &layout, &error));
    CHECK(layout == NULL);
    CHECK(tl_parse("f23[3]", 6, &layout, NULL) == TL_CODE_TEXT);
    FAILS(TL_CODE_TEXT, "", tl_parse(NULL, 0, &layout, &error));
    FAILS(TL_CODE_POINTER, "`text` is NULL", tl_parse(NULL, 4, &layout, &error));
    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_parse("f32[]", 5, NULL, &error));
    FAILS(TL_CODE_TEXT, "did you mean `f32`?", tl_parse_string("f23[3]", &layout, &error));
    CHECK(layout == NULL);
    FAILS(TL_CODE_TEXT, "not UTF-8 from byte 3", tl_parse_string("f32\xff[3]", &layout, &error));
    FAILS(TL_CODE_TEXT, "not UTF-8 from byte 3", tl_parse("f32\xff[3]", 7, &layout, &error));
    FAILS(TL_CODE_TEXT, "", tl_parse("f32\0[3]", 7, &layout, &error));
    FAILS(TL_CODE_TEXT, "", tl_parse("(f32[3], f32[4])", 16, &layout, &error));
    FAILS(TL_CODE_LENGTH, "longer than memory", tl_parse("f32[3]", SIZE_MAX, &layout, &error));
    FAILS(TL_CODE_LENGTH, "longer than memory", tl_parse("f32[3]", SIZE_MAX / 2 + 1, &layout, &error));

    // 10 MB of what a parser could take to heart; memory that ends where the text does.
    const char *units[] = {"f32[", "f32[3]{0:", "(", "9", ",", " ", "\xc3\xa9", "T(2)", "\n", "f32[1,"};
    size_t length = 10 << 20;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i]);
        char *text = malloc(length);
        for (size_t at = 0; at < length; at++) text[at] = units[i][at % unit];
        FAILS(TL_CODE_TEXT, "", tl_parse(text, length / unit * unit, &layout, &error));
        CHECK(layout == NULL && strlen(error.text) > 0 && strlen(error.text) < TL_ERROR_TEXT);
        TlLayout *array = parsed("f32[3]");
        FAILS(TL_CODE_TEXT, "unknown TPU", tl_layout_with_default_layout(array, text, length / unit * unit, &layout, &error));
        tl_layout_free(array);
        free(text);
    }
    // Many faults at once, more than an error has room for.
    FAILS(TL_CODE_TEXT, "", tl_parse("f23[3,5]{1,1:T(0)T(0)(0)(0)(0)(0)Q(1)L(0)E(99)S(-1)}", 50, &layout, &error));
}

static void layouts(TlLayout *layout, TlLayout *unknown) {
    TlLayout *other = (TlLayout *)&error;
    TlSizes sizes;
    TlDigits digits;
    TlRange range;
    uint64_t numbers[40] = {0}, offset;
    char text[8];
    size_t length;
    bool is_padding;

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_sizes(NULL, &sizes, &error));
    FAILS(TL_CODE_POINTER, "`sizes` is NULL", tl_layout_sizes(layout, NULL, &error));
    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_digits(NULL, &digits, &error));
    FAILS(TL_CODE_POINTER, "`digits` is NULL", tl_layout_digits(layout, NULL, &error));
    tl_layout_free(NULL);

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_text(NULL, text, 8, &length, &error));
    FAILS(TL_CODE_POINTER, "`text` is NULL", tl_layout_text(layout, NULL, 8, &length, &error));
    FAILS(TL_CODE_POINTER, "`length` is NULL", tl_layout_text(layout, text, 8, NULL, &error));
    FAILS(TL_CODE_LENGTH, "takes 21 bytes", tl_layout_text(layout, text, 8, &length, &error));
    char all[20];
    FAILS(TL_CODE_LENGTH, "takes 21 bytes", tl_layout_text(layout, all, 20, &length, &error));
    CHECK(length == 20);

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_with_dims(NULL, numbers, 2, &other, &error));
    CHECK(other == NULL);
    FAILS(TL_CODE_POINTER, "`dims` is NULL", tl_layout_with_dims(layout, NULL, 2, &other, &error));
    FAILS(TL_CODE_POINTER, "`sized` is NULL", tl_layout_with_dims(layout, numbers, 2, NULL, &error));
    FAILS(TL_CODE_POINTER, "not aligned",
          tl_layout_with_dims(layout, (uint64_t *)(void *)((char *)numbers + 1), 2, &other, &error));
    FAILS(TL_CODE_LAYOUT, "", tl_layout_with_dims(layout, numbers, 3, &other, &error));
    FAILS(TL_CODE_LENGTH, "40 numbers", tl_layout_with_dims(layout, numbers, 40, &other, &error));
    FAILS(TL_CODE_LENGTH, "longer than memory", tl_layout_with_dims(layout, numbers, SIZE_MAX / 8, &other, &error));
    FAILS(TL_CODE_LAYOUT, "dimension 0 has size 3", tl_layout_with_dims(layout, numbers, 2, &other, &error));
    numbers[0] = UINT64_MAX, numbers[1] = UINT64_MAX;
    FAILS(TL_CODE_LAYOUT, "", tl_layout_with_dims(unknown, numbers, 2, &other, &error));
    CHECK(other == NULL);

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_with_default_layout(NULL, "v6e", 3, &other, &error));
    FAILS(TL_CODE_POINTER, "`tpu` is NULL", tl_layout_with_default_layout(layout, NULL, 3, &other, &error));
    FAILS(TL_CODE_POINTER, "`chosen` is NULL", tl_layout_with_default_layout(layout, "v6e", 3, NULL, &error));
    FAILS(TL_CODE_TEXT, "write one of v2, v3, v4, v5e, v5p, v6e, v7x", tl_layout_with_default_layout(layout, "v6", 2, &other, &error));
    FAILS(TL_CODE_UNKNOWN_SIZE, "", tl_layout_with_default_layout(unknown, "v6e", 3, &other, &error));

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_offset(NULL, numbers, 2, &offset, &error));
    FAILS(TL_CODE_POINTER, "`index` is NULL", tl_layout_offset(layout, NULL, 2, &offset, &error));
    FAILS(TL_CODE_POINTER, "`offset` is NULL", tl_layout_offset(layout, numbers, 2, NULL, &error));
    FAILS(TL_CODE_OUT_OF_BOUNDS, "[18446744073709551615, 18446744073709551615] is out of bounds: dimension 0 has size 3", tl_layout_offset(layout, numbers, 2, &offset, &error));
    numbers[0] = 0, numbers[1] = 0, numbers[2] = 0, numbers[3] = 5;
    FAILS(TL_CODE_LENGTH, "length 1, but the array has rank 2", tl_layout_offset(layout, numbers, 1, &offset, &error));
    FAILS(TL_CODE_LENGTH, "length 40", tl_layout_offset(layout, numbers, 40, &offset, &error));
    FAILS(TL_CODE_UNKNOWN_SIZE, "dimension 0", tl_layout_offset(unknown, numbers, 2, &offset, &error));
    FAILS(TL_CODE_OVERLAP, "`offset` overlaps `index`", tl_layout_offset(layout, numbers, 2, numbers + 1, &error));
    OK(tl_layout_offset(layout, numbers, 2, numbers + 2, &error));
    numbers[2] = 0;
    FAILS(TL_CODE_OUT_OF_BOUNDS, "index 1, [0, 5] is out of bounds: dimension 1 has size 5", tl_layout_offsets(layout, numbers, 2, 2, numbers + 4, &error));
    FAILS(TL_CODE_LENGTH, "", tl_layout_offsets(layout, numbers, SIZE_MAX / 2, 3, numbers + 4, &error));
    FAILS(TL_CODE_OVERLAP, "`offsets` overlaps `indices`", tl_layout_offsets(layout, numbers, 2, 2, numbers + 3, &error));
    FAILS(TL_CODE_LENGTH, "", tl_layout_offsets(layout, numbers, 2, SIZE_MAX / 8, numbers + 4, &error));
    FAILS(TL_CODE_LENGTH, "length 0", tl_layout_offsets(layout, NULL, 0, 1, numbers, &error));
    OK(tl_layout_offsets(layout, NULL, 2, 0, NULL, &error));

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_index(NULL, 0, numbers, 2, &error));
    FAILS(TL_CODE_POINTER, "`index` is NULL", tl_layout_index(layout, 0, NULL, 2, &error));
    FAILS(TL_CODE_LENGTH, "length 3", tl_layout_index(layout, 0, numbers, 3, &error));
    FAILS(TL_CODE_PADDING, "offset 9 ", tl_layout_index(layout, 9, numbers, 2, &error));
    FAILS(TL_CODE_OUT_OF_BOUNDS, "offset 24 is past the end", tl_layout_index(layout, 24, numbers, 2, &error));
    FAILS(TL_CODE_OUT_OF_BOUNDS, "", tl_layout_index(layout, UINT64_MAX, numbers, 2, &error));
    FAILS(TL_CODE_UNKNOWN_SIZE, "", tl_layout_index(unknown, 0, numbers, 2, &error));
    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_is_padding(NULL, 0, &is_padding, &error));
    FAILS(TL_CODE_POINTER, "`is_padding` is NULL", tl_layout_is_padding(layout, 0, NULL, &error));
    FAILS(TL_CODE_OUT_OF_BOUNDS, "", tl_layout_is_padding(layout, 24, &is_padding, &error));

    FAILS(TL_CODE_POINTER, "`layout` is NULL", tl_layout_byte_range(NULL, numbers, 1, &range, &error));
    FAILS(TL_CODE_POINTER, "`index` is NULL", tl_layout_byte_range(layout, NULL, 1, &range, &error));
    FAILS(TL_CODE_POINTER, "`range` is NULL", tl_layout_byte_range(layout, numbers, 1, NULL, &error));
    FAILS(TL_CODE_LENGTH, "length 3", tl_layout_byte_range(layout, numbers, 3, &range, &error));
    FAILS(TL_CODE_LENGTH, "40 numbers", tl_layout_byte_range(layout, numbers, 40, &range, &error));
    FAILS(TL_CODE_LENGTH, "longer than memory", tl_layout_byte_range(layout, numbers, SIZE_MAX, &range, &error));
    FAILS(TL_CODE_NOT_CONTIGUOUS, "[1, 0] is at offset 2", tl_layout_byte_range(layout, numbers, 1, &range, &error));
    FAILS(TL_CODE_UNKNOWN_SIZE, "", tl_layout_byte_range(unknown, numbers, 1, &range, &error));
    numbers[0] = 3;
    FAILS(TL_CODE_OUT_OF_BOUNDS, "coordinate 3", tl_layout_byte_range(layout, numbers, 1, &range, &error));
}

static void copies(TlLayout *layout, TlLayout *unknown) {
    TlLayout *host = parsed("f32[3,5]"), *others[] = {parsed("f32[5,3]"), parsed("s32[3,5]"), parsed("f32[15]")};
    TlRelayout *relayout = (TlRelayout *)&error;
    TlPadding zero = {0}, none = {4, {0, 0}};
    size_t count;
    FAILS(TL_CODE_POINTER, "`from` is NULL", tl_relayout_new(NULL, layout, &relayout, &error));
    CHECK(relayout == NULL);
    FAILS(TL_CODE_POINTER, "`to` is NULL", tl_relayout_new(host, NULL, &relayout, &error));
    FAILS(TL_CODE_POINTER, "`relayout` is NULL", tl_relayout_new(host, layout, NULL, &error));
    FAILS(TL_CODE_UNKNOWN_SIZE, "dimension 0", tl_relayout_new(host, unknown, &relayout, &error));
    for (int i = 0; i < 3; i++) {
        FAILS(TL_CODE_NO_COPY, "", tl_relayout_new(host, others[i], &relayout, &error));
        tl_layout_free(others[i]);
    }
    tl_relayout_free(NULL);

    // Memory of exactly the lengths that are given, for the sanitizer to watch.
    OK(tl_relayout_new(host, layout, &relayout, &error));
    char *from = malloc(60), *to = malloc(96), *both = malloc(200);
    memset(from, 1, 60), memset(both, 1, 200);
    FAILS(TL_CODE_POINTER, "`relayout` is NULL", tl_relayout_run(NULL, from, 60, to, 96, zero, &error));
    FAILS(TL_CODE_POINTER, "`source` is NULL", tl_relayout_run(relayout, NULL, 60, to, 96, zero, &error));
    FAILS(TL_CODE_POINTER, "`destination` is NULL", tl_relayout_run(relayout, from, 60, NULL, 96, zero, &error));
    FAILS(TL_CODE_LENGTH, "`source` needs 60 bytes, padding counted, and has 59", tl_relayout_run(relayout, from, 59, to, 96, zero, &error));
    FAILS(TL_CODE_LENGTH, "`destination` needs 96 bytes, padding counted, and has 95", tl_relayout_run(relayout, from, 60, to, 95, zero, &error));
    FAILS(TL_CODE_LENGTH, "", tl_relayout_run(relayout, NULL, 0, NULL, 0, zero, &error));
    FAILS(TL_CODE_LENGTH, "longer than memory", tl_relayout_run(relayout, to + 95, SIZE_MAX, NULL, 0, zero, &error));
    FAILS(TL_CODE_VALUE, "`padding.kind` is 4", tl_relayout_run(relayout, from, 60, to, 96, none, &error));
    FAILS(TL_CODE_OVERLAP, "", tl_relayout_run(relayout, both, 60, both, 96, zero, &error));
    FAILS(TL_CODE_OVERLAP, "", tl_relayout_run(relayout, both, 60, both + 59, 96, zero, &error));
    FAILS(TL_CODE_OVERLAP, "", tl_relayout_run(relayout, both + 95, 60, both, 96, zero, &error));
    OK(tl_relayout_run(relayout, both + 96, 60, both, 96, zero, &error));
    // At an odd address too.
    OK(tl_relayout_run(relayout, both + 101, 60, both + 3, 96, zero, &error));
    OK(tl_relayout_run(relayout, from, 60, to, 96, zero, &error));
    CHECK(error.text[0] == 0);

    TlRange part = {0, 48}, parts[1];
    FAILS(TL_CODE_POINTER, "`relayout` is NULL", tl_relayout_parts(NULL, 8, parts, 1, &count, &error));
    FAILS(TL_CODE_POINTER, "`parts` is NULL", tl_relayout_parts(relayout, 8, NULL, 1, &count, &error));
    FAILS(TL_CODE_POINTER, "`count` is NULL", tl_relayout_parts(relayout, 8, parts, 1, NULL, &error));
    OK(tl_relayout_parts(relayout, 0, parts, 1, &count, &error));
    CHECK(count > 1 && parts[0].start == 0);
    OK(tl_relayout_parts(relayout, SIZE_MAX, parts, 1, &count, &error));
    CHECK(count == 1 && parts[0].end == 96);

    FAILS(TL_CODE_POINTER, "`relayout` is NULL", tl_relayout_run_part(NULL, part, from, 60, to, 48, zero, &error));
    FAILS(TL_CODE_POINTER, "`source` is NULL", tl_relayout_run_part(relayout, part, NULL, 60, to, 48, zero, &error));
    FAILS(TL_CODE_POINTER, "`destination`", tl_relayout_run_part(relayout, part, from, 60, NULL, 48, zero, &error));
    FAILS(TL_CODE_LENGTH, "`source` needs 60 bytes", tl_relayout_run_part(relayout, part, from, 59, to, 48, zero, &error));
    FAILS(TL_CODE_LENGTH, "`destination` needs 48 bytes", tl_relayout_run_part(relayout, part, from, 60, to, 47, zero, &error));
    FAILS(TL_CODE_OVERLAP, "", tl_relayout_run_part(relayout, part, both, 60, both + 59, 48, zero, &error));
    FAILS(TL_CODE_VALUE, "", tl_relayout_run_part(relayout, part, from, 60, to, 48, none, &error));
    const TlRange wrong[] = {{8, 4}, {0, 100}, {96, 100}, {UINT64_MAX - 3, UINT64_MAX}, {1, 4}, {4, 6}};
    for (int i = 0; i < 6; i++) {
        FAILS(TL_CODE_OUT_OF_BOUNDS, "is not a part",
              tl_relayout_run_part(relayout, wrong[i], from, 60, to, 96, zero, &error));
    }
    OK(tl_relayout_run_part(relayout, (TlRange){96, 96}, from, 60, NULL, 0, zero, &error));
    free(from), free(to), free(both);
    tl_layout_free(host), tl_relayout_free(relayout);
}

int main(void) {
    TlLayout *layout = parsed("f32[3,5]{1,0:T(2,2)}"), *unknown = parsed("f32[?,5]{1,0:T(2,2)}");
    texts();
    layouts(layout, unknown);
    copies(layout, unknown);
    tl_layout_free(layout), tl_layout_free(unknown);
    return 0;
}
