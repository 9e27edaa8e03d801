"""Converts a checkpoint to the layouts of a TPU in shares, each by a process of its own:

    python shares.py model.safetensors v5e 16

writes `model.v5e.safetensors`. A share is written whole or not at all, so a run that was killed is simply started again:
it makes the shares that are missing.
"""

import pathlib
import sys

import dask
import tiled_layout as tl


def path_of_share(target, number, count):
    digits = len(str(count))
    return pathlib.Path(f"{target}.part-{number:0{digits}}-of-{count}")


def is_made(share, source):
    """Whether the share is there, and of the source as it is now."""
    return share.exists() and share.stat().st_mtime >= source.stat().st_mtime


@dask.delayed
def make(source, target, tpu, number, count):
    tl.convert(source, target, tpu=tpu, part=(number, count))


def main(source, tpu, count):
    source, count = pathlib.Path(source), int(count)
    target = source.with_suffix(f".{tpu}{source.suffix}")
    shares = {number: path_of_share(target, number, count) for number in range(1, count + 1)}
    missing = [number for number, share in shares.items() if not is_made(share, source)]
    print(f"{count - len(missing)} of {count} shares are made", flush=True)
    dask.compute([make(source, target, tpu, number, count) for number in missing], scheduler="processes")
    # It refuses a share that is damaged, and one of another conversion.
    tl.join(shares.values(), target)
    print(f"{target} is whole; its shares can be deleted")


# The processes of dask import this file too.
if __name__ == "__main__":
    main(*sys.argv[1:])
