"""Conversions in shares: by dask, killed and started again; by the README's commands for Slurm and Kubernetes."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import tiled_layout as tl

FOLDER = pathlib.Path(__file__).parent.parent
SHARES = 16


@pytest.fixture
def model(tmp_path):
    """A checkpoint of about 80 MB, so that a share takes a while."""
    numbers = np.random.default_rng(7).integers(0, 256, 80 << 20, np.uint8)
    header, data = {}, 0
    for layer in range(20):
        bytes_ = 1000 * 2000 * 2
        header[f"layer.{layer}"] = {"dtype": "BF16", "shape": [1000, 2000], "data_offsets": [data, data + bytes_]}
        data += bytes_
    text = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers[:data].tobytes())
    return path


def identities(folder):
    """Which file each share is, and when it was written: another one has its place after it is written again."""
    found = {path.name: path.stat() for path in folder.glob(f"*.part-??-of-{SHARES}")}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found.items()}


def test_dask_is_killed_and_goes_on(model):
    pytest.importorskip("dask", reason="dask is not installed")
    folder, target = model.parent, model.parent / "model.v5e.safetensors"
    command = [sys.executable, FOLDER / "examples" / "shares.py", model, "v5e", str(SHARES)]
    # Two processes, however many cores there are, so that some shares are not begun.
    environment = {**os.environ, "DASK_NUM_WORKERS": "2"}
    run = subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(identities(folder)) < 3 and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    # The processes that convert too.
    os.killpg(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    before = identities(folder)
    assert 3 <= len(before) < SHARES and not target.exists()

    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{len(before)} of {SHARES} shares are made" in again.stdout
    after = identities(folder)
    assert len(after) == SHARES and {name: after[name] for name in before} == before
    assert not list(folder.glob("*.tmp"))
    tl.convert(model, folder / "whole.safetensors", tpu="v5e")
    assert target.read_bytes() == (folder / "whole.safetensors").read_bytes()

    # Shares of the source as it was are not those of the source as it is.
    os.utime(model)
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"0 of {SHARES} shares are made" in again.stdout and not set(identities(folder).values()) & set(after.values())


@pytest.mark.parametrize("jobs", ["Slurm", "Kubernetes"])
def test_jobs_of_clusters(model, jobs):
    """The commands of the README, as a shell runs them."""
    _, section = (FOLDER / "README.md").read_text().split("## Many machines")
    (block,) = re.findall(r"```sh\n(.*?)```", section, re.S)
    script, *commands = block.splitlines()
    (of_job,) = [command for command in commands if jobs in command]
    join = commands[-1]
    folder = model.parent

    def shell(command, **variables):
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, **variables}
        subprocess.run(["sh", "-euc", f"{script}\n{command}"], cwd=folder, env=environment, check=True)

    for number in range(SHARES):
        if jobs == "Slurm":
            shell(of_job, SLURM_ARRAY_TASK_ID=str(number + 1), SLURM_ARRAY_TASK_COUNT=str(SHARES))
        else:
            shell(of_job, JOB_COMPLETION_INDEX=str(number))
    assert len(identities(folder)) == SHARES
    shell(join)
    tl.convert(model, folder / "whole.safetensors", tpu="v5e")
    assert (folder / "v5e.safetensors").read_bytes() == (folder / "whole.safetensors").read_bytes()
