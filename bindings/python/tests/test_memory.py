"""What fills the memory of a program: figures of compilers, the notebook, a limit in a test of a user's."""

import itertools
import json
import pathlib
import re
import shutil
import subprocess

import pytest
import tiled_layout as tl

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data"
TRUTH = [json.loads(line) for line in (DATA / "peak" / "truth.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: truth["program"])
def test_figures_are_those_of_the_compilers(truth):
    found = tl.memory(DATA / "peak" / f"{truth['program']}.hlo")
    hbm = found.hbm
    assert hbm.allocated_bytes >= hbm.peak_bytes and hbm.live[0].bytes >= hbm.live[-1].bytes > 0
    if "peak" in truth and truth["program"] != "flash_train-v5e":
        assert abs(found.peak_bytes - truth["peak"]) <= max(1024, truth["peak"] / 10_000)
    if "arg" not in truth:
        if truth.get("total", 0) < 15.75 * 2**30:
            return
        # It did not fit.
        with pytest.raises(AssertionError, match=r"more than 15\.8 GiB"):
            tl.assert_fits(DATA / "peak" / f"{truth['program']}.hlo", "v5e")
        return
    assert hbm.arguments_bytes == truth["arg"] == sum(argument.bytes for argument in found.arguments) - found.host_bytes


def test_what_has_to_fit():
    step = DATA / "programs" / "step.hlo"
    assert tl.assert_fits(step, "v5e") == tl.assert_fits(step, limit="4.2 GiB") == tl.memory(step)
    with pytest.raises(AssertionError, match="have to fit .*, 1.13 GiB more than 3.00 GiB"):
        tl.assert_fits(step, limit=3 << 30)
    for wrong in [{}, {"device": "v5e", "limit": "1G"}, {"device": "v9"}, {"limit": "much"}]:
        with pytest.raises(tl.LayoutError, match="help"):
            tl.assert_fits(step, **wrong)
    assert "forward" in tl.memory(DATA / "peak" / "oom-residuals-v5e.hlo").report(tree=True)

    class Compiled:
        def as_text(self):
            return step.read_text()

        def memory_analysis(self):
            sizes = {"argument": 5 << 30, "output": 0, "alias": 0, "temp": 0}
            return type("Analysis", (), {f"{name}_size_in_bytes": size for name, size in sizes.items()})

    # What the compiler itself allocates is what counts.
    with pytest.raises(AssertionError, match="the compiler's own figures, in bytes: arguments 5368709120"):
        tl.assert_fits(Compiled(), limit="4.5G")


class Asked:
    """A program at hand, of a libtpu that was built of this change, with figures of its `memory_analysis`."""

    def __init__(self, text, build, **sizes):
        sizes = {"argument": 0, "output": 0, "alias": 0, "temp": 0} | sizes
        client = type("Client", (), {"platform_version": f"PJRT C API\nTFRT TPU v5 lite\nBuilt on Jun 17 cl/{build} tpu"})
        device = type("Device", (), {"client": client})
        self.input_shardings = ((), {})
        self.output_shardings = [type("Sharding", (), {"device_set": {device}})()]
        self.as_text = lambda: text
        self.memory_analysis = lambda: type("Analysis", (), {f"{name}_size_in_bytes": size for name, size in sizes.items()})


def test_what_has_to_fit_by_the_libtpu_that_compiled_it():
    text = (DATA / "peak" / "sin_libtpu42-v5e.hlo").read_text()
    found = tl.memory(text)
    least, most = found.least_allocated_bytes, found.hbm.allocated_bytes
    assert least < most == found.needed_bytes
    for build, needed in [(933746096, least), (957406610, least), (972931731, most), (994787025, most), (1014260217, 2 * most)]:
        compiled = Asked(text, build, temp=2 * most - found.hbm.constants_bytes)
        assert tl.assert_fits(compiled, limit=needed).needed_bytes == needed
        with pytest.raises(AssertionError, match=f"[(]{needed} bytes[)], 1 B more than") as refused:
            tl.assert_fits(compiled, limit=needed - 1)
        assert "they fit" not in str(refused.value)
    # Without arrays in HBM the compiler's sum has no tables.
    for build, needed in [(957406610, least), (994787025, most), (1014260217, most)]:
        assert tl.memory(Asked(text, build)).needed_bytes == needed
    # Constants are in memory, and not in the compiler's sum.
    constant = "HloModule m, is_scheduled=true\n\nENTRY %m () -> f32[1024] {\n  %c = f32[1024]{0} constant({...})\n  ROOT %y = f32[1024]{0} negate(%c)\n}\n"
    assert tl.memory(Asked(constant, 1014260217, output=4096)).needed_bytes == 8192


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
    assert (copy.instruction, copy.causes, copy.times, copy.source) == ("copy.1", [{"result": 1}], 1, "model.py:33 loss (transpose)")
    (advice,) = found.advice
    assert (advice.kind, advice.places, advice.major_to_minor) == ("layout", [{"result": 1}], (0, 1))
    assert "arguments_bytes=" in repr(found) and "HloModule" not in repr(found)


def test_a_notebook_shows_the_report_and_the_picture():
    shown = tl.memory(DATA / "programs" / "step.hlo")._repr_html_()
    assert shown.startswith("<pre>jit_step: 4.13 GiB") and shown.endswith("</svg>\n") and "<svg " in shown
    # The rules of a style hold for the whole notebook.
    for picture in [shown, tl.parse("f32[3,5]{1,0:T(2,2)}")._repr_html_()]:
        (style,) = re.findall("<style>(.*)</style>", picture)
        selectors = re.findall(r"([^{}]+)\{[^{}]*\}", style)
        assert len(selectors) > 5 and all(selector.startswith(".tiled-") for selector in selectors), style


BROWSER = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
MEASURE = """
const root = document.querySelector("svg"), page = root.viewBox.baseVal;
const texts = [...root.querySelectorAll("text")].filter((text) => text.textContent).map((text) => {
    const {x, y, width, height} = text.getBBox();
    // The group that it is in may be moved.
    const {e, f} = root.getScreenCTM().inverse().multiply(text.getScreenCTM());
    return {text: text.textContent, x: x + e, y: y + f, width, height, color: getComputedStyle(text).fill};
});
const background = getComputedStyle(root.querySelector(".page")).fill;
document.body.textContent = JSON.stringify({page: [page.width, page.height], texts, background});
"""


def drawn(folder, svg, *options):
    """What a browser makes of a picture: the size of the page, where its texts are, and colors."""
    page = folder / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{svg}<script>{MEASURE}</script>", encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    dom = subprocess.run([*command, *options, page.as_uri()], capture_output=True, text=True, timeout=120, check=True).stdout
    return json.loads(dom[dom.index("<body>") + 6 : dom.index("</body>")])


def with_long_names(text):
    return text.replace('op_name="x"', f'op_name="{"PARAMS.WWW" * 40}"').replace("model.py", "模型" * 90 + ".py").replace("jit_step", "jit_" + "W" * 300)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium to draw pictures with")
@pytest.mark.parametrize("name", ["programs/step.hlo", "long names", "peak/cond-v5e.hlo", "peak/llama-full-v5e.hlo"])
def test_texts_of_pictures_lie_apart(name, tmp_path):
    path = DATA / ("programs/step.hlo" if name == "long names" else name)
    text = path.read_text()
    svg = tl.memory(with_long_names(text) if name == "long names" else text).svg()
    found = drawn(tmp_path, svg)
    width, height = found["page"]
    for one in found["texts"]:
        assert 0 <= one["x"] and one["x"] + one["width"] <= width, one
        assert 0 <= one["y"] and one["y"] + one["height"] <= height, one
        assert one["color"] != found["background"], one
    for a, b in itertools.combinations(found["texts"], 2):
        across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
        down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
        # Boxes have room above and below the letters.
        assert across <= 0 or down <= 2, (a, b)
    texts = [one["text"] for one in found["texts"]]
    assert any(text.startswith("peak ") for text in texts) and any(" at the peak, " in text or text.endswith("…") for text in texts)
    dark = drawn(tmp_path, svg, "--blink-settings=preferredColorScheme=0")
    assert dark["background"] != found["background"] and dark["texts"][0]["color"] != found["texts"][0]["color"]


def test_vmem_of_kernels():
    def call(name, size):
        config = f'"used_scoped_memory_configs":[{{"memory_space":"1","offset":"0","size":"{size}"}}]'
        target = 'custom_call_target="tpu_custom_call"'
        return f"  {name} = f32[8]{{0}} custom-call(%x), {target}, backend_config={{{config}}}"

    lines = ["  %x = f32[8]{0} parameter(0)", call("%a", 2048), call("ROOT %b", 4096)]
    found = tl.memory("HloModule m, is_scheduled=true\n\nENTRY %main (x: f32[8]) -> f32[8] {\n" + "\n".join(lines) + "\n}\n")
    assert found.kernels == [tl.PallasKernel("b", 4096, None, "`b`"), tl.PallasKernel("a", 2048, None, "`a`")]
    assert "VMEM of Pallas kernels" in str(found)


def test_refusals(tmp_path):
    with pytest.raises(tl.LayoutError, match=r"(?s)not scheduled.*compile\(\)\.as_text\(\)"):
        tl.memory((DATA / "hlo_by_hand" / "old_syntax.hlo").read_text())
    with pytest.raises(tl.LayoutError, match="not an HLO module"):
        tl.memory("no program\n")
    for uncompiled in [type("Lowered", (), {"compile": None, "as_text": None})(), type("Jitted", (), {"lower": None})()]:
        with pytest.raises(tl.LayoutError, match=r"(?s)is not compiled.*compile\(\)"):
            tl.memory(uncompiled)
    with pytest.raises(tl.LayoutError, match="(?s)is a folder.*layout hlo"):
        tl.memory(DATA)
    binary = tmp_path / "program.pb"
    binary.write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(tl.LayoutError, match="is not text"):
        tl.memory(binary)
    for wrong in [3, None, b"HloModule m"]:
        with pytest.raises(tl.LayoutError, match="(?s)is not a program.*give a compiled program, its text, or a path"):
            tl.memory(wrong)
    with pytest.raises(FileNotFoundError):
        tl.memory("no_such_file.txt")


def test_a_program_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    compiled = jax.jit(lambda x: (x @ x).sum()).lower(jax.ShapeDtypeStruct((256, 256), "float32")).compile()
    found = tl.memory(compiled)
    analysis = compiled.memory_analysis()
    assert found.hbm.arguments_bytes == analysis.argument_size_in_bytes == found.compiler["arguments"] == 256 * 1024
    assert found.hbm.peak_bytes > found.hbm.arguments_bytes and found.hbm.results_bytes == 4
