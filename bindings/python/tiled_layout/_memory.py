"""What fills the memory while a compiled program runs, and which copies it makes."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar, cast

from . import _native
from ._jax import _leaves
from ._native import LayoutError

T = TypeVar("T")

Place = dict[Literal["parameter", "result"], int]
"""A parameter or result of a program, by number: `{"parameter": 0}`."""


@dataclass(frozen=True)
class Argument:
    """An array that the caller of a program passes."""

    number: int
    name: str
    shape: str
    bytes: int
    is_donated: bool


@dataclass(frozen=True)
class Group:
    """Arrays in memory that are alike: of one shape, of one line of the user's program."""

    kind: Literal["argument", "result", "temporary", "constant"]
    shape: str
    count: int
    bytes: int
    padding_bytes: int
    source: str


@dataclass(frozen=True)
class Hbm:
    """The device's memory: `allocated_bytes` is what has to fit, an estimate; `peak_bytes` the most in use at once, of which `live` is the list."""

    allocated_bytes: int
    peak_bytes: int
    arguments_bytes: int
    results_bytes: int
    constants_bytes: int
    temporaries_bytes: int
    instruction: str
    source: str
    live: list[Group] = field(repr=False)


@dataclass(frozen=True)
class Vmem:
    """The chip's own memory of a TPU, at the moment at which the most of it is in use."""

    peak_bytes: int
    instruction: str
    source: str
    live: list[Group] = field(repr=False)


@dataclass(frozen=True)
class LayoutCopy:
    """An operation that copies an array at each call: into another layout, or, in a loop, as it is; `cycles` are those of one of its `times`."""

    instruction: str
    opcode: str
    from_: str
    to: str
    dimensions: list[int]
    keeps_layout: bool
    bytes: int
    cycles: int
    is_guess: bool
    times: int
    causes: list[Place]
    source: str


@dataclass(frozen=True)
class Advice:
    """Something to write so that a program needs less memory or fewer copies; `python` is the text."""

    kind: Literal["layout", "donate", "size", "return", "recompute"]
    places: list[Place]
    names: list[str]
    major_to_minor: tuple[int, ...]
    saves_bytes: int
    saves_cycles: int
    is_guess: bool
    instructions: list[str]
    is_stored_transposed: bool
    is_sure: bool
    python: str


@dataclass(frozen=True)
class PallasKernel:
    """A kernel of Pallas: what it takes of VMEM, and what it may take if it asked for a limit."""

    instruction: str
    vmem_bytes: int
    limit_bytes: int | None
    source: str


@dataclass(frozen=True)
class Memory:
    """What `memory` returns. It prints as `layout hlo` does; a notebook shows it with a picture.

    `needed_bytes` is what has to fit: what the compiler allocates of a compiled program, or else `hbm.allocated_bytes`.
    `compiler` is what the compiler says of a compiled program, `memory_analysis()`.
    """

    module: str
    hbm: Hbm
    vmem: Vmem
    host_bytes: int
    peak_bytes: int
    least_allocated_bytes: int
    arguments: list[Argument] = field(repr=False)
    copies: list[LayoutCopy] = field(repr=False)
    cycles: int | None
    unknown_loops: int
    advice: list[Advice] = field(repr=False)
    kernels: list[PallasKernel] = field(repr=False)
    compiler: dict[str, int] | None = field(repr=False)
    needed_bytes: int
    _text: str = field(repr=False)

    def report(
        self,
        top: int = 10,
        frames: bool = False,
        *,
        vmem: bool = False,
        tree: bool = False,
        limit: int | str | None = None,
    ) -> str:
        """The report for a person, with `top` lines of each table; `frames` lists all frames of each line's stack.

        `vmem` lists what is in VMEM too, `tree` shows what is in memory by module and call path. `limit` is a number of bytes,
        `"15.75G"` or a device, `"v5e"`.
        """
        needed = None if self.compiler is None else self.needed_bytes
        report = _native.memory_report(self._text, top, frames, vmem, tree, (_limit(limit), needed))
        if self.compiler is not None:
            figures = ", ".join(f"{name} {number}" for name, number in self.compiler.items())
            report += f"\nthe compiler's own figures, in bytes: {figures}\n"
        return report

    def svg(self, limit: int | str | None = None) -> str:
        """The memory over the program as SVG, with a line at the limit."""
        return _native.memory_svg(self._text, _limit(limit))

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        """The report and the picture, for a notebook."""
        return f"<pre>{html.escape(self.report())}</pre>{self.svg()}"


def _limit(limit: int | str | None) -> int | None:
    return _native.limit_bytes(limit) if isinstance(limit, str) else limit


