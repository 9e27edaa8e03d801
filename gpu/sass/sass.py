"""Counts the instructions of layouts on GPUs, and writes the tables of docs/performance.md.

    .ci/gpu sass        gets the tools and runs this

For each layout of src/lib.rs: the offset of an index, the index at an offset, and a kernel that copies a row-major array
into the layout; by the library in 32 bits and in `usize`, by hand in CUDA C (by_hand.cu), and with CuTe (cute.cu). PTX
goes through the same ptxas; what is counted is SASS without the padding after the end, and registers. For AMD it is the
lines of assembly, against by_hand.cu through clang as HIP.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# PTX as new as the architecture needs.
ARCHITECTURES = {"sm_80": "ptx70", "sm_90": "ptx78", "sm_100": "ptx86"}
KINDS = ["offset", "index", "copy"]


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def sass(tools, ptx, architecture):
    """Instructions and registers of each kernel."""
    cubin = ptx.with_suffix(".cubin")
    run(tools / "ptxas", f"-arch={architecture}", ptx, "-o", cubin)
    counts, name = {}, None
    for line in run(tools / "nvdisasm", "-c", cubin).splitlines():
        if start := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            name = start[1]
            counts[name] = [0, 0]
        elif registers := re.search(r"SHI_REGISTERS=(\d+)", line):
            counts[name][1] = int(registers[1])
        elif instruction := re.match(r"\s*/\*[0-9a-f]{4}\*/\s+(@!?U?P\w+ )?(\w+)", line):
            counts[name][0] += instruction[2] != "NOP"
    # After the end there is a branch to itself.
    return {name: (count - 1, registers) for name, (count, registers) in counts.items()}


def lines(assembly):
    """Instructions and vector registers of each kernel for AMD."""
    counts, name = {}, None
    for line in assembly.splitlines():
        if start := re.match(r"(\w+):\s*; @\1", line):
            name = start[1]
            counts[name] = [0, 0]
        elif line.startswith(".Lfunc_end"):
            last, name = name, None
        elif registers := re.match(r"; NumVgprs: (\d+)", line):
            counts[last][1] = int(registers[1])
        elif name and re.match(r"\t[a-z]", line) and not re.match(r"\ts_(nop|code_end)", line):
            counts[name][0] += 1
    return counts
