"""JAX's layouts, arrays and pytrees."""

import inspect
import json
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
import tiled_layout as tl

jax = pytest.importorskip("jax", reason="JAX is not installed")
import jax.numpy as jnp  # noqa: E402
from jax.experimental.layout import Format  # noqa: E402
from jax.experimental.layout import Layout as JaxLayout  # noqa: E402


def test_layouts_there_and_back():
    for text in ["bf16[20,300]{1,0:T(8,128)(2,1)}", "f32[3,5,7]{0,2,1:T(2,4)}", "s4[16,256]{1,0:T(8,128)(8,1)E(4)}", "f32[4,5]{0,1}", "f32[4,6,8]{2,1,0:T(*,2)}"]:
        layout = tl.parse(text)
        found = layout.to_jax()
        assert isinstance(found, JaxLayout)
        assert tl.from_jax(found, layout.dims, layout.dtype) == layout
        assert tl.from_jax(Format(found, jax.sharding.SingleDeviceSharding(jax.devices()[0])), layout.dims, layout.dtype) == layout
    assert tl.parse("bf16[20,300]{1,0:T(8,128)(2,1)}").to_jax() == JaxLayout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))


def test_layouts_that_jax_has_not():
    for call in [
        lambda: tl.parse("f32[5]{0:PAD(8)}").to_jax(),
        lambda: tl.from_jax(JaxLayout(major_to_minor=(0, 1))),
        lambda: tl.from_jax(JaxLayout(major_to_minor=(0, 1)), (3,), "float32"),
        lambda: tl.from_jax(JaxLayout(major_to_minor=(0, 1), tiling=((2, 0),)), (3, 4), "float32"),
        lambda: tl.from_jax(17, (3, 4), "float32"),
    ]:
        with pytest.raises(tl.LayoutError):
            call()
    # The compiler has not chosen yet, or it is not JAX's.
    for nothing in [None, jax.ShapeDtypeStruct((3, 5), np.float32), JaxLayout.AUTO, Format(None), np.zeros((300, 500))]:
        with pytest.raises(tl.LayoutError, match="has no layout of JAX\n  = help: give an array that JAX has made"):
            tl.from_jax(nothing, (3, 5), "float32")


def test_arrays_of_jax():
    array = jnp.arange(15, dtype=jnp.bfloat16).reshape(3, 5)
    assert tl.from_jax(array) == tl.parse("bf16[3,5]")
    layout = tl.parse("bf16[3,5]{1,0:T(2,2)}")
    # No copy on the way: JAX shares its memory with numpy.
    device = tl.relayout(array, layout)
    assert (tl.detile(device, layout) == np.asarray(array)).all()
    assert (jnp.asarray(tl.detile(device, layout)) == array).all()
    transposed = jax.jit(lambda a: a.T, out_shardings=Format(JaxLayout((1, 0)), array.sharding))(array)
    assert tl.from_jax(transposed).dims == (5, 3)


def test_bytes_of_pytrees():
    cache = jax.eval_shape(lambda: {"k": jnp.zeros((64, 64), jnp.bfloat16), "n": [jnp.int32(0)]})
    expected = tl.default((64, 64), "bf16", tpu="v5e").padded_bytes + tl.default((), "s32", tpu="v5e").padded_bytes
    assert tl.device_bytes(cache, tpu="v5e") == expected

    @jax.tree_util.register_pytree_node_class
    class Node:
        def __init__(self, child):
            self.child = child

        def tree_flatten(self):
            return (self.child,), None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)

    assert tl.device_bytes([Node(cache), Node(None)], tpu="v5e") == expected


def test_programs_that_jax_compiled():
    lowered = jax.jit(lambda a, b: jnp.tanh(a @ b).T).lower(jnp.ones((64, 32)), jnp.ones((32, 16)))
    program = tl.hlo(lowered.compile().as_text())
    assert [parameter.layout.dims for parameter in program.parameters()] == [(64, 32), (32, 16)]
    assert [result.layout.dims for result in program.results()] == [(16, 64)]


