"""The compiler judges advice about shardings: programs are compiled for eight devices, the statements are executed, and they are compiled again.

    python tests/tpu/devices.py [PROGRAM]...

Needs the wheel `tiled-layout`, and `jax` and `libtpu` of one version; no TPU. Prints the table of `docs/shardings.md` and exits with 1 if a program
does not get better, if advice is left afterwards, or if a program without a fault gets any.
"""

import os
import sys

os.environ.update(TPU_SKIP_MDS_QUERY="1", TPU_ACCELERATOR_TYPE="v5litepod-8", JAX_PLATFORMS="cpu", ALLOW_MULTIPLE_LIBTPU_LOAD="1")
try:
    import jax
    import jax.numpy as jnp
    import libtpu  # noqa: F401
    import numpy as np
    from jax import lax
    from jax.experimental import topologies
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(0)

import tiled_layout as tl

DEVICES = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x4").devices
MESH = Mesh(np.array(DEVICES).reshape(4, 2), ("fsdp", "tp"))
BF = jnp.bfloat16


def array(shape, *spec, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(MESH, P(*spec)))


def constrain(x, *spec):
    return lax.with_sharding_constraint(x, NamedSharding(MESH, P(*spec)))


class Described:
    """JAX, whose `device_put` describes arrays: there are no devices to put them on."""

    lax = lax

    @staticmethod
    def device_put(x, sharding):
        return jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=sharding)


def loss(w, tokens):
    def layer(x, p):
        return x + jax.nn.relu(x @ p[0].astype(BF)) @ p[1].astype(BF), None

    x, _ = lax.scan(layer, constrain(w["embed"].astype(BF)[tokens], "fsdp"), (w["up"], w["down"]))
    logits = (x @ w["embed"].astype(BF).T).astype(jnp.float32)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[..., None], -1))


def train(taken, names=("embed", "up", "down"), embed=(), up=(), down=()):
    """A training step, with moments that have these shardings."""
    w = {"embed": array((32003, 1024), *embed), "up": array((4, 1024, 4096), None, "fsdp", "tp"), "down": array((4, 4096, 1024), None, "tp", "fsdp")}
    specs = {"embed": embed, "up": up, "down": down}
    own = {"w": w, "mom": {name: array(w[name].shape, *specs[name]) for name in names}, "jax": Described, "mesh": MESH}
    for advice in taken:
        exec(advice.python, own)

    def step(w, mom, tokens):
        mom = jax.tree.map(lambda m, g: 0.9 * m + g, mom, jax.grad(loss)(w, tokens))
        return jax.tree.map(lambda w, m: w - 0.1 * m, w, mom), mom

    shardings = tuple(jax.tree.map(lambda it: it.sharding, own[name]) for name in ("w", "mom"))
    tokens = array((16, 512), "fsdp", dtype=jnp.int32)
    return jax.jit(step, donate_argnums=(0, 1), out_shardings=shardings).lower(own["w"], own["mom"], tokens)


def train_sharded(taken):
    return train(taken, embed=(None, ("fsdp", "tp")), up=(None, "fsdp", "tp"), down=(None, "tp", "fsdp"))


def decode(taken, up=()):
    """Weights of which one was forgotten."""
    own = {"w": {"up": array((4, 1024, 4096), *up, dtype=BF), "down": array((4, 4096, 1024), None, "tp", dtype=BF)}, "jax": Described, "mesh": MESH}
    for advice in taken:
        exec(advice.python, own)

    def step(w, x):
        return lax.scan(lambda x, p: (x + jax.nn.relu(x @ p[0]) @ p[1], None), x, (w["up"], w["down"]))[0]

    return jax.jit(step).lower(own["w"], array((32, 1024), "fsdp", dtype=BF))


def decode_sharded(taken):
    return decode(taken, up=(None, None, "tp"))


def reshard(taken, before=("tp", None, "fsdp"), after=(None, ("fsdp", "tp"), None)):
    """The report of users: a reshard through a whole array."""

    def f(x, w):
        own = {"x": jnp.sin(constrain(x * 2, *before)), "jax": Described, "mesh": MESH}
        for advice in taken:
            exec(advice.python, own)
        return jnp.cos(constrain(own["x"], *after)) + w

    shape = (1024, 1024, 256)
    return jax.jit(f).lower(array(shape, *before, dtype=BF), array(shape, *after, dtype=BF))


def reshard_directly(taken):
    return reshard(taken, after=("tp", "fsdp", None))


WRONG = [train, decode, reshard]
RIGHT = [train_sharded, decode_sharded, reshard_directly]


def judged(program, taken=()):
    compiled = program(taken).compile()
    found = tl.memory(compiled)
    advice = [it for it in found.advice if it.kind in ("shard", "reshard")]
    received = sum(it.bytes * it.times for it in found.collectives)
    return advice, compiled.memory_analysis().peak_memory_in_bytes >> 20, received >> 20


def main():
    failed = []
    print("| program | peak before, MiB | after | received before, MiB | after |")
    print("|---|---|---|---|---|")
    for program in WRONG + RIGHT:
        if sys.argv[1:] and program.__name__ not in sys.argv[1:]:
            continue
        advice, peak, received = judged(program)
        left, peak_after, received_after = judged(program, advice) if advice else ([], peak, received)
        cells = [program.__name__, peak, peak_after, received, received_after]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        if bool(advice) != (program in WRONG) or left or advice and peak_after >= peak:
            failed.append(program.__name__)
    if failed:
        print("failed: " + ", ".join(failed))
    sys.exit(bool(failed))


main()
