"""Offline scoring of a whole dataset of demonstrations: each split by `guideact offline score --json`, as a process.

    python -m benchmarks.offline --dataset demos

The predictions are those of `scripted/overlap`, made before anything is timed. Processor time stands beside the time on
the clock, since other work on the machine moves the latter.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.bench import Bench
from guideact.config import RunConfig
from guideact.data import open_dataset
from guideact.data.shards import SPLITS
from guideact.offline.predict import PredictConfig, plan, predict
from guideact.types import Split

PROMISED = 5_293
"""Steps, as many as WebMRE has."""


def once(dataset: Path, files: Mapping[Split, Path]) -> tuple[float, float, str]:
    """Seconds on the clock and of the processor for both splits, and a hash of all that was printed."""
    printed = hashlib.sha256()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for seed, path in enumerate(files.values()):
        command = [sys.executable, "-m", "guideact", "offline", "score", str(dataset), str(path), "--json"]
        environment = {**os.environ, "PYTHONHASHSEED": str(seed + time.time_ns() % 1000)}
        printed.update(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used, printed.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.offline", description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="a folder that `guideact data build` has written")
    parser.add_argument("--times", type=int, default=5, metavar="N", help="measurements (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append the findings to this file")
    chosen = parser.parse_args()
    dataset, run = open_dataset(chosen.dataset), RunConfig(model="scripted/overlap")
    bench = Bench("offline")
    with tempfile.TemporaryDirectory() as folder:
        files: dict[Split, Path] = {split: Path(folder) / f"{split}.jsonl" for split in SPLITS}
        for split, path in files.items():
            asyncio.run(predict(plan(dataset, PredictConfig(split=split), run, path)))
        once(chosen.dataset, files)
        found = [once(chosen.dataset, files) for _ in range(chosen.times)]
    steps = dataset.manifest.counts["steps"]
    bench.notes.append(f"{steps} distinct steps of {dataset.manifest.counts['tasks']} tasks; printed: {found[0][2]}")
    clock = bench.sample("scoring both splits, start to end", "s", [each[0] for each in found])
    used = bench.sample("the same, processor time", "s", [each[1] for each in found])
    measured = f"{steps} steps in {clock.median:.2f} s, {used.median:.2f} s of processor time"
    bench.budget(f"scoring {PROMISED} steps: at most 5 s", measured, steps >= PROMISED and clock.median <= 5)
    same = len({each[2] for each in found}) == 1
    bench.budget("the same bytes every time", f"{len(found)} times, hash seeds drawn", same)
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
