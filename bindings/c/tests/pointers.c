// What is wrong with a pointer is an error before anything is read or written: memory at these addresses does not exist.
// `tests/c.rs` puts the calls here, of all functions of the header.
#include "check.h"

#define NONE (-1)
#define ARGUMENTS 8

// What each call writes to: the argument of a number has the memory of that number.
static _Alignas(64) unsigned char memory[ARGUMENTS][1 << 14];

static void fresh(void) {
    memset(memory, 0xa5, sizeof memory);
    memset(&error, 0, sizeof error);
}

// Whether nothing was written but the handle: NULL.
static bool is_fresh(int handle) {
    if (handle != NONE) {
        if (*(void **)memory[handle] != NULL) return false;
        memset(memory[handle], 0xa5, sizeof(void *));
    }
    for (size_t i = 0; i < sizeof memory; i++) {
        if (((unsigned char *)memory)[i] != 0xa5) return false;
    }
    return true;
}

// A call with all arguments right, so that a wrong one alone is what the next ones are refused for.
#define RIGHT(call) \
    do {            \
        fresh();    \
        OK(call);   \
    } while (0)

// Calls with each wrong `address` of a value of this type: NULL, and those that are not aligned.
#define WRONG(type, call) \
    for (uintptr_t address = 0; address < _Alignof(type); address++) call

#define REFUSED(type, name, handle, call)                                                 \
    WRONG(type, {                                                                         \
        fresh();                                                                          \
        CHECK((call) == TL_CODE_POINTER);                                                 \
        CHECK(strstr(error.text, address ? "`" name "` is not aligned" : "`" name "` is NULL")); \
        CHECK(is_fresh(handle));                                                          \
    })

int main(void) {
    TlLayout *host = parsed("f32[3,5]"), *layout = parsed("f32[3,5]{1,0:T(1,8)}");
    TlRelayout *relayout;
    OK(tl_relayout_new(host, layout, &relayout, &error));
    const uint64_t dims[] = {3, 5}, zeros[] = {0, 0};
    const char bytes[60] = {0};
    const TlPadding zero = {0};
    const TlRange all = {0, 96};
    // CALLS
    tl_layout_free(host), tl_layout_free(layout), tl_relayout_free(relayout);
    return 0;
}
