"""Tiled array layouts of XLA and TPUs: sizes, offsets, default layouts, copies, files.

>>> import tiled_layout as tl
>>> layout = tl.parse("bf16[4096,300]{1,0:T(8,128)(2,1)}")
>>> layout.offset(5, 7), layout.padded_bytes, round(layout.expansion, 2)
(527, 3145728, 1.28)
"""

try:
    from . import _native as _native
except ImportError:
    raise ImportError(
        "tiled_layout is not built here: `pip install ./bindings/python` builds and installs it from a checkout; then run Python "
        "where the checkout's `tiled_layout` is not on its path"
    )
from ._arrays import detile, relayout
from ._files import convert, join
from ._jax import device_bytes, from_jax
from ._memory import (
    Advice,
    Argument,
    Collective,
    Gather,
    Group,
    Hbm,
    LayoutCopy,
    Memory,
    PallasKernel,
    Vmem,
    assert_fits,
    memory,
)
from ._native import Buffer, Check, Layout, LayoutError, Program, default, hlo, parse
from ._native import __version__ as __version__
from ._pallas import check, largest_block
from ._tpu import Tpu as Tpu

__all__ = [
    "Advice",
    "Argument",
    "Buffer",
    "Check",
    "Collective",
    "Gather",
    "Group",
    "Hbm",
    "Layout",
    "LayoutCopy",
    "LayoutError",
    "Memory",
    "PallasKernel",
    "Program",
    "Vmem",
    "assert_fits",
    "check",
    "convert",
    "default",
    "detile",
    "device_bytes",
    "from_jax",
    "hlo",
    "join",
    "largest_block",
    "memory",
    "parse",
    "relayout",
]
