"""Layouts as values, and what users were wrong about."""

import copy
import json
import pathlib
import pickle

import ml_dtypes
import numpy as np
import pytest
import tiled_layout as tl

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data"
SIZES = [json.loads(line) for line in (DATA / "tpu_sizes.jsonl").read_text().splitlines()]


def test_pages_of_a_kv_cache_take_twice_what_their_elements_take():
    page = tl.parse("bf16[16,128,64]{2,1,0:T(8,128)(2,1)}")
    assert (page.unpadded_bytes, page.padded_bytes) == (262_144, 524_288)
    assert page.wasted_bytes == 262_144
    assert tl.device_bytes({"pages": [page] * 10}, tpu="v5e") == 5_242_880
    cheaper = page.advise()
    assert cheaper[0].padded_bytes == 262_144
    assert cheaper == sorted(cheaper, key=lambda layout: layout.padded_bytes)


@pytest.mark.parametrize("tpu", ["v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"])
def test_a_head_dimension_of_64_costs_128(tpu):
    # Of equal sizes, so that no other order of the dimensions is cheaper.
    heads = tl.default((64, 64), "bf16", tpu=tpu)
    assert heads.expansion == 2.0
    assert tl.default((64, 128), "bf16", tpu=tpu).expansion == 1.0
    assert heads == tl.default((64, 64), "bfloat16", tpu=tpu) == tl.default((64, 64), ml_dtypes.bfloat16, tpu=tpu)


def test_s4_takes_half_a_byte():
    weights = tl.default((4096, 4096), "s4", tpu="v5e")
    assert weights.padded_bytes == 4096 * 4096 // 2
    assert weights.element_bits == 4
    assert tl.default((4096, 4096), "s4", tpu="v3").padded_bytes == 4096 * 4096
    described = np.lib.stride_tricks.as_strided(np.zeros(1, ml_dtypes.int4), (4096, 4096), (0, 0))
    assert tl.device_bytes([described], tpu="v5e") == 4096 * 4096 // 2


def test_the_slice_that_is_not_addressable():
    with pytest.raises(tl.LayoutError, match="not one stretch of memory: .1, 0, 0. is at offset 1"):
        tl.parse("bf16[512,3,2048]{2,0,1:T(8,128)(2,1)}").slice_bytes(0)
    addressable = tl.parse("bf16[512,3,2048]{2,1,0:T(4,128)(2,1)}")
    assert addressable.slice_bytes() == (0, addressable.padded_bytes)
    assert addressable.slice_bytes(7) == (7 * 4 * 2048 * 2, 8 * 4 * 2048 * 2)


def test_ranges_of_slices_hold_the_slice_and_no_other_element():
    texts = [line["layout"] for line in SIZES if 1 < tl.parse(line["layout"]).elements <= 4000][:400]
    texts += ["f32[5,4,3]{2,1,0:L(100)}", "f32[4,3,5]{2,1,0:T(2,2)}", "s4[6,3]{1,0:E(4)}", "s4[6,4]{1,0:E(4)}"]
    texts += ["f32[7,5]{1,0:T(*,3)}", "f32[4,6,8]{2,1,0:T(*,2)}", "f16[64,64]{1,0}, swizzle = 128B", "f16[8,8,64]{2,1,0}, swizzle = 128B"]
    found, refused = 0, 0
    for text in texts:
        layout = tl.parse(text)
        bits = layout.element_bits
        indices = np.moveaxis(np.indices(layout.dims), 0, -1).reshape(layout.dims[0], -1, len(layout.dims))
        offsets = layout.offsets(indices) * bits
        stop_of_last = 0
        for number in np.argsort(offsets.min(axis=1)):
            own, others = offsets[number], np.delete(offsets, number, axis=0)
            start, stop = own.min() // 8, -(-(own.max() + bits) // 8)
            is_shared = ((others + bits > start * 8) & (others < stop * 8)).any()
            try:
                range_ = layout.slice_bytes(int(number))
            except tl.LayoutError as error:
                assert is_shared and "= help:" in str(error), text
                refused += 1
                continue
            # Padding after the slice may belong to it, and no two slices share a byte.
            assert not is_shared and stop_of_last <= range_[0] == start, text
            assert stop <= range_[1] <= layout.padded_bytes, text
            assert not ((others + bits > range_[0] * 8) & (others < range_[1] * 8)).any(), text
            stop_of_last = range_[1]
            found += 1
    assert found > 500 and refused > 500


