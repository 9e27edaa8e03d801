"""What knows JAX, which is imported only where a function needs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from . import _native
from ._native import Layout, LayoutError
from ._tpu import Tpu


def from_jax(
    array_or_format: Any,
    dims: tuple[int, ...] | None = None,
    dtype: Any = None,
) -> Layout:
    """The layout of an array of JAX, or of a `Format` or `Layout` of JAX with the dimensions and the dtype of an array.

    >>> import jax.numpy as jnp
    >>> from_jax(jnp.zeros((3, 5), jnp.bfloat16))
    Layout('bf16[3,5]{1,0}')
    >>> from jax.experimental.layout import Layout as JaxLayout
    >>> from_jax(JaxLayout(major_to_minor=(1, 0), tiling=((8, 128),)), (3, 5), "float32")
    Layout('f32[3,5]{0,1:T(8,128)}')
    """
    found = getattr(array_or_format, "format", array_or_format)
    found = getattr(found, "layout", found)
    if not hasattr(found, "major_to_minor"):
        raise LayoutError(
            f"this {type(array_or_format).__name__} has no layout of JAX\n"
            "  = help: give an array that JAX has made, or its `format`; `default` says what a TPU's compiler chooses"
        )
    dims = getattr(array_or_format, "shape", None) if dims is None else dims
    dtype = getattr(array_or_format, "dtype", None) if dtype is None else dtype
    if dims is None or dtype is None:
        raise LayoutError(
            "a layout of JAX has no dimensions and no dtype\n"
            "  = help: give those of the array: `from_jax(layout, (4096, 300), 'bfloat16')`"
        )
    return _native.jax_layout(str(found), tuple(dims), dtype)


def jax_layout_of(text: str) -> Any:
    """The layout of JAX that prints as this text, which the library wrote."""
    from jax.experimental.layout import Layout as JaxLayout

    return eval(text, {"__builtins__": {}, "Layout": JaxLayout})  # noqa: S307


def device_bytes(pytree: Any, *, tpu: Tpu) -> int:
    """The bytes that the arrays of a pytree take on a TPU, padding included: in their default layouts.

    Arrays are all that have `shape` and `dtype`, of numpy, of JAX or only described (`jax.ShapeDtypeStruct`). A `Layout`
    counts as it is. Nodes are dicts, lists and tuples, and those that JAX knows if it is imported.

    >>> import numpy as np
    >>> cache = {"k": np.zeros((32, 8, 64), "float16"), "v": np.zeros((32, 8, 64), "float16")}
    >>> device_bytes(cache, tpu="v5e"), sum(array.nbytes for array in cache.values())
    (131072, 65536)
    """
    try:
        leaves = list(_leaves(pytree))
    except RecursionError:
        raise LayoutError(
            "the nodes are nested too deeply\n  = help: give a tree in which no node contains itself"
        ) from None
    known: dict[Any, int] = {}
    return sum(_leaf_bytes(leaf, tpu, known) for leaf in leaves)


def _leaf_bytes(leaf: Any, tpu: Tpu, known: dict[Any, int]) -> int:
    if isinstance(leaf, Layout):
        return leaf.padded_bytes
    if not (hasattr(leaf, "shape") and hasattr(leaf, "dtype")):
        raise LayoutError(
            f"this {type(leaf).__name__} is not an array\n"
            "  = help: nodes are dicts, lists and tuples; `import jax` adds those that JAX knows"
        )
    # Models have many arrays and few shapes.
    key = (tuple(leaf.shape), str(leaf.dtype))
    if key not in known:
        known[key] = _native.default(key[0], leaf.dtype, tpu=tpu).padded_bytes
    return known[key]


def _leaves(node: Any) -> Iterator[Any]:
    if isinstance(node, Mapping):
        node = list(node.values())
    if isinstance(node, (list, tuple)):
        for child in node:
            yield from _leaves(child)
    elif node is None:
        return
    elif "jax" in sys.modules and not hasattr(node, "shape") and not isinstance(node, Layout):
        yield from sys.modules["jax"].tree_util.tree_leaves(node)
    else:
        yield node
