"""Copies against numpy's own padding, reshape and transpose."""

import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import ml_dtypes
import numpy as np
import pytest
import tiled_layout as tl


def memory_of(array, order, tiles):
    """The memory of an array by the definition: for each tile, pad, reshape, transpose."""
    memory = array.transpose(order[::-1])
    for tile in tiles:
        outer, covered = memory.shape[: -len(tile)], memory.shape[-len(tile) :]
        counts = [-(-size // of) for size, of in zip(covered, tile)]
        padded = np.zeros(outer + tuple(count * of for count, of in zip(counts, tile)), array.dtype)
        padded[tuple(slice(size) for size in memory.shape)] = memory
        both = padded.reshape(outer + tuple(size for pair in zip(counts, tile) for size in pair))
        first = len(outer)
        axes = [*range(first), *range(first, both.ndim, 2), *range(first + 1, both.ndim, 2)]
        memory = both.transpose(axes)
    return np.ascontiguousarray(memory)


def text_of(element, dims, order, tiles):
    numbers = ",".join
    tile_text = "".join(f"({numbers(map(str, tile))})" for tile in tiles)
    layout = numbers(map(str, order)) + (f":T{tile_text}" if tiles else "")
    return f"{element}[{numbers(map(str, dims))}]{{{layout}}}"


def some(dims, dtype, seed=1):
    raw = np.random.default_rng(seed).integers(0, 256, (*dims, np.dtype(dtype).itemsize), np.uint8)
    if np.dtype(dtype).name in ("int4", "uint4"):
        raw &= 15
    if np.dtype(dtype) == bool:
        raw &= 1
    return raw.view(dtype).reshape(dims)


def equal(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


TYPES = ["pred", "s8", "bf16", "f16", "f8e4m3fn", "f8e5m2", "s32", "f32", "f64", "c64", "c128", "s4", "u4"]


def test_copies_are_numpys_reshape_and_transpose():
    chance = random.Random(27)
    for number in range(300):
        rank = chance.randint(1, 4)
        dims = [chance.choice([1, 2, 3, 5, 8, 17]) for _ in range(rank)]
        order = chance.sample(range(rank), rank)
        tiles = [[chance.choice([1, 2, 3, 4, 8]) for _ in range(chance.randint(1, rank))] for _ in range(chance.randint(0, 2))]
        text = text_of(chance.choice(TYPES), dims, order, tiles)
        layout = tl.parse(text)
        host = some(dims, layout.dtype, number)
        memory = memory_of(host, order, tiles)
        assert memory.shape == layout.memory_dims, text
        device = tl.relayout(host, layout)
        # The padding too.
        assert equal(device, memory), text
        for buffer in [device, device.tobytes(), bytearray(device.tobytes()), memoryview(device.tobytes())]:
            assert equal(tl.detile(buffer, text), host), text


def digest(memory):
    hash = 0xCBF29CE484222325
    for byte in memory:
        hash = (hash ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{hash:016x}"


def test_copies_are_those_of_the_naive_definition():
    # Pairs of layouts, and a digest of what the copy of these bytes writes.
    lines = (pathlib.Path(__file__).parents[3] / "tests/data/copies.txt").read_text().splitlines()
    assert len(lines) > 100
    for line in lines:
        from_, to, expected = line.split("\t")
        source, target = tl.parse(from_), tl.parse(to)
        # Narrow elements in bytes are cleaned, as `ml_dtypes` has them.
        narrow = from_.split("[")[0] in ("pred", "s1", "u1", "s2", "u2", "s4", "u4", "f4e2m1fn")
        if narrow and not ("E(" in from_ and "E(" in to):
            continue
        numbers = np.arange(source.padded_bytes)
        memory = (numbers * 167 + numbers // 256 * 13 + 11).astype(np.uint8).tobytes()
        for threads in (1, 2, 5):
            copy = tl.relayout(memory, target, from_=source, threads=threads)
            assert digest(copy.tobytes()) == expected, (line, threads)


def test_padding_is_not_copied_as_data():
    layout = tl.parse("bf16[300,500]{1,0:T(8,128)(2,1)}")
    host = some((300, 500), ml_dtypes.bfloat16)
    host.view(np.uint16)[...] &= 0x7FFF
    memory = np.full(layout.padded_elements, 0xFFFF, np.uint16)
    indices = np.moveaxis(np.indices((300, 500)), 0, -1)
    memory[layout.offsets(indices)] = host.view(np.uint16)
    assert (memory == 0xFFFF).sum() == layout.padded_elements - layout.elements
    assert equal(tl.detile(memory.tobytes(), layout), host)
    # The way back clears it, in memory that held something else.
    again = np.full(layout.padded_bytes, 255, np.uint8)
    assert tl.relayout(host, layout, out=again) is again
    memory[memory == 0xFFFF] = 0
    assert again.tobytes() == memory.tobytes()


def test_declared_padding():
    assert tl.relayout(np.int32([1, 2, 3]), "s32[3]{0:PAD(4)FILL(highest)}").tolist() == [1, 2, 3, 2**31 - 1]
    assert tl.relayout(np.int32([1, 2, 3]), "s32[3]{0:L(8)}").tolist() == [1, 2, 3, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("element", ["s4", "u4", "s2", "u2", "f4e2m1fn"])
def test_packed_elements_are_those_of_ml_dtypes(element):
    bits = tl.parse(f"{element}[1]").dtype.name
    width = 2 if "2" == element[1] else 4
    layout = tl.parse(f"{element}[16,256]{{1,0:T(8,128)({8 // width},1)E({width})}}")
    raw = np.random.default_rng(3).integers(0, 1 << width, (16, 256), np.uint8)
    host = raw.view(layout.dtype)
    device = tl.relayout(host, layout)
    assert device.dtype == np.uint8 and device.nbytes == 16 * 256 * width // 8, bits
    # By hand: the first element of a byte is in its low bits.
    slots = np.zeros(layout.padded_elements, np.uint8)
    slots[layout.offsets(np.moveaxis(np.indices((16, 256)), 0, -1))] = raw
    by_hand = sum(slots[part :: 8 // width] << (width * part) for part in range(8 // width))
    assert device.tobytes() == by_hand.astype(np.uint8).tobytes()
    assert equal(tl.detile(device, layout), host)
    assert equal(tl.detile(device, layout, threads=3), host)


def test_signs_above_narrow_numbers_are_cleared():
    # Old TPUs give s4 a byte; numpy compares all of it.
    device = np.array([0xFF, 0x03, 0xF8], np.uint8)
    host = tl.detile(device, "s4[3]")
    assert host.astype(np.int8).tolist() == [-1, 3, -8]
    assert (host == np.array([-1, 3, -8], ml_dtypes.int4)).all()


@pytest.mark.parametrize("text", [
    "bf16[1024,3000]{1,0:T(8,128)(2,1)}",
    "s8[4096,1100]{0,1:T(32,128)(4,1)}",
    "f32[3,700,900]{0,2,1:T(8,128)}",
    "s4[2048,4100]{1,0:T(8,128)(8,1)E(4)}",
    "c128[700,400]{0,1}",
])
@pytest.mark.parametrize("threads", [2, 3, 16, 10**9])
def test_threads_write_what_one_writes(text, threads):
    layout = tl.parse(text)
    host = some(layout.dims, layout.dtype)
    device = tl.relayout(host, layout)
    assert layout.padded_bytes > 4 << 20
    assert equal(tl.relayout(host, layout, threads=threads), device)
    assert equal(tl.detile(device, layout, threads=threads), host)
    out = np.empty_like(host)
    assert tl.detile(device, layout, out=out, threads=threads) is out and equal(out, host)


def test_other_threads_of_python_run_meanwhile():
    layout = tl.parse("bf16[4096,8192]{0,1:T(8,128)(2,1)}")
    memory = np.zeros(layout.padded_bytes, np.uint8)
    outs = [np.empty(layout.dims, ml_dtypes.bfloat16) for _ in range(2)]
    spans = [[], []]

    def work(number):
        for _ in range(6):
            start = time.perf_counter()
            tl.detile(memory, layout, out=outs[number])
            spans[number].append((start, time.perf_counter()))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    ticks = []
    while any(thread.is_alive() for thread in threads):
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
    # In the middle of a copy that holds the lock of Python nothing else is.
    middles = [(start + (end - start) / 4, end - (end - start) / 4) for own in spans for start, end in own]
    assert any(start < tick < end for start, end in middles for tick in ticks)
    # One of the threads begins while the other one copies.
    assert any(start < other < end for start, end in middles_of(spans[0]) for other, _ in spans[1]) or any(
        start < other < end for start, end in middles_of(spans[1]) for other, _ in spans[0]
    )


def test_memory_that_another_thread_writes():
    """The numbers may be old or new; what was read is never anything else, and nothing crashes."""
    layout = tl.parse("f32[500,3000]{1,0:T(8,128)}")
    memory = np.ones(layout.memory_dims, np.float32)
    stopped = threading.Event()

    def write():
        while not stopped.is_set():
            for number in range(1, 4):
                memory[...] = number

    writer = threading.Thread(target=write)
    writer.start()
    found = [tl.detile(memory, layout, threads=2) for _ in range(20)]
    stopped.set()
    writer.join()
    assert all(np.isin(host, (1, 2, 3)).all() for host in found)


def test_one_output_of_many_threads():
    layout = tl.parse("f32[500,3000]{1,0:T(8,128)}")
    host = some(layout.dims, np.float32)
    memory, out = tl.relayout(host, layout), np.empty(layout.dims, np.float32)
    outcomes = []

    def work():
        for _ in range(20):
            try:
                outcomes.append(tl.detile(memory, layout, out=out) is out)
            except tl.LayoutError as error:
                outcomes.append("borrowed" in str(error) and "= help:" in str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 60 and equal(out, host)


# JAX, which other tests import, forbids to fork: so in a process of its own.
FORK = """
import os, threading
import numpy as np, tiled_layout as tl
layout = tl.parse("f32[1000,3000]{1,0:T(8,128)}")
host = np.arange(3_000_000, dtype=np.float32).reshape(layout.dims)
memory, outs = tl.relayout(host, layout), [np.empty(layout.dims, np.float32) for _ in range(2)]
other = threading.Thread(target=lambda: [tl.detile(memory, layout, out=outs[0], threads=2) for _ in range(20)])
other.start()
child = os.fork()
if child == 0:
    os._exit(0 if (tl.detile(memory, layout, out=outs[1], threads=2) == host).all() else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
other.join()
assert (outs[0] == host).all()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_copies_of_a_forked_process():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=60)


def middles_of(spans):
    return [(start + (end - start) / 10, end - (end - start) / 10) for start, end in spans]


def test_memory_is_not_copied_on_the_way():
    layout = tl.parse("f32[1024,1024]{1,0:T(8,128)}")
    out = np.empty(layout.dims, np.float32)
    buffer = bytearray(layout.padded_bytes)
    import tracemalloc

    tl.detile(buffer, layout, out=out)
    tracemalloc.start()
    tl.detile(buffer, layout, out=out)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000


def test_a_layout_alone_is_that_of_the_array():
    host = some((20, 300), np.float32)
    whole = "f32[20,300]{0,1:T(8,128)}"
    device = tl.relayout(host, whole)
    assert equal(tl.relayout(host, "{0,1:T(8,128)}"), device)
    # Of what `from_` says, where the array is memory.
    assert equal(tl.relayout(device, "{1,0}", from_=whole), host)
    assert equal(tl.relayout(device, "f32[20,300]", from_="{0,1:T(8,128)}"), host)
    assert equal(tl.relayout(host, "einops:h w -> w h"), np.ascontiguousarray(host.T))
    codes = some((64, 128), ml_dtypes.uint4)
    marlin = tl.relayout(codes, "marlin")
    assert marlin.nbytes == 64 * 128 // 2
    assert equal(tl.detile(marlin, tl.parse("u4[64,128]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}")), codes)


def test_bits_of_predicates():
    host = some((50, 70), bool)
    packed = tl.relayout(host, "pred[50,70]{0,1:T(5,3)(7)E(1)}")
    assert packed.nbytes == tl.parse("pred[50,70]{0,1:T(5,3)(7)E(1)}").padded_bytes
    assert equal(tl.detile(packed, "pred[50,70]{0,1:T(5,3)(7)E(1)}"), host)


# The array is some seconds of work; `go` says that it begins.
LONG = """
import signal, sys, time
import numpy as np, tiled_layout as tl
# A program that runs in the background may be told to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
rows, threads = 64, int(sys.argv[1])
def copy(rows):
    layout = tl.parse(f"pred[{rows},4003]{{0,1:T(5,3)(7)E(1)}}")
    host, out = np.zeros(layout.dims, bool), np.zeros(layout.padded_bytes, np.uint8)
    print("go", flush=True)
    start = time.perf_counter()
    tl.relayout(host, layout, out=out, threads=threads)
    return time.perf_counter() - start
# The shorter of two: one that another program held up does not count.
while (took := min(copy(rows), copy(rows))) < 0.25:
    rows *= 2
print("long", took, flush=True)
try:
    copy(16 * rows)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_copy(threads):
    child = subprocess.Popen([sys.executable, "-c", LONG, str(threads)], stdout=subprocess.PIPE, text=True)
    with child:
        while (line := child.stdout.readline()) == "go\n":
            pass
        _, took = line.split()
        assert child.stdout.readline() == "go\n"
        # In the middle of a copy that takes 16 times as long.
        time.sleep(0.2)
        start = time.perf_counter()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert time.perf_counter() - start < 4 * float(took), took
        assert child.wait() == 0


def test_any_layout_to_any_other():
    first, second = "f32[20,300]{1,0:T(8,128)}", "f32[20,300]{0,1:T(2,4)}"
    host = some((20, 300), np.float32)
    device = tl.relayout(tl.relayout(host, first), second, from_=first)
    assert equal(device, tl.relayout(host, second))
    assert equal(tl.relayout(host.T.copy(), "f32[20,300]", from_="f32[20,300]{0,1}"), host)
    assert tl.relayout(np.float32(3), "f32[]").shape == ()
    assert tl.relayout(np.zeros((0, 5), "float32"), "f32[0,5]{1,0:T(8,128)}").size == 0
