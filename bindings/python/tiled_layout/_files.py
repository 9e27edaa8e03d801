"""Converting files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Literal

from . import _native
from ._native import Layout
from ._tpu import Tpu

Progress = bool | Callable[[int, int], object]


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    to: Layout | str | Callable[[str, Layout], Layout | str | None] | None = None,
    from_: Layout | str | None = None,
    tpu: Tpu | None = None,
    part: tuple[int, int] | None = None,
    check: bool | Literal["sample"] = False,
    truncate: bool = False,
    progress: Progress = False,
) -> None:
    """Converts the layouts of the tensors of a file: `.safetensors`, `.npy`, GGUF (read only), raw bytes.

    `tpu` gives each tensor the default layout of a TPU, `to` a layout: a whole shape, a layout alone as `{1,0:T(8,128)}`,
    the name of a packed format, or a function of a tensor's name and its layout (`None` leaves the tensor as it is).
    `from_` is the layout in the source where the file does not say it; given alone, the target is row-major. Without all
    three, the last conversion is undone. `part=(2, 16)` writes the second of sixteen shares, which `join` joins.
    `check` compares every element with the source, by the formulas of both layouts (about 60 ns each on one processor);
    `check="sample"` compares 131,072 random ones of each tensor. `truncate` keeps the low bits of bytes that become
    narrower elements. `progress` draws a bar, or is called with the bytes done and all. The target appears whole or not
    at all.

    >>> import os, tempfile, numpy as np
    >>> folder = tempfile.mkdtemp()
    >>> weights, device, again = (os.path.join(folder, name) for name in ("w.npy", "device.npy", "again.npy"))
    >>> np.save(weights, np.arange(1500, dtype="float32").reshape(3, 500))
    >>> convert(weights, device, to="{1,0:T(8,128)}")
    >>> np.load(device).shape
    (1, 4, 8, 128)
    >>> convert(device, again)
    >>> bool((np.load(again) == np.load(weights)).all())
    True
    """
    _native.convert(source, target, to, from_, tpu, part, check, truncate, _reporter(progress))


def join(
    parts: Iterable[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    *,
    progress: Progress = False,
) -> None:
    """Makes one file of all parts that `convert(.., part=..)` wrote, in any order.

    >>> import os, tempfile, numpy as np
    >>> folder = tempfile.mkdtemp()
    >>> weights, device = (os.path.join(folder, name) for name in ("w.npy", "device.npy"))
    >>> np.save(weights, np.arange(1500, dtype="float32").reshape(3, 500))
    >>> for number in (1, 2):
    ...     convert(weights, device, tpu="v5e", part=(number, 2))
    >>> join([device + ".part-1-of-2", device + ".part-2-of-2"], device)
    >>> np.load(device).shape
    (1, 4, 4, 128)
    """
    _native.join(list(parts), target, _reporter(progress))


def _reporter(progress: Progress) -> Callable[[int, int], object] | None:
    if callable(progress):
        return progress
    return _bar if progress else None


def _bar(done: int, total: int) -> None:
    share = done / total if total else 1.0
    end = "\n" if done >= total else ""
    sys.stderr.write(f"\r[{'#' * int(40 * share):40}] {done / 1e6:.1f} of {total / 1e6:.1f} MB{end}")
    sys.stderr.flush()
