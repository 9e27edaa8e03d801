"""Bad input: an exception with a text that helps, never a crash."""

import pickle

import ml_dtypes
import numpy as np
import pytest
import tiled_layout as tl

A = "bf16[20,300]{1,0:T(8,128)(2,1)}"
BYTES = tl.parse(A).padded_bytes
HOST = np.zeros((20, 300), ml_dtypes.bfloat16)
TEN_MB = 10_000_000


def refused(what, call, *words):
    with pytest.raises(tl.LayoutError) as found:
        call()
    text = str(found.value)
    assert all(word in text for word in words), f"{what}: {text}"
    assert len(text) < 5000, what
    return text


def test_errors_are_exceptions_of_values_with_the_caret_and_help():
    assert issubclass(tl.LayoutError, ValueError)
    text = refused("a tile", lambda: tl.parse("f32[3,5]{1,0:T(2,*)}"), "= help:")
    line, carets = text.splitlines()[1:3]
    assert line[carets.index("^")] == "*"
    refused("many", lambda: tl.parse("f23[3,5]{1,1}"), "did you mean `f32`?")
    refused("a tuple", lambda: tl.parse("(f32[3], f32[3])"), "= help:")
    assert pickle.loads(pickle.dumps(tl.LayoutError("a"))).args == ("a",)


@pytest.mark.parametrize("bytes_", [0, 1, BYTES - 1, BYTES + 1, 2 * BYTES])
def test_wrong_sizes(bytes_):
    refused("source", lambda: tl.detile(bytes(bytes_), A), f"{bytes_} bytes", str(BYTES), "= help:")
    refused("output", lambda: tl.relayout(HOST, A, out=np.zeros(bytes_, np.uint8)), "output", "= help:")


