"""The compiler judges the doctor: programs are compiled for a TPU, its advice is taken, and they are compiled again.

    python tests/tpu/check.py [PROGRAM]...

Needs the wheel `tiled-layout`, and `jax` and `libtpu` of one version; no TPU. Prints the table of `docs/advice.md` and exits
with 1 if a peak is off by a thousandth or advice made a program slower.
"""

import os
import sys

os.environ.update(
    TPU_SKIP_MDS_QUERY="1",
    TPU_ACCELERATOR_TYPE="v5litepod-4",
    JAX_PLATFORMS="cpu",
    ALLOW_MULTIPLE_LIBTPU_LOAD="1",
)
try:
    import jax
    import jax.numpy as jnp
    import libtpu  # noqa: F401
    from jax import lax
    from jax.experimental import topologies
    from jax.experimental.layout import Format, Layout
    from jax.sharding import SingleDeviceSharding
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(0)

import tiled_layout as tl

BF = jnp.bfloat16
PROGRAMS = {}


def program(*shapes, donate=()):
    """Adds a program of arrays of bf16 with these dimensions."""

    def add(f):
        PROGRAMS[f.__name__] = (f, shapes, donate)
        return f

    return add


@program((64, 64, 56, 56), (128, 64, 3, 3))
def conv_nchw(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))


@program((1024, 4096), (8, 1024))
def transposed_weight(w, x):
    return x @ w, w.T @ x.T


@program((4, 2048, 8, 128), (4, 2048, 8, 128), (4, 2048, 8, 128))
def attention(q, k, v):
    scores = jnp.einsum("bthd,bshd->bhts", q, k)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores.astype(jnp.float32), -1).astype(BF), v)


@program((12, 512, 512), (12, 8, 1024, 8, 64), (12, 8, 1024, 8, 64), (8, 1, 512), donate=(1, 2))
def decode(w, k, v, x):
    def layer(x, own):
        w, k, v = own
        q = (x @ w).reshape(8, 1, 8, 64)
        k, v = (lax.dynamic_update_slice(cache, q, (0, 7, 0, 0)) for cache in (k, v))
        scores = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32), -1).astype(BF)
        return x + jnp.einsum("bhts,bshd->bthd", scores, v).reshape(8, 1, 512), (k, v)

    x, (k, v) = lax.scan(layer, x, (w, k, v))
    return x, k, v


@program((32, 224, 224, 3), (7, 7, 3, 64))
def stem_nhwc(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program((128, 64, 512), (512, 2048), (512, 2048))
def recurrent(xs, w, u):
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ w + h @ u, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((64, 512), BF)
    return lax.scan(step, (zero, zero), xs)[1]


@program((2048, 1024), (8, 1024, 2048))
def contract_first(w, x):
    return jnp.einsum("dk,bkd->bk", w, x * 2)


@program((4096, 4096), (4096, 4096))
def nothing_to_gain(a, b):
    return jnp.tanh(a @ b)


def compiled(f, shapes, donate, sharding, layouts=None):
    """The program, with layouts of parameters and results by place."""
    layouts = layouts or {}
    arrays = [jax.ShapeDtypeStruct(dims, BF, sharding=sharding) for dims in shapes]
    flat = lambda *own: tuple(jax.tree.leaves(f(*own)))  # noqa: E731
    results = len(jax.eval_shape(flat, *arrays))

    def form(place):
        order = layouts.get(place)
        return sharding if order is None else Format(Layout(major_to_minor=order), sharding)

    jitted = jax.jit(
        flat,
        in_shardings=tuple(form(("parameter", number)) for number in range(len(arrays))),
        out_shardings=tuple(form(("result", number)) for number in range(results)),
        donate_argnums=donate,
        keep_unused=True,
    )
    return jitted.lower(*arrays).compile()


def main():
    device = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2").devices[0]
    sharding = SingleDeviceSharding(device)
    failed = []
    print("| program | pieces | cycles before | after | copies before | after | peak before, MiB | after | peak / compiler's |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (f, shapes, donate) in PROGRAMS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        program = compiled(f, shapes, donate, sharding)
        before = tl.memory(program)
        truth = program.memory_analysis().peak_memory_in_bytes
        layouts = {}
        pieces = [advice for advice in before.advice if advice.kind == "layout"]
        for advice in pieces:
            for place in [advice.place, advice.pair or {}]:
                layouts |= {it: advice.major_to_minor for it in place.items()}
        after = tl.memory(compiled(f, shapes, donate, sharding, layouts)) if layouts else before
        cells = [name, len(pieces), before.cycles, after.cycles, len(before.copies), len(after.copies)]
        cells += [before.peak.bytes >> 20, after.peak.bytes >> 20, f"{before.peak.bytes / truth:.4f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        if abs(before.peak.bytes / truth - 1) > 0.001 or (after.cycles or 0) > (before.cycles or 0):
            failed.append(name)
    if failed:
        print("worse: " + ", ".join(failed))
    sys.exit(bool(failed))


main()
