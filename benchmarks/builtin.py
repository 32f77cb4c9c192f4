"""One step of the built-in agent, without a browser: what is done, and the sentence, over gold steps of a dataset.

    python -m benchmarks.builtin --dataset demos

Every seventh test task is gone through with reference guides as memory. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.bench import Bench
from guideact.data import open_dataset
from guideact.models.builtin.model import load_named
from guideact.models.builtin.network import SIZES
from guideact.train.examples import demos_of, view_at

MOST = 5.0
"""Milliseconds that a step of `small` may take at the median."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builtin", description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="a folder that `guideact data build` has written")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append the findings to this file")
    chosen = parser.parse_args()
    demos = demos_of(open_dataset(chosen.dataset), "test")[::7]
    bench = Bench("builtin")
    for name in SIZES:
        policy = load_named(name).policy
        done, said = [], []
        for demo in demos:
            for step in demo.steps:
                view = view_at(demo, step.index, lore=policy.lore, recall=policy.recall)
                start = time.process_time()
                act = policy.choose(view)
                between = time.process_time()
                policy.say(view, act.act, act.value)
                done.append((between - start) * 1000)
                said.append((time.process_time() - between) * 1000)
        bench.sample(f"builtin/{name}, act and value", "ms", done)
        bench.sample(f"builtin/{name}, the sentence", "ms", said)
        whole = bench.sample(
            f"builtin/{name}, a step", "ms", [one + other for one, other in zip(done, said, strict=True)]
        )
        if name == "small":
            bench.budget(
                f"a step of builtin/small: at most {MOST:g} ms", f"{whole.median:.1f} ms", whole.median <= MOST
            )
    bench.show()
    bench.keep(chosen.json)


if __name__ == "__main__":
    main()
