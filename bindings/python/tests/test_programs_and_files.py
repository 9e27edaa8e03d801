"""Programs and files."""

import json
import pathlib
import re

import ml_dtypes
import numpy as np
import pytest
import tiled_layout as tl

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data"
PROGRAMS = sorted((DATA / "hlo").glob("*"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_parameters_and_results_of_real_programs(path):
    program = tl.hlo(path.read_text())
    assert program.parameters() and program.results()
    for buffer in program.parameters() + program.results():
        assert buffer.wasted_bytes == buffer.layout.padded_bytes - buffer.layout.unpadded_bytes


def test_a_program_of_10_mb():
    line = "  %add.{} = bf16[16,128,64]{{2,1,0:T(8,128)(2,1)}} add(%x, %x)\n"
    count = 160_000
    text = "HloModule large\nENTRY %main (x: f32[3]) -> f32[3] {\n  %x = f32[3] parameter(0)\n" + "".join(map(line.format, range(count))) + "}\n"
    assert len(text) > 10_000_000
    program = tl.hlo(text)
    assert (program.name, program.entry) == ("large", "main")


def test_files_there_and_back(tmp_path):
    source, device, again = tmp_path / "a.npy", tmp_path / "b.npy", tmp_path / "c.npy"
    host = np.random.default_rng(5).normal(size=(300, 500)).astype(np.float32)
    np.save(source, host)
    seen = []
    tl.convert(source, device, tpu="v5e", check=True, progress=lambda done, total: seen.append((done, total)))
    layout = tl.default(host.shape, host.dtype, tpu="v5e")
    # The file has the array that `relayout` returns.
    assert np.load(device).tobytes() == tl.relayout(host, layout).tobytes()
    assert np.load(device).shape == layout.memory_dims
    assert seen and seen == sorted(seen) and seen[-1][0] == seen[-1][1]
    tl.convert(device, again)
    assert again.read_bytes() == source.read_bytes()
    with pytest.raises(tl.LayoutError, match="left to undo"):
        tl.convert(again, tmp_path / "d.npy")
    tl.convert(source, device, tpu="v5e", check="sample")
    with pytest.raises(tl.LayoutError, match="no check `all`"):
        tl.convert(source, device, tpu="v5e", check="all")


def test_a_function_says_the_layouts(tmp_path):
    source, target = tmp_path / "a.npy", tmp_path / "b.npy"
    np.save(source, np.arange(15, dtype="int8").reshape(3, 5))
    called = []

    def to(name, layout):
        called.append((name, layout))
        return tl.parse("s8[3,5]{1,0:T(2,2)}")

    tl.convert(source, target, to=to)
    assert called == [("a", tl.parse("s8[3,5]"))]
    assert np.load(target).ravel()[:10].tolist() == [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]
    tl.convert(source, target, to="s8[3,5]{0,1}", from_="s8[3,5]")
    assert np.load(target).tolist() == np.load(source).tolist()
    for wrong, exception in [(lambda name, layout: 1 / 0, ZeroDivisionError), (lambda name, layout: 3, TypeError), (7, TypeError)]:
        with pytest.raises(exception):
            tl.convert(source, tmp_path / "c.npy", to=wrong)
    assert not (tmp_path / "c.npy").exists()


def safetensors(path, **tensors):
    header, data = {}, b""
    for name, (kind, array) in tensors.items():
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def test_a_layout_alone_is_that_of_each_tensor(tmp_path):
    host = np.arange(1500, dtype=np.float32)
    source = safetensors(tmp_path / "m.safetensors", a=("F32", host.reshape(3, 500)), b=("F32", host.reshape(500, 3)))
    target, again = tmp_path / "t.safetensors", tmp_path / "again.safetensors"
    tl.convert(source, target, to="{0,1:T(8,128)}")
    layouts = []
    tl.convert(target, again, to=lambda name, layout: layouts.append((name, str(layout))) or "{1,0}")
    assert sorted(layouts) == [("a", "f32[3,500]{0,1:T(8,128)}"), ("b", "f32[500,3]{0,1:T(8,128)}")]
    # By a text of a function too, and by its name.
    for to in [lambda name, layout: "{0,1:T(8,128)}", "einops:a b -> b a", " {0,1:T(8,128)}", "f32[3,500]"]:
        chosen = to if callable(to) else lambda name, layout: to if name == "a" else None
        tl.convert(source, target, to=chosen)
    with pytest.raises(tl.LayoutError, match="(?s)tensor `[ab]`: the order lists 1 .*a function as `to` answers `None`"):
        tl.convert(source, target, to="{0}")


def test_what_the_source_has_is_said_alone(tmp_path):
    source, target = tmp_path / "a.bin", tmp_path / "b.bin"
    source.write_bytes(bytes(range(96)))
    layout = "f32[3,5]{1,0:T(2,2)}"
    tl.convert(source, target, from_=layout)
    assert target.read_bytes() == tl.detile(bytes(range(96)), layout).tobytes()
    tl.convert(source, target, from_=layout, to="{0,1}")
    assert target.read_bytes() == tl.detile(bytes(range(96)), layout).T.tobytes()
    codes = tmp_path / "codes.bin"
    codes.write_bytes(bytes(64 * 64))
    tl.convert(codes, target, from_="u4[64,128]{1,0:E(4)}", to="marlin")
    assert len(target.read_bytes()) == 64 * 64


def test_helps_name_arguments_of_python(tmp_path):
    source = safetensors(
        tmp_path / "m.safetensors", w=("I8", np.full((64, 128), 77, np.int8)), v=("F32", np.zeros(3, np.float32))
    )
    untyped = tmp_path / "v2.npy"
    np.save(untyped, np.zeros((3, 5), "V2"))
    record = tmp_path / "t.safetensors"
    tl.convert(source, record, tpu="v5e", part=(1, 2))
    share = tmp_path / "t.safetensors.part-1-of-2"
    to = lambda text: lambda name, layout: text if name == "w" else None
    said = []
    for name, call, words in [
        ("other elements", lambda: tl.convert(source, record, to=to("s4[64,128]{1,0:E(4)}")), ["`to`: a layout without", "`{1,0:T(8,128)}`"]),
        ("bytes", lambda: tl.convert(source, record, to="{1,0}", from_="s8[64,129]"), ["has other dimensions"]),
        ("raw", lambda: tl.convert(untyped, tmp_path / "b.bin", to="{0,1}", from_="f32[3,5]"), ["`from_`: say how"]),
        ("no type", lambda: tl.convert(untyped, tmp_path / "b.npy", to="{0,1}"), ["V2", "`from_`: say what they are"]),
        ("no type there", lambda: tl.convert(untyped, tmp_path / "b.safetensors", to=lambda *_: None), ["`from_`: say what"]),
        ("several", lambda: tl.convert(source, tmp_path / "b.npy", tpu="v5e"), ["a function as `to`: choose one"]),
        ("missing", lambda: tl.join([share], record), ["write share 2 of 2"]),
        ("a share", lambda: tl.convert(share, tmp_path / "b.bin", to="{0}"), ["join all shares"]),
        ("damaged", lambda: tl.join([source], record), ["name shares"]),
        ("nothing", lambda: tl.convert(source, tmp_path / "c.safetensors"), ["`tpu`", "`to`"]),
    ]:
        with pytest.raises(tl.LayoutError) as found:
            call()
        text = str(found.value)
        assert all(word in text for word in words), f"{name}: {text}"
        said.append(text)
    assert not any("--" in text for text in said), said


def test_narrow_elements_keep_their_low_bits_if_one_says_so(tmp_path):
    source, target = tmp_path / "w.bin", tmp_path / "n.bin"
    source.write_bytes(bytes([0x4D] * 8))
    with pytest.raises(tl.LayoutError, match=r"`to`, `truncate=True`: a layout without `E\(4\)` keeps the bytes"):
        tl.convert(source, target, from_="s4[8]", to="{0:E(4)}")
    tl.convert(source, target, from_="s4[8]", to="{0:E(4)}", truncate=True)
    assert target.read_bytes() == bytes([0xDD] * 4)


def test_parts_are_joined(tmp_path):
    source, whole, target = tmp_path / "a.npy", tmp_path / "whole.npy", tmp_path / "b.npy"
    np.save(source, np.arange(300_000, dtype="float32").reshape(300, 1000))
    tl.convert(source, whole, tpu="v5e")
    for number in [3, 1, 2]:
        tl.convert(source, target, tpu="v5e", part=(number, 3))
    parts = [tmp_path / f"b.npy.part-{number}-of-3" for number in [2, 3, 1]]
    with pytest.raises(tl.LayoutError, match="missing"):
        tl.join(parts[:2], target)
    tl.join(parts, target)
    assert target.read_bytes() == whole.read_bytes()


def test_files_that_are_refused(tmp_path):
    source = tmp_path / "a.npy"
    np.save(source, np.zeros((3, 5), np.float32))
    with pytest.raises(FileNotFoundError):
        tl.convert(tmp_path / "none.npy", tmp_path / "b.npy", tpu="v5e")
    for arguments in [
        {"tpu": "v1"},
        {"tpu": "v5e", "to": "f32[3,5]"},
        {"to": "f32[3,6]{1,0:T(2,2)}"},
        {"to": "f32[3,"},
        {"tpu": "v5e", "part": (3, 2)},
        {"tpu": "v5e", "part": (0, 2)},
        {"tpu": "v5e", "part": (-1, 2)},
        {"tpu": "v5e", "part": (1, 1 << 32)},
        {"tpu": "\ud800"},
    ]:
        with pytest.raises(tl.LayoutError, match="(?s)= help:|other dimensions"):
            tl.convert(source, tmp_path / "b.npy", **arguments)
    source.write_bytes(b"\x93NUMPY\1\0\xff\xff" + b"(" * 1000)
    with pytest.raises(tl.LayoutError):
        tl.convert(source, tmp_path / "b.npy", tpu="v5e")
    (tmp_path / "c.safetensors").write_bytes((1 << 60).to_bytes(8, "little") + b"{" * 100)
    with pytest.raises(tl.LayoutError):
        tl.convert(tmp_path / "c.safetensors", tmp_path / "b.npy", tpu="v5e")
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")) == ["a.npy", "c.safetensors"]


def test_an_exception_of_progress_is_raised_when_the_file_is_whole(tmp_path):
    source, target = tmp_path / "a.npy", tmp_path / "b.npy"
    np.save(source, np.zeros((300, 500), np.float32))
    with pytest.raises(ZeroDivisionError):
        tl.convert(source, target, tpu="v5e", progress=lambda done, total: 1 / 0)
    assert np.load(target).size > 0


def test_safetensors_of_a_model(tmp_path, capsys):
    host = {"kv": np.arange(16 * 64 * 64).reshape(16, 64, 64).astype(ml_dtypes.bfloat16), "w": np.ones((20, 30), np.float32)}
    kinds = {"bfloat16": "BF16", "float32": "F32"}
    source = safetensors(tmp_path / "m.safetensors", **{name: (kinds[own.dtype.name], own) for name, own in host.items()})
    target = tmp_path / "v5e.safetensors"
    tl.convert(source, target, tpu="v5e", progress=True)
    assert re.search(r"\r\[#{40}\] 0\.\d of 0\.\d MB\n$", capsys.readouterr().err)
    written = target.read_bytes()
    start = 8 + int.from_bytes(written[:8], "little")
    entries = json.loads(written[8:start])
    total = 0
    for name, array in host.items():
        begin, end = entries[name]["data_offsets"]
        layout = tl.default(array.shape, array.dtype, tpu="v5e")
        assert tl.detile(written[start + begin : start + end], layout).tobytes() == array.tobytes()
        total += end - begin
    assert total == tl.device_bytes(host, tpu="v5e")
