"""Compares what the library writes in other notations with the real numpy, CuTe, Mosaic, MLIR and JAX.

    python3 tests/notations/check.py tests/data/notations.jsonl [n]

With a number, only every n-th `linalg.pack` of f32 is compiled and run, which takes the longest.
Needs numpy, ml_dtypes, tensor-layouts, jax and iree-base-compiler with iree-base-runtime from PyPI; what
is not installed is left out and said. A line of the file is described in `vectors.rs`.
"""

import ast
import collections
import hashlib
import itertools
import json
import re
import sys

import numpy as np

COUNTS = collections.Counter()


def module(name):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        print(f"{name} is not installed")
        return None


ml_dtypes = module("ml_dtypes")
tensor_layouts = module("tensor_layouts")
jax_layout = module("jax.experimental.layout")
ir = module("jaxlib.mlir.ir")
tpu = module("jaxlib.mosaic.python.tpu")
iree_compiler = module("iree.compiler")
iree_runtime = module("iree.runtime")


def sha256(memory):
    return hashlib.sha256(np.ascontiguousarray(memory, dtype="<i8").tobytes()).hexdigest()


class Line:
    def __init__(self, text):
        self.__dict__.update(json.loads(text))
        self.element, dims = re.match(r"(\w+)\[(.*?)\]", self.layout).groups()
        self.dims = [int(dim.removeprefix("<=")) for dim in dims.split(",") if dim not in ("", "?")]
        self.sha256 = self.sha256_memory_le_i64

    def array(self, dtype=np.int64):
        return np.arange(1, np.prod(self.dims, dtype=int) + 1, dtype=dtype).reshape(self.dims)

    def same(self, notation, memory):
        assert sha256(memory) == self.sha256, f"{self.layout}: {notation}: {getattr(self, notation)}"
        COUNTS[notation] += 1

    def same_offsets(self, notation, offset):
        """The memory, as long as numpy says, with each element where the notation puts it."""
        x = self.array()
        memory = np.zeros_like(eval(self.numpy, {"np": np, "x": x}))
        for index in itertools.product(*map(range, self.dims)):
            memory[offset(index)] = x[index]
        self.same(notation, memory)


def check_numpy(line):
    x = line.array()
    memory = eval(line.numpy, {"np": np, "x": x})
    line.same("numpy", memory)
    back = eval(line.numpy_inverse, {"memory": memory})
    assert back.shape == x.shape and (back == x).all(), f"{line.layout}: {line.numpy_inverse}"
    COUNTS["numpy_inverse"] += 1


def check_cute(line, notation):
    """CuTe's parentheses are tuples also around one item."""
    as_tuple = lambda text: ast.literal_eval(re.sub(r"(?<=\d)\)|(?<=\))\)", ",)", text))
    shape, stride = map(as_tuple, getattr(line, notation).split(":"))
    layout = tensor_layouts.Layout(shape, stride)
    line.same_offsets(notation, lambda index: layout(*index) if index else layout(()))


def check_mosaic(line):
    context = ir.Context()
    tpu.register_dialect(context)
    with context, ir.Location.unknown():
        dims = "".join(f"{dim}x" for dim in line.dims)
        ref = ir.MemRefType(ir.Type.parse(f"memref<{dims}f32, {line.mosaic}>"))
        assert str(ref.layout) == line.mosaic
        names, offset = re.match(r"\((.*)\) -> \((.*)\)", str(ref.affine_map)).groups()
    offset = eval(f"lambda {names}: {offset.replace('floordiv', '//').replace('mod', '%')}")
    line.same_offsets("mosaic", lambda index: offset(*index))


DTYPES = {"pred": "bool", "bf16": "bfloat16", "f": "float", "s": "int", "u": "uint", "c": "complex"}


