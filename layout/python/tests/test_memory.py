"""What fills the memory of a program: figures of compilers, the notebook, a limit in a test of a user's."""

import json
import pathlib

import pytest
import tiled_layout as tl

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data"
TRUTH = [json.loads(line) for line in (DATA / "peak" / "truth.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: truth["program"])
def test_peaks_are_those_of_the_compilers(truth):
    found = tl.memory(DATA / "peak" / f"{truth['program']}.hlo")
    assert found.arguments_bytes == truth["arg"] == sum(argument.bytes for argument in found.arguments)
    assert abs(found.peak_bytes - truth["peak"]) <= max(8192, truth["peak"] / 10_000)
    assert found.at_peak[0].bytes >= found.at_peak[-1].bytes > 0
    # What a project's own test says of its model.
    assert found.peak_bytes < 14 << 30


def test_text_path_and_what_jax_compiles(tmp_path):
    path = DATA / "programs" / "step.hlo"
    text = path.read_text()
    found = tl.memory(text)
    assert found == tl.memory(str(path)) == tl.memory(path)

    class Compiled:
        def as_text(self):
            return text

    assert tl.memory(Compiled()) == found
    assert found.report() == (DATA / "programs" / "step.txt").read_text() == str(found)
    assert found.report(top=2, frames=True) == (DATA / "programs" / "step-frames.txt").read_text()
    (copy,) = found.copies
    assert (copy.instruction, copy.results, copy.times, copy.source) == ("copy.1", [1], 1, "model.py:33 loss (transpose)")
    (advice,) = found.advice
    assert (advice.kind, advice.result, advice.major_to_minor) == ("layout", 1, (0, 1))
    assert "arguments_bytes=" in repr(found) and "HloModule" not in repr(found)


def test_a_notebook_shows_the_report_and_the_picture():
    shown = tl.memory(DATA / "programs" / "step.hlo")._repr_html_()
    assert shown.startswith("<pre>jit_step: 4.13 GiB") and shown.endswith("</svg>\n") and "<svg " in shown


def test_vmem_of_kernels():
    def call(name, size):
        config = f'"used_scoped_memory_configs":[{{"memory_space":"1","offset":"0","size":"{size}"}}]'
        target = 'custom_call_target="tpu_custom_call"'
        return f"  {name} = f32[8]{{0}} custom-call(%x), {target}, backend_config={{{config}}}"

    lines = ["  %x = f32[8]{0} parameter(0)", call("%a", 2048), call("ROOT %b", 4096)]
    found = tl.memory("HloModule m, is_scheduled=true\n\nENTRY %main (x: f32[8]) -> f32[8] {\n" + "\n".join(lines) + "\n}\n")
    assert found.kernels == [tl.PallasKernel("b", 4096, None, "`b`"), tl.PallasKernel("a", 2048, None, "`a`")]
    assert "VMEM of Pallas kernels" in str(found)


def test_refusals():
    with pytest.raises(tl.LayoutError, match=r"(?s)not scheduled.*compile\(\)\.as_text\(\)"):
        tl.memory((DATA / "hlo_by_hand" / "old_syntax.hlo").read_text())
    with pytest.raises(tl.LayoutError, match="not an HLO module"):
        tl.memory("no program\n")
    with pytest.raises(FileNotFoundError):
        tl.memory("no_such_file.txt")


def test_a_program_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    compiled = jax.jit(lambda x: (x @ x).sum()).lower(jax.ShapeDtypeStruct((256, 256), "float32")).compile()
    found = tl.memory(compiled)
    analysis = compiled.memory_analysis()
    assert found.arguments_bytes == analysis.argument_size_in_bytes == 256 * 1024
    assert found.peak_bytes > found.arguments_bytes and found.results_bytes == 4