def test_sizes_of_the_tpu_compiler():
    assert len(SIZES) > 2000
    for line in SIZES:
        layout = tl.parse(line["layout"])
        assert layout.padded_bytes == line["document_bytes"], line
        for tpu in line.get("default_on", []):
            assert tl.default(layout.dims, layout.element_type, tpu=tpu) == layout, line


def test_offsets_are_those_of_the_definition():
    for text in ["f32[20,300]{1,0:T(8,128)}", "bf16[9,5,7]{0,2,1:T(2,4)(2,1)}", "f32[4,5,6]{0,2,1:T(*,7)}", "f32[]"]:
        layout = tl.parse(text)
        indices = np.moveaxis(np.indices(layout.dims), 0, -1)
        offsets = layout.offsets(indices)
        assert offsets.shape == layout.dims and offsets.dtype == np.int64
        for index in list(np.ndindex(layout.dims))[:: max(1, layout.elements // 200)]:
            assert layout.offset(*index) == offsets[index]
            assert layout.index(int(offsets[index])) == index
        assert len(np.unique(offsets)) == layout.elements
    assert layout.offsets(np.zeros((3, 0), int)).tolist() == [0, 0, 0]
    assert tl.parse("f32[3,5]{1,0:T(2,2)}").index(9) is None
    assert tl.parse("f32[3,5]").offsets(np.array([[2, 4]], np.uint8)).tolist() == [14]


def test_layouts_are_values():
    texts = [line["layout"] for line in SIZES[::20]]
    texts += ["f16[64,64]{1,0}, swizzle = 128B", "s32[3]{0:PAD(4)FILL(highest)}", "f32[?,<=8]{0,1:T(8,128)}", "s4[2,8]{1,0:E(4)S(5)}"]
    for text in texts:
        layout = tl.parse(text)
        pickled = [pickle.loads(pickle.dumps(layout, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        for other in [*pickled, copy.deepcopy(layout), tl.Layout(str(layout)), eval(repr(layout), vars(tl))]:
            assert other == layout and hash(other) == hash(layout), text
    assert len({tl.parse(text) for text in texts}) == len(set(texts))
    assert tl.parse("f32[3]") != tl.parse("f32[4]") and tl.parse("f32[3]") != "f32[3]"


def test_every_type_of_numpy_is_found():
    names = ["bool", "int4", "uint4", "int2", "int8", "uint64", "float16", "complex128", "bfloat16", "float4_e2m1fn"]
    names += [name for name in dir(ml_dtypes) if name.startswith("float8")]
    assert len(names) > 15
    for name in names:
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        layout = tl.default((8,), dtype, tpu="v6e")
        assert layout.dtype == dtype, name
        assert layout == tl.default((8,), layout.element_type, tpu="v6e") == tl.default((8,), name, tpu="v6e")


def test_pictures_of_notebooks():
    layout = tl.parse("f32[3,5]{1,0:T(2,2)}")
    assert layout._repr_svg_().startswith("<svg ") and "96 bytes, 60 without padding" in layout._repr_html_()
    large = tl.parse("bf16[8,16,128,65536]{3,2,1,0:T(8,128)(2,1)}")
    assert len(large._repr_svg_()) < 1_000_000
    unknown = tl.parse("f32[?,128]")
    assert unknown._repr_svg_() is None and unknown._repr_html_() is None and unknown.dims == (None, 128)
