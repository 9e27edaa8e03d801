"""The generations of TPUs, for those who check types."""

from typing import Literal

Tpu = Literal["v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"]