def test_jax_is_not_imported_before_it_is_needed():
    code = "import sys, tiled_layout as tl; tl.device_bytes([], tpu='v5e'); sys.exit('jax' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


A, B = "f32[64,32]{1,0}", "f32[64,32]{0,1}"
COST = 'backend_config={"estimated_cycles":"9000"}'


def advised(f, *own, moved):
    """Executes the layout advice for a program of these arguments, of which these leaves are moved, as are odd results. Gives what it compiles to."""
    names = list(inspect.signature(f).parameters)
    leaves = [names[path[0].idx] + jax.tree_util.keystr(path[1:]) for path, _ in jax.tree_util.tree_leaves_with_path(own)]
    lines = [f"  %p{number} = {A} parameter({number}), metadata={{op_name={json.dumps(name)}}}" for number, name in enumerate(leaves)]
    lines += [f"  %c{number} = {B} copy(%p{number}), {COST}" for number, name in enumerate(leaves) if name in moved]
    results = range(len(jax.tree.leaves(jax.eval_shape(f, *own))))
    for number in results:
        made = (B, "copy") if number % 2 else (A, "negate")
        lines += [f"  %t{number} = {made[0]} broadcast()", f"  %r{number} = {A} {made[1]}(%t{number}), {COST}"]
    lines += [f"  ROOT %root = ({', '.join([A] * len(results))}) tuple({', '.join(f'%r{it}' for it in results)})"]
    found = tl.memory("HloModule m, is_scheduled=true\n\nENTRY %main () -> () {\n" + "\n".join(lines) + "\n}\n")
    sharding = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    user = {"jax": jax, "f": f, "sharding": sharding, "Format": Format, "Layout": JaxLayout, "out": jax.eval_shape(f, *own)}
    layouts = [{}, {}]
    pieces = [it for it in found.advice if it.kind == "layout"]
    for piece in pieces:
        *statements, last = piece.python.splitlines()
        scope = user | dict(zip(names, own))
        exec("\n".join(statements), scope)
        compiled = eval(last, scope).lower(*own).compile()
        for formats, chosen in zip([compiled.input_formats[0], compiled.output_formats], layouts):
            for path, it in jax.tree_util.tree_leaves_with_path(formats):
                if it.layout.major_to_minor == (1, 0):
                    path = (names[path[0].idx], *path[1:]) if chosen is layouts[0] else path
                    chosen["".join(it if isinstance(it, str) else jax.tree_util.keystr((it,)) for it in path)] = piece.kind
    return [set(chosen) for chosen in layouts], len(pieces)


class State(NamedTuple):
    params: Any
    step: Any


def test_statements_of_advice_run():
    own = jnp.ones((64, 32))
    tree = {"layers": [{"w": own, "b": own}, {"w": own, "b": own}]}
    double = lambda it: jax.tree.map(lambda own: own * 2, it)  # noqa: E731
    w0, w1 = ("params['layers'][%d]['w']" % layer for layer in range(2))
    results = {"['layers'][0]['w']", "['layers'][1]['w']"}
    # One argument, an array; a tree; results in a tree.
    assert advised(lambda x: x * 2, own, moved=["x"]) == ([{"x"}, set()], 1)
    assert advised(lambda params: double(params), tree, moved=[w0, w1])[0] == [{w0, w1}, results]
    # Beside others; a named tuple in a list; all of a tree; only results.
    state = [State(tree, own)]
    names = [f"state[0].{name}" for name in [w0, "step"]]
    assert advised(lambda state, x: (double(state), x), state, own, moved=[*names, "x"])[0][0] == {*names, "x"}
    assert advised(lambda x, params: params["w"] + x, own, {"w": own}, moved=["params['w']"]) == ([{"params['w']"}, set()], 1)
    assert advised(lambda x, y: {"x": x, "y": [y * 2]}, own, own, moved=["y"]) == ([{"y"}, {"['y'][0]"}], 1)
    assert advised(lambda x, y: (x, y * 2), own, own, moved=[])[0] == [set(), {"[1]"}]
