"""Blocks of Pallas kernels. JAX is not imported: specs are read by their attributes."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from ._native import Check, LayoutError, check_kernel, largest, row_major
from ._tpu import Tpu

Sizes = Sequence["int | None"]


class _Index:
    """An index of the grid, which writes down what an index map does with it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __neg__(self) -> _Index:
        return _Index(f"(0-{self.text})")

    def _unknown(self, *_: object) -> NoReturn:
        raise TypeError("the index of a grid is not known yet")


def _joined(sign: str, swapped: bool) -> Callable[[_Index, object], Any]:
    def join(self: _Index, other: object) -> Any:
        if not isinstance(other, (int, _Index)):
            return NotImplemented
        left, right = (other, self) if swapped else (self, other)
        return _Index(f"({_text(left)}{sign}{_text(right)})")

    return join


for _name, _sign in [("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("mod", "%")]:
    setattr(_Index, f"__{_name}__", _joined(_sign, False))
    setattr(_Index, f"__r{_name}__", _joined(_sign, True))
# A comparison chooses a path, which the compiler would not see.
for _name in ["eq", "ne", "lt", "le", "gt", "ge", "bool", "hash"]:
    setattr(_Index, f"__{_name}__", _Index._unknown)


class _Prefetched:
    """A prefetched array: what is read from it depends on where it is read."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __getitem__(self, at: Any) -> _Index:
        at = at if isinstance(at, tuple) else (at,)
        return _Index(f"p{self.number}[{','.join(map(_text, at))}]")


class _Zeros:
    def __getitem__(self, at: object) -> int:
        return 0


def _start(index: Any) -> Any:
    """Where the block begins: `pl.BoundedSlice` has `pl.ds(start, size)` as its index."""
    return getattr(index, "start", index)


def _text(index: Any) -> str:
    index = _start(index)
    if isinstance(index, _Index):
        return index.text
    number = int(index)
    return f"({number})" if number < 0 else str(number)


def _indices(index_map: Callable[..., Any], grid: Sizes, prefetched: int) -> list[str]:
    """The indices that an index map returns, as text. It is called at most `2 + 2 * len(grid)` times."""

    def call(*arguments: Any) -> Sequence[Any]:
        found = index_map(*arguments)
        return found if isinstance(found, (tuple, list)) else (found,)

    try:
        symbols = [_Index(f"g{axis}") for axis in range(len(grid))]
        return [_text(index) for index in call(*symbols, *map(_Prefetched, range(prefetched)))]
    except Exception:
        # It does what only numbers can do, as `jnp.minimum(i, 3)`: see along which axes it changes.
        zeros: list[Any] = [_Zeros()] * prefetched

        def at(axis: int | None = None, value: int = 0) -> list[int]:
            return [int(_start(index)) for index in call(*(value if other == axis else 0 for other in range(len(grid))), *zeros)]

        first = at()
        seen: list[set[int]] = [set() for _ in first]
        for axis, size in enumerate(grid):
            for value in {1, (size or 2) - 1} if size != 1 else ():
                for dim, index in enumerate(at(axis, value)):
                    if index != first[dim]:
                        seen[dim].add(axis)
        every = range(len(grid))
        # Where nothing changed, the compiler need not see it; what is read may change along any axis.
        axes = [sorted(own) if own and not prefetched else list(every) for own in seen]
        return [f"p0[{','.join(f'g{axis}' for axis in own) or 0}]" for own in axes]


def _number(given: Any) -> int | None:
    """An integer of any library; `None` for what is known only at run time."""
    try:
        return operator.index(given)
    except TypeError:
        return None


def _flat(specs: Any) -> list[Any]:
    if specs is None:
        return []
    if isinstance(specs, dict):
        specs = specs.values()
    if isinstance(specs, (tuple, list)) or type(specs).__name__ == "dict_values":
        return [one for spec in specs for one in (_flat(spec) if spec is not None else [None])]
    return [specs]


def _block_size(dim: Any) -> Any:
    kind = type(dim).__name__
    if dim is None or kind == "Squeezed":
        return None
    size = int(getattr(dim, "block_size", dim))
    if kind == "Element":
        return {"element": size, "padding": tuple(getattr(dim, "padding", (0, 0)))}
    return {"bounded_slice": size} if kind == "BoundedSlice" else size


def _space(given: Any) -> str:
    name = str(getattr(given, "value", given)).lower()
    return "semaphore" if name.startswith("sem") else name


def _operand(
    role: str, array: Any, spec: Any = None, grid: Sizes = (), prefetched: int = 0
) -> dict[str, Any]:
    dtype, shape = _value(array)
    space = getattr(spec, "memory_space", None)
    block, index_map = getattr(spec, "block_shape", None), getattr(spec, "index_map", None)
    indices = None
    if block is not None:
        indices = ["0"] * len(block) if index_map is None else _indices(index_map, grid, prefetched)
        block = [_block_size(size) for size in block]
    mode = getattr(spec, "pipeline_mode", None)
    return {
        "role": role,
        "dtype": dtype,
        "array": shape,
        "block": block,
        "index_map": indices,
        "space": None if space is None else _space(space),
        "buffers": getattr(mode, "buffer_count", None),
    }


def _value(given: Any) -> tuple[str, list[int]]:
    return row_major((), given.dtype).element_type, [int(size) for size in given.shape]


def _scratch(given: Any) -> dict[str, Any]:
    space = _space(getattr(given, "memory_space", "semaphore"))
    if space == "semaphore":
        return {**_operand("scratch", _Semaphores), "space": space}
    return {**_operand("scratch", given), "space": space}


class _Semaphores:
    shape, dtype = (), "int32"


def check(
    grid: int | Sequence[Any],
    in_specs: Any,
    out_specs: Any,
    args: Any,
    *,
    tpu: Tpu,
    out_shape: Any = (),
    scratch_shapes: Any = (),
    num_scalar_prefetch: int = 0,
    dimension_semantics: Sequence[Any] | None = (),
    vmem_limit_bytes: int | None = None,
    internal_scratch_in_bytes: int | None = None,
    allow_input_fusion: bool | Sequence[bool] | None = (),
    body: str | None = None,
    intermediates: Any = None,
) -> Check:
    """What the compiler of a TPU would say of a Pallas kernel, and what it takes in VMEM, without compiling it.

    Arguments are those of `pl.pallas_call` and `pltpu.CompilerParams`. `args` has the arrays, or anything with a
    `shape` and a `dtype`: what is prefetched, the inputs, and then the outputs, unless `out_shape` has those. Index maps are
    called to see on which axes of the grid they depend.

    The body is not read. `body="add"` or `"matmul"` also checks that the TPU computes with the element types; `"copy"` computes
    nothing. `intermediates` are values in the body that are larger than any block, with a `shape` and a `dtype`, as the scores
    of attention; `[]` if there are none. If neither is given, the bound assumes the largest dots that two inputs can have.

    >>> import numpy as np, types
    >>> def spec(block, index_map):    # stands for `pl.BlockSpec` here
    ...     return types.SimpleNamespace(block_shape=block, index_map=index_map)
    >>> x = np.zeros((4096, 4096), "float32")
    >>> check((16, 8), [spec((256, 512), lambda i, j: (i, j))], spec((256, 512), lambda i, j: (i, j)), [x, x], tpu="v5e")
    Check(ok; 2097152 bytes of VMEM, at most 2949120, of 16777216)
    >>> check((41, 8), [spec((100, 512), lambda i, j: (i, j))], spec((256, 512), lambda i, j: (i, j)), [x, x], tpu="v5e").reason
    'input 0: its block has 100 rows, dimension 0, which is neither a multiple of 8 nor the whole 4096; 96 or 104 would be legal'
    """
    grid = grid if isinstance(grid, (tuple, list)) else (grid,)
    sizes = [_number(size) for size in grid]
    arrays, ins, outs = _flat(args) + _flat(out_shape), _flat(in_specs), _flat(out_specs)
    prefetched, arrays = arrays[:num_scalar_prefetch], arrays[num_scalar_prefetch:]
    if len(arrays) != len(ins) + len(outs):
        raise LayoutError(
            f"arrays and specs differ in number: {len(arrays)} for {len(ins)} of inputs and {len(outs)} of outputs\n"
            "  = help: give one array for each spec: inputs and then outputs in `args`, or outputs in `out_shape`"
        )
    is_one = isinstance(allow_input_fusion, bool)
    fused = [allow_input_fusion] * len(ins) if is_one else [bool(one) for one in _flat(allow_input_fusion)]
    operands = [_operand("prefetch", array) for array in prefetched]
    for number, (array, spec) in enumerate(zip(arrays, ins + outs)):
        role = "input" if number < len(ins) else "output"
        operands.append(_operand(role, array, spec, sizes, num_scalar_prefetch))
    operands += map(_scratch, _flat(scratch_shapes))
    if body not in (None, "add", "matmul", "copy"):
        raise LayoutError(f"{body!r} is not a body\n  = help: write `add`, `matmul` or `copy`, or leave it out")
    kernel = {
        "tpu": tpu,
        "grid": sizes,
        "operands": operands,
        "semantics": [_space(semantics) for semantics in dimension_semantics or ()],
        "input_fusion": fused,
        "vmem_limit": _number(vmem_limit_bytes),
        "internal_scratch": _number(internal_scratch_in_bytes),
        "body": body or "",
        "intermediates": intermediates if intermediates is None else [_value(value) for value in _flat(intermediates)],
    }
    return check_kernel(json.dumps(kernel))


class Block(tuple[int, ...]):
    """Sizes of a block to try first, in the order of those that `largest_block` was given."""

    smaller: tuple[int, ...] | None = None
    """The next smaller block that fits: to try if the body needs more memory than the bound and the compiler refuses."""

    def __repr__(self) -> str:
        return f"try {tuple(self)}, then {self.smaller}"


def largest_block(sizes: Sequence[int], kernel: Callable[..., dict[str, Any]], *, tpu: Tpu) -> Block | None:
    """The largest block of a Pallas kernel whose bound fits, to start tuning from, and the next smaller one; `None` if none fits.

    `kernel` takes a size of the block for each of `sizes`, and returns the arguments of `check` as a dict. Sizes are those
    given and powers of two below; the largest product wins, and of equal ones the one nearest to a square. The bound was enough
    for all kernels measured, but a body can compute more values at once than those had: compile to be sure.

    >>> import numpy as np, types
    >>> def spec(block, index_map):    # stands for `pl.BlockSpec` here
    ...     return types.SimpleNamespace(block_shape=block, index_map=index_map)
    >>> x = np.zeros((8192, 8192), "float32")
    >>> def copy(m, n):
    ...     tile = spec((m, n), lambda i, j: (i, j))
    ...     return dict(grid=(8192 // m, 8192 // n), in_specs=[tile], out_specs=tile, args=[x, x])
    >>> block = largest_block((8192, 8192), copy, tpu="v5e")
    >>> block
    try (1024, 512), then (512, 512)
    >>> m, n = block
    """

    def accepts(*block: int) -> bool:
        arguments = kernel(*block)
        if not isinstance(arguments, Mapping):
            raise LayoutError(
                f"what `kernel` returned is `{type(arguments).__name__}`\n"
                "  = help: `kernel` returns a dict of `check`'s arguments, without `tpu`"
            )
        return check(**arguments, tpu=tpu).fits

    found = largest(tuple(sizes), accepts)
    if found is None:
        return None
    block = Block(found)
    smaller = largest(block, lambda *sizes: math.prod(sizes) < math.prod(block) and accepts(*sizes))
    block.smaller = None if smaller is None else tuple(smaller)
    return block


__all__ = ["Block", "Check", "check", "largest_block"]
