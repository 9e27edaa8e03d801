"""De-tiling bf16 in T(8,128)(2,1): bytes of the destination in a second, the best of several runs."""

import time

import ml_dtypes
import numpy as np
import tiled_layout as tl

MIB = 64
dims = (4096, MIB * 128)
layout = tl.parse(f"bf16[{dims[0]},{dims[1]}]{{1,0:T(8,128)(2,1)}}")


def best(run, times=15):
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


host = np.random.default_rng(1).integers(0, 1 << 15, dims, np.uint16).view(ml_dtypes.bfloat16)
device = tl.relayout(host, layout)
out = np.empty(dims, ml_dtypes.bfloat16)


def with_numpy():
    rows, columns, pairs, lanes, pair, _ = device.shape
    tiles = device.view(np.uint16)[..., 0].transpose(0, 2, 4, 1, 3)
    np.copyto(out.view(np.uint16).reshape(rows, pairs, pair, columns, lanes), tiles)


runs = {
    "numpy's transpose": with_numpy,
    "numpy.copyto of row-major arrays": lambda: np.copyto(out, host),
    "detile into `out`": lambda: tl.detile(device, layout, out=out),
    "detile into `out`, 2 threads": lambda: tl.detile(device, layout, out=out, threads=2),
    "detile into a new array": lambda: tl.detile(device, layout),
    "relayout to the device": lambda: tl.relayout(host, layout, out=device),
}
for name, run in runs.items():
    seconds = best(run)
    assert (out.view(np.uint16) == host.view(np.uint16)).all()
    print(f"{name:34} {host.nbytes / seconds / 1e9:7.2f} GB/s")

text = "".join(f"  %add.{number} = bf16[4096,300]{{1,0:T(8,128)(2,1)}} add(%x, %x)\n" for number in range(150_000))
text = f"HloModule m\nENTRY %main (x: bf16[4096,300]) -> bf16[4096,300] {{\n  %x = bf16[4096,300]{{1,0}} parameter(0)\n{text}}}\n"
print(f"{'hlo, a program of many lines':34} {len(text) / best(lambda: tl.hlo(text), 5) / 1e6:7.0f} MB/s")