def memory(compiled_or_text: Any) -> Memory:
    """What fills the memory while a compiled program runs, and which copies between layouts it makes.

    Takes what `jax.jit(f).lower(..).compile()` returns, the text that its `as_text()` is, or the path of a file with
    one, such as the `*.oom_intermediate_module.txt` that XLA dumps when a compile runs out of memory.

    `hbm.allocated_bytes` is what has to fit: arguments, results and one block for all temporaries. It is an estimate, packed as the
    compiler packs it, and never less than `hbm.peak_bytes`, the most that is in use at once.

    >>> found = memory('''HloModule m, is_scheduled=true
    ...
    ... ENTRY %main (x: f32[1024]) -> f32[1024,1024] {
    ...   %x = f32[1024]{0} parameter(0), metadata={op_name="x"}
    ...   ROOT %y = f32[1024,1024]{1,0} broadcast(%x), dimensions={0}
    ... }''')
    >>> found.hbm.allocated_bytes, found.hbm.arguments_bytes, found.hbm.live[0].shape
    (4198400, 4096, 'f32[1024,1024]{1,0}')
    """
    text = compiled_or_text
    compiler, build = None, None
    if not isinstance(text, str | bytes) and (hasattr(text, "lower") or hasattr(text, "compile")):
        steps = ".compile()" if hasattr(text, "compile") else ".lower(..).compile()"
        raise LayoutError(f"this {type(text).__name__} is not compiled\n  = help: give what its `{steps}` returns")
    if hasattr(text, "as_text"):
        compiler, build = _compiler_figures(text), _libtpu_build(text)
        text = text.as_text()
    elif isinstance(text, os.PathLike) or isinstance(text, str) and "\n" not in text and not text.startswith("HloModule"):
        text = _read(pathlib.Path(text))
    if not isinstance(text, str):
        raise LayoutError(
            f"this {type(text).__name__} is not a program\n  = help: give a compiled program, its text, or a path"
        )
    found = json.loads(_native.memory_json(text))
    advice = _made(Advice, found["advice"])
    parts = {
        "hbm": Hbm(**(found["hbm"] | {"live": _made(Group, found["hbm"]["live"])})),
        "vmem": Vmem(**(found["vmem"] | {"live": _made(Group, found["vmem"]["live"])})),
        "arguments": _made(Argument, found["arguments"]),
        # `from` is a word of Python.
        "copies": _made(LayoutCopy, [it | {"from_": it["from"]} for it in found["copies"]]),
        "advice": [replace(it, major_to_minor=tuple(it.major_to_minor)) for it in advice],
        "kernels": _made(PallasKernel, found["kernels"]),
        "compiler": compiler,
    }
    return Memory(**(found | parts), needed_bytes=_needed(found, compiler, build), _text=text)


def assert_fits(compiled_or_text: Any, device: str | None = None, *, limit: int | str | None = None) -> Memory:
    """Fails if a compiled program needs more memory than a device has, `"v5e"`, or than a limit, `"15.75G"`: for tests.

    What is compared is `needed_bytes`: of a compiled program what the compiler allocates. The message is the report.

    >>> text = '''HloModule m, is_scheduled=true
    ...
    ... ENTRY %main (x: f32[1024]) -> f32[1024] {
    ...   ROOT %x = f32[1024]{0} parameter(0)
    ... }'''
    >>> assert_fits(text, "v5e").hbm.allocated_bytes
    4096
    >>> assert_fits(text, limit="1K")
    Traceback (most recent call last):
    ...
    AssertionError: m: 4.00 KiB have to fit (4096 bytes), 3.00 KiB more than 1.00 KiB
    ...
    """
    most = _limit(limit if device is None else device)
    if most is None or (limit is not None and device is not None):
        raise LayoutError("there is no limit, or two\n  = help: give a device, as in `\"v5e\"`, or `limit=\"15.75G\"`")
    found = memory(compiled_or_text)
    if found.needed_bytes > most:
        raise AssertionError(found.report(limit=most))
    return found


def _compiler_figures(compiled: Any) -> dict[str, int] | None:
    """What the compiler says of a program, in bytes, if it says something."""
    try:
        own = compiled.memory_analysis()
        names = {"arguments": "argument", "results": "output", "aliases": "alias", "temporaries": "temp"}
        figures = {name: int(getattr(own, f"{its}_size_in_bytes")) for name, its in names.items()}
        return figures | {"peak": int(getattr(own, "peak_memory_in_bytes", 0))}
    except (AttributeError, NotImplementedError, RuntimeError, TypeError):
        return None


def _libtpu_build(compiled: Any) -> int | None:
    """The number of the change that the libtpu was built of: it rises with each version."""
    try:
        shardings = (*compiled.input_shardings[0], compiled.output_shardings)
        devices = (next(iter(it.device_set)) for it in _leaves(shardings) if hasattr(it, "device_set"))
        build = re.search(r"(?s)TPU.* cl/(\d+)", next(devices).client.platform_version)
        return build and int(build[1])
    except (AttributeError, IndexError, NotImplementedError, RuntimeError, StopIteration, TypeError):
        return None


# The builds of libtpu 0.0.45, the last found to put temporaries into the memory of results before these are written, and of 0.0.50,
# the last found to count what is in the memory of results as temporaries too.
LAST_TO_SHARE, LAST_TO_COUNT_TWICE = 957406610, 994787025


def _needed(found: dict[str, Any], compiler: dict[str, int] | None, build: int | None) -> int:
    """What has to fit: the compiler checks the sum of its allocations, of which `memory_analysis` leaves out constants."""
    estimate = int(found["hbm"]["allocated_bytes"])
    if compiler is None:
        return estimate
    parts = compiler["arguments"] + compiler["results"] - compiler["aliases"] + compiler["temporaries"]
    parts += int(found["hbm"]["constants_bytes"])
    shared = int(found["least_allocated_bytes"]) if build and build <= LAST_TO_SHARE else estimate
    if build and compiler["temporaries"] == 0:
        # `memory_analysis` leaves out tables and scalars then; the check counts them.
        return shared
    return parts if build is None or build > LAST_TO_COUNT_TWICE else min(parts, shared)


def _read(path: pathlib.Path) -> str:
    if path.is_dir():
        raise LayoutError(f"{path} is a folder\n  = help: give one of its `*after_optimizations.txt`, or ask `layout hlo {path}`")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LayoutError(f"{path} is not text\n  = help: give the program as text: `*after_optimizations.txt` of the dump") from error


def _made(kind: Callable[..., T], records: list[dict[str, Any]]) -> list[T]:
    """Objects of the records of JSON."""
    names = [it.name for it in fields(cast(Any, kind))]
    return [kind(**{name: record[name] for name in names}) for record in records]
