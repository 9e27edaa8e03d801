"""Writes the files beside it, with the packages numpy, safetensors, gguf and ml_dtypes. Run by hand:

    pip install numpy safetensors gguf ml_dtypes && python make.py

`tiled` is pad, reshape, transpose, as XLA's document defines a tile; no code of this repository takes part.
"""

import os

import gguf
import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(15)


def tiled(array, *tile):
    """The array in memory with one tile over its last dimensions."""
    rank = len(tile)
    array = np.pad(array, [(0, 0)] * (array.ndim - rank) + [(0, -s % t) for s, t in zip(array.shape[-rank:], tile)])
    outer = array.ndim - rank
    sizes = [n for s, t in zip(array.shape[outer:], tile) for n in (s // t, t)]
    array = array.reshape(array.shape[:outer] + tuple(sizes))
    counts, parts = range(outer, outer + 2 * rank, 2), range(outer + 1, outer + 2 * rank, 2)
    return array.transpose(*range(outer), *counts, *parts)


rows = rng.integers(-999, 999, (5, 7)).astype(np.int32)
np.save("rows.npy", rows)
np.save("columns.npy", np.asfortranarray(rows))
np.save("tiles.npy", np.ascontiguousarray(tiled(rows, 2, 4)))
np.save("half.npy", rng.standard_normal((3, 4)).astype(np.float16))
np.save("brain.npy", rng.standard_normal((3, 4)).astype(ml_dtypes.bfloat16))
np.save("big_endian.npy", rows.astype(">i4"))
np.save("scalar.npy", np.float64(1.5))
np.save("empty.npy", np.zeros((0, 3), np.uint8))
np.save("truth.npy", rows > 0)
np.save("records.npy", np.zeros(2, [("a", "<f4"), ("b", "<i8")]))

w0, w1 = rng.standard_normal((2, 9, 33)).astype(np.float32)
bias = rng.standard_normal(33).astype(ml_dtypes.bfloat16)
packed = rng.integers(0, 256, (16, 32), dtype=np.uint8)
tensors = {"layers.0.w": w0, "layers.1.w": w1, "layers.0.bias": bias, "packed": packed}
save_file(tensors, "model.safetensors", metadata={"format": "np"})
# The same with the weights in tiles of 8x128.
blocks = {name: np.ascontiguousarray(tiled(w, 8, 128)) for name, w in tensors.items() if name.endswith("w")}
save_file({**tensors, **blocks}, "model_tiled.safetensors", metadata={"format": "np"})

writer = gguf.GGUFWriter("model.gguf", "llama")
writer.add_uint32("a.number", 7)
writer.add_array("a.list", ["x", "y", "z"])
writer.add_tensor("f32", w0)
writer.add_tensor("f16", w1.astype(np.float16))
writer.add_tensor("i8", packed.view(np.int8))
blocks = gguf.quants.quantize(rng.standard_normal((4, 64)).astype(np.float32), gguf.GGMLQuantizationType.Q4_0)
writer.add_tensor("q4_0", blocks, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
# What a reader of GGUF sees, as numpy's files.
for tensor in gguf.GGUFReader("model.gguf").tensors:
    np.save(f"gguf_{tensor.name}.npy", np.ascontiguousarray(tensor.data))
