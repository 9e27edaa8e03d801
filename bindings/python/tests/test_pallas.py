"""Blocks of Pallas kernels, with specs that only look like JAX's, and with JAX's own."""

import subprocess
import sys
import types

import numpy as np
import pytest
import tiled_layout as tl

X = np.zeros((64, 256), np.float32)


def spec(block=None, index_map=None, **more):
    return types.SimpleNamespace(block_shape=block, index_map=index_map, **more)


def window(index_map, grid=(8, 4), **more):
    """The buffers of an input with blocks of 4,096 bytes."""
    found = tl.check(grid, [spec((8, 128), index_map)], [], [*more.pop("first", []), X], tpu="v5e", **more)
    assert found, found
    return found.windows[-1] // 4096


def test_index_maps_are_followed():
    for buffers, index_map in [
        (2, lambda i, j: (i, 0)),
        (2, lambda i, j: (3 - i, j * 2 + 1)),
        (1, lambda i, j: (0, 1)),
        (1, lambda i, j: (i - i, 0)),
        (1, lambda i, j: (0 * j, -(i - 2 * i) - i)),
        # The compiler does not see that this is 0.
        (2, lambda i, j: (i // 8, 0)),
        (2, lambda i, j: (i % 2, 0)),
        # What cannot be followed is called with numbers; where nothing changes, it may all the same for the compiler.
        (2, lambda i, j: (min(i, 3), 0)),
        (2, lambda i, j: (1 if i == 0 else 2, 0)),
        (2, lambda i, j: (min(i, 0), 0)),
    ]:
        assert window(index_map) == buffers
    assert window(lambda i: (min(i, 3), 0), grid=1) == 1
    assert window(lambda i: (min(i, 3), 0), grid=(None,)) == 2
    assert window(lambda i: (i, 0), grid=(np.int64(1),)) == 1
    # `j` alone changes, and has one step.
    assert window(lambda i, j: (min(j, 3), 0), grid=(8, 1)) == 2
    table = {"first": [np.zeros(8, np.int32)], "num_scalar_prefetch": 1}
    assert window(lambda i, j, p: (p[i], 0), **table) == 2
    assert window(lambda i, j, p: (p[3], 0), **table) == 1


def test_an_index_map_is_called_a_few_times():
    calls = []

    def index_map(i, j):
        calls.append((i, j))
        return min(i, 3), 0

    window(index_map)
    assert len(calls) <= 2 + 2 * 2


def test_what_is_refused():
    def reason(block, **more):
        found = tl.check((8, 4), [spec(block, lambda *_: (0,) * len(block), **more)], [], [X], tpu="v6e")
        assert found.ok == (found.reason is None) and bool(found) == found.ok
        return found.reason

    assert reason((8, 128)) is None
    assert reason((9, 128)).endswith("8 or 16 would be legal")
    assert reason((None, 128)).startswith("input 0: its block has 1 row (a squeezed")
    assert reason((0, 128)).endswith("8 would be legal")
    assert "3" in reason((8, 128), pipeline_mode=types.SimpleNamespace(buffer_count=3))
    assert "HBM" in reason((8, 128), memory_space="any")
    # The compiler counts steps in 32 bits; a grid without steps compiles, but its outputs are never written.
    for grid, said in [((0,), "axis 0"), ((2, 0), "axis 1"), ((1 << 62, 1 << 62), "more steps"), ((1 << 16, 1 << 15), "more steps")]:
        assert said in tl.check(grid, [spec((8, 128), lambda *_: (0, 0))], [], [X], tpu="v5e").reason
    assert tl.check((4, (1 << 29) - 1), [spec((8, 128), lambda *_: (0, 0))], [], [X], tpu="v5e")
    whole = tl.check((), [], spec((64, 256), lambda: (0, 0)), [X], tpu="v6e")
    assert whole.ok and whole.fits and whole.windows == [64 * 256 * 4]
    assert [str(layout) for layout in whole.layouts] == ["f32[64,256]{1,0:T(8,128)}"]
    huge = np.broadcast_to(np.float32(0), (1 << 14, 1 << 14))
    assert "bytes of VMEM" in tl.check((), [spec()], [], [huge], tpu="v4").reason
    assert not tl.check((), [spec()], [], [np.zeros((8, 128), np.int8)], tpu="v4", body="add")


def test_mistakes():
    def check(*arguments, **more):
        return lambda: tl.check(*arguments, **{"tpu": "v5e", **more})

    for call, text in [
        (check((8,), [spec()], [spec()], [X]), "arrays and specs differ in number: 1 for 1 of inputs and 1 of outputs"),
        (check((8,), [spec((8, 128), lambda i: i)], [], [X]), "block has rank 2, and its index map returns a list of length 1"),
        (check((8,), [spec()], [], [X], tpu="v9"), "`v9` is not a TPU: write one of v2, v3, v4, v5e, v5p, v6e, v7x"),
        (check((8,), [spec((-8, 128), lambda i: (i, 0))], [], [X]), "^operand 0: a size of its block is -8: write a whole number"),
        (check((8,), [spec((8, 128), lambda i: (i // 0, 0))], [], [X]), "^operand 0: the index divides by 0 at byte 5"),
        (check((8,), [spec((8, 128), lambda i: (i % (3 - 3), 0))], [], [X]), "divides by 0"),
        (check((8,), [spec()], [], [X], vmem_limit_bytes=2**64), "^the limit of VMEM is 1.8446744073709552e.19: write"),
        (check((8,), [spec()], [], [X], internal_scratch_in_bytes=-1), "^the internal scratch is -1: write"),
        (check((-1,), [spec()], [], [X]), "^a size of the grid is -1: write"),
        (lambda: tl.largest_block((8,), lambda n: 3, tpu="v5e"), "^what `kernel` returned is `int`\n.*`kernel` returns a dict of `check`'s arguments"),
        (check((8,), [spec(memory_space="moon")], [], [X]), "moon"),
        (check((8,), [spec()], [], [X], body="dance"), "dance"),
    ]:
        with pytest.raises(tl.LayoutError, match=text):
            call()
    with pytest.raises(ZeroDivisionError):
        tl.largest_block((8,), lambda n: 1 / 0, tpu="v5e")


def attention(queries, keys, **more):
    """Flash attention of 4,096 queries and keys: the scores are an f32[queries, keys] that no operand holds."""
    array = np.broadcast_to(np.float32(0), (4096, 128))
    rows, columns = spec((queries, 128), lambda i, j: (i, 0)), spec((keys, 128), lambda i, j: (j, 0))
    specs = {"in_specs": [rows, columns, columns], "out_specs": rows, "args": [array] * 4}
    return {"grid": (4096 // queries, 4096 // keys), **specs, **more}


def test_values_that_no_operand_holds():
    def bound(**more):
        found = tl.check(**attention(1024, 2048, **more), tpu="v5e")
        assert found.ok and found.fits == (found.bound_bytes <= found.limit_bytes)
        return found.bound_bytes

    scores = types.SimpleNamespace(shape=(1024, 2048), dtype="float32")
    assert bound() == bound(intermediates=[scores, scores]) == bound(intermediates=scores) + 1024 * 2048 * 4
    assert bound(intermediates=[]) == bound(body="copy") < bound(intermediates=scores)
    block = tl.largest_block((4096, 4096), attention, tpu="v5e")
    assert block.smaller is not None and np.prod(block.smaller) < np.prod(block)
    assert repr(block) == f"try {tuple(block)}, then {block.smaller}"
    assert all(tl.check(**attention(*sizes), tpu="v5e").fits for sizes in [block, block.smaller])
    smallest = tl.largest_block((8,), lambda m: attention(m, 8) if m == 8 else attention(4096, 4096), tpu="v5e")
    assert tuple(smallest) == (8,) and smallest.smaller is None


def test_jax_is_not_imported():
    code = "import sys, tiled_layout as tl, numpy as np; tl.check((), [], [], [], tpu='v5e'); assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_specs_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    pl = pytest.importorskip("jax.experimental.pallas", reason="this JAX has no Pallas")
    pltpu = pytest.importorskip("jax.experimental.pallas.tpu", reason="this JAX has no Pallas for TPUs")
    import jax.numpy as jnp

    array = jax.ShapeDtypeStruct((4096, 4096), jnp.bfloat16)
    kernel = {
        "grid": (16, 8),
        "in_specs": [
            pl.BlockSpec((256, 512), lambda i, j: (i, j)),
            pl.BlockSpec((512, 256), lambda i, j: (jnp.minimum(j, 3), 0), pipeline_mode=pl.Buffered(1)),
            pl.BlockSpec(memory_space=pl.ANY),
        ],
        "out_specs": pl.BlockSpec((256, 256), lambda i, j: (i, 0)),
        "scratch_shapes": [pltpu.VMEM((256, 256), jnp.float32), pltpu.SemaphoreType.DMA, pltpu.SMEM((4,), jnp.int32)],
    }
    found = tl.check(**kernel, args=[array] * 4, tpu="v5e")
    assert found.windows == [524288, 262144, 0, 262144, 262144, 0, 0] and found.vmem_bytes == 1310720
    assert tl.check(**kernel, args=[array] * 3, out_shape=array, tpu="v5e").fits

    def reason(block, index_map):
        return tl.check((16,), [pl.BlockSpec(block, index_map)], [], [array], tpu="v5e").reason

    if hasattr(pl, "Element"):
        rows = pl.Element(256)
        assert "pl.Element for all dimensions" in reason((rows, 512), lambda i: (i * 256, 0))
        assert reason((rows, pl.Element(512)), lambda i: (i * 256, 0)) is None
        assert reason((pl.Element(256, padding=(0, 8)), pl.Element(512)), lambda i: (i * 256, 0)) is None
        assert "before dimension 0" in reason((pl.Element(256, padding=(8, 8)), pl.Element(512)), lambda i: (i * 256, 0))
    if hasattr(pl, "BoundedSlice"):
        assert "pl.BoundedSlice" in reason((pl.BoundedSlice(256), 512), lambda i: (pl.ds(i * 256, 256), 0))
        assert "pl.BoundedSlice" in reason((pl.BoundedSlice(256), 512), lambda i: (pl.ds(0, jnp.minimum(i, 8)), 0))
