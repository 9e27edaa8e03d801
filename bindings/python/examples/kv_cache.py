"""What a KV cache takes on a TPU, and how its pages come back to the host. Each `# %%` is a cell of a notebook."""

# %% A page of a KV cache: 16 tokens, 128 keys and values of 64 numbers. A server that counts elements takes it for half as large.
import ml_dtypes
import numpy as np
import tiled_layout as tl

dims, dtype = (16, 128, 64), "bf16"
page = tl.parse("bf16[16,128,64]{2,1,0:T(8,128)(2,1)}")
print(page, "takes", page.padded_bytes, "bytes, not", page.unpadded_bytes)
# In a notebook, `page` as the last line of a cell draws the layout.
print(page._repr_html_()[:60], "..")

# %% The compiler chooses better where it may, and `advise` says what it would be.
print("by default", tl.default(dims, dtype, tpu="v5e"))
for layout in page.advise()[:3]:
    print(f"  {layout} {layout.padded_bytes} bytes")

# %% What a whole cache takes, without allocating it.
cache = {f"layer{number}": [page, page] for number in range(24)}
print("the cache takes", tl.device_bytes(cache, tpu="v5e") >> 20, "MiB")

# %% One page of many is a stretch of memory, so that it can be sent alone.
pages = tl.parse("bf16[8,16,128,64]{3,2,1,0:T(8,128)(2,1)}")
start, stop = pages.slice_bytes(3)
assert stop - start == page.padded_bytes

# %% De-tiling: padding is not copied as data.
host = np.arange(np.prod((8, *dims))).reshape(8, *dims).astype(ml_dtypes.bfloat16)
device = tl.relayout(host, pages)
print("in memory", device.shape, device.nbytes, "bytes")
third = tl.detile(device.reshape(-1).view(np.uint8)[start:stop], page)
assert (third == host[3]).all()
assert (tl.detile(device, pages, threads=2) == host).all()
print("every element is where it was")
