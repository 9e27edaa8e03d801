"""The examples in docstrings and in the README, the notebook-like example, the types."""

import doctest
import importlib.metadata
import inspect
import pathlib
import re
import shutil
import subprocess
import sys
import types
import typing

import numpy as np
import pytest
import tiled_layout

FOLDER = pathlib.Path(__file__).parent.parent


def documented():
    yield "tiled_layout", tiled_layout
    for name in tiled_layout.__all__:
        value = getattr(tiled_layout, name)
        yield name, value
        if inspect.isclass(value):
            for member, own in vars(value).items():
                if not member.startswith("__"):
                    yield f"{name}.{member}", own


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_examples_of_docstrings(name):
    text = inspect.getdoc(DOCUMENTED[name])
    assert text, f"{name} has no docstring"
    if "jax" in text:
        pytest.importorskip("jax", reason="JAX is not installed")
    names = {"tiled_layout": tiled_layout, **{name: getattr(tiled_layout, name) for name in tiled_layout.__all__}}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    # Everything that is called has an example, except for what a class or another function shows.
    shown = inspect.isclass(DOCUMENTED[name]) or name.count(".") or test.examples
    assert shown or name in ("Buffer",), f"{name} has no example"
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_enough_examples():
    examples = [doctest.DocTestParser().get_examples(inspect.getdoc(value) or "") for value in DOCUMENTED.values()]
    assert sum(map(len, examples)) > 40


def test_the_readme_runs(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)
    monkeypatch.chdir(tmp_path)
    header = b'{"w": {"dtype": "F32", "shape": [3, 5], "data_offsets": [0, 60]}}'
    pathlib.Path("model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(60))
    (program, *_) = (FOLDER.parents[1] / "tests" / "data" / "hlo").iterdir()
    names = {
        "buffer": bytes(304 * 4096 * 2),
        "compiled": types.SimpleNamespace(as_text=program.read_text),
        "params": {"w": np.zeros((3, 5), np.float32)},
    }
    exec(code, names)
    assert names["host"].shape == (300, 4096) and pathlib.Path("v5e.safetensors").exists()


def test_the_example_runs():
    done = subprocess.run(
        [sys.executable, FOLDER / "examples" / "kv_cache.py"], capture_output=True, text=True, check=True
    )
    assert "524288" in done.stdout and done.stdout.endswith("every element is where it was\n")


def test_stubs_are_those_of_the_module():
    pytest.importorskip("mypy", reason="mypy is not installed")
    arguments = ["tiled_layout", "--ignore-missing-stub", "--ignore-disjoint-bases"]
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_checkout_that_is_not_built_says_so(tmp_path):
    shutil.copytree(FOLDER / "tiled_layout", tmp_path / "tiled_layout", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    done = subprocess.run([sys.executable, "-c", "import tiled_layout"], cwd=tmp_path, capture_output=True, text=True)
    assert "ImportError: tiled_layout is not built here: `pip install ./bindings/python` builds" in done.stderr


def test_the_package_is_typed():
    pytest.importorskip("mypy", reason="mypy is not installed")
    code = "import tiled_layout as tl\nreveal_type(tl.detile(b'', 'f32[1]'))\ntl.parse('f32[1]').offset('x')\n"
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-c", code], capture_output=True, text=True)
    assert "ndarray" in done.stdout and "arg-type" in done.stdout, done.stdout + done.stderr


def test_tpus_are_literals():
    pytest.importorskip("mypy", reason="mypy is not installed")
    calls = [
        "tl.default((3,), 'f32', tpu={tpu!r})",
        "tl.device_bytes([], tpu={tpu!r})",
        "tl.parse('f32[3]').advise({tpu!r})",
        "tl.convert('a', 'b', tpu={tpu!r})",
        "tl.check((), [], [], [], tpu={tpu!r})",
        "tl.largest_block((8,), lambda n: dict[str, object](), tpu={tpu!r})",
    ]

    def checked(tpu):
        code = "\n".join(["import tiled_layout as tl", *calls]).format(tpu=tpu)
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "-c", code], capture_output=True, text=True)

    wrong = checked("v9")
    assert wrong.stdout.count("[arg-type]") == len(calls), wrong.stdout + wrong.stderr
    right = checked("v5e")
    assert right.returncode == 0, right.stdout + right.stderr


def test_tpus_are_those_of_the_library():
    with pytest.raises(tiled_layout.LayoutError) as found:
        tiled_layout.default((3,), "f32", tpu="v9")
    _, names = str(found.value).split("write one of ")
    assert names == ", ".join(name for own in typing.get_args(tiled_layout.Tpu) for name in typing.get_args(own))


def test_the_version_is_that_of_the_wheel():
    assert tiled_layout.__version__ == importlib.metadata.version("tiled-layout")
