"""The generations of TPUs, for those who check types."""

from typing import Literal, Union

# mypy's stubtest takes one `Literal` of several names for something else.
Tpu = Union[
    Literal["v2"], Literal["v3"], Literal["v4"], Literal["v5e"], Literal["v5p"], Literal["v6e"], Literal["v7x"]
]
