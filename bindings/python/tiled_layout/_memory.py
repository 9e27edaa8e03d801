"""What fills the memory while a compiled program runs, and which copies it makes."""

from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar, cast

from . import _native
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

    kind: Literal["argument", "result", "temporary"]
    shape: str
    count: int
    bytes: int
    padding_bytes: int
    source: str


@dataclass(frozen=True)
class Peak:
    """The moment at which the most memory is in use; `live` is what is in memory then."""

    bytes: int
    arguments_bytes: int
    results_bytes: int
    temporaries_bytes: int
    host_bytes: int
    is_in_vmem: bool
    instruction: str
    source: str
    live: list[Group] = field(repr=False)


@dataclass(frozen=True)
class LayoutCopy:
    """An operation that moves an array into another layout at each call; `cycles` are those of one of its `times`."""

    instruction: str
    opcode: str
    from_: str
    to: str
    bytes: int
    cycles: int
    is_guess: bool
    times: int
    causes: list[Place]
    source: str


@dataclass(frozen=True)
class Advice:
    """Something to write so that a program needs less memory or fewer copies; `python` is the text."""

    kind: Literal["layout", "donate", "size"]
    place: Place
    name: str
    major_to_minor: tuple[int, ...]
    saves_bytes: int
    saves_cycles: int
    is_guess: bool
    instructions: list[str]
    pair: Place | None
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
    """What `memory` returns. It prints as `layout hlo` does; a notebook shows it with a picture."""

    module: str
    peak: Peak
    arguments: list[Argument] = field(repr=False)
    copies: list[LayoutCopy] = field(repr=False)
    cycles: int | None
    unknown_loops: int
    advice: list[Advice] = field(repr=False)
    kernels: list[PallasKernel] = field(repr=False)
    _text: str = field(repr=False)

    def report(self, top: int = 10, frames: bool = False) -> str:
        """The report for a person, with `top` lines of each table; `frames` lists all frames of each line's stack."""
        return _native.memory_report(self._text, top, frames)

    def svg(self) -> str:
        """The memory over the program as SVG."""
        return _native.memory_svg(self._text)

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        """The report and the picture, for a notebook."""
        return f"<pre>{html.escape(self.report())}</pre>{self.svg()}"


def memory(compiled_or_text: Any) -> Memory:
    """What fills the memory while a compiled program runs, and which copies between layouts it makes.

    Takes what `jax.jit(f).lower(..).compile()` returns, the text that its `as_text()` is, or the path of a file with
    one, such as the `*.oom_intermediate_module.txt` that XLA dumps when a compile runs out of memory.

    `peak.bytes` is arguments, results and the temporaries that are in memory at the worst moment. On TPUs and GPUs
    the compiler reports nearly always the same as `peak_memory_in_bytes`; on CPUs it leaves temporaries out.

    >>> found = memory('''HloModule m, is_scheduled=true
    ...
    ... ENTRY %main (x: f32[1024]) -> f32[1024,1024] {
    ...   %x = f32[1024]{0} parameter(0), metadata={op_name="x"}
    ...   ROOT %y = f32[1024,1024]{1,0} broadcast(%x), dimensions={0}
    ... }''')
    >>> found.peak.bytes, found.peak.arguments_bytes, found.peak.live[0].shape
    (4198400, 4096, 'f32[1024,1024]{1,0}')
    >>> assert found.peak.bytes < 14 << 30
    """
    text = compiled_or_text
    if hasattr(text, "as_text"):
        text = text.as_text()
    elif isinstance(text, os.PathLike) or isinstance(text, str) and "\n" not in text and not text.startswith("HloModule"):
        text = pathlib.Path(text).read_text(encoding="utf-8")
    if not isinstance(text, str):
        raise LayoutError(
            f"this {type(text).__name__} is not a program\n  = help: give a compiled program, its text, or a path"
        )
    found = json.loads(_native.memory_json(text))
    peak = found["peak"] | {"live": _made(Group, found["peak"]["live"])}
    advice = _made(Advice, found["advice"])
    parts = {
        "peak": Peak(**peak),
        "arguments": _made(Argument, found["arguments"]),
        # `from` is a word of Python.
        "copies": _made(LayoutCopy, [it | {"from_": it["from"]} for it in found["copies"]]),
        "advice": [replace(it, major_to_minor=tuple(it.major_to_minor)) for it in advice],
        "kernels": _made(PallasKernel, found["kernels"]),
    }
    return Memory(**(found | parts), _text=text)


def _made(kind: Callable[..., T], records: list[dict[str, Any]]) -> list[T]:
    """Objects of the records of JSON."""
    names = [it.name for it in fields(cast(Any, kind))]
    return [kind(**{name: record[name] for name in names}) for record in records]