def test_wrong_dimensions_and_dtypes():
    refused("dims", lambda: tl.relayout(HOST.T.copy(), A), "(300, 20)", "(20, 300)", "from_")
    same_bytes = refused("dtype", lambda: tl.relayout(HOST.view(np.float16), A), "float16", "array.astype('bfloat16')")
    assert "array.view('bfloat16')" in same_bytes and "from_" not in same_bytes
    others = refused("dtype", lambda: tl.relayout(np.zeros((20, 300)), A), "float64", "array.astype('bfloat16')")
    assert "view" not in others and "from_" not in others
    refused("memory", lambda: tl.detile(np.zeros(BYTES // 4, np.float32), A), "float32", "array.view('bfloat16')")
    refused("output", lambda: tl.detile(bytes(BYTES), A, out=np.zeros((20, 300), np.float16)), "float16")
    refused("order of bytes", lambda: tl.detile(np.zeros(128, ">f4"), "f32[128]"), ">f4")
    refused("objects", lambda: tl.detile(np.zeros(128, object), "f32[128]"), "object")
    refused("other arrays", lambda: tl.relayout(HOST, A, from_="bf16[300,20]"), "dimension")
    refused("other elements", lambda: tl.relayout(bytes(240), "u8[240]", from_="s8[240]"))
    refused("a list", lambda: tl.detile([1, 2, 3], A), "list", "= help:")
    refused("nothing", lambda: tl.detile(None, A), "NoneType")
    refused("structured", lambda: tl.detile(np.zeros(240, [("a", "u1")]), "u8[240]"), "'a'")
    refused("output of bytes", lambda: tl.detile(bytes(BYTES), A, out=bytearray(12000)), "bytearray")
    refused("unknown", lambda: tl.detile(bytes(BYTES), "bf16[?,300]"), "dimension 0")


def test_arrays_with_a_mask():
    host = np.arange(6000, dtype=np.float32).reshape(20, 300)
    masked = np.ma.masked_less(host, 10)
    for name, call in {
        "array": lambda: tl.relayout(masked, "{1,0:T(8,128)}"),
        "array in a layout": lambda: tl.relayout(masked, "f32[20,300]", from_="f32[20,300]"),
        "memory": lambda: tl.detile(masked, "f32[20,300]"),
        "output": lambda: tl.detile(host, "f32[20,300]", out=masked),
        # Nothing of it is hidden yet.
        "no mask": lambda: tl.relayout(np.ma.array(host), "{1,0:T(8,128)}"),
    }.items():
        refused(name, call, "mask", "array.filled(0)", "array.data")
    assert (tl.detile(tl.relayout(masked.filled(0), "{1,0:T(8,128)}"), "f32[20,300]{1,0:T(8,128)}")[0, :10] == 0).all()


def test_layouts_alone_that_are_not_those_of_the_array():
    refused("rank", lambda: tl.relayout(HOST, "{0:T(8)}"), "bf16[20,300]{0:T(8)}", "the order lists 1 dimension")
    refused("syntax", lambda: tl.relayout(HOST, "{1,0:T(8"), "bf16[20,300]{1,0:T(8", "= help:")
    refused("a name", lambda: tl.relayout(HOST, "tiles"), "`tiles` is not a layout", "marlin")
    refused("near", lambda: tl.relayout(HOST, "marln"), "did you mean `marlin`?")
    refused("a format", lambda: tl.relayout(HOST, "marlin"), "does not hold elements of type `bf16`")
    refused("a notation", lambda: tl.relayout(HOST, "cutlass:1"), "there is no notation `cutlass`")
    refused("no elements", lambda: tl.relayout(np.zeros(3, object), "{0}"), "is not an element type")
    refused("no array", lambda: tl.detile(bytes(BYTES), "{1,0:T(8,128)}"), "memory does not say the sizes", "f32[3,4]{")
    refused("a name alone", lambda: tl.detile(bytes(BYTES), "marlin"), "memory does not say the sizes")
    refused("both alone", lambda: tl.relayout(HOST, "{1,0}", from_="{0,1}"), "memory does not say the sizes")
    assert tl.detile(bytes(32), "marlin_zeros u4[1,64]").shape == (1, 64)


def test_arrays_of_as_many_bytes_and_other_dimensions():
    tiles = "f32[16,256]{1,0:T(8,128)}"
    host = np.arange(4096, dtype=np.float32).reshape(16, 256)
    memory = tl.relayout(host, tiles)
    # It has no padding, so that the row-major array has as many bytes as its memory.
    refused("an array for its memory", lambda: tl.detile(host, tiles), "[16, 256]", "[2, 2, 8, 128]", "reshape(-1)")
    refused("an output", lambda: tl.detile(memory, tiles, out=np.zeros((256, 16), np.float32)), "[256, 16]", "[16, 256]")
    refused("an output of bytes", lambda: tl.relayout(host, tiles, out=np.zeros((4, 4096), np.uint8)), "[4, 4096]")
    refused("another order", lambda: tl.relayout(host, tiles, from_="f32[16,256]{0,1}"), "[256, 16]")
    assert (tl.detile(memory.reshape(-1), tiles) == host).all()
    assert (tl.detile(memory.reshape(-1).view(np.uint8), tiles, out=np.zeros(4096, np.float32)) == host.reshape(-1)).all()


def test_arrays_that_lie():
    class Liar(np.ndarray):
        nbytes, shape, ndim = 96, (2, 3, 2, 2), 4

        def reshape(self, *_):
            return np.zeros(1000, np.uint8)

    liar = np.zeros(3, np.float32).view(Liar)
    refused("source", lambda: tl.detile(liar, "f32[3,5]{1,0:T(2,2)}"), "12 bytes")
    refused("output", lambda: tl.relayout(np.zeros((3, 5), np.float32), "f32[3,5]{1,0:T(2,2)}", out=liar), "12 bytes")


@pytest.mark.parametrize("strided", [
    np.zeros((40, 300), ml_dtypes.bfloat16)[::2],
    np.zeros((300, 20), ml_dtypes.bfloat16).T,
    np.zeros((20, 300), ml_dtypes.bfloat16)[:, ::-1],
    np.broadcast_to(np.zeros(300, ml_dtypes.bfloat16), (20, 300)),
])
def test_strides_that_are_not_contiguous(strided):
    refused("source", lambda: tl.relayout(strided, A), "not contiguous", "strides", "ascontiguousarray")
    refused("output", lambda: tl.detile(bytes(BYTES), A, out=strided), "not contiguous", "output")


def test_buffers_that_are_not_contiguous():
    refused("source", lambda: tl.detile(memoryview(bytes(2 * BYTES))[::2], A), "contiguous")


def test_outputs_that_are_read_only():
    out = HOST.copy()
    out.flags.writeable = False
    refused("flag", lambda: tl.detile(bytes(BYTES), A, out=out), "read-only")
    refused("bytes", lambda: tl.relayout(HOST, A, out=np.frombuffer(bytes(BYTES), np.uint8)), "read-only")


def test_memory_that_overlaps():
    memory = np.zeros(2 * BYTES, np.uint8)
    for start in [0, 2, 1000, BYTES - 2]:
        source = memory[start : start + BYTES]
        out = memory[:12000]
        call = lambda: tl.detile(source, A, out=out.view(ml_dtypes.bfloat16).reshape(20, 300))
        if start < 12000:
            refused(start, call, "overlaps", "= help:")
        else:
            call()
    shared = bytearray(BYTES)
    both = [np.frombuffer(shared, np.uint8) for _ in range(2)]
    refused("two arrays of one buffer", lambda: tl.relayout(both[0], A, from_=A, out=both[1]), "overlaps")
    # Side by side is right.
    assert tl.relayout(memory[:BYTES], A, from_=A, out=memory[BYTES:]).nbytes == BYTES


def test_threads_that_are_none():
    for threads in [0, -1]:
        refused("threads", lambda: tl.detile(bytes(BYTES), A, threads=threads), "threads=1")
    refused("threads", lambda: tl.detile(bytes(BYTES), A, threads=1 << 80), "= help:")


def test_indices_out_of_bounds():
    layout = tl.parse(A)
    refused("coordinate", lambda: layout.offset(5, 700), "dimension 1 has size 300")
    refused("negative", lambda: layout.offset(-1, 0), "dimension 0")
    refused("rank", lambda: layout.offset(5), "length 1, but the array has rank 2", "one coordinate for each dimension")
    refused("offset", lambda: layout.index(layout.padded_elements), "out of bounds")
    refused("offset", lambda: layout.index(-1), "out of bounds")
    refused("slice", lambda: layout.slice_bytes(20), "dimension 0 has size 20")
    refused("slice of a scalar", lambda: tl.parse("f32[]").slice_bytes(0))
    refused("many", lambda: layout.offsets([[0, 0], [20, 0]]), "[20, 0]", "dimension 0 has size 20")
    refused("many", lambda: layout.offsets(np.array([[1 << 63, 0]], np.uint64)), "out of bounds")
    refused("floats", lambda: layout.offsets([[0.5, 1.0]]), "integers")
    refused("rank", lambda: layout.offsets([[0, 0, 0]]), "length 3")
    refused("scalar", lambda: layout.offsets(3), "coordinates")
    refused("ragged", lambda: layout.offsets(np.array(["a", "b"])), "integers")
    for number in [1 << 63, -(1 << 70), 10**5000]:
        refused("large", lambda: layout.offset(number, 0), "too large", "below 2^63")
        refused("large", lambda: layout.slice_bytes(number), "too large")
        refused("large", lambda: layout.index(number), "too large")
        refused("large", lambda: layout.with_dims((number, 0)), "too large")
        refused("large", lambda: tl.default((number, 0), "f32", tpu="v5e"), "too large")
    for wrong in [(5.0, 7), ((5, 7),), ("5", "7"), (None, 7)]:
        with pytest.raises(TypeError):
            layout.offset(*wrong)


def test_layouts_that_are_none():
    refused("tpu", lambda: tl.default((3,), "f32", tpu="v5"), "v5e")
    refused("long name", lambda: tl.default((3,), "f32", tpu="v" * TEN_MB), "v5e")
    refused("dtype", lambda: tl.default((3,), "float33", tpu="v5e"), "float33")
    refused("dtype", lambda: tl.default((3,), "x" * TEN_MB, tpu="v5e"))
    refused("dtype", lambda: tl.default((3,), np.dtype([("a", "f4")]), tpu="v5e"))
    refused("dtype", lambda: tl.default((3,), 17, tpu="v5e"))
    refused("negative", lambda: tl.default((3, -1), "f32", tpu="v5e"), "dimension 1 has the negative size -1")
    refused("many", lambda: tl.default([-1] * TEN_MB, "f32", tpu="v5e"), "negative")
    refused("rank", lambda: tl.default((1,) * 17, "f32", tpu="v5e"))
    refused("too large", lambda: tl.default((1 << 40, 1 << 40), "f32", tpu="v5e"))
    refused("one bit", lambda: tl.default((8,), "s1", tpu="v5e"))
    refused("sizes", lambda: tl.parse("f32[?,3]").with_dims((1,)))
    refused("sizes", lambda: tl.parse("f32[<=4]").with_dims((5,)))
    for name in ["padded_bytes", "elements", "padded_elements", "unpadded_bytes", "wasted_bytes", "expansion", "memory_dims"]:
        refused(name, lambda: getattr(tl.parse("f32[?,3]"), name), "dimension 0", "with_dims")
    refused("advise", lambda: tl.parse("f32[?,3]").advise())
    refused("advise", lambda: tl.parse("f32[4,3]").advise("v1"))
    for dims in [300, "300", (3.0,), None, ((3,),)]:
        for call in [lambda: tl.default(dims, "f32", tpu="v5e"), lambda: tl.parse("f32[?,3]").with_dims(dims)]:
            with pytest.raises(TypeError, match=r"(?s)^`dims` is not a sequence of integers: .*\(300,\)"):
                call()
    for wrong in [None, 3, b"f32[3]"]:
        with pytest.raises(TypeError):
            tl.parse(wrong)
    for call in [tl.parse, tl.Layout, tl.hlo, lambda text: tl.default((3,), "f32", tpu=text), tl.parse("f32[3]").advise]:
        refused("half a character", lambda: call("\ud800"), "surrogates")
    refused("half a character", lambda: tl.default((3,), "\ud800", tpu="v5e"), "not an element type")


def test_memory_that_no_machine_has():
    huge = f"f32[{1 << 50}]"
    refused("source", lambda: tl.detile(b"1234", huge), "4 bytes")
    with pytest.raises((MemoryError, tl.LayoutError)):
        tl.relayout(np.zeros((1, 1), "float32"), f"f32[1,1]{{1,0:T({1 << 30},{1 << 29})}}")
    with pytest.raises((MemoryError, tl.LayoutError)):
        tl.relayout(np.zeros((1, 1), "float32"), f"f32[1,1]{{1,0:T({1 << 30},{1 << 20})}}")


@pytest.mark.parametrize("text", [
    "f32[" + "1," * (TEN_MB // 2) + "1]",
    "f32[3]{0:T" + "(2)" * (TEN_MB // 3) + "}",
    "(" * TEN_MB,
    "x" * TEN_MB,
    "f32[" + "9" * TEN_MB + "]",
    "\n" * TEN_MB,
    "\0" * TEN_MB,
    "ﬀ" * (TEN_MB // 3),
])
def test_texts_of_10_mb(text):
    refused(text[:20], lambda: tl.parse(text))
    refused(text[:20], lambda: tl.detile(b"", text))
    refused(text[:20], lambda: tl.hlo(text))
    refused(text[:20], lambda: tl.hlo("HloModule m\nENTRY %main (x: f32[3]) -> f32[3] {" + text))
    refused(text[:20], lambda: tl.from_jax(text, (3,), "float32"))


def test_trees_that_are_none():
    circle = []
    circle.append(circle)
    refused("circle", lambda: tl.device_bytes(circle, tpu="v5e"), "nested")
    deep = []
    for _ in range(100_000):
        deep = [deep]
    refused("deep", lambda: tl.device_bytes(deep, tpu="v5e"), "nested")
    refused("text", lambda: tl.device_bytes({"a": "b"}, tpu="v5e"), "str is not an array")
    refused("objects", lambda: tl.device_bytes([np.zeros(3, object)], tpu="v5e"))
    refused("tpu", lambda: tl.device_bytes([HOST], tpu="v9"), "v5e")
    assert tl.device_bytes([None, {}, ()], tpu="v5e") == 0
