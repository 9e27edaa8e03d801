// Compares the layouts of a file with the library's, on a processor: every offset, and the index at every slot and at some
// past the end. `c++ -DLAYOUTS='"by_hand.cu"' check.cpp libsass.a`.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

struct Sizes2;
struct Sizes3;
static int layouts = 0;

using Offset = unsigned (*)(const unsigned *, const unsigned *);
using Index = bool (*)(unsigned, unsigned *, const unsigned *);
template <class L> bool agrees(const char *name, Offset offset, Index index);

#include LAYOUTS

template <class L, class = void> constexpr bool has_index = true;
template <class L> constexpr bool has_index<L, std::enable_if_t<!L::HAS_INDEX>> = false;

template <class L> bool agrees(const char *name, Offset offset, Index index) {
    L layout{};
    unsigned sizes[3] = {0, 0, 0};
    if constexpr (std::is_base_of_v<Sizes2, L>) {
        bool rows = !std::strcmp(name, "rows_unknown"), swizzled = !std::strcmp(name, "swizzled_unknown");
        layout.m = sizes[0] = 301, layout.n = sizes[1] = rows ? 1024 : swizzled ? 64 : 1000;
    }
    if constexpr (std::is_base_of_v<Sizes3, L>) {
        layout.b = sizes[0] = 5, layout.m = sizes[1] = 301, layout.n = sizes[2] = 500;
    }
    unsigned d[4] = {1, 1, 1, 1}, last = 0;
    for (unsigned k = 0; k < L::R; ++k) d[k] = layout.dim(k);
    auto fail = [&](const char *what, unsigned number) {
        std::printf("%s: another %s at %u\n", name, what, number);
        std::exit(1);
    };
    unsigned x[4];
    for (x[0] = 0; x[0] < d[0]; ++x[0])
        for (x[1] = 0; x[1] < d[1]; ++x[1])
            for (x[2] = 0; x[2] < d[2]; ++x[2])
                for (x[3] = 0; x[3] < d[3]; ++x[3]) {
                    unsigned by_hand = layout.offset(x[0], x[1], x[2], x[3]);
                    if (by_hand != offset(x, sizes)) fail("offset", by_hand);
                    last = by_hand > last ? by_hand : last;
                }
    if constexpr (has_index<L>)
        for (unsigned o = 0; o < last + 5000; ++o) {
            unsigned i = 0, j = 0, k = 0, l = 0, y[4] = {0, 0, 0, 0};
            bool found = layout.index(o, i, j, k, l);
            if (found != index(o, y, sizes)) fail("padding", o);
            unsigned by_hand[] = {i, j, k, l};
            for (unsigned r = 0; found && r < L::R; ++r)
                if (by_hand[r] != y[r]) fail("index", o);
        }
    ++layouts;
    return true;
}

int main() { std::printf("%d layouts agree\n", layouts); }
