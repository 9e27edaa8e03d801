"""Copies of numpy's arrays and of other memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from . import _native
from ._native import Layout, LayoutError

if TYPE_CHECKING:
    import numpy.typing as npt


def relayout(
    array: Any,
    to: Layout | str,
    from_: Layout | str | None = None,
    out: npt.NDArray[Any] | None = None,
    threads: int = 1,
) -> npt.NDArray[Any]:
    """Copies an array into the layout `to`; the other threads of Python run meanwhile.

    `to` may be a layout alone, as in `{1,0:T(8,128)}`, or the name of a packed format: of the array that is copied. `array` is
    row-major, as numpy has it, or the memory of an array in the layout `from_`. The result has the dimensions
    of the array in memory (`Layout.memory_dims`), one dimension where the layout pads the end, or bytes where it packs
    elements. Padding is zero, or what the layout declares. `out` is the memory to write: of the dimensions of the result,
    or of one dimension. Ctrl-C ends the copy; a part of `out` is written then.

    >>> import numpy as np
    >>> tiles = relayout(np.arange(15, dtype="int8").reshape(3, 5), "s8[3,5]{1,0:T(2,2)}")
    >>> tiles.shape, tiles.ravel()[:10]
    ((2, 3, 2, 2), array([0, 1, 5, 6, 2, 3, 7, 8, 4, 0], dtype=int8))
    >>> relayout(tiles, "s8[3,5]", from_="s8[3,5]{1,0:T(2,2)}")[2]
    array([10, 11, 12, 13, 14], dtype=int8)
    >>> relayout(np.zeros((3, 5), "int8"), "{0,1}").shape
    (5, 3)
    """
    if from_ is not None:
        before = _layout(from_, lambda: _layout(to))
        return _copy(array, before, _layout(to, lambda: before), out, threads)
    given = np.asarray(_unmasked(array))
    to = _layout(to, lambda: _native.row_major(given.shape, given.dtype))
    from_ = to.row_major()
    if given.shape != from_.dims:
        raise LayoutError(
            f"the array has the shape {given.shape}, and `{to}` is a layout of {from_.dims}\n"
            "  = help: write the array's sizes, or a layout alone, as in `{1,0:T(8,128)}`; "
            "`from_` is the layout of memory that is not row-major"
        )
    if given.dtype != from_.dtype:
        same = given.dtype.itemsize == from_.dtype.itemsize
        raise LayoutError(
            f"the array has elements {given.dtype}, and those of `{to}` are {from_.dtype}\n"
            f"  = help: `array.astype({from_.dtype.name!r})` converts the numbers"
            + (f"; `array.view({from_.dtype.name!r})` is other numbers of the same bits" if same else "")
        )
    return _copy(array, from_, to, out, threads)


def detile(
    buffer: Any,
    layout: Layout | str,
    out: npt.NDArray[Any] | None = None,
    threads: int = 1,
) -> npt.NDArray[Any]:
    """Copies the memory of an array in a layout into a row-major array, without its padding.

    `buffer` is all of the memory: anything with contiguous bytes; an array has the dimensions that `relayout` gives it, or
    one dimension. Packed elements get a byte each, as `ml_dtypes` has
    them. The other threads of Python run meanwhile. Ctrl-C ends the copy; a part of `out` is written then.

    >>> import numpy as np
    >>> memory = np.array([0, 1, 5, 6, 2, 3, 7, 8, 4, 99, 9, 99], "int8").tobytes()
    >>> detile(memory, "s8[2,5]{1,0:T(2,2)}")
    array([[0, 1, 2, 3, 4],
           [5, 6, 7, 8, 9]], dtype=int8)
    """
    layout = _layout(layout)
    return _copy(buffer, layout, layout.row_major(), out, threads)


def _layout(layout: Layout | str, of: Callable[[], Layout] | None = None) -> Layout:
    """A layout; a text that is one alone is that of an array."""
    return layout if isinstance(layout, Layout) else _native.layout_of(layout, of or _no_sizes)


def _no_sizes() -> NoReturn:
    raise LayoutError(
        "memory does not say the sizes of its array\n  = help: write them before the layout, as in `f32[3,4]{1,0:T(8,128)}`"
    )


def _unmasked(array: Any) -> Any:
    """Refuses an array with a mask: the copy would show what it hides."""
    if isinstance(array, np.ma.MaskedArray):
        raise LayoutError(
            "the array has a mask, which its memory does not\n"
            "  = help: `array.filled(0)` has a number in place of what is masked, `array.data` has what the mask hides"
        )
    return array


def _copy(source: Any, from_: Layout, to: Layout, out: Any, threads: int) -> npt.NDArray[Any]:
    source = _bytes(_memory(_unmasked(source)), from_, "array")
    if out is None:
        result = _empty(to)
    elif isinstance(out, np.ndarray):
        result = _unmasked(out)
    else:
        raise LayoutError(f"`out` is `{type(out).__name__}`\n  = help: give an array of numpy that can be written")
    target = _bytes(result, to, "output")
    if not target.flags.writeable:
        raise LayoutError("the output is read-only\n  = help: give an array of its own, or leave `out` away")
    _native.copy(from_, to, source, target, threads)
    return result


def _empty(layout: Layout) -> npt.NDArray[Any]:
    """Memory for a layout."""
    dtype, dims = layout.dtype, layout.memory_dims
    if layout.element_bits != 8 * dtype.itemsize:
        return np.empty(layout.padded_bytes, np.uint8)
    slots = layout.padded_elements
    try:
        return np.empty(dims if math.prod(dims) == slots else slots, dtype)
    except ValueError as error:
        raise LayoutError(f"`{layout}`: {error}\n  = help: numpy's arrays are smaller") from None


def _memory(source: Any) -> npt.NDArray[Any]:
    """What holds the memory, as an array of numpy that shares it."""
    if hasattr(source, "__array__") or hasattr(source, "__array_interface__"):
        return np.asarray(source)
    try:
        return np.frombuffer(source, np.uint8)
    except (TypeError, ValueError, BufferError) as error:
        raise LayoutError(
            f"this {type(source).__name__} is not contiguous memory: {error}\n"
            "  = help: give an array of numpy, bytes, or anything else with a buffer"
        ) from None


def _bytes(array: npt.NDArray[Any], layout: Layout, name: str) -> npt.NDArray[np.uint8]:
    """The bytes of an array, which are not copied."""
    array = np.asarray(array)
    if not array.flags.c_contiguous:
        raise LayoutError(
            f"the {name} is not contiguous: strides {array.strides} of {array.dtype}{list(array.shape)}\n"
            "  = help: `numpy.ascontiguousarray` copies it"
        )
    if array.dtype not in (layout.dtype, np.uint8):
        raise LayoutError(
            f"the {name} has elements {array.dtype}, and `{layout}` is {layout.dtype}\n"
            f"  = help: `array.view({layout.dtype.name!r})` has other elements of the same bytes, `numpy.uint8` too"
        )
    if array.nbytes != layout.padded_bytes:
        raise LayoutError(
            f"the {name} has {array.nbytes} bytes, and `{layout}` takes {layout.padded_bytes}\n"
            "  = help: give all of the layout's memory, padding included, and nothing else"
        )
    # Of other dimensions it may have the elements in another order.
    if array.ndim != 1 and array.shape != layout.memory_dims:
        raise LayoutError(
            f"the {name} has the dimensions {list(array.shape)}, and `{layout}` has {list(layout.memory_dims)} in memory\n"
            "  = help: if it is the memory in its order, `array.reshape(-1)`"
        )
    return array.reshape(-1).view(np.uint8)
