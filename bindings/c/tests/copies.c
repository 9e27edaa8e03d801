// Copies against the naive definition: the file has pairs of layouts and digests of what a copy writes.
#include "check.h"

static uint64_t digest(const unsigned char *bytes, size_t count) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

// Copies at once, and in parts of several sizes.
static void check_pair(const char *from_text, const char *to_text, uint64_t expected) {
    TlLayout *from = parsed(from_text), *to = parsed(to_text);
    size_t from_bytes = sizes_of(from).bytes, to_bytes = sizes_of(to).bytes, count;
    unsigned char *source = malloc(from_bytes + 1), *whole = calloc(to_bytes + 1, 1), *parted = malloc(to_bytes + 1);
    for (size_t i = 0; i < from_bytes; i++) source[i] = (unsigned char)(i * 167 + i / 256 * 13 + 11);
    TlRelayout *relayout;
    TlPadding zero = {0};
    OK(tl_relayout_new(from, to, &relayout, &error));
    OK(tl_relayout_run(relayout, source, from_bytes, whole, to_bytes, zero, &error));
    if (digest(whole, to_bytes) != expected) fprintf(stderr, "%s to %s: ", from_text, to_text);
    CHECK(digest(whole, to_bytes) == expected);
    for (size_t bytes = to_bytes / 100 + 1; bytes < 2 * to_bytes + 2; bytes *= 2) {
        OK(tl_relayout_parts(relayout, bytes, NULL, 0, &count, &error));
        TlRange *parts = malloc(count * sizeof *parts);
        OK(tl_relayout_parts(relayout, bytes, parts, count, &count, &error));
        memset(parted, 0, to_bytes);
        for (size_t i = count; i-- > 0;) {
            size_t length = parts[i].end - parts[i].start;
            OK(tl_relayout_run_part(relayout, parts[i], source, from_bytes, parted + parts[i].start, length, zero, &error));
        }
        if (memcmp(whole, parted, to_bytes) != 0) fprintf(stderr, "%s to %s in parts of %zu: ", from_text, to_text, bytes);
        CHECK(memcmp(whole, parted, to_bytes) == 0);
        free(parts);
    }
    free(source), free(whole), free(parted);
    tl_layout_free(from), tl_layout_free(to), tl_relayout_free(relayout);
}

int main(int count, char **arguments) {
    char line[1000];
    CHECK(count == 2);
    FILE *file = fopen(arguments[1], "r");
    CHECK(file);
    int pairs = 0;
    for (; fgets(line, sizeof line, file); pairs++) {
        char *from = strtok(line, "\t"), *to = strtok(NULL, "\t"), *hash = strtok(NULL, "\t");
        CHECK(from && to && hash);
        check_pair(from, to, strtoull(hash, NULL, 16));
    }
    CHECK(pairs > 100);
    fclose(file);
    return 0;
}
