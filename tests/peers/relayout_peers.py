"""The copies of relayout.rs by numpy, and by torch and oneDNN (PyPI `onednn-cpu-gomp`) if they are
installed: ratios to a contiguous copy by numpy (memcpy) of the same bytes in the same run, one thread;
above 1 is faster.

    OMP_NUM_THREADS=1 taskset -c 1 python3 tests/peers/relayout_peers.py
"""

import ctypes
import ctypes.util
import glob
import statistics
import sys
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


class OneDnn:
    """Reorders by oneDNN's C interface; arrays are given by dimensions and strides."""

    KINDS = {np.float32: 3, np.uint16: 2, np.int8: 5}  # dnnl_f32, dnnl_bf16, dnnl_s8

    def __init__(self):
        found = glob.glob(f"{sys.prefix}/lib/libdnnl.so*")
        self.library = ctypes.CDLL(found[0] if found else ctypes.util.find_library("dnnl") or "libdnnl.so")
        self.engine = self.make("dnnl_engine_create", 1, ctypes.c_size_t(0))
        self.stream = self.make("dnnl_stream_create", self.engine, 1)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: status {status}")

    def make(self, name, *arguments):
        made = ctypes.c_void_p()
        self.call(name, ctypes.byref(made), *arguments)
        return made

    def memory(self, array, kind):
        dims = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        name = "dnnl_memory_desc_create_with_strides"
        desc = self.make(name, array.ndim, dims, self.KINDS[kind], strides)
        return desc, self.make("dnnl_memory_create", desc, self.engine, ctypes.c_void_p(array.ctypes.data))

    def copy(self, source, to, kind):
        """A function that copies one array to another of the same dimensions."""
        (source_desc, source), (to_desc, to) = self.memory(source, kind), self.memory(to, kind)
        name = "dnnl_reorder_primitive_desc_create"
        plan = self.make(name, source_desc, self.engine, to_desc, self.engine, None)
        primitive = self.make("dnnl_primitive_create", plan)

        class Argument(ctypes.Structure):
            _fields_ = [("number", ctypes.c_int), ("memory", ctypes.c_void_p)]

        arguments = (Argument * 2)(Argument(1, source), Argument(17, to))

        def run():
            self.call("dnnl_primitive_execute", primitive, self.stream, 2, arguments)
            self.call("dnnl_stream_wait", self.stream)

        return run


def main():
    try:
        onednn = OneDnn()
    except OSError:
        onednn = None
    try:
        import torch

        torch.set_num_threads(1)
    except ImportError:
        torch = None
    print(f"{'ratio to memcpy':26} {'numpy':>7} {'torch':>7} {'oneDNN':>7}")
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
        by_onednn = "–"
        if onednn is not None:
            to.fill(0)
            run = onednn.copy(view, to, kind)
            by_onednn = f"{ratio(run, lambda: np.copyto(flat, source)):.2f}"
            assert np.array_equal(to, view)
        print(f"{name:26} {by_numpy:7.2f} {by_torch:>7} {by_onednn:>7}")


main()
