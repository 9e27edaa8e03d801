"""The compiler judges the doctor: programs are compiled for a TPU, its advice is taken, and they are compiled again.

    python tests/tpu/check.py [PROGRAM]...

Needs the wheel `tiled-layout`, and `jax` and `libtpu` of one version; no TPU. Prints the table of `docs/advice.md` and exits
with 1 if what has to fit is off by a fiftieth, if advice for one place, a piece of it or all of it made a program slower and saved no memory, or if a
copy that returning an argument spares is still there.
"""

import inspect
import os
import pathlib
import re
import sys
import tempfile
from types import SimpleNamespace
from typing import Any, NamedTuple

os.environ.update(
    TPU_SKIP_MDS_QUERY="1",
    TPU_ACCELERATOR_TYPE="v5litepod-4",
    JAX_PLATFORMS="cpu",
    ALLOW_MULTIPLE_LIBTPU_LOAD="1",
)
DUMP = tempfile.TemporaryDirectory()
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_dump_to=" + DUMP.name
try:
    import jax
    import jax.numpy as jnp
    import libtpu
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


def layer_norm(x):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


# Trees: dictionaries, lists, classes; layouts of some of their leaves.


class State(NamedTuple):
    params: Any
    adam: Any


WEIGHTS = [{"in": (1024, 4096), "out": (4096, 1024)}] * 2


@program(State(WEIGHTS, {"m": WEIGHTS, "v": WEIGHTS}), (4096, 1024))
def adam_tree(state, x):
    def loss(params):
        y = x
        for layer in params:
            y = y + jnp.tanh(layer_norm(y) @ layer["in"]) @ layer["out"]
        return (y.astype(jnp.float32) ** 2).sum()

    lost, grads = jax.value_and_grad(loss)(state.params)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.adam["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state.adam["v"], grads)
    params = jax.tree.map(lambda p, m, v: p - 0.001 * m / (jnp.sqrt(v) + 1e-8), state.params, m, v)
    return State(params, {"m": m, "v": v}), lost


@program({"q": (4, 2048, 8, 128), "kv": [(4, 2048, 8, 128), (4, 2048, 8, 128)]})
def attention_of_a_tree(it):
    return {"out": attention(it["q"], *it["kv"]), "norm": jnp.sum(it["q"].astype(jnp.float32) ** 2)}


@program({"conv": [{"kernel": (128, 64, 3, 3), "bias": (128,)}, {"kernel": (128, 128, 3, 3), "bias": (128,)}]}, (32, 64, 56, 56))
def convs_of_a_tree(params, x):
    for own in params["conv"]:
        y = lax.conv_general_dilated(x, own["kernel"], (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))
        x = jax.nn.relu(y + own["bias"][:, None, None])
    return {"y": x, "mean": x.mean((0, 2, 3))}


@program((12, 512, 512), {"k": (12, 8, 1024, 8, 64), "v": (12, 8, 1024, 8, 64)}, (8, 1, 512), donate=(1,))
def decode_of_a_tree(w, cache, x):
    x, k, v = decode(w, cache["k"], cache["v"], x)
    return {"x": x, "cache": {"k": k, "v": v}}


def beams(kv, w, x):
    def step(i, own):
        kv, x = own
        best = jnp.argsort(x[:, 0].astype(jnp.float32))
        kv = lax.dynamic_update_slice(kv[best], jnp.broadcast_to((x @ w.T)[:, None, None], (8, 8, 1, 64)), (0, 0, i, 0))
        return kv, jnp.tanh(kv.sum((1, 2)) @ w)

    return lax.fori_loop(0, 255, step, (kv, x))


def cache(kv, new):
    def step(i, own):
        kv, x = own
        kv = lax.dynamic_update_slice(kv, x, (0, 0, i, 0))
        return kv, jnp.tanh(lax.dynamic_slice(kv, (0, 0, i, 0), x.shape))

    return lax.fori_loop(0, 100, step, (kv, new))


@program(jax.ShapeDtypeStruct((512, 64, 64), jnp.float32))
def cholesky(x):
    return lax.linalg.cholesky(x, symmetrize_input=False)


@program(jax.ShapeDtypeStruct((512, 64, 64), jnp.float32))
def cholesky_symmetrized(x):
    return lax.linalg.cholesky(x)


@program(jax.ShapeDtypeStruct((256, 64, 64), jnp.float32), jax.ShapeDtypeStruct((256, 64, 8), jnp.float32))
def cholesky_solve(x, y):
    both = x.swapaxes(-1, -2)
    return jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(x), True), y), (x * both).sum(-1), x @ both


