// De-tiles a buffer, as a service does that takes weights off a TPU and hands them to programs that know rows: bf16 in tiles
// T(8,128)(2,1) to row-major, shared by threads. Padding of the tiles is not copied: the rows have none.
//
//   cargo build --release --manifest-path bindings/c/Cargo.toml
//   c++ -std=c++17 -O2 -I bindings/c bindings/c/examples/detile.cpp bindings/c/target/release/libtiled_layout.a -lpthread -ldl -lm
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "tiled_layout.h"

using Layout = std::unique_ptr<TlLayout, decltype(&tl_layout_free)>;
using Relayout = std::unique_ptr<TlRelayout, decltype(&tl_relayout_free)>;

static void check(TlCode code, const TlError &error) {
    if (code != TL_CODE_OK) throw std::runtime_error(error.text);
}

static Layout parse(std::string_view text) {
    TlError error;
    TlLayout *layout;
    check(tl_parse(text.data(), text.size(), &layout, &error), error);
    return {layout, tl_layout_free};
}

static TlSizes sizes(const Layout &layout) {
    TlError error;
    TlSizes sizes;
    check(tl_layout_sizes(layout.get(), &sizes, &error), error);
    return sizes;
}

// Copies a buffer to another layout: each thread takes the next part until none is left.
static void relayout(const Layout &from, const void *source, size_t source_bytes, const Layout &to, void *destination) {
    TlError error;
    TlRelayout *planned;
    check(tl_relayout_new(from.get(), to.get(), &planned, &error), error);
    Relayout relayout(planned, tl_relayout_free);
    size_t count;
    check(tl_relayout_parts(planned, 1 << 20, nullptr, 0, &count, &error), error);
    std::vector<TlRange> parts(count);
    check(tl_relayout_parts(planned, 1 << 20, parts.data(), count, &count, &error), error);

    std::atomic<size_t> next = 0, failed = 0;
    auto work = [&] {
        for (size_t at; (at = next++) < count;) {
            auto [start, end] = parts[at];
            auto part = static_cast<char *>(destination) + start;
            // No error to write to: threads would share it.
            failed += tl_relayout_run_part(planned, parts[at], source, source_bytes, part, end - start,
                                           TlPadding{TL_PADDING_KIND_LEAVE, {}}, nullptr) != TL_CODE_OK;
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); i++) threads.emplace_back(work);
    for (auto &thread : threads) thread.join();
    if (failed) throw std::runtime_error("the buffers are not those of the layouts");
}

int main() try {
    Layout device = parse("bf16[4095,300]{1,0:T(8,128)(2,1)}"), host = parse("bf16[4095,300]");
    TlSizes tiled = sizes(device), rows = sizes(host);
    std::printf("%zu bytes on the device, %zu as rows\n", size_t(tiled.bytes), size_t(rows.bytes));

    // What a device would have sent: element [i, j] is i * 300 + j, and padding 0xdead.
    std::vector<uint16_t> buffer(tiled.padded_elements, 0xdead), weights(rows.elements);
    std::vector<uint64_t> indices, offsets(rows.elements);
    for (uint64_t i = 0; i < 4095; i++)
        for (uint64_t j = 0; j < 300; j++) indices.insert(indices.end(), {i, j});
    TlError error;
    check(tl_layout_offsets(device.get(), indices.data(), 2, rows.elements, offsets.data(), &error), error);
    for (size_t number = 0; number < offsets.size(); number++) buffer[offsets[number]] = uint16_t(number);

    relayout(device, buffer.data(), tiled.bytes, host, weights.data());
    for (size_t number = 0; number < weights.size(); number++)
        if (weights[number] != uint16_t(number)) throw std::runtime_error("an element is not in its place");
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
