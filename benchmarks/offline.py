"""Offline scoring of a split of demonstrations by `guideact offline score --json`, as a process.

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
from pathlib import Path

from benchmarks.bench import Bench
from guideact.config import RunConfig
from guideact.data import open_dataset
from guideact.data.shards import SPLITS
from guideact.offline.predict import PredictConfig, plan, predict
from guideact.offline.predictions import read_predictions

PROMISED = 5_293
"""Steps, as many as WebMRE has."""


def once(dataset: Path, predictions: Path) -> tuple[float, float, str]:
    """Seconds on the clock and of the processor, and a hash of what was printed."""
    command = [sys.executable, "-m", "guideact", "offline", "score", str(dataset), str(predictions), "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": str(time.time_ns() % 1000)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    printed = subprocess.run(command, capture_output=True, check=True, env=environment).stdout
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return clock, used, hashlib.sha256(printed).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.offline", description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="a folder that `guideact data build` has written")
    parser.add_argument("--split", choices=SPLITS, default="train", help="what is scored (default train)")
    parser.add_argument("--times", type=int, default=5, metavar="N", help="measurements (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append the findings to this file")
    chosen = parser.parse_args()
    dataset, run = open_dataset(chosen.dataset), RunConfig(model="scripted/overlap")
    bench = Bench("offline")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{chosen.split}.jsonl"
        asyncio.run(predict(plan(dataset, PredictConfig(split=chosen.split), run, path)))
        steps = len(read_predictions([path]).rows)
        once(chosen.dataset, path)
        found = [once(chosen.dataset, path) for _ in range(chosen.times)]
    bench.notes.append(f"{steps} distinct steps of the {chosen.split} split; printed: {found[0][2]}")
    clock = bench.sample("scoring it, start to end", "s", [each[0] for each in found])
    used = bench.sample("the same, processor time", "s", [each[1] for each in found])
    measured = f"{steps} steps in {clock.median:.2f} s, {used.median:.2f} s of processor time"
    bench.budget(f"scoring {PROMISED} steps: at most 5 s", measured, steps >= PROMISED and clock.median <= 5)
    same = len({each[2] for each in found}) == 1
    bench.budget("the same bytes every time", f"{len(found)} times, hash seeds drawn", same)
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
