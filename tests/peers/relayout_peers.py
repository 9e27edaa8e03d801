"""The copies of relayout.rs by numpy, and by torch if that is installed: ratios to a
contiguous copy by numpy (memcpy) of the same bytes in the same run, one thread; above 1 is faster.

    OMP_NUM_THREADS=1 taskset -c 1 python3 tests/peers/relayout_peers.py
"""

import statistics
import time

import numpy as np

ROUNDS = 11

# Name, type, the source as an array of these dimensions, and which permutation of it the destination is.
LINES = [
    ("f32 to T(8,128)", np.float32, (512, 8, 32, 128), (0, 2, 1, 3)),
    ("f32 from T(8,128)", np.float32, (512, 32, 8, 128), (0, 2, 1, 3)),
    ("bf16 to (8,128)(2,1)", np.uint16, (1024, 4, 2, 32, 128), (0, 3, 1, 4, 2)),
    ("bf16 from (8,128)(2,1)", np.uint16, (1024, 32, 4, 128, 2), (0, 2, 4, 1, 3)),
    ("i8 to (32,128)(4,1)", np.int8, (256, 8, 4, 64, 128), (0, 3, 1, 4, 2)),
    ("i8 from (32,128)(4,1)", np.int8, (256, 64, 8, 128, 4), (0, 2, 4, 1, 3)),
    ("f32 transpose", np.float32, (4096, 4096), (1, 0)),
]


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ratio(function, memcpy):
    function()
    pairs = [(seconds(memcpy), seconds(function)) for _ in range(ROUNDS)]
    return statistics.median(a / b for a, b in pairs)


def main():
    try:
        import torch

        torch.set_num_threads(1)
    except ImportError:
        torch = None
    print(f"{'ratio to memcpy':26} {'numpy':>7} {'torch':>7}")
    for name, kind, dims, permutation in LINES:
        source = (np.arange(np.prod(dims)) % 251).astype(kind).reshape(dims)
        flat = np.empty_like(source)
        to = np.empty([dims[axis] for axis in permutation], kind)
        view = source.transpose(permutation)
        by_numpy = ratio(lambda: np.copyto(to, view), lambda: np.copyto(flat, source))
        assert np.array_equal(to, view)
        by_torch = "–"
        if torch is not None:
            signed = {np.uint16: np.int16}.get(kind, kind)
            a = torch.from_numpy(view.view(signed))
            b = torch.from_numpy(to.view(signed))
            by_torch = f"{ratio(lambda: b.copy_(a), lambda: np.copyto(flat, source)):.2f}"
        print(f"{name:26} {by_numpy:7.2f} {by_torch:>7}")


main()
