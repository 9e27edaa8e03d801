"""Programs on eight devices of the CPU: what is whole on each, and the statements that the report prints, executed."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("jax", reason="JAX is not installed")

START = """
import json
import jax, jax.numpy as jnp, numpy as np, tiled_layout as tl
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("fsdp", "tp"))
put = lambda shape, *spec: jax.device_put(jnp.ones(shape), NamedSharding(mesh, P(*spec)))
constrain = lambda x, *spec: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))
kinds = lambda found: [(it.kind, it.names, it.saves_bytes) for it in found.advice if it.kind in ("shard", "reshard")]
"""

TRAIN = """
w = {"embed": put((1003, 64)), "up": put((64, 256), "fsdp", "tp"), "down": put((256, 64), "tp", "fsdp")}
mom = {"embed": put((1003, 64)), "up": put((64, 256)), "down": put((256, 64))}
tokens = jax.device_put(jnp.zeros((16, 8), int), NamedSharding(mesh, P("fsdp")))

def step(w, mom, unused, tokens):
    def loss(w):
        x = jax.nn.relu(w["embed"][tokens] @ w["up"]) @ w["down"]
        return jnp.mean(jax.nn.logsumexp(x @ w["embed"].T, -1))
    mom = jax.tree.map(lambda m, g: 0.9 * m + g, mom, jax.grad(loss)(w))
    return jax.tree.map(lambda w, m: w - 0.1 * m, w, mom), mom

compile = lambda: tl.memory(jax.jit(step).lower(w, mom, tokens, tokens).compile())
before = compile()
for advice in before.advice:
    if advice.kind == "shard":
        exec(advice.python)
after = compile()
print(json.dumps([kinds(before), before.hbm.arguments_bytes, kinds(after), after.hbm.arguments_bytes, before.devices, before.report()]))
"""

RESHARD = """
x = put((64, 64, 64), "tp", None, "fsdp")

def f(x, path=""):
    x = jnp.sin(constrain(x, "tp", None, "fsdp"))
    own = {"jax": jax, "mesh": mesh, "x": x}
    exec(path, own)
    return jnp.cos(constrain(own["x"], None, ("fsdp", "tp"), None))

before = tl.memory(jax.jit(f).lower(x).compile())
(advice,) = (it for it in before.advice if it.kind == "reshard")
after = tl.memory(jax.jit(lambda x: f(x, advice.python)).lower(x).compile())
received = [sum(it.bytes * it.times for it in found.collectives) for found in (before, after)]
same = bool((jax.jit(f)(x) == jax.jit(lambda x: f(x, advice.python))(x)).all())
print(json.dumps([advice.python, received, advice.saves_bytes, kinds(after), same]))
"""


def run(program):
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    text = START + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", text], env=os.environ | flags, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_arguments_that_are_whole_are_sharded_by_the_statements():
    before, bytes_before, after, bytes_after, devices, report = run(TRAIN)
    embed, matrix = 1003 * 64 * 4 * 7 // 8, 64 * 256 * 4 * 7 // 8
    assert before == [
        ["shard", ["w['embed']"], embed],
        ["shard", ["mom['embed']"], embed],
        ["shard", ["mom['down']"], matrix],
        ["shard", ["mom['up']"], matrix],
    ]
    assert (devices, after, bytes_before - bytes_after) == (8, [], 2 * (embed + matrix))
    assert "P(None, ('fsdp', 'tp'))))  # 1003 is not a multiple of 8" in report
    assert "mom['up'] = jax.device_put(mom['up'], NamedSharding(mesh, P('fsdp', 'tp')))  # as w['up']" in report


def test_a_constraint_receives_what_it_says():
    python, (before, after), saves, left, same = run(RESHARD)
    assert "NamedSharding(mesh, P('tp', 'fsdp', None)))  # before it goes to P(None, ('fsdp', 'tp'), None): <string>" in python
    assert (before - after, left, same) == (saves, [], True)
    assert before > 5 * after
