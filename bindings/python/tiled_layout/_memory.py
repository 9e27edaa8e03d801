"""What fills the memory while a compiled program runs, and which copies it makes."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar, cast

from . import _native
from ._jax import _leaves
from ._native import LayoutError

T = TypeVar("T")

Shardings = tuple[str | None, list[tuple[int, list[int], str]]]
"""The mesh, `x=4,y=2`, and of parameters by number the sizes of the whole array and its sharding."""

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

    kind: Literal["layout", "donate", "size", "return", "recompute", "shard", "reshard"]
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
class Collective:
    """What devices send one another: `bytes` that each of a `group` receives each of so many `times`."""

    instruction: str
    op: str
    bytes: int
    group: int
    times: int
    source: str


@dataclass(frozen=True)
class Gather:
    """An array that is gathered on every device, of which each keeps `kept_bytes`."""

    instruction: str
    bytes: int
    kept_bytes: int
    received_bytes: int
    source: str


@dataclass(frozen=True)
class Memory:
    """What `memory` returns. It prints as `layout hlo` does; a notebook shows it with a picture.

    `needed_bytes` is what has to fit: what the compiler allocates of a compiled program, or else `hbm.allocated_bytes`.
    `compiler` is what the compiler says of a compiled program, `memory_analysis()`. Of a program on several devices `whole` are the numbers of the
    arguments that are whole on every one.
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
    devices: int
    whole: list[int] = field(repr=False)
    collectives: list[Collective] = field(repr=False)
    gathers: list[Gather] = field(repr=False)
    compiler: dict[str, int] | None = field(repr=False)
    needed_bytes: int
    _text: str = field(repr=False)
    _shardings: Shardings = field(repr=False)

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
        lists, bytes_ = (frames, vmem, tree), (_limit(limit), needed)
        report = _native.memory_report(self._text, top, lists, bytes_, self._shardings)
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
    shardings: Shardings = (None, [])
    if not isinstance(text, str | bytes) and (hasattr(text, "lower") or hasattr(text, "compile")):
        steps = ".compile()" if hasattr(text, "compile") else ".lower(..).compile()"
        raise LayoutError(f"this {type(text).__name__} is not compiled\n  = help: give what its `{steps}` returns")
    if hasattr(text, "as_text"):
        compiler, build, shardings = _compiler_figures(text), _libtpu_build(text), _shardings(text)
        text = text.as_text()
    elif isinstance(text, os.PathLike) or isinstance(text, str) and "\n" not in text and not text.startswith("HloModule"):
        text = _read(pathlib.Path(text))
    if not isinstance(text, str):
        raise LayoutError(
            f"this {type(text).__name__} is not a program\n  = help: give a compiled program, its text, or a path"
        )
    found = json.loads(_native.memory_json(text, shardings))
    advice = _made(Advice, found["advice"])
    parts = {
        "hbm": Hbm(**(found["hbm"] | {"live": _made(Group, found["hbm"]["live"])})),
        "vmem": Vmem(**(found["vmem"] | {"live": _made(Group, found["vmem"]["live"])})),
        "arguments": _made(Argument, found["arguments"]),
        # `from` is a word of Python.
        "copies": _made(LayoutCopy, [it | {"from_": it["from"]} for it in found["copies"]]),
        "advice": [replace(it, major_to_minor=tuple(it.major_to_minor)) for it in advice],
        "kernels": _made(PallasKernel, found["kernels"]),
        "collectives": _made(Collective, found["collectives"]),
        "gathers": _made(Gather, found["gathers"]),
        "compiler": compiler,
    }
    return Memory(**(found | parts), needed_bytes=_needed(found, compiler, build), _text=text, _shardings=shardings)


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


def _shardings(compiled: Any) -> Shardings:
    """The mesh and the shardings of the arguments, which texts of programs for TPUs leave out."""
    jax: Any = sys.modules.get("jax")
    try:
        given = jax.tree.leaves(compiled.input_shardings, is_leaf=lambda it: it is None)
        infos = jax.tree.leaves(compiled.args_info, is_leaf=lambda it: hasattr(it, "donated"))
        # An argument that the program does not use has no sharding and no parameter.
        used = [(sharding, info) for sharding, info in zip(given, infos, strict=True) if sharding is not None]
        meshes = [sharding.mesh.shape for sharding, _ in used if hasattr(sharding, "spec")]
        mesh = next((mesh for mesh in meshes if mesh), None)
        texts = [_spec(sharding, mesh) for sharding, _ in used]
        named = enumerate(zip(texts, used, strict=True))
        arguments = [(number, list(info.shape), text) for number, (text, (_, info)) in named if text]
        return mesh and ",".join(f"{name}={size}" for name, size in mesh.items()), arguments
    except (AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError):
        return None, []


def _spec(sharding: Any, mesh: Any) -> str | None:
    """A sharding by the names of the mesh; `None` if it has other names, or parts that only the program knows."""
    if not hasattr(sharding, "spec"):
        return "{replicated}" if sharding.is_fully_replicated else None
    entries = list(sharding.spec)
    plain = all(it is None or isinstance(it, str | tuple) for it in entries)
    return f"P({', '.join(map(repr, entries))})" if plain and sharding.mesh.shape == mesh else None


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