# Programs that write to their first argument in a loop.
WRITERS = [(beams, ((8, 8, 1024, 64), (64, 512), (8, 512))), (cache, ((8, 8, 8192, 128), (8, 8, 1, 128)))]


@program((16, 224, 224, 3), (16, 16, 3, 768))
def patches(image, w):
    return jax.nn.gelu(lax.conv_general_dilated(image * 2 - 1, w, (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")))


def flax_model():
    from flax import linen as nn

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            for _ in range(2):
                x = x + nn.MultiHeadDotProductAttention(num_heads=8, param_dtype=BF, dtype=BF)(nn.LayerNorm(dtype=BF, param_dtype=BF)(x))
            return nn.Dense(1000, param_dtype=BF, dtype=BF)(x)

    x = (4, 512, 512)
    model = Model()
    params = jax.eval_shape(model.init, jax.random.key(0), jax.ShapeDtypeStruct(x, BF))

    @program(params, x)
    def flax_step(params, x):
        loss, grads = jax.value_and_grad(lambda params: (model.apply(params, x).astype(jnp.float32) ** 2).sum())(params)
        return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


def arrays(tree, sharding):
    """The arrays of a tree of dimensions."""
    is_dims = lambda it: hasattr(it, "shape") or type(it) is tuple and all(isinstance(dim, int) for dim in it)  # noqa: E731
    return jax.tree.map(lambda it: jax.ShapeDtypeStruct(getattr(it, "shape", it), getattr(it, "dtype", BF), sharding=sharding), tree, is_leaf=is_dims)


def asked(advice, f, own, sharding):
    """What the printed statements give to `jax.jit`."""
    options = {}
    jit = lambda _, **given: options.update(given)  # noqa: E731
    names = dict(zip(inspect.signature(f).parameters, own)) | {"f": f, "sharding": sharding, "Format": Format, "Layout": Layout}
    names |= {"out": jax.eval_shape(f, *own), "jax": SimpleNamespace(jit=jit, tree=jax.tree, tree_util=jax.tree_util)}
    exec(advice.python, names)
    return options


def compiled(f, own, sharding, donate=(), pieces=()):
    """The program, as pieces of advice ask for it."""
    return compiled_with(f, own, donate, [asked(piece, f, own, sharding) for piece in pieces])


def compiled_with(f, own, donate, options):
    """The program, as these arguments of `jax.jit` ask for it."""
    merged = {"donate_argnums": donate, "keep_unused": True}
    for name, trees in [("in_shardings", own), ("out_shardings", jax.eval_shape(f, *own))]:
        given = [spread(it[name], trees, name) for it in options if name in it]
        if given:
            merged[name] = jax.tree.unflatten(jax.tree.structure(trees), [next(filter(None, all), None) for all in zip(*given)])
    merged["donate_argnums"] = sorted({*donate, *(number for it in options for number in it.get("donate_argnums", ()))})
    # What one piece asks for goes to `jax.jit` as it is.
    asked_alone = options[0] if len(options) == 1 and "donate_argnums" not in options[0] else {}
    return jax.jit(f, **merged | asked_alone).lower(*own).compile()


def spread(prefix, tree, name):
    """What is asked of each leaf."""
    leaf = lambda it: it is None or isinstance(it, Format)  # noqa: E731
    if name == "in_shardings" and not isinstance(prefix, tuple):
        prefix = (prefix,) * len(tree)
    return jax.tree.leaves(jax.tree.broadcast(prefix, tree, is_leaf=leaf), is_leaf=leaf)


def alone(options, f, own):
    """What is asked of each place, if it is asked of several."""
    found = []
    for name, trees in [("in_shardings", own), ("out_shardings", jax.eval_shape(f, *own))]:
        leaves = spread(options[name], trees, name) if name in options else []
        for at in (at for at, layout in enumerate(leaves) if layout is not None):
            only = [layout if number == at else None for number, layout in enumerate(leaves)]
            found.append({name: jax.tree.unflatten(jax.tree.structure(trees), only)})
    return found if len(found) > 1 else []


def allocated():
    """What the compiler allocated in HBM for the program that it compiled last, by its dump, which is then removed."""
    dump = pathlib.Path(DUMP.name)
    texts = [path.read_text() for path in dump.glob("*.after_optimizations-buffer-assignment.txt")]
    for path in dump.iterdir():
        path.unlink() if path.is_file() else None
    sizes = [re.findall(r"^allocation \d+: size (\d+),(?!.*(?: color [1-9]|thread-local))", text, re.MULTILINE) for text in texts]
    return max((sum(map(int, own)) for own in sizes), default=0)


def main():
    device = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2").devices[0]
    sharding = SingleDeviceSharding(device)
    failed = []
    version = tuple(map(int, libtpu.__version__.split(".")[:3]))
    flax_model()
    print("| program | pieces | cycles before | after | copies before | after | peak before, MiB | after | allocated / compiler's |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (f, shapes, donate) in PROGRAMS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        own = arrays(shapes, sharding)
        allocated()
        before = tl.memory(compiled(f, own, sharding, donate))
        # By the compiler's own figures, and by the text alone.
        by_text = before.least_allocated_bytes if version <= (0, 0, 45) else before.hbm.allocated_bytes
        needed = allocated()
        off = [abs(said / needed - 1) for said in (before.needed_bytes, by_text)]
        pieces = [advice for advice in before.advice if advice.kind in ("layout", "donate", "size")]
        taken = [[piece] for piece in pieces] + [pieces] * (len(pieces) > 1)
        after = [tl.memory(compiled(f, own, sharding, donate, pieces)) for pieces in taken] or [before]
        # A result in its argument's memory has that layout too.
        layouts = [asked(piece, f, own, sharding) for piece in pieces if piece.kind == "layout" and not donate]
        after = [tl.memory(compiled_with(f, own, donate, [place])) for it in layouts for place in alone(it, f, own)] + after
        last = after[-1]
        cells = [name, len(pieces), before.cycles, last.cycles, len(before.copies), len(last.copies)]
        cells += [before.hbm.peak_bytes >> 20, last.hbm.peak_bytes >> 20, f"{by_text / needed:.4f}"]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        is_worse = any((it.cycles or 0) > (before.cycles or 0) and it.hbm.peak_bytes >= before.hbm.peak_bytes for it in after)
        if is_worse or max(off) > 0.02:
            failed.append(name)
    for f, shapes in [] if sys.argv[1:] else WRITERS:
        own = arrays(shapes, sharding)
        before = tl.memory(compiled(lambda *own, f=f: f(*own)[1], own, sharding))
        (advice,) = (it for it in before.advice if it.kind == "return")
        after = tl.memory(compiled(f, own, sharding, pieces=[advice]))
        print(f"returned in {f.__name__}: {before.cycles} cycles, {after.cycles} after; peak {before.hbm.peak_bytes >> 20} MiB, {after.hbm.peak_bytes >> 20} after")
        is_left = set(advice.instructions) & {copy.instruction for copy in after.copies}
        if is_left or after.cycles > before.cycles:
            failed.append(f.__name__)
    if failed:
        print("worse: " + ", ".join(failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
