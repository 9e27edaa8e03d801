// What the programs of the tests share.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tiled_layout.h"

static TlError error;

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "line %d: %s\n%s\n", __LINE__, #condition, error.text);         \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

#define OK(call) CHECK((call) == TL_CODE_OK)

static inline TlLayout *parsed(const char *text) {
    TlLayout *layout;
    OK(tl_parse(text, strlen(text), &layout, &error));
    return layout;
}

static inline TlSizes sizes_of(const TlLayout *layout) {
    TlSizes sizes;
    OK(tl_layout_sizes(layout, &sizes, &error));
    return sizes;
}