def check_jax(line):
    name = DTYPES.get(line.element) or DTYPES[line.element[0]] + line.element[1:]
    if re.match("f[468]e", line.element):
        name = f"float{line.element[1]}_{line.element[2:]}"
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    layout = eval(line.jax, {"Layout": jax_layout.Layout})
    layout.check_compatible_aval(line.dims if "?" not in line.layout else layout.major_to_minor)
    printed = str(layout._to_xla_layout(dtype))
    # What is no part of JAX's layout, and what says nothing.
    expected = line.layout[line.layout.index("]") + 1 :] or "{}"
    expected = re.sub(r"(?<!\w)(S|M|L)\(-?\d+\)|SC(\([^)]*\))+|PAD\([^)]*\)(FILL\(\w+\))?|(?<=\))(S|M|L)\(-?\d+\)", "", expected)
    expected = expected.replace(":}", "}")
    if printed != expected:
        # JAX can say of narrow integers that they are not packed only by their size.
        assert printed.replace("E(8)", "") == expected, f"{line.layout}: {line.jax}: {printed}"
        assert line.element in ("s1", "s2", "s4", "u1", "u2", "u4"), line.layout
    COUNTS["jax"] += 1


def operations(line):
    """A function that packs by the attributes, one operation after another."""
    tensor = lambda dims: "tensor<" + "".join(f"{dim}x" for dim in dims) + "f32>"
    text, dims, name = "%padding = arith.constant 0.0 : f32\n", line.dims, "%x"
    for number, attributes in enumerate(line.packs.splitlines()):
        lists = {name: ast.literal_eval(list) for name, list in re.findall(r"(\w+) = (\[.*?\])", attributes)}
        outer = list(dims)
        for dim, size in zip(lists["inner_dims_pos"], lists["inner_tiles"]):
            outer[dim] = -(-outer[dim] // size)
        outer = [outer[dim] for dim in lists.get("outer_dims_perm", range(len(outer)))]
        result = outer + lists["inner_tiles"]
        text += f"%empty_{number} = tensor.empty() : {tensor(result)}\n"
        text += f"%packed_{number} = linalg.pack {name} padding_value(%padding : f32) {attributes} "
        text += f"into %empty_{number} : {tensor(dims)} -> {tensor(result)}\n"
        dims, name = result, f"%packed_{number}"
    return f"(%x: {tensor(line.dims)}) -> {tensor(dims)} {{\n{text}return {name} : {tensor(dims)}\n}}\n"


def check_packs(lines):
    """Those of f32 are run, the others are verified only."""
    functions = [f"func.func @f{number}{operations(line)}" for number, line in enumerate(lines)]
    text = "".join(functions)
    if lines[0].sha256 is None:
        with iree_compiler.ir.Context(), iree_compiler.ir.Location.unknown():
            iree_compiler.ir.Module.parse(text).operation.verify()
        COUNTS["packs, verified"] += len(lines)
        return
    flags = ["--iree-llvmcpu-target-cpu=generic", "--iree-llvmcpu-fail-on-large-vector=false"]
    binary = iree_compiler.compile_str(text, target_backends=["llvm-cpu"], extra_args=flags)
    context = iree_runtime.SystemContext(config=iree_runtime.Config("local-task"))
    context.add_vm_module(iree_runtime.VmModule.copy_buffer(context.instance, binary))
    for number, line in enumerate(lines):
        packed = context.modules.module[f"f{number}"](line.array(np.float32)).to_host()
        line.same("packs", packed.astype(np.int64).reshape(-1))


def main():
    packs = collections.defaultdict(list)
    for text in open(sys.argv[1], encoding="utf-8"):
        line = Line(text)
        if line.sha256 is not None:
            check_numpy(line)
            if tensor_layouts:
                for notation in ("cute", "cute_padded"):
                    if getattr(line, notation):
                        check_cute(line, notation)
            if tpu and line.mosaic:
                check_mosaic(line)
        if jax_layout and line.jax:
            check_jax(line)
        if iree_compiler and iree_runtime and line.packs:
            # Arrays without elements, or with sizes that are unknown, are no arguments of a function here.
            if 0 not in line.dims and "?" not in line.layout:
                packs[line.sha256 is None].append(line)
    packs[False] = packs[False][:: int(sys.argv[2]) if len(sys.argv) > 2 else 1]
    for lines in packs.values():
        for first in range(0, len(lines), 50):
            check_packs(lines[first : first + 50])
    for notation, count in sorted(COUNTS.items()):
        print(f"{notation}: {count}")


main()
